// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/run_process_test.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/sqlite.h"
#include "reports/text.h"

/// `assay first-contact` and `assay adopt` as a user starts them.
namespace assay::cli {
namespace {

using report::Ended;

/// The file of a device that departs from three defaults, one of them by a fault; made once.
const std::filesystem::path& file_of_three() {
  static const std::filesystem::path file = [] {
    const auto out = report::scratch_path("contact");
    std::filesystem::create_directories(out);
    const Ended ran = start(
        "first-contact --quiet --device "
        "emulator:sm_100a,reading=TMEM-AMB-01:C,reading=NUM-AMB-18:B,reading=TMA-AMB-33:B --out " +
        (out / "three.db").string());
    EXPECT_EQ(ran.code, 0) << ran.text;
    EXPECT_NE(ran.text.find("TMEM-AMB-01:C  rival adopted by"), std::string::npos) << ran.text;
    EXPECT_NE(ran.text.find("the device gives 59 of 59 words"), std::string::npos) << ran.text;
    return out / "three.db";
  }();
  return file;
}

std::filesystem::path copy_of_three(const char* name, const char* statement) {
  const auto to = report::scratch_path(name).string() + ".db";
  std::filesystem::copy_file(file_of_three(), to, std::filesystem::copy_options::overwrite_existing);
  report::Database db(to, SQLITE_OPEN_READWRITE);
  db.execute(statement);
  return to;
}

TEST(FirstContactCommand, TheFileSaysWhatTheDeviceDoes) {
  ASSERT_TRUE(std::filesystem::exists(file_of_three()));
  EXPECT_LT(std::filesystem::file_size(file_of_three()), 5'000'000u);
  const report::Results results = report::read_results(file_of_three());
  ASSERT_EQ(results.devices.size(), 1u);
  std::string departs;
  for (const report::ReadingRow& row : results.devices[0].readings)
    if (row.status == report::reading_adopted) departs += row.question + ":" + row.chosen_letter + " ";
  EXPECT_EQ(departs, "TMA-AMB-33:B NUM-AMB-18:B TMEM-AMB-01:C ");
  EXPECT_EQ(results.exit_code, 0);
  EXPECT_TRUE(results.finished);
  EXPECT_EQ(results.published.size(), 22u);
}

TEST(FirstContactCommand, AdoptShowsTheChangesAndWritesThePage) {
  const auto page = report::scratch_path("page").string() + ".md";
  const Ended ran = start("adopt " + file_of_three().string() + " --page " + page);
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find("TMA-AMB-33: P -> B by "), std::string::npos) << ran.text;
  EXPECT_NE(ran.text.find("3 defaults would change"), std::string::npos) << ran.text;
  EXPECT_NE(ran.text.find("are from an emulator and change no default"), std::string::npos) << ran.text;
  const std::string text = report::read_whole_file(page);
  EXPECT_NE(text.find("Evidence kind: **emulator sm_100**"), std::string::npos) << text;
  EXPECT_NE(text.find("| TMEM-AMB-01 | A | C | rival adopted | "), std::string::npos) << text;
}

TEST(FirstContactCommand, AdoptBelievesNothingThatItCannotRecompute) {
  const std::pair<const char*, const char*> lies[] = {
      {"UPDATE readings SET chosen_letter='A' WHERE question='NUM-AMB-18'", "NUM-AMB-18, case "},
      {"UPDATE readings SET deciding_cases=40 WHERE question='AMB-06'",
       "40 deciding cases are claimed, 4 are"},
      {"UPDATE deciding_cases SET bytes=zeroblob(length(bytes)) WHERE question='AMB-06'", "AMB-06, case "},
      {"UPDATE deciding_cases SET code=700 WHERE question='TMEM-AMB-01'", "TMEM-AMB-01, case "},
      {"UPDATE deciding_cases SET case_json='{}' WHERE question='AMB-06'", "AMB-06, case "},
      {"UPDATE readings SET question='AMB-99' WHERE question='AMB-06'",
       "is not a reading of an open question"}};
  for (const auto& [lie, words] : lies) {
    const Ended ran = start("adopt " + copy_of_three("lie", lie).string());
    EXPECT_EQ(ran.code, 1) << lie << ran.text;
    EXPECT_NE(ran.text.find("not confirmed: "), std::string::npos) << lie << ran.text;
    EXPECT_NE(ran.text.find(words), std::string::npos) << lie << ran.text;
  }
}

TEST(FirstContactCommand, AdoptRefusesOtherFiles) {
  const Ended ran = start("adopt " + copy_of_three("none", "DELETE FROM deciding_cases").string());
  EXPECT_EQ(ran.code, 2) << ran.text;
  EXPECT_NE(ran.text.find("holds no answers of a single device to open questions"), std::string::npos)
      << ran.text;
  EXPECT_EQ(start("adopt " ASSAY_SOURCE_DIR "/README.md").code, 2);
}

TEST(FirstContactCommand, TakesTenMinutesAtMostAndOneDevice) {
  const Ended late = start("first-contact --budget 11m --device emulator:sm_100a");
  EXPECT_EQ(late.code, 64) << late.text;
  EXPECT_NE(late.text.find("the maximum is 10 minutes"), std::string::npos) << late.text;
}

// What could not be asked any more is said, and what was is in the file.
TEST(FirstContactCommand, EndsWhenTimeIsUp) {
  const auto file = report::scratch_path("short").string() + ".db";
  const Ended ran = start("first-contact --quiet --budget 1ms --device emulator:sm_100a --out " + file);
  EXPECT_EQ(ran.code, 4) << ran.text;
  EXPECT_NE(ran.text.find("not decided: the time limit was reached before it was asked"), std::string::npos)
      << ran.text;
  EXPECT_TRUE(report::read_results(file).finished);
}

}  // namespace
}  // namespace assay::cli
