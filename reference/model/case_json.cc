// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_json.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cinttypes>
#include <cstdio>

#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/mma/fields.h"
#include "reference/model/pipeline/gemm.h"
#include "reference/model/tensor_copy/case.h"
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

static std::string what_is_wrong(const GemmCase& c) {
  if (model::fits_rig(c)) return {};
  return "the pipeline has no such product: tile_n 256 needs cta_group 2 and neither scales nor a sparse A, "
         "with which 128 needs cta_group 2; k must be even with 4-bit types, a multiple of 4 with a sparse A "
         "and of 128 where a_type and b_type have fewer than 8 bits; these two must be 0 but with types 2 "
         "and 3, of which they are 0, 1, 3, 4 or 5; and asking is for launch_control alone.";
}

}  // namespace assay

namespace assay::model {

using nlohmann::json;

std::string canonical_text(const json& value) {
  return value.dump();
}

std::string case_id(const json& value) {
  const std::string text = canonical_text(value);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64);
  return digits;
}

ASSAY_CASE_JSON(TensorCopyCase);
ASSAY_CASE_JSON(EncodeTiledCase);
ASSAY_CASE_JSON(EncodeIm2colCase);
ASSAY_CASE_JSON(WgmmaCase);
ASSAY_CASE_JSON(MmaSyncCase);
ASSAY_CASE_JSON(MmaSyncKindCase);
ASSAY_CASE_JSON(GemmCase);

}  // namespace assay::model
