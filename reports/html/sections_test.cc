// SPDX-License-Identifier: Apache-2.0
#include "reports/html/sections.h"

#include <gtest/gtest.h>

#include "reports/compare/nights_test.h"
#include "reports/compare/run_diff.h"
#include "reports/html/pages_test.h"
#include "reports/results.h"
#include "reports/sample_test.h"
#include "reports/text.h"
#include "reports/verdict.h"

namespace assay::report {
namespace {

/// What the first screen says of its first device, without markup.
std::string first_device(const std::string& page) {
  const size_t at = page.find("<li class=\"device ");
  std::string text;
  bool in_tag = false;
  for (const char c : page.substr(at, page.find("</li>", at) - at)) {
    if (c == '<') in_tag = true;
    if (!in_tag) text += c;
    if (c == '>') in_tag = false;
  }
  return text;
}

TEST(Html, TheFirstScreenSaysWhatFailedThenPerDeviceWhatIsKnownAndNext) {
  const Scratch scratch;
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
  recorder->plan("cuda:0", {"tma.p", "claim", {"R"}}, 100);
  recorder->plan("cuda:0", {"tma.never", "claim", {"R"}}, 100);
  PropertyState state;
  state.totals = {.planned = 100,
                  .issued = 100,
                  .counts = {{Verdict::conforms, 90}, {Verdict::violates, 7}, {Verdict::waived, 3}}};
  for (const Verdict verdict : {Verdict::violates, Verdict::waived}) {
    CaseRow row;
    row.property = "tma.p", row.device = "cuda:0", row.verdict = verdict;
    row.signature = std::string(name(verdict)), row.replay = "assay replay p@17#" + row.signature;
    recorder->add_case(row);
  }
  recorder->set_state("cuda:0", "tma.p", state);
  recorder->finish(1, "2026-11-21T02:14:31");
  write_html(scratch / "results.db", scratch / "report.html");
  const std::string page = read_whole_file(scratch / "report.html");
  EXPECT_EQ(occurrences(page, "<h1"), 1u);
  EXPECT_EQ(occurrences(page, "<li class=\"device "), 1u);
  const std::string device = first_device(page);
  for (const char* needed :
       {"failed SILICON sm_90 NVIDIA H200 cuda:0", "1 failed, 1 incomplete · 100 cases",
        "1 covered by a waiver, 1 property not finished", "assay run &#39;tma.never&#39; --device cuda:0"})
    EXPECT_NE(device.find(needed), std::string::npos) << needed << "\n" << device;
  EXPECT_EQ(device.find(" new"), std::string::npos) << "no night before";
  const size_t failed = page.find("<h2>What failed</h2>");
  ASSERT_NE(failed, std::string::npos);
  EXPECT_LT(failed, page.find("<li class=\"device ")) << "before the devices";
  EXPECT_LT(page.find("assay replay p@17#violates", failed), page.find("<li class=\"device "));
}

TEST(Html, OfAFleetTheDeviceThatFailsComesFirst) {
  const Scratch scratch;
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  for (int i = 0; i < 16; ++i) {
    const std::string spec = "cuda:" + std::to_string(i);
    recorder->add_device({spec, "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-" + std::to_string(i), {}});
    recorder->plan(spec, {"tma.p", "claim", {"R"}}, 100);
    const bool fails = i == 11;
    PropertyState state;
    state.totals = {.planned = 100,
                    .issued = 100,
                    .counts = {{Verdict::conforms, fails ? 99 : 100}, {Verdict::violates, fails ? 1 : 0}},
                    .complete = true};
    if (fails) {
      CaseRow row;
      row.property = "tma.p", row.device = spec, row.verdict = Verdict::violates, row.signature = "s";
      row.replay = "assay replay p@17#1";
      recorder->add_case(row);
    }
    recorder->set_state(spec, "tma.p", state);
  }
  recorder->finish(1, "2026-11-21T02:14:31");
  write_html(scratch / "results.db", scratch / "report.html");
  const std::string page = read_whole_file(scratch / "report.html");
  EXPECT_NE(first_device(page).find("cuda:11 "), std::string::npos) << first_device(page);
  EXPECT_LT(page.find("assay replay p@17#1"), page.find("<li class=\"device "));
  // The others take a line, in their order; their chapters are a matrix.
  EXPECT_EQ(occurrences(page, "<p class=\"sum\">"), 1u);
  EXPECT_LT(page.find("cuda:0 "), page.find("cuda:1 "));
  EXPECT_EQ(page.find("<div class=\"spec\">"), std::string::npos);
}

TEST(Html, AGreenRunShowsFindingsAndGapsOnItsFirstScreen) {
  const Scratch scratch;
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
  recorder->plan("cuda:0", {"tma.p", "claim", {"R"}}, 100);
  recorder->set_totals("cuda:0", "tma.p",
                       {.planned = 100, .issued = 100, .counts = {{Verdict::conforms, 100}}});
  recorder->set_coverage("cuda:0", "tma.p", {{"d", "hit", 5, true}, {"d", "missed", 0, true}});
  recorder->add_finding("cuda:0", "busy host", "words");
  recorder->finish(0, "2026-11-21T02:14:31");
  write_html(scratch / "results.db", scratch / "report.html");
  std::string page = read_whole_file(scratch / "report.html");
  page.resize(page.find("</header>"));
  EXPECT_NE(page.find("1 busy host"), std::string::npos);
  EXPECT_NE(page.find("1 of 2 reachable coverage cells hit (50.0 %)"), std::string::npos);
  EXPECT_EQ(page.find("<code class=\"replay\">"), std::string::npos) << "nothing to do";
}

/// `nights` earlier ones of one GPU, an hour apart, the last of them with the given failure signatures.
std::vector<NightRow> earlier_nights(int nights, const std::vector<std::string>& ways) {
  std::vector<NightRow> rows;
  for (int n = 0; n < nights; ++n) {
    char started[32];
    std::snprintf(started, sizeof started, "2026-01-%02dT%02d:00:00", 1 + n / 24, n % 24);
    NightRow row;
    row.runs = row.started_utc = started, row.seed = "17", row.verdict = Verdict::conforms;
    row.device = {"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}};
    row.properties = {{"tma.tiled.load", 100, 100, 100, true, "0a", {}}};
    if (n == nights - 1) row.ways = ways;
    for (const std::string& way : row.ways) row.way_cases[way] = 50;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string section(const Results& results) {
  std::string page;
  html::history(page, results);
  return page;
}

TEST(HtmlHistory, ManyNightsAreBoundedAndTheRestIsCounted) {
  const Scratch scratch;
  write_night(scratch / "now.db", {.started = "2026-11-21T02:00:00"});
  add_history(scratch / "now.db", earlier_nights(200, {}));
  const std::string page = section(read_results(scratch / "now.db"));
  EXPECT_EQ(occurrences(page, "<tr data-row"), 60u);
  EXPECT_NE(page.find("data-nights-left=\"141\""), std::string::npos);
  EXPECT_EQ(occurrences(page, "this run"), 1u);
  EXPECT_EQ(occurrences(page, "<g><title>"), 60u) << "a bar a night that is shown";
}

TEST(HtmlHistory, ManyWaysToFailAreBoundedAndTheRestIsCounted) {
  const Scratch scratch;
  std::vector<std::string> ways;
  for (int i = 0; i < 50; ++i)
    ways.push_back("tma.tiled.load|" + std::to_string(10 + i) + std::string(2000, 'w'));
  write_night(scratch / "now.db", {.started = "2026-11-21T02:00:00"});
  add_history(scratch / "now.db", earlier_nights(2, ways));
  const std::string page = section(read_results(scratch / "now.db"));
  EXPECT_EQ(occurrences(page, ">gone</span>"), 20u) << "of the run itself";
  EXPECT_NE(page.find("30 more gone"), std::string::npos);
  EXPECT_EQ(occurrences(page, ">new</span>"), 3u) << "of the night before";
  EXPECT_NE(page.find("47 more new"), std::string::npos);
  EXPECT_LT(page.size(), 20'000u);
}

TEST(HtmlHistory, ManyDevicesShareTheRows) {
  const Scratch scratch;
  std::vector<NightRow> nights;
  {
    const auto recorder = Recorder::create(scratch / "now.db", sample_run());
    for (int d = 0; d < 100; ++d) {
      const std::string spec = "cuda:" + std::to_string(d), uuid = "GPU-" + std::to_string(d);
      recorder->add_device({spec, "silicon sm_90", "sm_90", "NVIDIA H200", uuid, {}});
      for (NightRow& night : earlier_nights(20, {})) {
        night.device.spec = spec, night.device.uuid = uuid;
        nights.push_back(std::move(night));
      }
    }
    recorder->finish(0, "2026-11-21T02:14:31");
  }
  add_history(scratch / "now.db", std::move(nights));
  const std::string page = section(read_results(scratch / "now.db"));
  EXPECT_EQ(occurrences(page, "<tr data-row"), 600u);
  EXPECT_EQ(occurrences(page, "data-nights-left=\"15\""), 100u);
}

TEST(HtmlHistory, DevicesThatAreMissingTonightAreNamedAndNothingIsMarkup) {
  const Scratch scratch;
  write_night(scratch / "now.db", {.started = "2026-11-21T02:00:00", .ways = {"tma.tiled.load|" + hostile}});
  std::vector<NightRow> nights = earlier_nights(2, {hostile});
  for (NightRow& night : nights) night.driver = night.program = hostile;
  nights[0].device.uuid = "GPU-2", nights[0].device.name = hostile;
  add_history(scratch / "now.db", nights);
  const Results results = read_results(scratch / "now.db");
  const std::string page = section(results);
  EXPECT_NE(page.find("not in this run: "), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_GE(occurrences(page, "&lt;script&gt;alert(1)"), 3u) << "device, driver and signature";
  EXPECT_EQ(summary_text(scratch / "now.db", false).find('\x1b'), std::string::npos);
}

TEST(HtmlHistory, WithoutItThePageSaysHowToGiveIt) {
  const Scratch scratch;
  write_night(scratch / "now.db", {.started = "2026-11-21T02:00:00"});
  const std::string page = section(read_results(scratch / "now.db"));
  EXPECT_NE(page.find("No history. Pass"), std::string::npos);
  EXPECT_EQ(page.find("<table"), std::string::npos);
}

}  // namespace
}  // namespace assay::report
