// SPDX-License-Identifier: Apache-2.0
// How inputs of instr_desc are changed: the word as a descriptor of the kind that they name, and three bytes
// of use.
#include "fuzz/words/instr_desc.h"

#include "fuzz/target.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace assay;
  return fuzz::mutate_descriptor(spec::descriptor_of(fuzz::kind_of(data, size)), 3, data, size, max_size,
                                 seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size, unsigned seed) {
  using namespace assay;
  return fuzz::cross_descriptors(spec::descriptor_of(fuzz::kind_of(one, one_size)), 3, one, one_size, other,
                                 other_size, out, max_size, seed);
}
