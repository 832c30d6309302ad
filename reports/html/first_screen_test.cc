// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reports/html/occurrences_test.h"
#include "reports/html/page.h"
#include "reports/sample_test.h"
#include "reports/verdict.h"
#include "reports/whole_file.h"

namespace assay::report {
namespace {

/// Of one device: the cells of its row on the first screen, without markup.
std::vector<std::string> device_cells(const std::string& page) {
  const size_t at = page.find("<tr class=\"device ");
  const std::string row = page.substr(at, page.find("</tr>", at) - at);
  std::vector<std::string> cells;
  for (size_t from = row.find("<td"); from != std::string::npos; from = row.find("<td", from + 1)) {
    std::string text;
    bool in_tag = false;
    for (const char c : row.substr(from, row.find("</td>", from) - from)) {
      if (c == '<') in_tag = true;
      if (!in_tag) text += c;
      if (c == '>') in_tag = false;
    }
    cells.push_back(text);
  }
  return cells;
}

TEST(Html, TheFirstScreenSaysPerDeviceWhatIsNewKnownAndNext) {
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
  EXPECT_EQ(occurrences(page, "<tr class=\"device "), 1u);
  const std::vector<std::string> cells = device_cells(page);
  ASSERT_EQ(cells.size(), 7u);
  EXPECT_EQ(cells[0], "failed");
  EXPECT_EQ(cells[2], "–") << "no night before";
  EXPECT_EQ(cells[3], "1") << "covered by a waiver";
  EXPECT_EQ(cells[5], "1") << "never begun";
  EXPECT_EQ(cells[6], "tma 100 ");
  const size_t next = page.find("<tr class=\"next\">");
  ASSERT_NE(next, std::string::npos);
  EXPECT_NE(page.find("assay replay p@17#violates", next), std::string::npos);
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
  const size_t table = page.find("<tr class=\"device ");
  const std::string head = page.substr(table, page.find("<tr class=\"device ", table + 1) - table);
  EXPECT_NE(head.find("cuda:11 "), std::string::npos) << head;
  EXPECT_NE(head.find("assay replay p@17#1"), std::string::npos) << head;
  // The others take a line, in their order.
  EXPECT_EQ(occurrences(page, "<p class=\"sum\">Properties: "), 1u);
  EXPECT_LT(page.find("cuda:0 ", table), page.find("cuda:1 ", table));
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
  EXPECT_NE(page.find("busy host (1)"), std::string::npos);
  EXPECT_NE(page.find("1 of 2 reachable cells never hit, in 1 property"), std::string::npos);
  EXPECT_EQ(page.find("<tr class=\"next\">"), std::string::npos) << "nothing to do";
}

}  // namespace
}  // namespace assay::report
