#include "reference/model/im2col_json.h"

#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"

namespace assay {

// Beside the types, where the templates of case_fields.h find them.
template <typename Map, typename Visit>
requires std::same_as<std::remove_const_t<Map>, Im2colMapArgs>
void visit_fields(Map& map, const Visit& visit) {
  visit("channels", map.channels);
  visit("data_type", map.base.data_type);
  visit("element_stride", map.base.element_stride);
  visit("global_address", map.base.global_address);
  visit("global_dim", map.base.global_dim);
  visit("global_stride", map.base.global_stride);
  visit("interleave", map.base.interleave);
  visit("l2_promotion", map.base.l2_promotion);
  visit("lower", map.lower);
  visit("oob_fill", map.base.oob_fill);
  visit("pixels", map.pixels);
  visit("rank", map.base.rank);
  visit("swizzle", map.base.swizzle);
  visit("upper", map.upper);
  visit("wide", map.wide);
  visit("wide_mode", map.wide_mode);
}

template <typename Call, typename Visit>
requires std::same_as<std::remove_const_t<Call>, EncodeIm2colCase>
void visit_fields(Call& call, const Visit& visit) {
  visit("before", call.before);
  visit("map", call.map);
  visit("map_offset", call.map_offset);
  visit("null_mask", call.null_mask);
}

template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, Im2colCase>
void visit_fields(Copy& copy, const Visit& visit) {
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
  visit("is_tile_instruction", copy.is_tile_instruction);
  visit("issuer_rank", copy.issuer_rank);
  visit("issuer_thread", copy.issuer_thread);
  visit("lane_pitch", copy.lane_pitch);
  visit("lane_step", copy.lane_step);
  visit("lanes", copy.lanes);
  visit("map", copy.map);
  visit("mode", copy.mode);
  visit("offset", copy.offset);
  visit("other_map_address", copy.other_map_address);
  visit("other_map_lanes", copy.other_map_lanes);
  visit("peer_barrier", copy.peer_barrier);
  visit("prefetch_first", copy.prefetch_first);
  visit("reduction", copy.reduction);
  visit("slot_bytes", copy.slot_bytes);
  visit("slot_fill_offset", copy.slot_fill_offset);
  visit("spelling", copy.spelling);
  visit("tile_offset", copy.tile_offset);
  visit("transaction_delta", copy.transaction_delta);
  visit("unicast", copy.unicast);
  visit("w_halo", copy.w_halo);
  visit("w_offset", copy.w_offset);
  visit("window_bytes", copy.window_bytes);
}

static std::array<std::string_view, 3> spellings_of(Im2colMode) {
  return {"im2col", "im2col::w", "im2col::w::128"};
}

}  // namespace assay

namespace assay::model {

nlohmann::json to_json(const EncodeIm2colCase& call) {
  return fields::written(call);
}
nlohmann::json to_json(const Im2colCase& copy) {
  return fields::written(copy);
}
Im2colCase im2col_case_from_json(const nlohmann::json& from) {
  return fields::read_case<Im2colCase>(from);
}
EncodeIm2colCase encode_im2col_case_from_json(const nlohmann::json& from) {
  return fields::read_case<EncodeIm2colCase>(from);
}

template nlohmann::json case_schema<EncodeIm2colCase>();
template nlohmann::json case_schema<Im2colCase>();

}  // namespace assay::model
