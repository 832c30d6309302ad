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
