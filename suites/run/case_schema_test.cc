// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "suites/run/case_file.h"
#include "suites/run/property.h"
#include "suites/run/same_enumerators.h"

/// The schemas of case files: what assay writes conforms to them, and what does not is refused when it is
/// read.
namespace assay::suites {
namespace {

using nlohmann::json;

__int128 exact(const json& number) {
  return number.is_number_unsigned() ? static_cast<__int128>(number.get<uint64_t>())
                                     : static_cast<__int128>(number.get<int64_t>());
}

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "integer") return value.is_number_integer();
  if (type == "boolean") return value.is_boolean();
  if (type == "string") return value.is_string();
  throw std::logic_error("this test knows no type " + type);
}

/// As JSON Schema has it, of the keywords that these schemas use; another one is an error of this test.
bool conforms(const json& schema, const json& value) {
  for (const auto& [keyword, wanted] : schema.items()) {
    bool holds = true;
    if (keyword == "type") {
      holds = has_type(value, wanted.get<std::string>());
    } else if (keyword == "const") {
      holds = value == wanted;
    } else if (keyword == "enum") {
      holds = std::find(wanted.begin(), wanted.end(), value) != wanted.end();
    } else if (keyword == "minimum") {
      holds = !value.is_number_integer() || exact(value) >= exact(wanted);
    } else if (keyword == "maximum") {
      holds = !value.is_number_integer() || exact(value) <= exact(wanted);
    } else if (keyword == "multipleOf") {
      holds = !value.is_number_integer() || exact(value) % exact(wanted) == 0;
    } else if (keyword == "minItems") {
      holds = !value.is_array() || value.size() >= wanted.get<size_t>();
    } else if (keyword == "maxItems") {
      holds = !value.is_array() || value.size() <= wanted.get<size_t>();
    } else if (keyword == "items") {
      for (const json& item : value.is_array() ? value : json::array()) holds &= conforms(wanted, item);
    } else if (keyword == "required") {
      for (const json& name : wanted) holds &= value.contains(name.get<std::string>());
    } else if (keyword == "properties") {
      for (const auto& [name, inner] : wanted.items())
        if (value.contains(name)) holds &= conforms(inner, value[name]);
    } else if (keyword == "additionalProperties") {
      EXPECT_EQ(wanted, false);
      for (const auto& [name, inner] : value.items()) holds &= schema["properties"].contains(name);
    } else {
      const std::set<std::string> says_nothing{"$schema", "title", "description", "default"};
      EXPECT_TRUE(says_nothing.contains(keyword)) << keyword;
    }
    if (!holds) return false;
  }
  return true;
}

/// The first architecture that has the property; nothing of those of which no case can be made.
std::optional<spec::Arch> arch_of(const Property& property) {
  for (const spec::Arch arch :
       {spec::Arch::sm_100, spec::Arch::sm_103, spec::Arch::sm_90, spec::Arch::sm_120})
    if (property.declines == nullptr || !property.declines(arch)) return arch;
  return std::nullopt;
}

json case_json(const Property& property, spec::Arch arch, uint64_t index) {
  Case c;
  property.generate(5, property.name, index, arch, c);
  return property.family().to_json(c);
}

