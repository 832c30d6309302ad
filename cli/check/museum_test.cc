// SPDX-License-Identifier: Apache-2.0
// The kernels of testdata/museum: what public bug reports were about, in kernels of our own. `assay check`
// names the cause in the one with the defect and is silent on the one where it is mended.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/scratch_test.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(fs::path(ASSAY_SOURCE_DIR) / "testdata" / folder))
    if (file.path().extension() == ".ptx") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// What follows "// KEY: " in a file, or nothing.
std::string told(const std::string& text, const std::string& key) {
  const std::string mark = "// " + key + ": ";
  const size_t at = text.find(mark);
  return at == text.npos ? "" : text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

class Museum : public testing::TestWithParam<std::string> {};

/// The word after .target, with the letter that makes it one of the emulated devices.
std::string target_of(const std::string& text) {
  const size_t at = text.find("\n.target ") + 9;
  return text.substr(at, text.find('\n', at) - at);
}

void expect_named_and_mended(const fs::path& file) {
  const std::string text = report::read_whole_file(file);
  const std::string warns = told(text, "warns"), finds = warns + told(text, "finds");
  ASSERT_FALSE(finds.empty());
  const int code = warns.empty() ? 1 : 0;
  const std::string target = target_of(text);
  const std::string sarif = report::scratch_path("museum_" + file.stem().string() + ".sarif").string();
  const auto check = [&](const std::string& kernel) {
    return report::shell(std::string(ASSAY_BINARY_DIR) + "/assay check " + file.string() +
                         " --device emulator:" + target + " --sarif " + sarif + " " + kernel);
  };
  // What a random order alone shows says so.
  const std::string words = told(text, "says");
  const bool needs_order = words.find("schedule=") != words.npos;
  const report::Ended defect = check(needs_order ? "--kernel defect" : "--kernel defect --schedules 1");
  EXPECT_EQ(defect.code, code) << defect.text;
  std::vector<std::string> clauses;
  const nlohmann::json document = nlohmann::json::parse(report::read_whole_file(sarif));
  for (const nlohmann::json& result : document.at("runs").at(0).at("results"))
    if ((result.at("level") == "warning") != warns.empty()) clauses.push_back(result.at("ruleId"));
  EXPECT_NE(std::find(clauses.begin(), clauses.end(), finds), clauses.end()) << defect.text;
  if (!warns.empty()) {
    EXPECT_EQ(check("--kernel defect --schedules 1 --warnings=error").code, 1);
    const report::Ended off = check("--kernel defect --schedules 1 --warnings=off");
    EXPECT_EQ(off.text.find(finds), std::string::npos) << off.text;
  }

  EXPECT_NE(defect.text.find(words), std::string::npos) << words << "\n" << defect.text;

  const auto expect_found = [&](const report::Ended& run) {
    EXPECT_EQ(run.code, code) << run.text;
    EXPECT_NE(run.text.find(finds + ":"), std::string::npos) << run.text;
  };
  const report::Ended explored = check("--explore --kernel defect");
  expect_found(explored);
  if (needs_order) {
    // The line that the order is replayed by.
    constexpr std::string_view mark = "to replay: assay ";
    const size_t at = explored.text.find(mark);
    ASSERT_NE(at, explored.text.npos) << explored.text;
    const size_t words_at = at + mark.size();
    expect_found(report::shell(std::string(ASSAY_BINARY_DIR) + "/assay " +
                               explored.text.substr(words_at, explored.text.find('\n', at) - words_at)));
  }

  const std::string otherwise = told(text, "mended");
  const report::Ended mended = check(otherwise.empty() ? "--kernel mended" : otherwise);
  EXPECT_EQ(mended.code, 0) << mended.text;
  EXPECT_NE(mended.text.find("assay: 0 findings in "), std::string::npos) << mended.text;
  EXPECT_EQ(mended.text.find("assay: 0 findings in 0 launches"), std::string::npos) << mended.text;
  const report::Ended all = check("--explore=1000 " + (otherwise.empty() ? "--kernel mended" : otherwise));
  EXPECT_EQ(all.code, 0) << all.text;
  EXPECT_NE(all.text.find(" that can differ)"), std::string::npos) << all.text;
}

/// Leaving out a fence, wait, barrier or arrival of the mended kernel is noticed, but for those that are
/// listed.
void expect_needed(const fs::path& file) {
  const std::string text = report::read_whole_file(file), otherwise = told(text, "mended");
  const report::Ended run = report::shell(
      std::string(ASSAY_BINARY_DIR) + "/assay check --necessity --explore=1000 " + file.string() +
      " --device emulator:" + target_of(text) + " " + (otherwise.empty() ? "--kernel mended" : otherwise));
  EXPECT_EQ(run.code, 0) << run.text;
  std::string unneeded, listed;
  std::istringstream lines(run.text);
  for (std::string line, place; std::getline(lines, line); place = line) {
    const size_t at = place.find(": not needed for this input in any order");
    const size_t colon = place.find(':');
    if (at != place.npos)
      unneeded += file.stem().string() + place.substr(colon, at - colon) + ": " + line.substr(4) + "\n";
  }
  std::istringstream list(report::read_whole_file(fs::path(ASSAY_SOURCE_DIR) / "testdata/not_needed.txt"));
  for (std::string line; std::getline(list, line);)
    if (line.starts_with(file.stem().string() + ":")) listed += line + "\n";
  EXPECT_EQ(unneeded, listed) << run.text;
}

TEST_P(Museum, NeedsWhatItSynchronisesBy) {
  expect_needed(fs::path(ASSAY_SOURCE_DIR) / "testdata/museum" / (GetParam() + ".ptx"));
}

TEST_P(Museum, NamesTheDefectAndIsSilentOnTheMendedKernel) {
  expect_named_and_mended(fs::path(ASSAY_SOURCE_DIR) / "testdata/museum" / (GetParam() + ".ptx"));
}

INSTANTIATE_TEST_SUITE_P(Entries, Museum, testing::ValuesIn(entries("museum")),
                         [](const auto& info) { return info.param; });

/// Defects that no report of the museum is about.
class MoreDefects : public testing::TestWithParam<std::string> {};

TEST_P(MoreDefects, NeedWhatTheySynchroniseBy) {
  expect_needed(fs::path(ASSAY_SOURCE_DIR) / "testdata/clauses" / (GetParam() + ".ptx"));
}

TEST_P(MoreDefects, AreNamedAndTheMendedKernelIsSilent) {
  expect_named_and_mended(fs::path(ASSAY_SOURCE_DIR) / "testdata/clauses" / (GetParam() + ".ptx"));
}

INSTANTIATE_TEST_SUITE_P(Entries, MoreDefects, testing::ValuesIn(entries("clauses")),
                         [](const auto& info) { return info.param; });

TEST(MuseumTable, NamesEveryEntry) {
  const std::string table = report::read_whole_file(fs::path(ASSAY_SOURCE_DIR) / "docs/museum.md");
  for (const std::string& name : entries("museum")) {
    const std::string text =
        report::read_whole_file(fs::path(ASSAY_SOURCE_DIR) / "testdata/museum" / (name + ".ptx"));
    ASSERT_FALSE(told(text, "museum").empty()) << name << ": the thread that it is about";
    EXPECT_NE(table.find("`" + name + "`"), std::string::npos) << name;
    EXPECT_NE(table.find(told(text, "museum")), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace assay::cli::check
