// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "reference/model/warp_mma/case.h"
#include "reference/numerics/arithmetic.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/smem_desc.h"

namespace assay::model {

/// How the words of an operand pattern are made.
struct PatternWords {
  /// words[4 * i + j] = word first[i] + j.
  void (*quads)(const OperandPattern& pattern, std::span<const uint32_t> first, uint32_t* words);
  /// words[i] = word first + i.
  void (*range)(const OperandPattern& pattern, uint64_t first, std::span<uint32_t> words);
  /// words[t] = the metadata of thread t.
  void (*metadata)(const SparseA& sparse, std::span<uint32_t> words) = nullptr;
};

numerics::Types numeric_types(const MmaTypes& types, int k);
/// K of one wgmma of these types, 32 bytes: of a sparse A what it keeps.
constexpr int wgmma_k(const MmaTypes& types) {
  return 32 / static_cast<int>(element_bytes(types.a));
}

/// What a descriptor of the case says. The swizzle must be one that wgmma has.
spec::SmemMatrix smem_matrix(const MatrixInShared& matrix);

/// What a prediction with a bend does not say: `defined`, as many words as the output, is written where
/// `is_any`.
struct Openness {
  std::span<uint32_t> defined;
  bool is_any = false;
  bool leaves_window = false;  ///< an operand is read where the case says nothing of memory
};

/// The output of a legal case: register r of D of thread t in tile i is word (t * tiles + i) * registers + r,
/// as the case types say. `output` holds output_bytes() / 4 words. Returns the rules that the case exercises.
spec::RuleSet predict(const WgmmaCase& c, const spec::Readings& readings, const PatternWords& words,
                      std::span<uint32_t> output, Openness* openness = nullptr);
spec::RuleSet predict(const MmaSyncCase& c, const spec::Readings& readings, const PatternWords& words,
                      std::span<uint32_t> output, Openness* openness = nullptr);

}  // namespace assay::model
