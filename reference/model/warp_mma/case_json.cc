// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"
#include "reference/model/warp_mma/fields.h"
#include "reference/model/warp_mma/mma_sync_kind.h"
#include "reference/spec/smem_desc.h"

namespace assay {
namespace {

/// Refuses bits that a descriptor of wgmma does use: the case would not be the one that its fields tell.
void check_ignored(const std::string& name, uint64_t word) {
  for (const spec::Field& field : spec::smem::wgmma_fields)
    if (field.kind != spec::FieldKind::reserved && spec::get_raw(word, field) != 0)
      model::fields::refuse(name, "sets bits of the descriptor's field '" + std::string(field.name) + "'");
}

}  // namespace

}  // namespace assay

namespace assay::model {

nlohmann::json to_json(const WgmmaCase& c) {
  return fields::written(c);
}
nlohmann::json to_json(const MmaSyncCase& c) {
  return fields::written(c);
}
WgmmaCase wgmma_case_from_json(const nlohmann::json& from) {
  const auto c = fields::read_case<WgmmaCase>(from);
  check_ignored("a_ignored", c.a_ignored);
  check_ignored("b_ignored", c.b_ignored);
  WgmmaCase placed = c;
  place_known(placed);
  if (c.known.present && c != placed)
    fields::refuse("known", "is present, but the matrices do not lie where known operands do");
  return c;
}
MmaSyncCase mma_sync_case_from_json(const nlohmann::json& from) {
  const auto c = fields::read_case<MmaSyncCase>(from);
  if (c.registers.present && (c.known.present || c.sparse.is_known))
    fields::refuse("registers", "is present, and so are known operands or metadata");
  return c;
}

template nlohmann::json case_schema<WgmmaCase>();
template nlohmann::json case_schema<MmaSyncCase>();

nlohmann::json to_json(const MmaSyncKindCase& c) {
  return fields::written(c);
}
MmaSyncKindCase mma_sync_kind_case_from_json(const nlohmann::json& from) {
  const auto c = fields::read_case<MmaSyncKindCase>(from);
  if (const std::string wrong = wrong_with(c); !wrong.empty()) throw std::runtime_error(wrong);
  return c;
}

template nlohmann::json case_schema<MmaSyncKindCase>();

}  // namespace assay::model
