// SPDX-License-Identifier: Apache-2.0
// The adder against the worked vectors and probes of its arithmetic (testdata/vectors/vectors_numerics.csv,
// probes_numerics.csv); the rows of Hopper were confirmed on an H200.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of_file(const std::string& file) {
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/testdata/vectors/" + file);
  EXPECT_TRUE(in.good()) << file << " is missing";
  std::string line;
  std::getline(in, line);
  const auto names = split(line, ',');
  std::vector<Row> made;
  while (std::getline(in, line)) {
    // Texts in quotes hold commas.
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        cells.emplace_back();
      else
        cells.back() += c;
    }
    Row row;
    for (size_t i = 0; i < names.size() && i < cells.size(); ++i) row[names[i]] = cells[i];
    made.push_back(row);
  }
  return made;
}

std::vector<uint32_t> codes_of(const std::string& text) {
  std::vector<uint32_t> made;
  for (const std::string& word : split(text, ' '))
    made.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
  return made;
}

struct Family {
  Adder adder;
  Target target;
};
const std::map<std::string, Family> families{{"wgmma", {Adder::wgmma, Target::sm_90}},
                                             {"mma_sm90", {Adder::mma_sync, Target::sm_90}},
                                             {"mma_sm100", {Adder::mma_sync, Target::sm_100}},
                                             {"tcgen05", {Adder::tcgen05, Target::sm_100}}};

/// Nothing for rows of instructions that this adder does not do: block-scaled, f64, sm_120.
bool check(const Row& row, const std::string& want) {
  const std::string set = row.at("param_set");
  const auto family = families.find(set.substr(0, set.find('.')));
  const std::string& kind = row.at("kind");
  if (family == families.end() || (kind != "T-FDPA" && kind != "INT")) return false;
  const auto a = codes_of(row.at("a"));
  auto b = codes_of(row.at("b"));
  const std::string property = row.contains("property") ? row.at("property") : "";
  // The mask is not the adder's: it gets a column of zeros.
  if (property.find("zero-column mask") != std::string::npos) b.assign(b.size(), 0);
  // Three equal rows and two equal columns: every element must come out alike.
  std::vector<uint32_t> all_a, all_b, d(6, codes_of(row.at("c"))[0]);
  for (int i = 0; i < 3; ++i) all_a.insert(all_a.end(), a.begin(), a.end());
  for (int i = 0; i < 2; ++i) all_b.insert(all_b.end(), b.begin(), b.end());
  TileProduct product{};
  product.adder = family->second.adder, product.target = family->second.target;
  product.a_format = spec::find_format(row.at("a_type"));
  product.b_format = spec::find_format(row.at("b_type"));
  product.d_format = spec::find_format(row.at("cd_type"));
  product.m = 3, product.n = 2, product.k = static_cast<uint32_t>(std::stoul(row.at("K")));
  product.saturates = set.ends_with(".sat");
  if (property.find("scale-input-d") != std::string::npos)
    product.scale_input_d = std::stoi(property.substr(property.find("n=") + 2));
  EXPECT_EQ(a.size(), product.k) << row.at("id");
  product.a = all_a, product.b = all_b, product.d = d;
  multiply_tile(product, Settings{family->second.target});
  for (const uint32_t code : d) EXPECT_EQ(code, codes_of(want)[0]) << row.at("id") << " " << set << std::hex;
  return true;
}

TEST(AdderVectors, Rows) {
  std::map<std::string, size_t> checked;
  for (const Row& row : rows_of_file("vectors_numerics.csv"))
    if (row.at("amb").empty() && check(row, row.at("d"))) ++checked[row.at("family")];
  EXPECT_EQ(checked["wgmma"], 170u);
  EXPECT_EQ(checked["mma_sm90"], 248u);
  EXPECT_EQ(checked["mma_sm100"], 96u);
  EXPECT_EQ(checked["tcgen05"], 178u);
}

TEST(AdderVectors, Probes) {
  size_t checked = 0;
  for (const Row& row : rows_of_file("probes_numerics.csv"))
    if (check(row, row.at("best_d"))) ++checked;
  EXPECT_EQ(checked, 136u);
}

}  // namespace
}  // namespace assay::emulator
