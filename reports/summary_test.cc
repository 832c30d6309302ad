// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/sample_test.h"
#include "reports/text.h"

namespace assay::report {
namespace {

size_t lines_of(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Summary, SaysWhatATiredEngineerNeeds) {
  const Scratch scratch;
  fill_sample(scratch / "results.db");
  const std::string text = summary_text(scratch / "results.db", false);
  for (const char* needed :
       {"seed 17", "SILICON sm_90   cuda:0   NVIDIA H200", "EMULATOR sm_100   emulator:sm_100a",
        "no evidence about silicon", "1. failed: 24 cases of tma.tiled.store",
        "2. crashed: 2 cases of tma.tiled.load.multicast",
        "replay: assay replay 'tma.tiled.store@17#1000/0.2.1' --device cuda:0", "X-05: reading B",
        "8,098 of 8,190 reachable coverage cells hit (98.9 %)", "1 driver and document differ",
        "exit code 1"})
    EXPECT_NE(text.find(needed), std::string::npos) << needed << "\n" << text;
  EXPECT_LT(text.find("1. failed"), text.find("SILICON")) << "what failed comes first";
  const std::string all = summary_text(scratch / "results.db", false, Detail::verbose);
  for (const char* needed :
       {"failed                 tma.tiled.store", "24 failed, 50,000 passed", "sm_90 has no 96B swizzle",
        "would have caught a 1-in-16,", "im2colWide accepts interleave 16B"})
    EXPECT_NE(all.find(needed), std::string::npos) << needed << "\n" << all;
  for (const std::string& one : {text, all}) {
    std::istringstream lines(one);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("replay:") != std::string::npos) continue;
      EXPECT_LE(columns(line), 100u) << line;
    }
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(summary_text(scratch / "results.db", true).find("\x1b[1;31m"), std::string::npos);
}

/// As many areas and properties as the suites have, some skipped for reasons of three kinds; in each of
/// `failing` properties a failure that nothing explains.
void fill_whole_run(const std::filesystem::path& file, int failing) {
  const auto recorder = Recorder::create(file, sample_run());
  const std::string device = "emulator:sm_100a";
  recorder->add_device({device, "emulator sm_100", "sm_100", "assay emulator (sm_100a)", "", {}});
  for (const char* area :
       {"assembler", "barrier", "bulk", "driver", "mma", "mma_sync", "pipeline", "tma", "tmem", "wgmma"})
    for (int i = 0; i < 19; ++i) {
      const std::string name = std::string(area) + ".property_" + std::to_string(i);
      PropertyState state;
      state.totals = {.planned = 60, .issued = 60, .counts = {{Verdict::conforms, 60}}, .complete = true};
      state.totals.device_busy_seconds = 0.1;
      state.coverage = {{"type x swizzle", "u8/none", 60, true}, {"type x swizzle", "u8/32B", 0, true}};
      const bool is_skipped = std::string_view(area) == "wgmma" || i >= 16;
      recorder->plan(device, {name, "Says something.", {"TILE-R01"}}, is_skipped ? 0 : 60);
      if (is_skipped) {
        state.totals = {.complete = true};
        state.totals.counts = {{Verdict::declined, 0}};
        state.totals.reason = i == 18 ? "a reason of its own, of " + std::string(area)
                                      : "requires compute capability 9.0 (device: 10.0)";
      } else if (failing-- > 0) {
        state.totals.counts = {{Verdict::conforms, 59}, {Verdict::violates, 1}};
        CaseRow row;
        row.property = name, row.device = device, row.signature = name + "|done|never completes";
        row.message = name + ": u8 rank 2 box 16 8 " + std::string(80, 'x') +
                      ": expected to complete; barrier never completed";
        row.replay = "assay replay " + name + "@1#0";
        recorder->add_case(row);
      }
      recorder->set_state(device, name, state);
    }
  for (const char* kind : {"busy host", "departs from documents", "outside the rules", "recoveries"})
    recorder->add_finding(device, kind, "words");
  recorder->finish(failing > 0, "2026-11-21T02:14:31");
}

TEST(Summary, OfAGreenRunIsALineAnAreaAndNoMoreThanEighteen) {
  const Scratch scratch;
  fill_whole_run(scratch / "results.db", 0);
  const std::string text = summary_text(scratch / "results.db", false);
  EXPECT_LE(lines_of(text) + 1, 18u) << "with the line that names the report\n" << text;
  for (const char* needed :
       {"passed                 tma                        16 properties           960 cases     600/s",
        "46 skipped. 36: requires compute capability 9.0 (device: 10.0)", "; and 10 more (-v)",
        "144 of 288 reachable coverage cells hit (50.0 %).",
        "No property ran enough cases to catch a 1-in-100,000 defect",
        "PASSED  190 properties: 144 passed, 46 skipped; exit code 0"})
    EXPECT_NE(text.find(needed), std::string::npos) << needed << "\n" << text;
  EXPECT_EQ(text.find("  wgmma "), std::string::npos) << "an area that was skipped is told with the reasons";
  EXPECT_GT(lines_of(summary_text(scratch / "results.db", false, Detail::verbose)), 190u);
}

TEST(Summary, OfARedRunBeginsWithCausesAndHasNoMoreThanFortyLines) {
  const Scratch scratch;
  fill_whole_run(scratch / "results.db", 60);
  const std::string text = summary_text(scratch / "results.db", false);
  EXPECT_LE(lines_of(text) + 3, 40u) << "with the lines that name files\n" << text;
  EXPECT_GE(lines_of(text), 30u);
  EXPECT_LT(text.find("1. failed: 1 case of assembler.property_0"), text.find("60 properties failed:"));
  EXPECT_NE(text.find("replay: assay replay assembler.property_0@1#0"), std::string::npos) << text;
  EXPECT_NE(text.find(" more causes, in the report"), std::string::npos) << text;
}

TEST(Summary, QuietIsALineForEachThingThatIsRed) {
  const Scratch scratch;
  fill_whole_run(scratch / "results.db", 3);
  const std::string text = summary_text(scratch / "results.db", false, Detail::quiet);
  EXPECT_EQ(lines_of(text), 4u) << text;
  EXPECT_NE(text.find("FAILED assembler.property_2 on emulator:sm_100a: 1 of 60 cases failed; u8 rank 2"),
            std::string::npos)
      << text;
  fill_whole_run(scratch / "green.db", 0);
  EXPECT_EQ(lines_of(summary_text(scratch / "green.db", false, Detail::quiet)), 1u);
  // What is red without a failing case says why, too.
  PropertyTotals totals{.planned = 4, .issued = 4, .counts = {{Verdict::unexpected_pass, 4}}};
  totals.reason = "waiver W-1 is not needed";
  fill_one(scratch / "one.db", totals);
  EXPECT_NE(
      summary_text(scratch / "one.db", false, Detail::quiet)
          .find("UNEXPECTEDLY PASSED tma.tiled.load on cuda:0: 4 of 4 cases unexpectedly passed; waiver W-1"),
      std::string::npos)
      << summary_text(scratch / "one.db", false, Detail::quiet);
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
  EXPECT_NE(text.find("1 property passed; exit code 0"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::report
