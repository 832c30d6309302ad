// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "reference/model/case_field.h"

/// Cases as JSON objects, by the tables of their members (case_field.h). An enumeration says its spellings
/// once: spellings_of(value) is a range of them, in the order of its values from 0 on; one with
/// count_of(value) is written as a number below that. A member that has its default is left out, and one that
/// is absent has its default: a member that joins changes no stored case and no id. The defaults are hence
/// part of the format; another one would change what stored cases say.
namespace assay::model::fields {

using nlohmann::json;

/// Writes each field it is shown into an object.
struct Writer {
  json& object;

  template <typename Value>
  void operator()(const Field& field, const Value& value) const {
    const std::string name(field.name);
    if constexpr (requires { visit_fields(value, *this); }) {
      json inner = json::object();
      visit_fields(value, Writer{inner});
      object[name] = std::move(inner);
    } else if constexpr (is_numbered<Value>) {
      object[name] = static_cast<uint32_t>(value);
    } else if constexpr (std::is_enum_v<Value>) {
      object[name] = std::string(spellings_of(value)[static_cast<size_t>(value)]);
    } else {
      object[name] = value;
    }
  }
};

[[noreturn]] inline void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error("field '" + name + "' of the case " + why + ".");
}

/// A number that is legal by its row, or any that the type holds where the case may break the rule.
template <typename Number>
Number read_number(const Field& field, const std::string& name, const json& value) {
  const auto refuse_value = [&] {
    const bool any = field.may_break;
    refuse(name, "is " + value.dump() + "; expected " +
                     legal_words(any ? Field{} : field, least_of<Number>(any ? Field{} : field),
                                 most_of<Number>(any ? Field{} : field)));
  };
  if (!value.is_number_integer()) refuse(name, "is " + value.dump() + "; expected an integer");
  const bool fits = value.is_number_unsigned() ? std::in_range<Number>(value.get<uint64_t>())
                                               : std::in_range<Number>(value.get<int64_t>());
  if (!fits) refuse_value();
  const Number number = value.get<Number>();
  if (!field.may_break && !is_legal(field, number)) refuse_value();
  return number;
}

template <typename Value>
void read_object(const std::string& path, const json& from, Value& value);

/// Reads each field it is shown from an object, if it is there, and counts those.
struct Reader {
  const json& object;
  const std::string& path;
  size_t& seen;

  template <typename Value>
  void operator()(const Field& field, Value& value) const {
    const auto at = object.find(std::string(field.name));
    if (at == object.end()) return;
    ++seen;
    read(field, path + std::string(field.name), *at, value);
  }

 private:
  static void read(const Field&, const std::string& name, const json& from, bool& value) {
    if (!from.is_boolean()) refuse(name, "is " + from.dump() + "; expected true or false");
    value = from.get<bool>();
  }
  template <std::integral Number>
  static void read(const Field& field, const std::string& name, const json& from, Number& value) {
    value = read_number<Number>(field, name, from);
  }
  template <typename Entry, size_t N>
  static void read(const Field& field, const std::string& name, const json& from,
                   std::array<Entry, N>& values) {
    if (!from.is_array() || from.size() != N)
      refuse(name, "must be a list of " + std::to_string(N) +
                       (std::is_same_v<Entry, bool> ? " booleans" : " numbers"));
    for (size_t i = 0; i < N; ++i) read(field, name + "[" + std::to_string(i) + "]", from[i], values[i]);
  }
  template <typename Value>
  requires std::is_class_v<Value>
  static void read(const Field&, const std::string& name, const json& from, Value& value) {
    if (!from.is_object()) refuse(name, "is not an object");
    read_object(name + ".", from, value);
  }
  template <typename Value>
  requires is_numbered<Value>
  static void read(const Field&, const std::string& name, const json& from, Value& value) {
    const uint32_t count = count_of(value);
    if (!from.is_number_integer() || from < 0 || from >= count)
      refuse(name, "is " + from.dump() + "; expected an integer from 0 to " + std::to_string(count - 1));
    value = static_cast<Value>(from.get<uint32_t>());
  }
  template <typename Value>
  requires(std::is_enum_v<Value> && !is_numbered<Value>) static void read(const Field&,
                                                                          const std::string& name,
                                                                          const json& from, Value& value) {
    const auto& words = spellings_of(value);
    std::string wanted;
    for (size_t i = 0; i < std::size(words); ++i) {
      const std::string word(words[i]);
      if (from == word) {
        value = static_cast<Value>(i);
        return;
      }
      wanted += (wanted.empty() ? "" : ", ") + word;
    }
    refuse(name, "is " + from.dump() + "; expected one of " + wanted);
  }
};

/// Reads an object with no other fields than those of its type; check_fields(path, value), where the type has
/// one, refuses what its fields cannot be.
template <typename Value>
void read_object(const std::string& path, const json& from, Value& value) {
  if (!from.is_object())
    throw std::runtime_error("the case is not a JSON object" + (path.empty() ? "" : " in " + path) + ".");
  size_t seen = 0;
  visit_fields(value, Reader{from, path, seen});
  if constexpr (requires { check_fields(path, value); }) check_fields(path, value);
  if (seen == from.size()) return;
  Value unused;
  json known = json::object();
  visit_fields(unused, Writer{known});
  for (const auto& [key, ignored] : from.items())
    if (!known.contains(key)) refuse(path + key, "does not exist in a case of this kind");
}

/// Every member of a value, those with their defaults as well.
template <typename Value>
json whole(const Value& value) {
  json object = json::object();
  visit_fields(value, Writer{object});
  return object;
}

/// Drops the members that `defaults` has alike, within objects too. A list stands whole or not at all.
inline void drop_equal(json& object, const json& defaults) {
  for (auto at = object.begin(); at != object.end();) {
    const json& usual = defaults.at(at.key());
    if (at->is_object()) drop_equal(*at, usual);
    const bool is_usual = at->is_object() ? at->empty() : *at == usual;
    at = is_usual ? object.erase(at) : std::next(at);
  }
}

/// The members of a value that have not their defaults.
template <typename Value>
json written(const Value& value) {
  static const json defaults = whole(Value());
  json object = whole(value);
  drop_equal(object, defaults);
  return object;
}

template <typename Value>
Value read_case(const json& from) {
  Value value;
  read_object("", from, value);
  return value;
}

}  // namespace assay::model::fields

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
