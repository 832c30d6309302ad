#include "reference/model/case_json.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cinttypes>
#include <cstdio>

#include "reference/model/case_fields.h"
#include "reference/model/tiled_fields.h"

namespace assay {

using nlohmann::json;

// Beside the type, where the templates of case_fields.h find it.
template <typename Call, typename Visit>
requires std::same_as<std::remove_const_t<Call>, EncodeTiledCase>
void visit_fields(Call& call, const Visit& visit) {
  visit("before", call.before);
  visit("map", call.map);
  visit("map_offset", call.map_offset);
  visit("null_mask", call.null_mask);
  visit("replacement", call.replacement);
  visit("replaces", call.replaces);
}

void write_field(json& to, TiledDirection value) {
  to = value == TiledDirection::load ? "load" : "store";
}
void read_field(const std::string& name, const json& from, TiledDirection& value) {
  if (from != "load" && from != "store")
    model::fields::refuse(name, "is " + from.dump() + " where \"load\" or \"store\" is wanted");
  value = from == "load" ? TiledDirection::load : TiledDirection::store;
}

void write_field(json& to, TensorReduction value) {
  to = tensor_reduction_names[static_cast<size_t>(value)];
}
void read_field(const std::string& name, const json& from, TensorReduction& value) {
  for (size_t i = 0; i < tensor_reduction_names.size(); ++i)
    if (from == tensor_reduction_names[i]) {
      value = static_cast<TensorReduction>(i);
      return;
    }
  model::fields::refuse(name, "is " + from.dump() + ", which is not a reduction, as \"add\" or \"none\" is");
}

}  // namespace assay

namespace assay::model {

json to_json(const TiledCase& copy) {
  return fields::written(copy);
}
json to_json(const EncodeTiledCase& call) {
  return fields::written(call);
}
TiledCase tiled_case_from_json(const json& from) {
  return fields::read_case<TiledCase>(from);
}
EncodeTiledCase encode_tiled_case_from_json(const json& from) {
  return fields::read_case<EncodeTiledCase>(from);
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

}  // namespace assay::model
