// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "reference/model/bend.h"
#include "reference/model/case_field.h"
#include "reference/model/end.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"
#include "reference/spec/question.h"
#include "reference/spec/reduction.h"
#include "reference/spec/rule.h"

namespace assay {

enum class BulkOp : uint32_t {
  load_cta,        ///< global to the issuer's .shared::cta
  load_cluster,    ///< global to .shared::cluster of one CTA
  multicast,       ///< global to .shared::cluster of several
  store,           ///< .shared::cta to global
  peer,            ///< .shared::cta to .shared::cluster
  prefetch,        ///< global to L2
  reduce_global,   ///< .shared::cta onto global
  reduce_cluster,  ///< .shared::cta onto .shared::cluster
};
inline constexpr std::array<std::string_view, 8> bulk_op_names{
    "load_cta", "load_cluster", "multicast", "store", "peer", "prefetch", "reduce_global", "reduce_cluster"};

/// Position in spec::bulk_reductions.
enum class BulkReductionIndex : uint32_t {};

/// One bulk copy or reduction that is not of a tensor: plain data, serialises to JSON without loss. Each CTA
/// of the cluster has a window in shared memory; global memory is the arena where it is read, a slot where it
/// is written.
struct BulkCase {
  BulkOp op = BulkOp::load_cta;
  BulkReductionIndex reduction{};  ///< of the reductions
  uint32_t size = 0;               ///< the operand
  uint64_t source_offset = 0, target_offset = 0;
  bool unmapped = false;           ///< the operand in global memory lies where nothing is
  uint32_t barrier = 0;            ///< which of a CTA's two is signalled
  uint32_t barrier_shift = 0;      ///< bytes that its address is off, 0..7
  bool names_own_barrier = false;  ///< its address is the issuer's, though the destination is another's
  int32_t transaction_delta = 0;   ///< armed bytes minus those that are moved
  bool cache_hint = false;
  uint32_t spelling = 0;        ///< of the instruction, below most_spellings
  uint16_t byte_mask = 0xffff;  ///< of a store: else 0xffff, with .cp_mask
  /// Copies that it is made of, of equal multiples of 16 bytes but the last, and lanes that issue them by
  /// turns.
  uint32_t pieces = 1, lanes = 1;
  uint32_t issuer_thread = 0;  ///< the first of the lanes
  uint32_t group_ends = 1;     ///< a bit a piece: a bulk group ends behind it; the last ends one
  bool ends_empty = false;     ///< an empty group comes last
  /// Groups that the first wait leaves; where global memory is written the sources of the others change then.
  uint32_t pending = 0;
  bool waits_for_reads = false;  ///< that wait is with .read
  /// A bit a piece: there is such a wait behind it too, before its group ends.
  uint32_t early_waits = 0;
  uint32_t window_bytes = 0, slot_bytes = 0;
  uint64_t fill_offset = 0, slot_fill_offset = 0;  ///< arena offsets of what windows and slot hold before
  uint64_t pool_seed = 0;                          ///< of what they hold before a reduction
  bool is_known = false;  ///< of a reduction: all its elements are these two, whatever the seed
  uint64_t known_old = 0, known_operand = 0;
  uint32_t cluster_size = 1;
  uint32_t issuer_rank = 0, target_rank = 0;
  uint16_t cta_mask = 0;  ///< of a multicast: who receives; of a reduction of global memory: who issues it
                          ///< beside the issuer
  auto operator<=>(const BulkCase&) const = default;
};

constexpr bool is_reduction(BulkOp op) {
  return op == BulkOp::reduce_global || op == BulkOp::reduce_cluster;
}
constexpr bool reads_shared(BulkOp op) {
  return op == BulkOp::store || op == BulkOp::peer || is_reduction(op);
}
constexpr bool writes_global(BulkOp op) {
  return op == BulkOp::store || op == BulkOp::reduce_global;
}
constexpr bool signals(BulkOp op) {
  return !writes_global(op) && op != BulkOp::prefetch;
}
inline const spec::BulkReduction& reduction_of(const BulkCase& c) {
  return spec::bulk_reductions[static_cast<size_t>(c.reduction)];
}
/// "add.f16"
std::string reduction_name(const spec::Reduction&);

/// A bit a rank: those whose barrier waits for the copy, and those that issue it.
uint32_t receivers_of(const BulkCase&);
uint32_t issuers_of(const BulkCase&);

inline constexpr uint32_t most_bulk_pieces = rig::most_bulk_pieces,
                          most_bulk_pending = rig::most_bulk_pending;
/// Of a copy in pieces, whose sources a single thread changes.
inline constexpr uint32_t most_bytes_in_pieces = 2048;

/// Why the probes cannot run the case, in one sentence, or nothing.
std::string what_is_wrong(const BulkCase&);

// The members of bulk copies.

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(BulkOp) {
  return bulk_op_names;
}
inline std::vector<std::string> spellings_of(BulkReductionIndex) {
  std::vector<std::string> names;
  for (const auto& row : spec::bulk_reductions) names.push_back(reduction_name(row.what));
  return names;
}

template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, BulkCase>
void visit_fields(Copy& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, barrier, .most = 1);
  ASSAY_FIELD(visit, c, barrier_shift, .unit = "bytes", .most = 7, .called = "barrier off by");
  ASSAY_FIELD(visit, c, byte_mask, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, c, cache_hint, .told = elsewhere);
  ASSAY_FIELD(visit, c, cluster_size, .values = cluster_sizes, .told = elsewhere);
  ASSAY_FIELD(visit, c, cta_mask, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, c, early_waits, .most = (1u << most_bulk_pieces) - 1, .told = elsewhere);
  ASSAY_FIELD(visit, c, ends_empty, .told = elsewhere);
  ASSAY_FIELD(visit, c, fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, group_ends, .least = 1, .most = (1u << most_bulk_pieces) - 1, .told = elsewhere);
  ASSAY_FIELD(visit, c, is_known, .called = "all elements known");
  ASSAY_FIELD(visit, c, issuer_rank, .most = 15, .told = elsewhere);
  ASSAY_FIELD(visit, c, issuer_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD(visit, c, known_old, .shows = as_hex);
  ASSAY_FIELD(visit, c, known_operand, .shows = as_hex);
  ASSAY_FIELD(visit, c, lanes, .least = 1, .most = most_bulk_pieces, .told = elsewhere);
  ASSAY_FIELD(visit, c, names_own_barrier, .told = elsewhere);
  ASSAY_FIELD(visit, c, op, .told = elsewhere);
  ASSAY_FIELD(visit, c, pending, .most = most_bulk_pending, .told = elsewhere);
  ASSAY_FIELD(visit, c, pieces, .least = 1, .most = most_bulk_pieces, .told = elsewhere);
  ASSAY_FIELD(visit, c, pool_seed, .shows = as_hex);
  ASSAY_FIELD(visit, c, reduction, .told = elsewhere);
  ASSAY_FIELD(visit, c, size, .unit = "bytes", .told = always);
  ASSAY_FIELD(visit, c, slot_bytes, .unit = "bytes", .most = rig::max_slot_bytes, .multiple = 16,
              .called = "slot");
  ASSAY_FIELD(visit, c, slot_fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, source_offset, .told = elsewhere);
  ASSAY_FIELD(visit, c, spelling, .most = most_spellings - 1);
  ASSAY_FIELD(visit, c, target_offset, .told = elsewhere);
  ASSAY_FIELD(visit, c, target_rank, .most = 15, .told = elsewhere);
  ASSAY_FIELD(visit, c, transaction_delta, .unit = "bytes", .called = "armed bytes off by");
  ASSAY_FIELD(visit, c, unmapped, .told = elsewhere);
  ASSAY_FIELD(visit, c, waits_for_reads, .told = elsewhere);
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 16,
              .told = always, .called = "window");
}

}  // namespace assay

namespace assay::suites {

/// What a bulk copy is about: what is read of global memory, and the slot and the windows of all ranks, which
/// hold what was there before and receive what must be there after.
struct BulkMemory {
  std::span<const std::byte> arena;
  std::span<std::byte> slot, windows;
};

struct BulkPrediction {
  model::End end = model::End::done;
  spec::RuleSet rules;
};

/// Rules on bulk copies and reductions altered, each in one way.
std::span<const model::Bend> bulk_bends();

/// Bytes that a size operand stands for.
uint32_t moved_bytes(uint32_t size);

BulkPrediction predict_bulk(const BulkCase&, const spec::Readings&, const BulkMemory&);

/// Elements of the slot that several CTAs reduce, with what each may hold afterwards.
struct OpenElement {
  uint32_t at;  ///< byte of the slot
  std::vector<uint64_t> allowed;
};
/// Of a case that ends well, before it ran: those for which the order matters.
std::vector<OpenElement> open_elements(const BulkCase&, const spec::Readings&,
                                       std::span<const std::byte> slot, std::span<const std::byte> windows);

}  // namespace assay::suites
