#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/tiled_case.h"

/// The members of maps and tiled copies for case_fields.h.
namespace assay {

template <typename Map, typename Visit>
requires std::same_as<std::remove_const_t<Map>, TensorMapArgs>
void visit_fields(Map& map, const Visit& visit) {
  visit("box_dim", map.box_dim);
  visit("data_type", map.data_type);
  visit("element_stride", map.element_stride);
  visit("global_address", map.global_address);
  visit("global_dim", map.global_dim);
  visit("global_stride", map.global_stride);
  visit("interleave", map.interleave);
  visit("l2_promotion", map.l2_promotion);
  visit("oob_fill", map.oob_fill);
  visit("rank", map.rank);
  visit("swizzle", map.swizzle);
}

template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, TiledCase>
void visit_fields(Copy& copy, const Visit& visit) {
  visit("barrier_offset", copy.barrier_offset);
  visit("cache_hint", copy.cache_hint);
  visit("cluster_size", copy.cluster_size);
  visit("coord", copy.coord);
  visit("cta_group", copy.cta_group);
  visit("cta_mask", copy.cta_mask);
  visit("destination_cta", copy.destination_cta);
  visit("direction", copy.direction);
  visit("fill_offset", copy.fill_offset);
  visit("in_a_row", copy.in_a_row);
  visit("instruction_rank", copy.instruction_rank);
  visit("issuer_rank", copy.issuer_rank);
  visit("issuer_thread", copy.issuer_thread);
  visit("lane_pitch", copy.lane_pitch);
  visit("lane_step", copy.lane_step);
  visit("lanes", copy.lanes);
  visit("map", copy.map);
  visit("other_map_address", copy.other_map_address);
  visit("other_map_lanes", copy.other_map_lanes);
  visit("other_map_less", copy.other_map_less);
  visit("peer_barrier", copy.peer_barrier);
  visit("prefetch_alone", copy.prefetch_alone);
  visit("prefetch_first", copy.prefetch_first);
  visit("reduction", copy.reduction);
  visit("slot_bytes", copy.slot_bytes);
  visit("slot_fill_offset", copy.slot_fill_offset);
  visit("spelling", copy.spelling);
  visit("tile_offset", copy.tile_offset);
  visit("transaction_delta", copy.transaction_delta);
  visit("unicast", copy.unicast);
  visit("window_bytes", copy.window_bytes);
}

}  // namespace assay
