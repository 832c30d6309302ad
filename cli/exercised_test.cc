// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_program_test.h"
#include "reports/scratch_test.h"
#include "reports/whole_file.h"

/// The table of exercised rules, made anew of runs as suites/run/exercised.h says it.
namespace assay::cli {
namespace {

TEST(ExercisedCommand, WritesTheFilesOfTheAreasThatRanAndNoOthers) {
  const std::filesystem::path out = report::scratch_path("exercised");
  std::string results;
  for (const char* target : {"sm_90a", "sm_100a", "sm_103a", "sm_120a"}) {
    const std::string run = (out / target).string();
    const report::Ended ended =
        start("run 'barrier.*' 'wgmma.*' 'tma.gather4.*' --device emulator:" + std::string(target) +
              " --seed 1 --cases 128 --out " + run);
    ASSERT_EQ(ended.code, 0) << ended.text;
    results += " " + run + "/results.db";
  }
  const std::filesystem::path table = out / "table";
  std::filesystem::create_directories(table);
  const report::Ended made = start("exercised" + results + " --table " + table.string());
  ASSERT_EQ(made.code, 0) << made.text;
  size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(table)) {
    ++files;
    const auto kept =
        std::filesystem::path(ASSAY_SOURCE_DIR "/suites/run/exercised") / file.path().filename();
    EXPECT_EQ(report::read_whole_file(file.path()), report::read_whole_file(kept)) << kept;
  }
  EXPECT_EQ(files, 3u);
}

}  // namespace
}  // namespace assay::cli
