// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "suites/assembler/case.h"
#include "suites/run/property.h"

namespace assay::suites {
namespace {

TEST(AssemblerCases, EverySpellingComesOnceBeforeOneComesAgain) {
  for (const char* property : {"tcgen05_sync", "tensor_copy", "kernels"}) {
    const std::vector<AssemblerCase>& all = asked_by(property, spec::Arch::sm_100);
    ASSERT_GT(all.size(), 100u) << property;
    for (const uint64_t seed : {uint64_t{1}, ~uint64_t{0}}) {
      std::set<std::pair<uint32_t, uint32_t>> seen;
      for (uint64_t i = 0; i < all.size(); ++i) {
        const AssemblerCase c = asked_at(property, spec::Arch::sm_100, seed, i);
        seen.insert({c.table, c.number});
      }
      EXPECT_EQ(seen.size(), all.size()) << property;
    }
  }
}

TEST(AssemblerCases, WrongJsonIsRefused) {
  const Family& family = assembler_ptxas_family();
  const auto message = [&](const char* json) -> std::string {
    try {
      family.from_json(nlohmann::json::parse(json));
    } catch (const std::runtime_error& wrong) {
      return wrong.what();
    }
    return "none";
  };
  EXPECT_EQ(message("{}"), "a spelling is a family and its choices");
  EXPECT_EQ(message(R"({"family": "x", "choices": []})"), "there is no family of spellings 'x'");
  EXPECT_EQ(message(R"({"family": "asked.tcgen05.wait", "choices": [1]})"),
            "the choices of a spelling are texts");
  EXPECT_EQ(message(R"({"family": "asked.tcgen05.wait", "choices": ["a", "b"]})"),
            "the family 'asked.tcgen05.wait' has no spelling with these choices");
}

TEST(AssemblerCases, AnOpenSpellingIsARemarkAndNoDemand) {
  const uint32_t table = forms::find_spelling_table("asked.tcgen05.dealloc").value();
  const auto number = forms::spellings(table).find(
      std::vector<std::string>{"dealloc", ".cta_group::1", ".sync.aligned", ".b32", "96"});
  ASSERT_TRUE(number);
  const Case c(AssemblerCase{table, *number});
  const Family& family = assembler_driver_family();
  const spec::Readings readings(spec::Arch::sm_100);
  Scratch scratch;
  Expected e;
  family.predict(c, readings, scratch, e);
  std::byte output[4] = {};
  RecordEnd end{};
  end.ended = Ended::done;
  EXPECT_TRUE(family.same(c, readings, e, output));
  EXPECT_EQ(family.remark(c, readings, e, end, output),
            "refuses spellings that the documents do not have or do not settle");
  output[0] = std::byte{1};
  EXPECT_TRUE(family.same(c, readings, e, output));
  EXPECT_EQ(family.remark(c, readings, e, end, output),
            "takes spellings that the documents do not have or do not settle");
}

TEST(AssemblerCases, WhereAssemblersDisagreeItSaysWhichTakesTheSpelling) {
  const Case c(asked_at("wgmma", spec::Arch::sm_90, 3, 0));
  const uint8_t second_takes[4] = {2, 2, 0, 0};
  const auto said = [&](uint8_t expected) {
    const Diagnosis made = assembler_ptxas_family().diagnose(
        c, spec::Readings(spec::Arch::sm_90), {.bytes = {expected, 0, 0, 0}, .defined = {}}, second_takes, 0);
    return made.first + "; " + made.lines.back();
  };
  EXPECT_EQ(
      said(1),
      "the assemblers disagree: one of them refuses a legal spelling; of those in ASSAY_PTXAS, from the "
      "right, 1 takes it: 00000010");
  EXPECT_NE(said(0).find("one of them takes an illegal spelling"), std::string::npos);
}

}  // namespace
}  // namespace assay::suites
