// Does nothing with an input that is mutated as a descriptor is: what the engine, the mutator and the
// sanitizers cost by themselves.
#include "fuzz/counters.h"
#include "fuzz/mutate.h"
#include "fuzz/target.h"
#include "reference/spec/smem_desc.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  ++assay::fuzz::counts().inputs;
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return assay::fuzz::mutate_descriptor(assay::spec::smem_desc, 1, data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size, unsigned seed) {
  return assay::fuzz::cross_descriptors(assay::spec::smem_desc, 1, one, one_size, other, other_size, out,
                                        max_size, seed);
}
