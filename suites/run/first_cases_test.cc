// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "reference/spec/arch.h"
#include "suites/run/bytes.h"
#include "suites/run/property.h"

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
