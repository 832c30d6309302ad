// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_json.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cinttypes>
#include <cstdio>

#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"
#include "reference/model/tensor_copy/fields.h"

namespace assay::model {

using nlohmann::json;

json to_json(const TensorCopyCase& copy) {
  return fields::written(copy);
}
json to_json(const EncodeTiledCase& call) {
  return fields::written(call);
}
json to_json(const EncodeIm2colCase& call) {
  return fields::written(call);
}
TensorCopyCase tensor_copy_case_from_json(const json& from) {
  return fields::read_case<TensorCopyCase>(from);
}
EncodeTiledCase encode_tiled_case_from_json(const json& from) {
  return fields::read_case<EncodeTiledCase>(from);
}
EncodeIm2colCase encode_im2col_case_from_json(const json& from) {
  return fields::read_case<EncodeIm2colCase>(from);
}

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

template nlohmann::json case_schema<TensorCopyCase>();
template nlohmann::json case_schema<EncodeTiledCase>();
template nlohmann::json case_schema<EncodeIm2colCase>();

}  // namespace assay::model
