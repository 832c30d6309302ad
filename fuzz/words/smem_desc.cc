// SPDX-License-Identifier: Apache-2.0
// How inputs of smem_desc are changed: the word, and a byte of use.
#include "reference/spec/smem_desc.h"
#include "fuzz/target.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return assay::fuzz::mutate_descriptor(assay::spec::smem_desc, 1, data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* one, size_t one_size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t max_size, unsigned seed) {
  return assay::fuzz::cross_descriptors(assay::spec::smem_desc, 1, one, one_size, other, other_size, out,
                                        max_size, seed);
}
