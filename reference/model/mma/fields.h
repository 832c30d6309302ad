// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/case.h"
#include "reference/model/mma/operand_fields.h"

/// The members of what a tcgen05.mma has beside its matrices, and of accesses to tensor memory.
namespace assay {

inline constexpr uint32_t access_counts[] = {1, 2, 4, 8, 16, 32, 64, 128}, access_warps[] = {4, 8};

template <typename Mask, typename Visit>
requires std::same_as<std::remove_const_t<Mask>, ColumnMask>
void visit_fields(Mask& m, const Visit& visit) {
  ASSAY_FIELD(visit, m, start_count, .unit = "columns", .most = 255, .covered = "zero-column mask");
  ASSAY_FIELD(visit, m, first_is_zeroed, .covered = "zero-column mask");
  ASSAY_FIELD(visit, m, generate, .covered = "zero-column mask");
  ASSAY_FIELD(visit, m, skip_span, .unit = "columns", .least = 1, .most = 256, .covered = "zero-column mask");
  ASSAY_FIELD(visit, m, use_span, .unit = "columns", .least = 1, .most = 256, .covered = "zero-column mask");
  ASSAY_FIELD(visit, m, column_shift, .unit = "columns", .most = 32, .may_break = true,
              .covered = "zero-column mask");
}

template <typename Scales, typename Visit>
requires std::same_as<std::remove_const_t<Scales>, ScalesInTensorMemory>
void visit_fields(Scales& s, const Visit& visit) {
  ASSAY_FIELD(visit, s, column, .most = 511);
  ASSAY_FIELD(visit, s, columns, .most = 512);
  ASSAY_FIELD(visit, s, fill);
  ASSAY_FIELD(visit, s, id, .most = 3, .covered = "scale factors");
}

template <typename Metadata, typename Visit>
requires std::same_as<std::remove_const_t<Metadata>, MetadataInTensorMemory>
void visit_fields(Metadata& m, const Visit& visit) {
  ASSAY_FIELD(visit, m, codes, .shows = as_hex);
  ASSAY_FIELD(visit, m, column, .most = 511);
  ASSAY_FIELD(visit, m, columns, .most = 512);
  ASSAY_FIELD(visit, m, seed, .shows = as_hex);
  ASSAY_FIELD(visit, m, selector, .most = 3);
  ASSAY_FIELD(visit, m, strange_codes, .shows = as_hex);
  ASSAY_FIELD(visit, m, strange_rate, .unit = "of 256", .most = 256);
}

template <typename Access, typename Visit>
requires std::same_as<std::remove_const_t<Access>, TmemAccessCase>
void visit_fields(Access& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, alloc_columns, .unit = "columns", .values = powers_from_32, .told = elsewhere);
  ASSAY_FIELD(visit, c, column, .most = 511, .told = elsewhere);
  ASSAY_FIELD(visit, c, count, .values = access_counts, .told = elsewhere);
  ASSAY_FIELD(visit, c, d_fill);
  ASSAY_FIELD(visit, c, is_store, .told = elsewhere);
  ASSAY_FIELD(visit, c, lane, .values = half_lanes, .told = elsewhere);
  ASSAY_FIELD(visit, c, named_warp, .most = 3, .told = elsewhere);
  ASSAY_FIELD(visit, c, packs, .told = elsewhere);
  ASSAY_FIELD(visit, c, register_fill);
  ASSAY_FIELD(visit, c, same_address, .told = elsewhere);
  ASSAY_FIELD(visit, c, shape, .most = 4, .told = elsewhere);
  ASSAY_FIELD(visit, c, split, .unit = "columns", .most = 256, .told = elsewhere);
  ASSAY_FIELD(visit, c, warps, .values = access_warps, .told = elsewhere);
}

}  // namespace assay
