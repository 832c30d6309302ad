// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <array>

#include "suites/run/field_coverage.h"
#include "suites/run/words.h"

namespace assay::suites {

struct CoveredPart {
  uint32_t id = 0;
};
struct CoveredCase {
  uint32_t code = 0, kind = 0, size = 8, word = 0, other = 0;
  std::array<uint32_t, 2> spans{1, 1};
  bool is_last = false;
  CoveredPart part;
  uint32_t unit = 0;
};
inline constexpr uint32_t covered_codes_of_test[] = {0, 1, 4};
inline std::string letter(uint64_t value) {
  return std::string(1, static_cast<char>('a' + value % 26));
}
template <typename Part, typename Visit>
requires std::same_as<std::remove_const_t<Part>, CoveredPart>
void visit_fields(Part& p, const Visit& visit) {
  ASSAY_FIELD(visit, p, id, .most = 7, .covered = "word");
}
template <typename Case, typename Visit>
requires std::same_as<std::remove_const_t<Case>, CoveredCase>
void visit_fields(Case& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, code, .values = covered_codes_of_test, .called = "the code", .covered = "word");
  ASSAY_FIELD(visit, c, kind, .most = 15, .shows = letter, .covered = "word");
  ASSAY_FIELD(visit, c, size, .least = 8, .most = 256, .multiple = 8, .covered = "word");
  ASSAY_FIELD(visit, c, word, .shows = letter, .covered = "word");
  ASSAY_FIELD(visit, c, other, .covered = "another word");
  ASSAY_FIELD(visit, c, spans, .least = 1, .most = 2, .covered = "word");
  ASSAY_FIELD(visit, c, is_last, .covered = "word");
  ASSAY_FIELD(visit, c, part, .covered = "word");
  ASSAY_FIELD(visit, c, unit, .most = 48, .multiple = 16, .covered = "word");
}

namespace {

TEST(CoveredMembers, HaveClassesByTheirRows) {
  const std::vector<CoveredField> made = covered_members<CoveredCase>("word");
  std::vector<std::string> names;
  for (const CoveredField& field : made) names.push_back(field.name);
  EXPECT_EQ(names, (std::vector<std::string>{"the code", "kind", "size", "word", "spans[0]", "spans[1]",
                                             "is_last", "part.id", "unit"}));
  EXPECT_EQ(made[0].values, (std::vector<std::string>{"0", "1", "4"}));
  EXPECT_EQ(made[1].values.size(), 16u);
  EXPECT_EQ(made[1].values[2], "c");
  EXPECT_TRUE(made[2].values.empty());
  EXPECT_EQ(made[2].lowest, 8u);
  EXPECT_EQ(made[2].highest, 256u);
  EXPECT_EQ(made[2].unit, 8u);
  EXPECT_TRUE(made[3].values.empty()) << "a code of 32 bits has no list of names";
  EXPECT_EQ(made[7].values, covered_range(0, 7));
  EXPECT_EQ(made[8].values, (std::vector<std::string>{"0", "16", "32", "48"}));
}

TEST(CoveredMembers, ValuesFallIntoThoseClasses) {
  const std::vector<CoveredField> made = covered_members<CoveredCase>("word");
  FieldValues values(made.size());
  const auto classes = [&](const CoveredCase& c) {
    size_t at = 0;
    read_members(c, "word", values, at);
    EXPECT_EQ(at, made.size());
    std::vector<std::string> of;
    for (size_t i = 0; i < made.size(); ++i) of.push_back(made[i].class_name(made[i].class_of(*values[i])));
    return of;
  };
  EXPECT_EQ(classes({.code = 4,
                     .kind = 15,
                     .size = 16,
                     .word = 9,
                     .spans = {1, 2},
                     .is_last = true,
                     .part = {7},
                     .unit = 32}),
            (std::vector<std::string>{"4", "p", "next to lowest 16", "between", "1", "2", "1", "7", "32"}));
  EXPECT_EQ(classes({.code = 2, .kind = 16, .size = 12, .spans = {0, 3}, .part = {8}, .unit = 24}),
            (std::vector<std::string>{"illegal", "illegal", "illegal", "lowest 0", "illegal", "illegal", "0",
                                      "illegal", "illegal"}));
}

}  // namespace
}  // namespace assay::suites
