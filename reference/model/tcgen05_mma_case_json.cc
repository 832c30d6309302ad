#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
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
  visit("warps", c.warps);
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
