// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "reports/sample_test.h"
#include "reports/text.h"

namespace assay::report {
namespace {

TEST(Summary, SaysWhatATiredEngineerNeeds) {
  const Scratch scratch;
  fill_sample(scratch / "results.db");
  const std::string text = summary_text(scratch / "results.db", false);
  for (const char* needed :
       {"seed 17", "SILICON sm_90   cuda:0   NVIDIA H200", "EMULATOR sm_100   emulator:sm_100a",
        "no evidence about silicon", "violates         tma.tiled.store", "24 violate, 50,000 conform",
        "8 cases", "replay: assay replay 'tma.tiled.store@17#1000/0.2.1' --device cuda:0",
        "adopted reading X-05: reading B", "reachable coverage cells never hit", "sm_90 has no 96B swizzle",
        "driver and document differ (1)", "exit code 1"})
    EXPECT_NE(text.find(needed), std::string::npos) << needed << "\n" << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("replay:") != std::string::npos) continue;
    EXPECT_LE(columns(line), 100u) << line;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(summary_text(scratch / "results.db", true).find("\x1b[1;31m"), std::string::npos);
}

TEST(Summary, NamesCannotDriveTheTerminal) {
  const Scratch scratch;
  fill_sample(scratch / "results.db", {.hostile_names = true});
  EXPECT_EQ(summary_text(scratch / "results.db", false).find('\x1b'), std::string::npos);
}

TEST(Summary, AnEmulatorAloneIsNeverSilicon) {
  const Scratch scratch;
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  recorder->add_device({"emulator", "emulator sm_90", "sm_90", "assay emulator", "", {}});
  recorder->plan("emulator", {"p", "claim", {}}, 1);
  recorder->set_totals("emulator", "p", {.planned = 1, .issued = 1, .counts = {{Verdict::conforms, 1}}});
  recorder->finish(0, "2026-11-21T02:14:31");
  const std::string text = summary_text(scratch / "results.db", false);
  EXPECT_EQ(text.find("SILICON"), std::string::npos);
  EXPECT_NE(text.find("1 property: conforms; exit code 0"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::report
