// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

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
  const std::regex row("^- `([a-z0-9_-]+)`: .*");
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

namespace fs = std::filesystem;

const fs::path licences_root = ASSAY_SOURCE_DIR;
/// Files of a licence of others: "cutlass.BSD-3-Clause.txt", the source's key and the licence's SPDX name.
const std::regex licence_text_name("([a-z0-9-]+)\\.([A-Za-z0-9-]+)\\.txt");

struct DataRow {
  std::string file, source, licence;  ///< cells of the table "Data" in SOURCES.md
};

std::vector<DataRow> data_rows() {
  std::ifstream file(licences_root / "SOURCES.md");
  std::vector<DataRow> rows;
  const std::regex row("^\\| `(testdata/[^`]+)` \\| ([^|]+) \\| ([^|]+) \\|$");
  std::smatch match;
  for (std::string line; std::getline(file, line);)
    if (std::regex_match(line, match, row)) rows.push_back({match[1], match[2], match[3]});
  return rows;
}

/// "folder/*" is every file below the folder.
bool names_file(const DataRow& row, const std::string& file) {
  if (!row.file.ends_with("/*")) return row.file == file;
  return file.starts_with(row.file.substr(0, row.file.size() - 1));
}

std::string words_of(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  for (std::string word; in >> word;)
    if (word != ".") text += word + " ";
  return text;
}

std::vector<fs::path> licence_texts() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(licences_root / "LICENSES")) files.push_back(entry.path());
  return files;
}

TEST(Licences, EveryFileOfTestdataHasOneRowAndEveryRowAFile) {
  const std::vector<DataRow> rows = data_rows();
  ASSERT_FALSE(rows.empty());
  std::map<std::string, int> files_of;
  for (const auto& entry : fs::recursive_directory_iterator(licences_root / "testdata")) {
    if (!entry.is_regular_file()) continue;
    const std::string file = fs::relative(entry.path(), licences_root).string();
    int named = 0;
    for (const DataRow& row : rows)
      if (names_file(row, file)) ++named, ++files_of[row.file];
    EXPECT_EQ(named, 1) << file << ": the rows of SOURCES.md, Data, that name it";
  }
  for (const DataRow& row : rows) EXPECT_GT(files_of[row.file], 0) << row.file << " is not there";
}

/// Of a row of data the licence is Apache-2.0, or what its source's text in LICENSES/ says; of a text the
/// source and the licence stand in a row.
TEST(Licences, DataOfOthersHasTheTextOfItsLicence) {
  std::set<std::string> known{"Apache-2.0"};
  for (const fs::path& text : licence_texts()) {
    std::smatch match;
    const std::string name = text.filename().string();
    ASSERT_TRUE(std::regex_match(name, match, licence_text_name)) << name;
    const std::string key = "`" + match[1].str() + "`", licence = match[2];
    bool used = false;
    for (const DataRow& row : data_rows()) {
      if (row.source.find(key) == std::string::npos) continue;
      used = true;
      EXPECT_NE(row.licence.find(licence), std::string::npos) << row.file << " comes from " << key;
    }
    EXPECT_TRUE(used) << name << ": no file comes from there";
    EXPECT_TRUE(std::regex_search(words_of(text), std::regex("Copyright \\(c\\) 20[0-9]{2}"))) << name;
    known.insert(licence);
  }
  const std::regex licence_name("(rows `[^`]+` )?([A-Za-z0-9.-]+)");
  for (const DataRow& row : data_rows()) {
    std::istringstream cell(row.licence);
    for (std::string part; std::getline(cell >> std::ws, part, ';');) {
      std::smatch match;
      ASSERT_TRUE(std::regex_match(part, match, licence_name)) << row.licence;
      EXPECT_TRUE(known.contains(match[2])) << row.file << ": no text of " << match[2] << " in LICENSES/";
    }
  }
  EXPECT_NE(words_of(licences_root / "LICENSE").find("Apache License Version 2.0"), std::string::npos);
}

/// What the Debian package installs as its copyright file: whole sentences of each licence, and its holders.
TEST(Licences, ThePackageHasEveryText) {
  const std::string package = words_of(licences_root / "cmake/debian_copyright");
  const std::string notice = words_of(licences_root / "NOTICE");
  for (const fs::path& text : licence_texts()) {
    const std::string words = words_of(text);
    const size_t terms = std::min(words.find("Redistribution and use"), words.find("Permission is hereby"));
    ASSERT_NE(terms, std::string::npos) << text;
    EXPECT_NE(package.find(words.substr(terms)), std::string::npos) << text;
    std::smatch holder;
    const std::regex line("Copyright \\(c\\) ([0-9 -]+[0-9]) (\\S+ \\S+ \\S+)");
    ASSERT_TRUE(std::regex_search(words, holder, line)) << text;
    for (const std::string* file : {&package, &notice})
      EXPECT_NE(file->find(holder[1].str() + " " + holder[2].str()), std::string::npos) << holder[2];
  }
}

}  // namespace
}  // namespace assay::spec
