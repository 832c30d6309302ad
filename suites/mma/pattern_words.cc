// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/pattern_words.h"

#include "reference/model/mma/fields.h"

namespace assay::suites {
namespace {

const PatternKernels& kernels() {
  static const PatternKernels& best = pattern_kernels_of_this_processor().front();
  return best;
}

void quads(const OperandPattern& pattern, std::span<const uint32_t> first, uint32_t* words) {
  kernels().quads(operand_fill(pattern), first, words);
}

void range(const OperandPattern& pattern, uint64_t first, std::span<uint32_t> words) {
  kernels().range(operand_fill(pattern), first, words);
}

void metadata(const SparseA& sparse, std::span<uint32_t> words) {
  if (sparse.is_known) {
    for (size_t t = 0; t < words.size(); ++t) words[t] = sparse.of_quad[t % 4];
    return;
  }
  const params::MetadataFill fill{.seed = sparse.seed,
                                  .codes = sparse.codes,
                                  .strange_codes = sparse.strange_codes,
                                  .strange_rate = sparse.strange_rate};
  kernels().metadata(fill, words);
}

}  // namespace

params::OperandFill operand_fill(const OperandPattern& pattern) {
  params::OperandFill fill;
  model::fields::copy_members(pattern, fill);
  return fill;
}

const model::PatternWords pattern_words{quads, range, metadata};

}  // namespace assay::suites
