#include "reference/model/case_fields.h"
#include "reference/model/case_json.h"
#include "reference/model/case_schema.h"
#include "reference/model/operand_fields.h"

namespace assay {

template <typename Mask, typename Visit>
requires std::same_as<std::remove_const_t<Mask>, ColumnMask>
void visit_fields(Mask& m, const Visit& visit) {
  visit("column_shift", m.column_shift);
  visit("first_is_zeroed", m.first_is_zeroed);
  visit("generate", m.generate);
  visit("skip_span", m.skip_span);
  visit("start_count", m.start_count);
  visit("use_span", m.use_span);
}

template <typename Scales, typename Visit>
requires std::same_as<std::remove_const_t<Scales>, ScalesInTensorMemory>
void visit_fields(Scales& s, const Visit& visit) {
  visit("column", s.column);
  visit("columns", s.columns);
  visit("fill", s.fill);
  visit("id", s.id);
}

template <typename Metadata, typename Visit>
requires std::same_as<std::remove_const_t<Metadata>, MetadataInTensorMemory>
void visit_fields(Metadata& m, const Visit& visit) {
  visit("codes", m.codes);
  visit("column", m.column);
  visit("columns", m.columns);
  visit("seed", m.seed);
  visit("selector", m.selector);
  visit("strange_codes", m.strange_codes);
  visit("strange_rate", m.strange_rate);
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, Tcgen05MmaCase>
void visit_fields(Mma& c, const Visit& visit) {
  visit("a", c.a);
  visit("a_column", c.a_column);
  visit("a_fill", c.a_fill);
  visit("a_flip", c.a_flip);
  visit("a_in_tmem", c.a_in_tmem);
  visit("a_scales", c.a_scales);
  visit("a_step", c.a_step);
  visit("a_type", c.a_type);
  visit("alloc_columns", c.alloc_columns);
  visit("ashift", c.ashift);
  visit("b", c.b);
  visit("b_fill", c.b_fill);
  visit("b_flip", c.b_flip);
  visit("b_scales", c.b_scales);
  visit("b_step", c.b_step);
  visit("b_type", c.b_type);
  visit("collector", c.collector);
  visit("collector_buffer", c.collector_buffer);
  visit("collector_filled", c.collector_filled);
  visit("by_tma", c.by_tma);
  visit("cta_group", c.cta_group);
  visit("d_column", c.d_column);
  visit("d_fill", c.d_fill);
  visit("d_type", c.d_type);
  visit("disabled_lanes", c.disabled_lanes);
  visit("enable_input_d", c.enable_input_d);
  visit("has_disabled_lanes", c.has_disabled_lanes);
  visit("has_mask", c.has_mask);
  visit("has_scale_input_d", c.has_scale_input_d);
  visit("idesc_flip", c.idesc_flip);
  visit("issuing_thread", c.issuing_thread);
  visit("k96", c.k96);
  visit("kind", c.kind);
  visit("known", c.known);
  visit("lane", c.lane);
  visit("m", c.m);
  visit("mask", c.mask);
  visit("mask_flip", c.mask_flip);
  visit("max_shift", c.max_shift);
  visit("metadata", c.metadata);
  visit("metadata_copied", c.metadata_copied);
  visit("n", c.n);
  visit("negate_a", c.negate_a);
  visit("negate_b", c.negate_b);
  visit("odd_cta_issues", c.odd_cta_issues);
  visit("saturate", c.saturate);
  visit("scale_halves", c.scale_halves);
  visit("scale_input_d", c.scale_input_d);
  visit("scale_type", c.scale_type);
  visit("scale_vector", c.scale_vector);
  visit("scales_copied", c.scales_copied);
  visit("scales_refilled", c.scales_refilled);
  visit("second_column", c.second_column);
  visit("sparse", c.sparse);
  visit("split", c.split);
  visit("steps", c.steps);
  visit("tmem_a_fill", c.tmem_a_fill);
  visit("tmem_split", c.tmem_split);
  visit("transpose_a", c.transpose_a);
  visit("transpose_b", c.transpose_b);
  visit("window_bytes", c.window_bytes);
  visit("ws", c.ws);
}

template <typename Access, typename Visit>
requires std::same_as<std::remove_const_t<Access>, TmemAccessCase>
void visit_fields(Access& c, const Visit& visit) {
  visit("alloc_columns", c.alloc_columns);
  visit("column", c.column);
  visit("count", c.count);
  visit("d_fill", c.d_fill);
  visit("is_store", c.is_store);
  visit("lane", c.lane);
  visit("named_warp", c.named_warp);
  visit("packs", c.packs);
  visit("register_fill", c.register_fill);
  visit("same_address", c.same_address);
  visit("shape", c.shape);
  visit("split", c.split);
}

}  // namespace assay

namespace assay::model {

nlohmann::json to_json(const Tcgen05MmaCase& c) {
  return fields::written(c);
}
nlohmann::json to_json(const TmemAccessCase& c) {
  return fields::written(c);
}
Tcgen05MmaCase tcgen05_mma_case_from_json(const nlohmann::json& from) {
  return fields::read_case<Tcgen05MmaCase>(from);
}
TmemAccessCase tmem_access_case_from_json(const nlohmann::json& from) {
  return fields::read_case<TmemAccessCase>(from);
}

template nlohmann::json case_schema<Tcgen05MmaCase>();
template nlohmann::json case_schema<TmemAccessCase>();

}  // namespace assay::model
