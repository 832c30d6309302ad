#include "reference/model/case_json.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cinttypes>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

namespace assay::model {
namespace {

using nlohmann::json;

/// The members of a case by name, once for writing and reading.
template <typename Map, typename Visit>
void visit_map(Map& map, const Visit& visit) {
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

template <typename Case, typename Visit>
void visit_tiled(Case& copy, const Visit& visit) {
  visit("cache_hint", copy.cache_hint);
  visit("cluster_size", copy.cluster_size);
  visit("coord", copy.coord);
  visit("cta_mask", copy.cta_mask);
  visit("destination_cta", copy.destination_cta);
  visit("direction", copy.direction);
  visit("fill_offset", copy.fill_offset);
  visit("instruction_rank", copy.instruction_rank);
  visit("issuer_rank", copy.issuer_rank);
  visit("map", copy.map);
  visit("prefetch_first", copy.prefetch_first);
  visit("slot_bytes", copy.slot_bytes);
  visit("slot_fill_offset", copy.slot_fill_offset);
  visit("tile_offset", copy.tile_offset);
  visit("transaction_delta", copy.transaction_delta);
  visit("window_bytes", copy.window_bytes);
}

template <typename Case, typename Visit>
void visit_call(Case& call, const Visit& visit) {
  visit("before", call.before);
  visit("map", call.map);
  visit("map_offset", call.map_offset);
  visit("null_mask", call.null_mask);
}

struct Writer {
  json& object;

  template <typename Value>
  void operator()(const char* name, const Value& value) const {
    if constexpr (std::is_same_v<Value, TensorMapArgs>) {
      json inner = json::object();
      visit_map(value, Writer{inner});
      object[name] = std::move(inner);
    } else if constexpr (std::is_same_v<Value, TiledDirection>) {
      object[name] = value == TiledDirection::load ? "load" : "store";
    } else {
      object[name] = value;
    }
  }
};

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error("field '" + name + "' of the case " + why + ".");
}

template <typename Number>
Number read_number(const std::string& name, const json& value) {
  const auto range = [&] {
    refuse(name, "is " + value.dump() + ", outside " + std::to_string(std::numeric_limits<Number>::min()) +
                     " to " + std::to_string(std::numeric_limits<Number>::max()));
  };
  if (!value.is_number_integer()) refuse(name, "is " + value.dump() + " where a whole number is wanted");
  if (value.is_number_unsigned()) {
    const uint64_t number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<Number>::max())) range();
    return static_cast<Number>(number);
  }
  const int64_t number = value.get<int64_t>();
  if constexpr (std::is_unsigned_v<Number>) {
    if (number < 0) range();
  } else if (number < std::numeric_limits<Number>::min() || number > std::numeric_limits<Number>::max()) {
    range();
  }
  return static_cast<Number>(number);
}

struct Reader {
  const json& object;
  const std::string& path;
  size_t& seen;

  template <typename Value>
  void operator()(const char* key, Value& value) const {
    const std::string name = path + key;
    const auto at = object.find(key);
    if (at == object.end()) refuse(name, "is missing");
    ++seen;
    read(name, *at, value);
  }

  void read(const std::string& name, const json& from, bool& value) const {
    if (!from.is_boolean()) refuse(name, "is " + from.dump() + " where true or false is wanted");
    value = from.get<bool>();
  }
  void read(const std::string& name, const json& from, TiledDirection& value) const {
    if (from != "load" && from != "store")
      refuse(name, "is " + from.dump() + " where \"load\" or \"store\" is wanted");
    value = from == "load" ? TiledDirection::load : TiledDirection::store;
  }
  void read(const std::string& name, const json& from, TensorMapArgs& value) const;
  template <typename Number, size_t N>
  void read(const std::string& name, const json& from, std::array<Number, N>& values) const {
    if (!from.is_array() || from.size() != N)
      refuse(name, "is not a list of " + std::to_string(N) + " numbers");
    for (size_t i = 0; i < N; ++i)
      values[i] = read_number<Number>(name + "[" + std::to_string(i) + "]", from[i]);
  }
  template <typename Number>
  requires std::is_integral_v<Number>
  void read(const std::string& name, const json& from, Number& value) const {
    value = read_number<Number>(name, from);
  }
};

/// Reads an object with exactly the fields that visit asks for.
template <typename Value, typename Visit>
void read_object(const std::string& path, const json& from, Value& value, const Visit& visit) {
  if (!from.is_object())
    throw std::runtime_error("the case is not a JSON object" + (path.empty() ? "" : " in " + path) + ".");
  size_t seen = 0;
  visit(value, Reader{from, path, seen});
  if (seen == from.size()) return;
  Value unused;
  json known = json::object();
  visit(unused, Writer{known});
  for (const auto& [key, ignored] : from.items())
    if (!known.contains(key)) refuse(path + key, "is not one that a case of this kind has");
}

void Reader::read(const std::string& name, const json& from, TensorMapArgs& value) const {
  if (!from.is_object()) refuse(name, "is not an object");
  read_object(name + ".", from, value, [](auto& map, const auto& visit) { visit_map(map, visit); });
}

}  // namespace

json to_json(const TiledCase& copy) {
  json object = json::object();
  visit_tiled(copy, Writer{object});
  return object;
}

json to_json(const EncodeTiledCase& call) {
  json object = json::object();
  visit_call(call, Writer{object});
  return object;
}

TiledCase tiled_case_from_json(const json& from) {
  TiledCase copy;
  read_object("", from, copy, [](auto& value, const auto& visit) { visit_tiled(value, visit); });
  return copy;
}

EncodeTiledCase encode_tiled_case_from_json(const json& from) {
  EncodeTiledCase call;
  read_object("", from, call, [](auto& value, const auto& visit) { visit_call(value, visit); });
  return call;
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
