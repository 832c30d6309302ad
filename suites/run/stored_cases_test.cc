// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>

#include "reference/spec/arch.h"
#include "reports/text.h"
#include "suites/run/bytes.h"
#include "suites/run/case_file.h"
#include "suites/run/property.h"

/// Case files that older programs wrote stand in the corpora of two fuzz targets: each is read as the case
/// that it was, under the id that it had.
namespace assay::suites {
namespace {

const std::filesystem::path corpus = ASSAY_BINARY_DIR "/corpus";

/// Without the members that can be left out and the case is the same: those are defaults.
nlohmann::json without_defaults(const nlohmann::json& stored, const Property& property, const Case& what) {
  nlohmann::json least = stored;
  const auto is_the_same = [&] {
    try {
      return property.family().from_json(least) == what;
    } catch (const std::runtime_error&) {  // no case without it
      return false;
    }
  };
  const auto thin = [&](const auto& again, nlohmann::json& object) -> void {
    std::vector<std::string> names;
    for (const auto& member : object.items()) names.push_back(member.key());
    for (const std::string& name : names) {
      const nlohmann::json value = object.at(name);
      object.erase(name);
      if (is_the_same()) continue;
      object[name] = value;
      if (value.is_object()) again(again, object[name]);
    }
  };
  thin(thin, least);
  return least;
}

// What fuzzers wrote and no program takes for a case: there for the sentence that says so.
const std::set<std::string> never_cases{"property_case/cluster_of_no_size",
                                        "property_case/descriptor_of_another_start",
                                        "property_case/fill_of_odd_elements",
                                        "property_case/map_program_im2col_extent_2_31",
                                        "property_case/multicast_beyond_the_cluster",
                                        "property_case/tensor_outside_the_memory",
                                        "property_case/tile_offset_outside_the_window"};

TEST(StoredCases, EachIsReadAndKeepsItsId) {
  std::map<std::string, std::string> ids;
  std::set<std::string> refused, properties;
  int naming_defaults = 0;
  for (const char* folder : {"case_json", "property_case"})
    for (const auto& entry : std::filesystem::directory_iterator(corpus / folder)) {
      const std::string name = std::string(folder) + "/" + entry.path().filename().string();
      const std::string text = report::read_whole_file(entry.path());
      CaseFile read;
      try {
        read = parse_case(text, name);
      } catch (const std::runtime_error& error) {
        refused.insert(name);
        EXPECT_TRUE(never_cases.contains(name)) << error.what();
        continue;
      }
      const Property& property = *read.property;
      const nlohmann::json stored = nlohmann::json::parse(text);
      const nlohmann::json canonical{{"case", without_defaults(stored.at("case"), property, read.what)},
                                     {"property", stored.at("property")}};
      ids[name] = case_id(property, read.what);
      EXPECT_EQ(ids[name], hash_128(canonical.dump()))
          << name << ": " << canonical << " is now " << property.family().to_json(read.what);
      naming_defaults += canonical.at("case") != stored.at("case");
      properties.insert(std::string(property.name));
    }
  EXPECT_EQ(refused, never_cases);
  EXPECT_GE(ids.size(), 209u);
  EXPECT_GE(naming_defaults, 84) << "files of programs that named all members";
  EXPECT_GE(properties.size(), 82u);
  // The hash itself is on record, too.
  EXPECT_EQ(ids["case_json/mma_dense_ashift"], "4aef117df7a0fffa59a18959440ea227");
  EXPECT_EQ(ids["property_case/mma_sync_tf32_0"], "5812ca9136933abccb67c7551dcdd900");
}

}  // namespace
}  // namespace assay::suites

/// A seed, a property and an index are one case on every machine and by every compiler: evidence and replay
/// lines name cases so. In what order a call's arguments draw is the compiler's to choose: at most one may.
namespace assay::suites {
namespace {

const std::string on_record = ASSAY_SOURCE_DIR "/testdata/first_cases.txt";
constexpr uint64_t cases_of_each = 96;

/// Of the first cases on every architecture that has the property.
std::string digits_of(const Property& property) {
  std::string text;
  for (const spec::Arch arch : spec::all_archs) {
    if (property.declines && property.declines(arch)) continue;
    for (uint64_t index = 0; index < cases_of_each; ++index) {
      Case c;
      property.generate(1, property.name, index, arch, c);
      text += property.family().to_json(c).dump();
    }
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(fingerprint(std::as_bytes(std::span(text)), {}, 0)));
  return digits;
}

TEST(FirstCases, AreThoseOnRecord) {
  std::map<std::string, std::string> rows;
  for (const Property* property : all_properties()) rows[std::string(property->name)] = digits_of(*property);
  if (std::getenv("ASSAY_WRITE_FIRST_CASES") != nullptr) {
    std::ofstream out(on_record);
    for (const auto& [of, digits] : rows) out << of << ' ' << digits << '\n';
    return;
  }
  std::map<std::string, std::string> recorded;
  std::ifstream in(on_record);
  for (std::string name, digits; in >> name >> digits;) recorded[name] = digits;
  for (const auto& [of, digits] : rows)
    EXPECT_EQ(digits, recorded[of])
        << of << ": other cases than those on record. Where a generator was changed, record them: "
        << "ASSAY_WRITE_FIRST_CASES=1 build/release/suites_test --gtest_filter='FirstCases.*'; where none "
        << "was, one expression draws twice in no order";
  for (const auto& [of, digits] : recorded) EXPECT_TRUE(rows.contains(of)) << of << " is on record alone";
}

}  // namespace
}  // namespace assay::suites
