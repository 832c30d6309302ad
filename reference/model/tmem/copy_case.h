// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <type_traits>

#include "reference/layout/tmem.h"
#include "reference/model/case_field.h"
#include "reference/model/mma/case.h"
#include "reference/model/mma/fields.h"
#include "reference/model/mma/mma.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"
#include "reference/spec/question.h"

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

// The members of programs of tcgen05.cp and tcgen05.shift.

inline constexpr uint32_t most_copied_window = 225 * 1024;

template <typename Move, typename Visit>
requires std::same_as<std::remove_const_t<Move>, TmemMove>
void visit_fields(Move& m, const Visit& visit) {
  ASSAY_FIELD(visit, m, column, .most = 511);
  ASSAY_FIELD(visit, m, column_step, .most = 511);
  ASSAY_FIELD(visit, m, count, .least = 1, .most = 64);
  ASSAY_FIELD(visit, m, format, .most = layout::tmem_copy_formats.size() - 1);
  ASSAY_FIELD(visit, m, is_shift);
  ASSAY_FIELD(visit, m, lane, .most = 127);
  ASSAY_FIELD(visit, m, shape, .most = layout::tmem_copy_shapes.size() - 1);
  ASSAY_FIELD(visit, m, source);
  ASSAY_FIELD(visit, m, source_flip, .shows = as_hex);
  ASSAY_FIELD(visit, m, source_step, .most = (1u << 14) - 1);
  ASSAY_FIELD(visit, m, waits);
}

template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, TmemCopyCase>
void visit_fields(Copy& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, alloc_columns, .unit = "columns", .values = powers_from_32, .told = always,
              .called = "allocation");
  ASSAY_FIELD(visit, c, cta_group, .values = cta_groups, .told = elsewhere);
  ASSAY_FIELD(visit, c, d_fill);
  ASSAY_FIELD_AS("first", visit, c, moves[0]);
  ASSAY_FIELD(visit, c, issuer_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD(visit, c, move_count, .least = 1, .most = TmemCopyCase::most_moves, .told = elsewhere);
  ASSAY_FIELD(visit, c, odd_cta_issues, .told = elsewhere);
  ASSAY_FIELD_AS("second", visit, c, moves[1]);
  ASSAY_FIELD(visit, c, spelling, .most = most_spellings - 1);
  ASSAY_FIELD_AS("third", visit, c, moves[2]);
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .most = most_copied_window, .multiple = 16,
              .told = always, .called = "window");
  ASSAY_FIELD(visit, c, window_fill);
}

}  // namespace assay

namespace assay::suites {

/// Predicts the whole allocation of each CTA, as model::predict_mma does: cell (lane, column) of CTA v at
/// (v * 128 + lane) * alloc_columns + column, what was there before; receives what must be there after.
/// `defined` (same size) gets the bits that are defined; it is written only when not all are. Every place
/// that a descriptor leads to must lie in the windows.
model::Tcgen05MmaPrediction predict_tmem_copy(const TmemCopyCase&, const spec::Readings&,
                                              const model::MmaWindows& windows, std::span<uint32_t> cells,
                                              std::span<uint32_t> defined);

/// Rules that its words and addresses break, by these readings.
spec::RuleSet broken_copy_rules(const TmemCopyCase&, const spec::Readings&);

/// Copies and shifts altered, each in one way.
std::span<const model::Bend> tmem_copy_bends();

}  // namespace assay::suites

namespace assay {

/// One tcgen05.commit.cta_group::1 in a cluster, by a thread that has issued nothing before: plain data,
/// serialises to JSON without loss.
struct CommitCase {
  uint32_t cluster_size = 2;  ///< 2, 4, 8 or 16
  bool multicast = true;      ///< to the CTAs of cta_mask; else to the mbarrier of one, at its own address
  uint16_t cta_mask = 1;      ///< without a multicast one bit, the issuer's or another's
  uint16_t issuer_rank = 0;
  uint32_t issuer_thread = 0;
  /// Of the mbarriers from the window's start, multiple of 8 behind the window; 0: somewhere before it.
  uint32_t barrier_offset = 0;
  /// That each mbarrier which is told expects before the commit, and is told of only after it.
  uint32_t tracked_bytes = 0;
  bool is_generic = false;  ///< at a generic address, without a state space
  auto operator<=>(const CommitCase&) const = default;
};

/// Of shared memory in each CTA, which nothing changes.
inline constexpr uint32_t commit_window_bytes = 256;

/// Why the probe cannot run the case, in one sentence, or nothing.
std::string what_is_wrong(const CommitCase&);

// The members of commits.

inline constexpr uint32_t cluster_sizes_of_commits[] = {2, 4, 8, 16};

template <typename Commit, typename Visit>
requires std::same_as<std::remove_const_t<Commit>, CommitCase>
void visit_fields(Commit& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, barrier_offset, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 8,
              .called = "mbarriers at");
  ASSAY_FIELD(visit, c, cluster_size, .values = cluster_sizes_of_commits, .told = elsewhere);
  ASSAY_FIELD(visit, c, cta_mask, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD_AS("generic", visit, c, is_generic, .called = "address", .yes = "generic");
  ASSAY_FIELD(visit, c, issuer_rank, .most = 15, .told = elsewhere);
  ASSAY_FIELD(visit, c, issuer_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD(visit, c, multicast, .told = elsewhere);
  ASSAY_FIELD(visit, c, tracked_bytes, .unit = "bytes", .most = (1u << 20) - 1,
              .called = "bytes that come later");
}

}  // namespace assay
