// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "reference/layout/tmem.h"
#include "reference/numerics/arithmetic.h"
#include "reference/spec/formats.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::spec {
namespace {

std::set<std::string> keys_of_sources() {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/SOURCES.md");
  std::set<std::string> keys;
  const std::regex row("^\\| `([a-z0-9_-]+)` \\|.*");
  std::smatch match;
  for (std::string line; std::getline(file, line);)
    if (std::regex_match(line, match, row)) keys.insert(match[1]);
  return keys;
}

std::set<std::string> keys_cited() {
  std::set<std::string> keys;
  const auto add = [&](const Cite& cite) {
    if (!cite.document.empty()) keys.emplace(cite.document);
  };
  for (const Rule& rule : rules())
    for (const Cite& cite : rule.cites) add(cite);
  for (const Question& question : questions())
    for (const Cite& cite : question.cites) add(cite);
  for (const DataType& row : data_types) add(row.cite);
  for (const Interleave& row : interleaves) add(row.cite);
  for (const Swizzle& row : swizzles) add(row.cite);
  for (const L2Promotion& row : l2_promotions) add(row.cite);
  for (const OobFill& row : oob_fills) add(row.cite);
  for (const Field& field : tensor_map::tiled_fields) add(field.cite);
  for (const layout::DLayoutRow& row : layout::d_layouts) add(row.cite);
  for (const Format& row : formats) add(row.cite);
  for (const SmemSwizzle& row : smem_swizzles) add(row.cite);
  for (const numerics::Instruction& row : numerics::instructions()) add(row.cite);
  return keys;
}

TEST(Sources, EveryKeyIsListedAndEveryListedKeyIsCited) {
  ASSERT_FALSE(keys_of_sources().empty());
  EXPECT_EQ(keys_of_sources(), keys_cited());
}

TEST(Sources, EveryCiteNamesAPlace) {
  for (const Rule& rule : rules())
    for (const Cite& cite : rule.cites) EXPECT_EQ(cite.document.empty(), cite.place.empty()) << rule.id;
  for (const Field& field : tensor_map::tiled_fields) EXPECT_FALSE(field.cite.place.empty()) << label(field);
}

// The published model of Blackwell's adder has -133 there (NUM-AMB-02): -21 is what was measured elsewhere.
TEST(Sources, TheFloorOfF16AccumulatorsIsNotTheModels) {
  int rows = 0;
  for (const numerics::Instruction& row : numerics::instructions()) {
    if (row.d != "f16" || row.arithmetic.floor_exponent != -21) continue;
    ++rows;
    EXPECT_NE(row.cite.document, "mma-sim") << row.family << " " << row.kind;
  }
  EXPECT_GT(rows, 8);
  for (const Cite& cite : rules()[*find_rule("ADD-R09")].cites) EXPECT_NE(cite.document, "mma-sim");
}

}  // namespace
}  // namespace assay::spec
