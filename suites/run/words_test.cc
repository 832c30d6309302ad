// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reference/model/spelling.h"
#include "suites/run/property.h"
#include "suites/run/words.h"

/// What cases tell of their members: nothing that a case can differ by stays untold.
namespace assay::suites {

struct ToldCase {
  uint32_t issuer_thread = 0, window_bytes = 64, code = 0, seed = 0;
  bool is_last = false;
  std::array<uint16_t, 3> offset{};
  auto operator<=>(const ToldCase&) const = default;
};
template <typename Case, typename Visit>
requires std::same_as<std::remove_const_t<Case>, ToldCase>
void visit_fields(Case& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, code, .called = "the code", .shows = as_hex);
  ASSAY_FIELD(visit, c, is_last);
  ASSAY_FIELD(visit, c, issuer_thread);
  ASSAY_FIELD(visit, c, offset, .unit = "bytes");
  ASSAY_FIELD(visit, c, seed, .told = elsewhere);
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .told = always, .called = "window");
}

namespace {

using nlohmann::json;

TEST(Told, MembersThatAreNotAsUsualAndThoseThatAlwaysAre) {
  NamedFields list;
  tell(ToldCase{}, list);
  EXPECT_EQ(list, (NamedFields{{"window", "64 bytes"}}));
  list.clear();
  tell(ToldCase{.issuer_thread = 3, .code = 31, .seed = 9, .is_last = true, .offset = {0, 7, 0}}, list);
  EXPECT_EQ(list, (NamedFields{{"the code", "0x1f"},
                               {"is last", "yes"},
                               {"issuer thread", "3"},
                               {"offset", "0 7 0 bytes"},
                               {"window", "64 bytes"}}));
}

/// Other values that the schema of a member has for it.
std::vector<json> others(const json& schema, const json& value) {
  std::vector<json> made;
  if (schema.contains("enum")) {
    for (const json& other : schema["enum"]) made.push_back(other);
  } else if (schema.value("type", "") == "boolean") {
    made.push_back(!value.get<bool>());
  } else if (schema.value("type", "") == "integer") {
    const int64_t step = schema.value("multipleOf", int64_t{1});
    const auto now = value.get<int64_t>();
    for (const int64_t other : {now + step, now - step, now + 16 * step, now + 1024, int64_t{0}})
      if (other >= schema["minimum"].get<int64_t>() &&
          (schema["maximum"].get<uint64_t>() > INT64_MAX || other <= schema["maximum"].get<int64_t>()))
        made.push_back(other);
  } else if (schema.value("type", "") == "array" && schema["items"].value("type", "") != "object") {
    for (size_t i = 0; i < value.size(); ++i)
      for (const json& other : others(schema["items"], value[i])) {
        made.push_back(value);
        made.back()[i] = other;
      }
  }
  std::erase(made, value);
  return made;
}

/// Each member of each case with another value, where a case with it may be: its words are others too. What
/// says only what memory held before, or is a seed of it, changes no word, and everything else does; but a
/// pitch of lanes, of which several lanes leave no other.
TEST(Told, NoMemberOfAnyOperationStaysUntold) {
  const std::set<std::string> untold{"fill_offset", "slot_fill_offset", "pool_seed", "before", "lane_pitch"};
  std::map<std::string, std::pair<int, int>> seen;  // how many cases were made and how many told otherwise
  for (const Property* property : all_properties()) {
    spec::Arch arch = spec::Arch::sm_103;
    for (const spec::Arch other : {spec::Arch::sm_100, spec::Arch::sm_90, spec::Arch::sm_120})
      if (property->declines != nullptr && property->declines(arch)) arch = other;
    if (property->declines != nullptr && property->declines(arch)) continue;
    const Family& family = property->family();
    const json schema = family.schema();
    for (uint64_t index = 0; index < 60; ++index) {
      Case c;
      property->generate(5, property->name, index, arch, c);
      const json right = family.to_json(c);
      const auto words = family.fields(c);
      for (const auto& [name, inner] : schema["properties"].items()) {
        const json value = right.contains(name) ? right[name] : inner.value("default", json());
        if (value.is_null()) continue;
        auto& [made, told] = seen[std::string(family.name()) + "." + name];
        if (told > 0) continue;
        for (const json& other : others(inner, value)) try {
            json spoilt = right;
            spoilt[name] = other;
            const Case changed = family.from_json(spoilt);
            ++made;
            told += family.fields(changed) != words ? 1 : 0;
          } catch (const std::runtime_error&) {
          }
      }
    }
  }
  EXPECT_GT(seen.size(), 200u);
  for (const auto& [name, counts] : seen) {
    const std::string member = name.substr(name.find('.') + 1);
    if (counts.first == 0 || untold.contains(member)) continue;
    EXPECT_GT(counts.second, 0) << name << " in " << counts.first << " cases";
  }
}

}  // namespace
}  // namespace assay::suites
