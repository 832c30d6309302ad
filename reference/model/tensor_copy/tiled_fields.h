// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/rig.h"
#include "reference/model/shown_codes.h"
#include "reference/model/spelling.h"
#include "reference/model/tensor_copy/tiled_case.h"
#include "reference/spec/tensor_map.h"

/// The members of maps and tiled copies.
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

/// What tiled and im2col copies have alike.
template <typename Copy, typename Visit>
void visit_copy_fields(Copy& copy, const Visit& visit) {
  ASSAY_FIELD(visit, copy, cache_hint, .told = elsewhere);
  ASSAY_FIELD(visit, copy, cluster_size, .values = cluster_sizes, .told = elsewhere);
  ASSAY_FIELD(visit, copy, coord, .told = elsewhere);
  ASSAY_FIELD(visit, copy, cta_mask, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, copy, destination_cta, .told = elsewhere);
  ASSAY_FIELD(visit, copy, direction, .told = elsewhere);
  ASSAY_FIELD(visit, copy, fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, copy, in_a_row, .told = elsewhere);
  ASSAY_FIELD(visit, copy, instruction_rank, .told = elsewhere);
  ASSAY_FIELD(visit, copy, issuer_rank, .most = 15, .told = elsewhere);
  ASSAY_FIELD(visit, copy, issuer_thread, .most = 127, .told = elsewhere);
  ASSAY_FIELD(visit, copy, lane_pitch, .told = elsewhere);
  ASSAY_FIELD(visit, copy, lane_step, .told = elsewhere);
  ASSAY_FIELD(visit, copy, lanes, .least = 1, .most = 32, .told = elsewhere);
  ASSAY_FIELD(visit, copy, map, .told = elsewhere);
  ASSAY_FIELD(visit, copy, other_map_address, .unit = "bytes", .told = elsewhere);
  ASSAY_FIELD(visit, copy, other_map_lanes, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, copy, prefetch_first, .told = elsewhere);
  ASSAY_FIELD(visit, copy, reduction, .told = elsewhere);
  ASSAY_FIELD(visit, copy, slot_bytes, .unit = "bytes", .most = rig::max_slot_bytes, .multiple = 16,
              .called = "slot");
  ASSAY_FIELD(visit, copy, slot_fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, copy, spelling, .most = most_spellings - 1, .told = elsewhere);
  // Further on lies other CTAs' memory, or nothing: no document says which fault comes first there.
  ASSAY_FIELD(visit, copy, tile_offset, .unit = "bytes", .most = rig::max_window_bytes - 1,
              .told = elsewhere);
  ASSAY_FIELD(visit, copy, transaction_delta, .unit = "bytes", .called = "armed bytes off by");
  ASSAY_FIELD(visit, copy, unicast, .told = elsewhere);
  ASSAY_FIELD(visit, copy, window_bytes, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 16,
              .told = always, .called = "window");
}

template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, TiledCase>
void visit_fields(Copy& copy, const Visit& visit) {
  visit_copy_fields(copy, visit);
  ASSAY_FIELD(visit, copy, barrier_offset, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 8,
              .called = "mbarrier at");
  ASSAY_FIELD(visit, copy, cta_group, .values = written_cta_groups, .told = elsewhere);
  ASSAY_FIELD(visit, copy, other_map_less, .told = elsewhere);
  ASSAY_FIELD(visit, copy, peer_barrier, .told = elsewhere);
  ASSAY_FIELD(visit, copy, prefetch_alone, .told = elsewhere);
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

}  // namespace assay
