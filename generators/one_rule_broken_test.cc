// SPDX-License-Identifier: Apache-2.0
#include "generators/one_rule_broken.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "reference/model/mma/mma.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::gen {
namespace {

using spec::Arch;

struct OneRuleBrokenMaker {
  const char* property;
  void (*make)(const CaseId&, Tcgen05MmaCase&);
  std::vector<WayToBreak> (*ways)(Arch);
};
constexpr OneRuleBrokenMaker one_rule_broken_makers[] = {
    {"mma.descriptor.one_rule_broken", make_mma_one_rule_broken, ways_to_break_dense},
    {"mma.scaled.one_rule_broken", make_mma_scaled_one_rule_broken, ways_to_break_scaled},
    {"mma.sparse.one_rule_broken", make_mma_sparse_one_rule_broken, ways_to_break_sparse},
};

std::string one_rule_broken_names(const spec::RuleSet& broken) {
  std::string one_rule_broken_names;
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (broken[i]) one_rule_broken_names += std::string(spec::rules()[i].id) + " ";
  return one_rule_broken_names;
}
IssuedBy issued_by(const Tcgen05MmaCase& c) {
  return c.cta_group == 2 ? IssuedBy::pair : c.ws ? IssuedBy::ws : IssuedBy::one_cta;
}

TEST(OneRuleBroken, EachIsBrokenAloneByAllWhoCan) {
  const uint64_t drawn = 8 * share_of_cases(375);
  for (const Arch arch : {Arch::sm_100, Arch::sm_103})
    for (const OneRuleBrokenMaker& maker : one_rule_broken_makers) {
      std::map<std::pair<std::string, IssuedBy>, uint64_t> met;
      uint64_t right = 0;
      for (uint64_t i = 0; i < drawn; ++i) {
        Tcgen05MmaCase c;
        maker.make({1, maker.property, i, arch}, c);
        ASSERT_TRUE(model::fits_rig(c)) << maker.property << ' ' << i;
        const std::string broken = one_rule_broken_names(model::broken_mma_rules(c, spec::Readings(arch)));
        ASSERT_EQ(broken.empty(), i % 8 == 1) << maker.property << ' ' << i << ' ' << broken;
        right += broken.empty();
        if (!broken.empty()) ++met[{broken, issued_by(c)}];
      }
      EXPECT_EQ(right, drawn / 8);
      size_t ways = 0;
      for (const WayToBreak& way : maker.ways(arch)) {
        EXPECT_GE((met[{one_rule_broken_names(rules_broken_with(way.rule)), way.issued_by}]), drawn / 75)
            << maker.property << ' ' << way.rule << ' ' << static_cast<int>(way.issued_by);
        ++ways;
      }
      EXPECT_EQ(met.size(), ways) << "something else is broken, or a rule has two ways";
    }
}

// What is left out is broken by a case of another kind, or by none that a device could run.
TEST(OneRuleBroken, LeavesNoRuleOfCombinationsOut) {
  std::set<std::string> broken;
  for (const Arch arch : {Arch::sm_100, Arch::sm_103})
    for (const OneRuleBrokenMaker& maker : one_rule_broken_makers)
      for (const WayToBreak& way : maker.ways(arch)) {
        const spec::RuleSet rules = rules_broken_with(way.rule);
        for (size_t i = 0; i < spec::rules().size(); ++i)
          if (rules[i]) broken.emplace(spec::rules()[i].id);
      }
  std::string left_out;
  for (const spec::Rule& rule : spec::rules()) {
    const std::string_view id = rule.id;
    const bool of_combinations = (id >= "IDESC-R05" && id <= "IDESC-R18") ||
                                 (id >= "SMEM-R04" && id <= "SMEM-R09") ||
                                 (id >= "ZCM-R02" && id <= "ZCM-R04");
    if (of_combinations && !broken.contains(std::string(id))) left_out += std::string(id) + " ";
  }
  // No assembler makes kind::i8 for sm_103a; what a start count past its span does is a question, of which
  // every sixteenth mask asks.
  EXPECT_EQ(left_out, "IDESC-R18 ZCM-R03 ");
  const spec::Readings no_such_case =
      spec::Readings(Arch::sm_100).choose(*spec::find_question("AMB-03"), 'A');
  int past = 0;
  for (uint64_t i = 0; i < 3000; ++i) {
    Tcgen05MmaCase c;
    make_mma_ws_mask({1, "mma.ws.zero_column_mask", i, Arch::sm_100}, c);
    past += one_rule_broken_names(model::broken_mma_rules(c, no_such_case)) == "ZCM-R03 ";
  }
  EXPECT_GE(past, 150);
}

}  // namespace
}  // namespace assay::gen