bool is_read(const Property& property, const json& one) {
  try {
    property.family().from_json(one);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

TEST(CaseSchema, EveryCaseOfEveryPropertyConforms) {
  size_t seen = 0;
  for (const Property* property : all_properties()) {
    const auto arch = arch_of(*property);
    if (!arch) continue;
    ++seen;
    const json schema = case_file_schema(*property);
    for (uint64_t index = 0; index < 40; ++index) {
      const json file = {{"property", property->name}, {"case", case_json(*property, *arch, index)}};
      ASSERT_TRUE(conforms(schema, file)) << property->name << " " << index << "\n" << file;
    }
  }
  EXPECT_GT(seen, 140u);
}

/// What a run stores it reads again: nothing of a case is lost, and no range of a row is narrower than what
/// generators draw. And a case is made of (seed, property, index, architecture) alone, whatever was made
/// before it; others have another seed or index.
TEST(CaseSchema, EveryCaseThatIsDrawnIsReadAgainAndMadeAgain) {
  constexpr uint64_t count = 200;
  for (const Property* property : all_properties()) {
    const auto arch = arch_of(*property);
    if (!arch) continue;
    const Family& family = property->family();
    std::vector<Case> drawn(count);
    for (uint64_t index = 0; index < count; ++index) {
      property->generate(5, property->name, index, *arch, drawn[index]);
      const json written = family.to_json(drawn[index]);
      try {
        ASSERT_EQ(family.from_json(json::parse(written.dump())), drawn[index])
            << property->name << " " << index << " " << written;
      } catch (const std::runtime_error& error) {
        FAIL() << property->name << " " << index << ": " << error.what();
      }
    }
    Case again;
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t index = i * 37 % count;
      property->generate(5, property->name, index, *arch, again);
      ASSERT_EQ(again, drawn[index]) << property->name << " " << index;
    }
  }
}

/// Each member in turn of a wrong type, beyond its range, or with a spelling that it does not have.
TEST(CaseSchema, WhatItRefusesIsNotRead) {
  const json wrong[] = {json::array(), "no such spelling", 1.5, uint64_t{1} << 63, -1, true, json::object()};
  size_t refused = 0;
  for (const Property* property : all_properties()) {
    const auto arch = arch_of(*property);
    if (!arch) continue;
    const json schema = property->family().schema(), right = case_json(*property, *arch, 3);
    ASSERT_TRUE(is_read(*property, right)) << property->name << " " << right;
    for (const auto& [name, inner] : schema["properties"].items())
      for (const json& value : wrong) {
        json spoilt = right;
        spoilt[name] = value;
        if (conforms(schema, spoilt)) continue;
        ++refused;
        EXPECT_FALSE(is_read(*property, spoilt)) << property->name << ": " << name << " = " << value;
      }
    json more = right;
    more["no_such_member"] = 1;
    if (conforms(schema, more)) continue;
    EXPECT_FALSE(is_read(*property, more)) << property->name;
  }
  EXPECT_GT(refused, 5000u);
}

TEST(CaseSchema, AnAbsentMemberHasTheDefaultThatItNames) {
  const Property& property = *find_property("tma.tiled.load");
  const json schema = property.family().schema()["properties"];
  EXPECT_EQ(schema["direction"], json({{"enum", {"load", "store"}}, {"default", "load"}}));
  EXPECT_EQ(schema["map"]["properties"]["rank"]["minimum"], 0);
  EXPECT_EQ(schema["coord"]["minItems"], 5);
  EXPECT_EQ(schema["coord"]["items"]["minimum"], INT32_MIN);
  json named = case_json(property, spec::Arch::sm_100, 1), absent = named;
  named["transaction_delta"] = schema["transaction_delta"]["default"];
  absent.erase("transaction_delta");
  EXPECT_EQ(property.family().to_json(property.family().from_json(named)),
            property.family().to_json(property.family().from_json(absent)));
}

enum class Fruit : unsigned char { apple, pear, plum };
enum class Copied : unsigned { apple, pear, plum, quince };
enum class Exchanged : unsigned char { apple, plum, pear };
enum class Shorter : unsigned char { apple, pear };

// Nothing to run: what the compiler makes of names is what could be wrong.
static_assert(enumerator_name<Fruit::pear>() == "pear");
static_assert(enumerator_name<static_cast<Fruit>(3)>()[0] == '(');
static_assert(are_same_enumerators<Fruit, Copied, 3>());
static_assert(!are_same_enumerators<Fruit, Exchanged, 3>());
static_assert(!are_same_enumerators<Fruit, Shorter, 3>());
static_assert(!are_same_enumerators<Copied, Fruit, 3>(), "the first one has a name more");
static_assert(!are_same_enumerators<Fruit, Copied, 2>(), "not all were asked for");
enum class Behind : unsigned char { none, apple, pear, plum };
static_assert(are_same_enumerators<Behind, Fruit, 3, 1>() && !are_same_enumerators<Behind, Fruit, 3>());

static_assert(spells("s64x128b_warpx2_02_13", "64x128b.warpx2::02_13") && spells("s16x64b", ".16x64b"));
static_assert(!spells("s64x128b_warpx2_01_23", "64x128b.warpx2::02_13") && !spells("s16x64", ".16x64b"));

}  // namespace
}  // namespace assay::suites
