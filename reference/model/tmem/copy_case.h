// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reference/model/mma/case.h"

namespace assay {

/// Instructions of one kind one behind the other.
struct TmemMove {
  bool is_shift = false;  ///< tcgen05.shift.down; else tcgen05.cp
  uint32_t shape = 0;     ///< of a copy: position in layout::tmem_copy_shapes
  uint32_t format = 0;    ///< position in layout::tmem_copy_formats
  MatrixInShared source;
  uint64_t source_flip = 0;  ///< bits of the descriptor's word that are xored in
  uint32_t lane = 0, column = 0;
  uint32_t count = 1;        ///< 1 to 64
  uint32_t source_step = 0;  ///< 16-byte units of the start, after each
  uint32_t column_step = 0;  ///< columns, after each
  bool waits = true;         ///< each is committed and waited for before what follows
  auto operator<=>(const TmemMove&) const = default;
};

/// A short program of tcgen05.cp and tcgen05.shift by one thread, on tensor and shared memory of one CTA or
/// of both of a pair: plain data, serialises to JSON without loss.
struct TmemCopyCase {
  static constexpr uint32_t most_moves = 3;
  uint32_t cta_group = 1;
  bool odd_cta_issues = false;  ///< of a pair
  uint32_t issuer_thread = 0;
  uint32_t spelling = 0;  ///< of every copy, below most_spellings
  uint32_t move_count = 1;
  std::array<TmemMove, most_moves> moves{};  ///< those behind move_count are as by default
  uint32_t alloc_columns = 32;
  uint32_t window_bytes = 128;
  OperandPattern window_fill, d_fill;
  auto operator<=>(const TmemCopyCase&) const = default;
};

/// Lanes, from the first that a copy may write on, and columns of one instruction.
uint32_t columns_of(const TmemMove&);
/// First byte of the window, a multiple of 128, behind all that the copies of a move read.
uint32_t source_end(const TmemMove&);
/// The word of the descriptor of a copy.
uint64_t descriptor_word(const TmemMove&);

/// Why the probes cannot run the case, in one sentence, or nothing.
std::string what_is_wrong(const TmemCopyCase&);

nlohmann::json to_json(const TmemCopyCase&);
/// Throws std::runtime_error with one sentence.
TmemCopyCase tmem_copy_case_from_json(const nlohmann::json&);
/// The JSON Schema of such cases.
nlohmann::json tmem_copy_case_schema();

}  // namespace assay
