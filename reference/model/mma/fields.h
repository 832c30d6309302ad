// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/case.h"
#include "reference/spec/smem_desc.h"

/// The members of what all cases of matrix instructions have.
namespace assay {

/// Fills are made of whole elements; 0: without mirrors or special ones.
inline constexpr uint32_t element_bits_of_fills[] = {0, 8, 16, 32};
/// A descriptor has 14 bits for units of 16 bytes.
inline constexpr uint32_t most_matrix_offset = (1u << 18) - 16;
inline constexpr uint32_t swizzles_by_code[] = {spec::smem_swizzle::none, spec::smem_swizzle::by_128B_atom32B,
                                                spec::smem_swizzle::by_128B, spec::smem_swizzle::by_64B,
                                                spec::smem_swizzle::by_32B};
static_assert(std::size(swizzles_by_code) == spec::smem_swizzles.size());

// Beside the types, where the templates of case_fields.h find them.
template <typename Pattern, typename Visit>
requires std::same_as<std::remove_const_t<Pattern>, OperandPattern>
void visit_fields(Pattern& p, const Visit& visit) {
  ASSAY_FIELD(visit, p, keep, .shows = as_hex);
  ASSAY_FIELD(visit, p, mirror_bits, .unit = "bits", .values = element_bits_of_fills);
  ASSAY_FIELD(visit, p, mirror_flip, .shows = as_hex);
  ASSAY_FIELD(visit, p, seed);
  ASSAY_FIELD(visit, p, set, .shows = as_hex);
  ASSAY_FIELD(visit, p, special, .shows = as_hex);
  ASSAY_FIELD(visit, p, special_bits, .unit = "bits", .values = element_bits_of_fills);
  ASSAY_FIELD(visit, p, special_rate, .unit = "of 256", .most = 256);
}

template <typename Known, typename Visit>
requires std::same_as<std::remove_const_t<Known>, KnownOperands>
void visit_fields(Known& k, const Visit& visit) {
  ASSAY_FIELD(visit, k, a_row, .shows = as_hex);
  ASSAY_FIELD(visit, k, b_column, .shows = as_hex);
  ASSAY_FIELD(visit, k, b_rest, .shows = as_hex);
  ASSAY_FIELD(visit, k, c, .shows = as_hex);
  ASSAY_FIELD(visit, k, present);
}

template <typename Matrix, typename Visit>
requires std::same_as<std::remove_const_t<Matrix>, MatrixInShared>
void visit_fields(Matrix& m, const Visit& visit) {
  ASSAY_FIELD(visit, m, start, .unit = "bytes", .most = most_matrix_offset, .multiple = 16,
              .covered = "matrix");
  ASSAY_FIELD(visit, m, leading_offset, .unit = "bytes", .most = most_matrix_offset, .multiple = 16,
              .covered = "matrix");
  ASSAY_FIELD(visit, m, stride_offset, .unit = "bytes", .most = most_matrix_offset, .multiple = 16,
              .covered = "matrix");
  ASSAY_FIELD(visit, m, base_offset, .most = 7, .covered = "matrix");
  ASSAY_FIELD(visit, m, swizzle, .values = swizzles_by_code, .shows = smem_swizzle_name, .covered = "matrix");
  ASSAY_FIELD(visit, m, leading_is_absolute, .covered = "matrix");
}

// The members of what a tcgen05.mma has beside its matrices, and of accesses to tensor memory.

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
