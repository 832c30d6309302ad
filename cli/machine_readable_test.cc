// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/scratch_test.h"
#include "reports/sqlite.h"

/// What docs/machine_readable.md promises to programs.
namespace assay::cli {
namespace {

using report::Ended;
using report::shell;

const std::string machine_readable_program = ASSAY_BINARY_DIR "/assay ";

/// The run that all tests here read.
const std::string& machine_readable_folder() {
  static const std::string made = [] {
    const std::string out = report::scratch_path("machine_readable").string();
    shell(machine_readable_program +
          "run tma.tiled.load --device emulator:sm_90a,fault=swizzle_64b_bit_dropped --cases 300 --seed 3 "
          "--out " +
          out + " 2>/dev/null");
    return out;
  }();
  return made;
}

nlohmann::json json_of(const std::string& words, int code) {
  const Ended ended = shell(machine_readable_program + words + " --json 2>/dev/null");
  EXPECT_EQ(ended.code, code) << words << "\n" << ended.text;
  EXPECT_EQ(std::count(ended.text.begin(), ended.text.end(), '\n'), 1) << words << "\n" << ended.text;
  return nlohmann::json::parse(ended.text, nullptr, false);
}

std::string documentation() {
  std::ifstream file(ASSAY_SOURCE_DIR "/docs/machine_readable.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(MachineReadable, EachCommandPrintsOneDocumentWhoseMembersAreDocumented) {
  const std::string db = machine_readable_folder() + "/results.db", text = documentation();
  const std::string map(256, '0'), other_map = "01" + map.substr(2);
  const struct {
    std::string words;
    int code;
    const char *format, *list;
  } commands[] = {
      {"report " + db, 1, "assay-results/1", "devices"},
      {"merge " + db + " -o " + machine_readable_folder() + "/merged.db", 1, "assay-results/1", "devices"},
      {"run tma.tiled.store --device emulator:sm_90a --cases 3 --out " + machine_readable_folder() + "/more",
       0, "assay-results/1", "devices"},
      {"list 'tma.*'", 0, "assay-list/1", "properties"},
      {"replay tma.tiled.load@1#1 --device emulator:sm_90a", 0, "assay-replay/1", "devices"},
      {"trend " + db, 0, "assay-trend/1", "nights"},
      {"diff " + db + " " + db, 0, "assay-diff/1", "devices"},
      {"verify " + machine_readable_folder() + "/report.html " + db, 0, "assay-verify/1", nullptr},
      {"check-vectors " ASSAY_VECTORS "/vectors_mbarrier.csv", 0, "assay-vectors/1", "files"},
      {"doctor", 0, "assay-doctor/1", "items"},
      {"diff-maps " + map + " " + other_map, 1, "assay-map-diff/1", "fields"},
      {"explain encode_tiled --type u8 --dims 16 --box 7", 1, "assay-explain/1", "rules"},
      {"explain encode_tiled --type u8 --dims 16 --box 16", 0, "assay-explain/1", nullptr},
      {"locate --row 3 --col 17 --swizzle 128B", 0, "assay-locate/1", "places"},
      {"locate --row 3 --col 17 --layout smem --swizzle 128B --sbo 1024", 0, "assay-locate/1", "places"},
      {"locate --row 3 --col 17 --layout d", 0, "assay-locate/1", "places"},
      {"locate --row 3 --col 17 --layout a", 0, "assay-locate/1", "places"},
      {"locate --row 3 --col 17 --scales a", 0, "assay-locate/1", "places"}};
  for (const auto& command : commands) {
    const nlohmann::json document = json_of(command.words, command.code);
    ASSERT_TRUE(document.is_object()) << command.words;
    EXPECT_EQ(document.value("format", ""), command.format);
    EXPECT_NE(text.find("`" + std::string(command.format) + "`"), std::string::npos) << command.format;
    for (const auto& [member, value] : document.items())
      EXPECT_NE(text.find("`" + member + "`"), std::string::npos) << command.words << ": " << member;
    if (command.list == nullptr) continue;
    ASSERT_FALSE(document.at(command.list).empty()) << command.words;
    for (const auto& [member, value] : document.at(command.list).at(0).items())
      EXPECT_NE(text.find("`" + member + "`"), std::string::npos) << command.words << ": " << member;
  }
}

TEST(MachineReadable, AFailureCarriesWhatItTakesToRunItAgain) {
  const nlohmann::json document = json_of("report " + machine_readable_folder() + "/results.db", 1);
  EXPECT_EQ(document.at("verdict"), "violates");
  EXPECT_EQ(document.at("exit_code"), 1);
  const nlohmann::json property = document.at("devices").at(0).at("properties").at(0);
  EXPECT_EQ(property.at("cases"), 300);
  const nlohmann::json failure = property.at("failures").at(0);
  EXPECT_GT(failure.at("cases"), 1);
  EXPECT_TRUE(failure.at("case").is_object());
  EXPECT_NE(failure.at("replay").get<std::string>().find("assay replay"), std::string::npos);
}

TEST(MachineReadable, RulesQuestionsAndPropertiesAreDescribed) {
  EXPECT_EQ(json_of("describe TILE-R09", 0).at("kind"), "rule");
  const nlohmann::json question = json_of("describe TMA-AMB-04", 0);
  EXPECT_EQ(question.at("kind"), "question");
  EXPECT_GE(question.at("readings").size(), 2u);
  EXPECT_EQ(json_of("describe tmem.ld", 0).at("kind"), "property");
  EXPECT_TRUE(json_of("describe 0x4000404000010080 --as smem", 0).is_object());
  const std::string text = documentation();
  for (const char* arch : {"sm_90", "sm_100"}) {
    const nlohmann::json map =
        json_of("describe --as tensor_map '1000 0 6510 10 0 0 0 0 7f 3f 0 0 0 3f000000 7 0' --arch " +
                    std::string(arch),
                0);
    for (const nlohmann::json& copy : map.at("copies"))
      for (const auto& [member, value] : copy.items())
        EXPECT_NE(text.find("`" + member + "`"), std::string::npos) << member;
  }
}

TEST(MachineReadable, EveryTableAndColumnOfTheResultsIsDocumented) {
  const std::string text = documentation();
  report::Database db(machine_readable_folder() + "/results.db", SQLITE_OPEN_READONLY);
  EXPECT_NE(text.find("`PRAGMA user_version` is " + std::to_string(db.number("PRAGMA user_version")) + ":"),
            std::string::npos);
  report::Statement columns(db,
                            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c "
                            "WHERE t.type='table'");
  int known = 0;
  for (; columns.step(); ++known)
    for (int i = 0; i < 2; ++i)
      EXPECT_NE(text.find("`" + columns.text(i) + "`"), std::string::npos)
          << columns.text(0) << "." << columns.text(1);
  EXPECT_GT(known, 100);
}

TEST(MachineReadable, ThePythonReaderReadsIt) {
  const Ended ended =
      shell("python3 " ASSAY_SOURCE_DIR "/docs/read_results.py " + machine_readable_folder() + "/results.db");
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_NE(ended.text.find("tma.tiled.load: "), std::string::npos) << ended.text;
  EXPECT_NE(ended.text.find(" violates"), std::string::npos) << ended.text;
  EXPECT_NE(ended.text.find("assay replay"), std::string::npos) << ended.text;
  EXPECT_EQ(
      shell("python3 " ASSAY_SOURCE_DIR "/docs/read_results.py " ASSAY_SOURCE_DIR "/README.md 2>&1").code, 1);
}

}  // namespace
}  // namespace assay::cli
