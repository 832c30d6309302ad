// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/tensor_map/case.h"
#include "reference/spec/tensor_map.h"

/// The members of the arguments of maps and of calls of their encoders.
namespace assay {

inline constexpr auto swizzle_hosts = [] {
  std::array<uint32_t, spec::swizzles.size()> hosts{};
  for (size_t i = 0; i < hosts.size(); ++i) hosts[i] = spec::swizzles[i].host;
  return hosts;
}();

template <typename Map, typename Visit>
requires std::same_as<std::remove_const_t<Map>, TensorMapArgs>
void visit_fields(Map& map, const Visit& visit) {
  ASSAY_FIELD(visit, map, data_type, .most = spec::data_types.size() - 1, .may_break = true, .called = "type",
              .shows = data_type_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, rank, .least = 1, .most = spec::max_rank, .may_break = true,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, interleave, .most = spec::interleaves.size() - 1, .may_break = true,
              .shows = interleave_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, swizzle, .values = swizzle_hosts, .may_break = true, .shows = swizzle_name,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, l2_promotion, .most = spec::l2_promotions.size() - 1, .may_break = true,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, oob_fill, .most = 1, .may_break = true, .called = "fill", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_dim, .unit = "elements", .least = 1, .most = spec::max_global_dim,
              .may_break = true, .called = "dim", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_stride, .unit = "bytes", .least = 0, .most = spec::global_stride_end - 16,
              .multiple = 16, .may_break = true, .called = "stride", .covered = "tensor map");
  ASSAY_FIELD(visit, map, box_dim, .unit = "elements", .least = 1, .most = spec::max_box_dim,
              .may_break = true, .called = "box", .covered = "tensor map");
  ASSAY_FIELD(visit, map, element_stride, .unit = "elements", .least = 1, .most = spec::max_element_stride,
              .may_break = true, .called = "traversal", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_address, .unit = "bytes", .told = elsewhere, .shows = as_hex);
}

template <typename Map, typename Visit>
requires std::same_as<std::remove_const_t<Map>, Im2colMapArgs>
void visit_fields(Map& map, const Visit& visit) {
  ASSAY_FIELD(visit, map, data_type, .most = spec::data_types.size() - 1, .may_break = true, .called = "type",
              .shows = data_type_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, rank, .least = 3, .most = spec::max_rank, .may_break = true,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, interleave, .most = spec::interleaves.size() - 1, .may_break = true,
              .shows = interleave_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, swizzle, .most = spec::host_swizzle::count - 1, .may_break = true,
              .shows = swizzle_name, .covered = "tensor map");
  ASSAY_FIELD(visit, map, l2_promotion, .most = spec::l2_promotions.size() - 1, .may_break = true,
              .covered = "tensor map");
  ASSAY_FIELD(visit, map, oob_fill, .most = 1, .may_break = true, .called = "fill", .covered = "tensor map");
  ASSAY_FIELD(visit, map, channels, .least = 1, .most = 256, .may_break = true, .covered = "tensor map");
  ASSAY_FIELD(visit, map, pixels, .least = 1, .most = 1024, .may_break = true, .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_dim, .unit = "elements", .least = 1, .most = spec::max_global_dim,
              .may_break = true, .called = "dim", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_stride, .unit = "bytes", .least = 0, .most = spec::global_stride_end - 16,
              .multiple = 16, .may_break = true, .called = "stride", .covered = "tensor map");
  ASSAY_FIELD(visit, map, element_stride, .unit = "elements", .least = 1, .most = spec::max_element_stride,
              .may_break = true, .called = "traversal", .covered = "tensor map");
  ASSAY_FIELD(visit, map, global_address, .unit = "bytes", .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, map, box_dim, .unit = "elements", .may_break = true, .told = elsewhere);
  ASSAY_FIELD(visit, map, lower);
  ASSAY_FIELD(visit, map, upper);
  ASSAY_FIELD(visit, map, wide);
  ASSAY_FIELD(visit, map, wide_mode);
}

template <typename Call, typename Visit>
requires std::same_as<std::remove_const_t<Call>, EncodeTiledCase>
void visit_fields(Call& call, const Visit& visit) {
  ASSAY_FIELD(visit, call, before, .told = elsewhere);
  ASSAY_FIELD(visit, call, map, .told = elsewhere);
  ASSAY_FIELD(visit, call, map_offset, .unit = "bytes", .most = 63, .called = "map pointer mod 64");
  ASSAY_FIELD(visit, call, null_mask, .most = 31, .told = elsewhere);
  ASSAY_FIELD(visit, call, replacement, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, call, replaces, .told = elsewhere);
}

template <typename Call, typename Visit>
requires std::same_as<std::remove_const_t<Call>, EncodeIm2colCase>
void visit_fields(Call& call, const Visit& visit) {
  ASSAY_FIELD(visit, call, before, .told = elsewhere);
  ASSAY_FIELD(visit, call, map, .told = elsewhere);
  ASSAY_FIELD(visit, call, map_offset, .unit = "bytes", .most = 63, .called = "map pointer mod 64");
  ASSAY_FIELD(visit, call, null_mask, .most = 63, .told = elsewhere);
}

/// The im2col encoders have no box.
inline void check_fields(const std::string& path, const EncodeIm2colCase& call) {
  if (call.map.box_dim != decltype(call.map.box_dim){})
    throw std::runtime_error("field '" + path + "map.box_dim' of the case is set; im2col maps have no box.");
}

}  // namespace assay
