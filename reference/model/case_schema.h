// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "reference/model/case_fields.h"

/// What JSON holds a case, as a JSON Schema (draft 2020-12): from the same visit_fields that write and read
/// it. What fields must be to each other no schema says; reading a case checks it.
namespace assay::model::fields {

struct SchemaWriter;
template <typename Value>
json schema_of(const Value& usual);

/// Puts the schema of each field it is shown into an object.
struct SchemaWriter {
  json& properties;
  template <typename Value>
  void operator()(const Field& field, const Value& usual) const {
    json made = schema_of(usual);
    if constexpr (is_number<Value>) limit<Value>(field, made);
    if constexpr (requires { typename Value::value_type; })
      if constexpr (is_number<typename Value::value_type>)
        limit<typename Value::value_type>(field, made["items"]);
    properties[std::string(field.name)] = std::move(made);
  }

 private:
  /// What a row says of numbers. Of those that a case may have to break a rule the legal ones are told.
  template <typename Number>
  static void limit(const Field& field, json& made) {
    std::string told(field.unit);
    if (field.may_break)
      told += (told.empty() ? "legal: " : "; legal: ") +
              legal_words(field, least_of<Number>(field), most_of<Number>(field));
    if (!told.empty()) made["description"] = told;
    if (field.may_break) return;
    if (!field.values.empty()) {
      made.erase("minimum"), made.erase("maximum"), made.erase("type");
      made["enum"] = std::vector<uint32_t>(field.values.begin(), field.values.end());
      return;
    }
    made["minimum"] = least_of<Number>(field), made["maximum"] = most_of<Number>(field);
    if (field.multiple != 1) made["multipleOf"] = field.multiple;
  }
};

template <typename Entry, size_t N>
json schema_of_list(const std::array<Entry, N>& usual) {
  json items = schema_of(Entry());
  items.erase("default");
  return {
      {"type", "array"}, {"items", std::move(items)}, {"minItems", N}, {"maxItems", N}, {"default", usual}};
}

/// `usual`: what an absent member has.
template <typename Value>
json schema_of(const Value& usual) {
  if constexpr (requires { visit_fields(usual, SchemaWriter{std::declval<json&>()}); }) {
    json properties = json::object();
    visit_fields(usual, SchemaWriter{properties});
    return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  } else if constexpr (is_numbered<Value>) {
    return {{"type", "integer"},
            {"minimum", 0},
            {"maximum", count_of(usual) - 1},
            {"default", static_cast<uint32_t>(usual)}};
  } else if constexpr (std::is_enum_v<Value>) {
    json words = json::array();
    for (const auto& word : spellings_of(usual)) words.push_back(std::string(word));
    return {{"enum", words}, {"default", words[static_cast<size_t>(usual)]}};
  } else if constexpr (std::is_same_v<Value, bool>) {
    return {{"type", "boolean"}, {"default", usual}};
  } else if constexpr (std::integral<Value>) {
    return {{"type", "integer"},
            {"minimum", std::numeric_limits<Value>::min()},
            {"maximum", std::numeric_limits<Value>::max()},
            {"default", usual}};
  } else {
    return schema_of_list(usual);
  }
}

/// A list of up to `most` objects.
template <typename Entry>
json list_schema(size_t least, size_t most) {
  return {{"type", "array"}, {"items", schema_of(Entry())}, {"minItems", least}, {"maxItems", most}};
}

}  // namespace assay::model::fields
