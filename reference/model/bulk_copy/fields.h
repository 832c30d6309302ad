// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/bulk_copy/case.h"
#include "reference/model/case_field.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"

/// The members of bulk copies.
namespace assay {

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
