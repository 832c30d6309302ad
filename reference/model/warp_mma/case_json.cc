// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/warp_mma/case.h"
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

static std::string what_is_wrong(const WgmmaCase& c) {
  check_ignored("a_ignored", c.a_ignored);
  check_ignored("b_ignored", c.b_ignored);
  WgmmaCase placed = c;
  place_known(placed);
  if (c.known.present && c != placed)
    model::fields::refuse("known", "is present, but the matrices do not lie where known operands do");
  return {};
}
static std::string what_is_wrong(const MmaSyncCase& c) {
  if (c.registers.present && (c.known.present || c.sparse.is_known))
    model::fields::refuse("registers", "is present, and so are known operands or metadata");
  return {};
}
static std::string what_is_wrong(const MmaSyncKindCase& c) {
  return model::wrong_with(c);
}

}  // namespace assay

namespace assay::model {

ASSAY_CASE_JSON(WgmmaCase);
ASSAY_CASE_JSON(MmaSyncCase);
ASSAY_CASE_JSON(MmaSyncKindCase);

}  // namespace assay::model
