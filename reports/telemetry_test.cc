// SPDX-License-Identifier: Apache-2.0
#include "reports/telemetry.h"

#include <gtest/gtest.h>

#include "reports/compare/run_diff.h"
#include "reports/html/sections.h"
#include "reports/results.h"
#include "reports/results_file.h"
#include "reports/sample_test.h"

/// What a screen's results file keeps of its boards, and what is said of it.
namespace assay::report {
namespace {

struct SampleScreen {
  std::string started, serial = "165";
  double watts = 600, ghz = 1.75;
  uint64_t failing = 0;
};

void write_screen(const std::filesystem::path& file, const SampleScreen& screen) {
  RunInfo run = sample_run();
  run.run_id = run.started_utc = screen.started;
  const auto recorder = Recorder::create(file, run);
  recorder->add_device(
      {"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {{"serial", screen.serial}}});
  recorder->plan("cuda:0", {"screen.wgmma.bf16", "claim", {}}, 100);
  PropertyState state;
  state.totals.planned = state.totals.issued = 100;
  state.totals.counts = {{Verdict::conforms, 100 - screen.failing}, {Verdict::violates, screen.failing}};
  state.totals.complete = true;
  state.coverage = {{"on each multiprocessor", "nanoseconds", 1'000'000, false},
                    {"on each multiprocessor", "clocks", static_cast<uint64_t>(1e6 * screen.ghz), false}};
  if (screen.failing != 0) {
    FailureKindRow kind;
    kind.signature = "screen.wgmma.bf16|done|done", kind.count = screen.failing;
    state.kinds.push_back(kind);
  }
  recorder->set_state("cuda:0", "screen.wgmma.bf16", state);
  recorder->finish(screen.failing != 0, screen.started);
}

void add_two_rows(const std::filesystem::path& file, const SampleScreen& screen) {
  const auto joules = static_cast<uint64_t>(10e3 * screen.watts);
  add_telemetry(file, "cuda:0",
                {{0, 150'000, 1980, 3201, 35, 7, 0, 0}, {10, 640'000, 1755, 3201, 58, 7 + joules, 4, 0}},
                {{4.5, "screen.wgmma.bf16 <found> 4.5 s"}});
}

TEST(Telemetry, ComesBackAndIsDrawn) {
  const Scratch scratch;
  const SampleScreen screen{"2026-11-21T02:00:00"};
  write_screen(scratch / "results.db", screen);
  EXPECT_EQ(html_text(scratch / "results.db").find("Telemetry of"), std::string::npos);
  add_two_rows(scratch / "results.db", screen);
  const DeviceResult device = read_results(scratch / "results.db").devices.at(0);
  ASSERT_EQ(device.telemetry.size(), 2u);
  EXPECT_EQ(device.telemetry[1].milliwatts, 640'000u);
  EXPECT_EQ(device.telemetry[1].throttle, 4u);
  EXPECT_DOUBLE_EQ(mean_watts(device.telemetry), 600);
  ASSERT_EQ(device.marks.size(), 1u);
  EXPECT_EQ(device.marks[0].seconds, 4.5);
  const std::string page = html_text(scratch / "results.db");
  EXPECT_NE(page.find("Telemetry of cuda:0"), std::string::npos);
  EXPECT_NE(page.find("640.0 W"), std::string::npos);
  EXPECT_NE(page.find("<title>screen.wgmma.bf16 &lt;found&gt; 4.5 s"), std::string::npos);
  EXPECT_THROW(add_telemetry(scratch / "results.db", "cuda:1", {}, {}), std::runtime_error);
}

TEST(Telemetry, IsMerged) {
  const Scratch scratch;
  const SampleScreen first{"2026-11-21T02:00:00"}, second{"2026-11-22T02:00:00", "166"};
  for (const auto& [name, screen] : {std::pair("a.db", first), {"b.db", second}}) {
    write_screen(scratch / name, screen);
    add_two_rows(scratch / name, screen);
  }
  merge_results({scratch / "a.db", scratch / "b.db"}, scratch / "both.db", true);
  size_t rows = 0;
  for (const DeviceResult& device : read_results(scratch / "both.db").devices)
    rows += device.telemetry.size();
  EXPECT_GE(rows, 2u);
}

TEST(Telemetry, TrendSaysWhatMovedOnABoard) {
  const Scratch scratch;
  const SampleScreen screens[] = {{"2026-11-20T02:00:00"},
                                  {"2026-11-21T02:00:00", "165", 605, 1.76},
                                  {"2026-11-21T03:00:00", "166", 300, 1.2},  // another board
                                  {"2026-11-22T02:00:00", "165", 500, 1.6, 3}};
  std::vector<std::filesystem::path> files;
  for (const SampleScreen& screen : screens) {
    files.push_back(scratch / ("n" + std::to_string(files.size()) + ".db").c_str());
    write_screen(files.back(), screen);
    add_two_rows(files.back(), screen);
  }
  const std::vector<ScreenNight> found = screens_in(files);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[2].failing, 3u) << "by board, then by time";
  EXPECT_EQ(moved_words({}, found[0]), "");
  EXPECT_EQ(moved_words({found[0]}, found[1]), "") << "half a per cent";
  EXPECT_EQ(moved_words({found[0], found[1]}, found[2]),
            "clock 1600 MHz, before 1760 MHz (-9.1 %); power 500 W, before 605 W (-17.4 %); failing cases 3, "
            "before 0");
  const std::string text = trend_of(files).text;
  EXPECT_NE(text.find("\n165 "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  moved: clock 1600 MHz"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::report
