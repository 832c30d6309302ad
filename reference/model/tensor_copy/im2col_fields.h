// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/case_json.h"
#include "reference/model/rig.h"
#include "reference/model/shown_codes.h"
#include "reference/model/tensor_copy/im2col_case.h"
#include "reference/model/tensor_copy/tiled_fields.h"
#include "reference/spec/tensor_map.h"

/// The members of im2col maps, copies and calls of the encoders.
namespace assay {

// Beside the types, where the templates of case_fields.h find them.
template <typename Map, typename Visit>
requires std::same_as<std::remove_const_t<Map>, Im2colMapArgs>
void visit_fields(Map& map, const Visit& visit) {
  ASSAY_FIELD_AS("data_type", visit, map, base.data_type, .most = spec::data_types.size() - 1,
                 .may_break = true, .called = "type", .shows = data_type_name, .covered = "tensor map");
  ASSAY_FIELD_AS("rank", visit, map, base.rank, .least = 3, .most = spec::max_rank, .may_break = true,
                 .covered = "tensor map");
  ASSAY_FIELD_AS("interleave", visit, map, base.interleave, .most = spec::interleaves.size() - 1,
                 .may_break = true, .shows = interleave_name, .covered = "tensor map");
  ASSAY_FIELD_AS("swizzle", visit, map, base.swizzle, .most = spec::host_swizzle::count - 1,
                 .may_break = true, .shows = swizzle_name, .covered = "tensor map");
  ASSAY_FIELD_AS("l2_promotion", visit, map, base.l2_promotion, .most = spec::l2_promotions.size() - 1,
                 .may_break = true, .covered = "tensor map");
  ASSAY_FIELD_AS("oob_fill", visit, map, base.oob_fill, .most = 1, .may_break = true, .called = "fill",
                 .covered = "tensor map");
  ASSAY_FIELD(visit, map, channels, .least = 1, .most = 256, .may_break = true, .covered = "tensor map");
  ASSAY_FIELD(visit, map, pixels, .least = 1, .most = 1024, .may_break = true, .covered = "tensor map");
  ASSAY_FIELD_AS("global_dim", visit, map, base.global_dim, .unit = "elements", .least = 1,
                 .most = spec::max_global_dim, .may_break = true, .called = "dim", .covered = "tensor map");
  ASSAY_FIELD_AS("global_stride", visit, map, base.global_stride, .unit = "bytes", .least = 0,
                 .most = spec::global_stride_end - 16, .multiple = 16, .may_break = true, .called = "stride",
                 .covered = "tensor map");
  ASSAY_FIELD_AS("element_stride", visit, map, base.element_stride, .unit = "elements", .least = 1,
                 .most = spec::max_element_stride, .may_break = true, .called = "traversal",
                 .covered = "tensor map");
  ASSAY_FIELD_AS("global_address", visit, map, base.global_address, .unit = "bytes", .told = elsewhere,
                 .shows = as_hex);
  ASSAY_FIELD(visit, map, lower);
  ASSAY_FIELD(visit, map, upper);
  ASSAY_FIELD(visit, map, wide);
  ASSAY_FIELD(visit, map, wide_mode);
}

template <typename Call, typename Visit>
requires std::same_as<std::remove_const_t<Call>, EncodeIm2colCase>
void visit_fields(Call& call, const Visit& visit) {
  ASSAY_FIELD(visit, call, before, .told = elsewhere);
  ASSAY_FIELD(visit, call, map, .told = elsewhere);
  ASSAY_FIELD(visit, call, map_offset, .unit = "bytes", .most = 63, .called = "map pointer mod 64");
  ASSAY_FIELD(visit, call, null_mask, .most = 63, .told = elsewhere);
}

template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, Im2colCase>
void visit_fields(Copy& copy, const Visit& visit) {
  visit_copy_fields(copy, visit);
  ASSAY_FIELD(visit, copy, cta_group, .values = written_cta_groups, .called = "cta_group");
  ASSAY_FIELD(visit, copy, is_tile_instruction, .told = elsewhere);
  ASSAY_FIELD(visit, copy, mode, .told = elsewhere);
  ASSAY_FIELD(visit, copy, offset, .told = elsewhere);
  ASSAY_FIELD(visit, copy, peer_barrier, .called = "mbarrier", .yes = "of the peer");
  ASSAY_FIELD(visit, copy, w_halo, .unit = "pixels", .called = "wHalo");
  ASSAY_FIELD(visit, copy, w_offset, .unit = "pixels", .called = "wOffset");
}

inline std::array<std::string_view, 3> spellings_of(Im2colMode) {
  return {"im2col", "im2col::w", "im2col::w::128"};
}

}  // namespace assay
