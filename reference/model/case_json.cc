// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_json.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cinttypes>
#include <cstdio>

#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/tensor_copy/case.h"

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

}  // namespace assay::model
