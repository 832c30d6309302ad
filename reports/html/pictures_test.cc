// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <bit>
#include <nlohmann/json.hpp>

#include "reports/compare/nights_test.h"
#include "reports/compare/run_diff.h"
#include "reports/html/pages_test.h"
#include "reports/html/sections.h"
#include "reports/sample_test.h"
#include "reports/text.h"
#include "reports/written_reports.h"

/// What is looked at before it is read.
namespace assay::report {
namespace {

TEST(Pictures, TheSpecificationIsASquareARuleInTheColourOfItsVerdict) {
  const Scratch scratch;
  {
    const auto recorder = Recorder::create(scratch / "results.db", sample_run());
    recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
    recorder->plan("cuda:0", {"tma.p", "Says something.", {"TILE-R01", "TILE-R02", "TILE-R03", "NEW-R01"}},
                   10);
    PropertyState state;
    state.totals = {.planned = 10,
                    .issued = 10,
                    .counts = {{Verdict::conforms, 9}, {Verdict::violates, 1}},
                    .complete = true};
    state.rules = {{"TILE-R01", "one", "c", 10, 0, ""},
                   {"TILE-R02", "two", "c", 10, 1, ""},
                   {"NEW-R01", "new", "c", 0, 0, ""}};
    FailureKindRow kind;
    kind.signature = "tma.p|done|hung", kind.count = 1, kind.rules = {"TILE-R02"};
    kind.blame = {true, {{"TILE-R02", "it were otherwise"}}};
    state.kinds = {kind};
    recorder->set_state("cuda:0", "tma.p", state);
    recorder->finish(1, "2026-11-21T02:14:31");
  }
  std::string page;
  html::specification(page, read_results(scratch / "results.db"));
  EXPECT_NE(page.find("<figcaption>TILE tiled copies</figcaption>"), std::string::npos) << page;
  EXPECT_NE(page.find("<figcaption>NEW</figcaption>"), std::string::npos) << "a chapter without a title";
  const auto square = [&](const std::string& rule) {
    const size_t at = page.find("<a href=\"#rule-" + rule + "\">");
    return at == std::string::npos ? "none" : page.substr(at, page.find("</a>", at) - at);
  };
  EXPECT_NE(square("TILE-R01").find("class=\"t-ok\""), std::string::npos) << square("TILE-R01");
  EXPECT_NE(square("TILE-R02").find("class=\"t-bad\""), std::string::npos) << square("TILE-R02");
  EXPECT_NE(square("TILE-R02").find("<path class=\"stroke\""), std::string::npos) << "not by colour alone";
  EXPECT_NE(square("TILE-R03").find("class=\"t-off\""), std::string::npos) << "nothing executed";
  EXPECT_NE(square("NEW-R01").find("class=\"t-off\""), std::string::npos);
}

TEST(Pictures, PlacesAreAGridInWhichTheWorstIsDarkest) {
  std::vector<html::GridPlace> lanes;
  for (uint32_t n = 0; n < 32; ++n) lanes.push_back({n, 100, n == 5 ? 100u : n == 6 ? 4u : 0u});
  std::string page;
  html::place_grid(page, "lane of the warp", lanes);
  EXPECT_EQ(occurrences(page, "<rect "), 32u);
  EXPECT_EQ(occurrences(page, "class=\"t-bad\""), 2u);
  EXPECT_NE(page.find("class=\"t-bad\" x=\"65\" y=\"0\" width=\"11\" height=\"11\"><title>lane of the warp "
                      "5: 100 of 100 failed"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("opacity=\"0.35\"><title>lane of the warp 6: 4 of 100 failed"), std::string::npos)
      << page;
  EXPECT_NE(page.find("2 of 32 affected"), std::string::npos);
  // Addresses share squares: no more than a few hundred.
  std::vector<html::GridPlace> addresses;
  for (uint32_t n = 0; n < 14000; ++n) addresses.push_back({16 * n, 1, n == 13999});
  page.clear();
  html::place_grid(page, "shared-memory address", addresses);
  EXPECT_LE(occurrences(page, "<rect "), 257u);
  EXPECT_EQ(occurrences(page, "class=\"t-bad\""), 1u);
  page.clear();
  html::place_grid(page, "warp", {});
  EXPECT_EQ(page, "");
}

TEST(Pictures, CoverageIsOneTableOfAreasByDescriptors) {
  const Scratch scratch;
  {
    const auto recorder = Recorder::create(scratch / "results.db", sample_run());
    recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
    for (const char* name : {"tma.a", "tma.b", "mma.c"}) {
      recorder->plan("cuda:0", {name, "Says something.", {}}, 1);
      PropertyState state;
      state.totals = {.planned = 1, .issued = 1, .counts = {{Verdict::conforms, 1}}, .complete = true};
      const std::string dimension = name[0] == 't' ? "type x rank" : "kind x CTA group";
      state.coverage = {
          {dimension, "u8/1", 1, true}, {dimension, "u8/2", 0, true}, {dimension, "u8/9", 0, false}};
      recorder->set_state("cuda:0", name, state);
    }
    recorder->finish(0, "2026-11-21T02:14:31");
  }
  std::string page;
  html::coverage(page, read_results(scratch / "results.db"));
  EXPECT_EQ(occurrences(page, "<table"), 1u);
  EXPECT_NE(page.find("3 of 6 reachable coverage cells hit (50.0 %)"), std::string::npos) << page;
  EXPECT_NE(page.find("<tr><th>tma</th><td class=\"h3\" title=\"tma: 2 of 4\">50\u202F%</td><td class=\"h3\" "
                      "title=\"tensor map: 2 of 4\">"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("title=\"instruction descriptor: 1 of 2\""), std::string::npos) << page;
  EXPECT_NE(page.find("never hit: <span class=\"mono\">u8/2</span>"), std::string::npos) << page;
  EXPECT_EQ(page.find("bad"), std::string::npos) << "not in the colour of a violation";
}

/// Fails in one way, with an example to replay.
void write_failing(const std::filesystem::path& file, const std::string& started, uint64_t cases) {
  RunInfo run = sample_run();
  run.run_id = run.started_utc = started;
  const auto recorder = Recorder::create(file, run);
  recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
  recorder->plan("cuda:0", {"tma.p", "Says something.", {"TILE-R02"}}, 100);
  PropertyState state;
  state.totals = {.planned = 100,
                  .issued = 100,
                  .counts = {{Verdict::conforms, 100 - cases}, {Verdict::violates, cases}},
                  .complete = true};
  if (cases != 0) {
    CaseRow row;
    row.property = "tma.p", row.device = "cuda:0", row.signature = "tma.p|done|hung",
    row.replay = "assay replay tma.p@1#0";
    recorder->add_case(row);
    FailureKindRow kind;
    kind.signature = row.signature, kind.count = cases, kind.indexes = {0};
    kind.blame = {true, {{"TILE-R02", "it were otherwise"}}};
    state.kinds = {kind};
  }
  recorder->set_state("cuda:0", "tma.p", state);
  recorder->finish(cases != 0, "2026-11-21T02:14:31");
}

TEST(Pictures, OfTwoRunsAndOfManyNightsNameTheCause) {
  const Scratch scratch;
  write_failing(scratch / "1.db", "2026-11-21T02:00:00", 0);
  write_failing(scratch / "2.db", "2026-11-22T02:00:00", 7);
  const RunDiff diff = diff_of(read_results(scratch / "1.db"), read_results(scratch / "2.db"));
  ASSERT_EQ(diff.causes.size(), 1u);
  EXPECT_EQ(diff.causes[0].words, "violates TILE-R02 (as if it were otherwise)");
  const std::string cause = "<b>violates TILE-R02 (as if it were otherwise)</b> <span class=\"soft\">";
  EXPECT_NE(diff_html(diff, {"a", "b"}).find(cause + "new, 7 cases"), std::string::npos);
  EXPECT_NE(diff_html(diff_of(read_results(scratch / "2.db"), read_results(scratch / "1.db")), {"b", "a"})
                .find(cause + "gone, 7 cases"),
            std::string::npos);
  EXPECT_EQ(words(diff, {"a", "b"})
                .find("cause   " + diff.causes[0].words + ": 0 -> 7 failing cases\n        assay replay"),
            0u)
      << words(diff, {"a", "b"});
  const nlohmann::json told = to_json(diff).at("causes").at(0);
  EXPECT_EQ(told.at("words").get<std::string>(), diff.causes[0].words);
  EXPECT_EQ(told.at("cases_before"), 0);
  EXPECT_EQ(told.at("cases_after"), 7);
  EXPECT_EQ(told.at("replay").get<std::string>(), diff.causes[0].replay);
  EXPECT_NE(results_json(scratch / "2.db").find(R"("causes":[{"cases":7,"properties":["tma.p"],"replay":")"),
            std::string::npos);
  EXPECT_NE(results_json(scratch / "2.db").find(R"("rules":["TILE-R02"],"words":"violates TILE-R02)"),
            std::string::npos);
  const std::string page = trend_html({scratch / "1.db", scratch / "2.db"});
  EXPECT_NE(page.find(cause + "7 cases"), std::string::npos) << page;
  EXPECT_NE(page.find("assay replay tma.p@1#0"), std::string::npos);
  EXPECT_NE(page.find("data-table=\"nights\""), std::string::npos) << "board by night";
  EXPECT_EQ(occurrences(page, "<g><title>"), 2u) << "a pair of bars a night";
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

}  // namespace
}  // namespace assay::report

/// Values split into their parts, pictures of outputs, and maps that filter.
namespace assay::report {
namespace {

CaseRow row_of(const char* format, std::vector<uint32_t> expected, std::vector<uint32_t> observed) {
  CaseRow row;
  row.format = format;
  const auto put = [](std::vector<uint8_t>& to, const std::vector<uint32_t>& words) {
    for (const uint32_t word : words)
      for (int i = 0; i < 4; ++i) to.push_back(static_cast<uint8_t>(word >> (8 * i)));
  };
  put(row.expected, expected);
  put(row.observed, observed);
  row.defined.assign(row.expected.size(), 0xff);
  row.differing_bytes = 1;
  return row;
}

std::string values_of(const CaseRow& row) {
  std::string page;
  html::values(page, row);
  return page;
}

TEST(Values, AreSplitIntoSignExponentAndMantissa) {
  const uint32_t one = std::bit_cast<uint32_t>(1.0f), wrong = std::bit_cast<uint32_t>(-1.5f);
  const std::string page = values_of(row_of("f32", {0, one}, {0, wrong}));
  EXPECT_NE(page.find("<td>4</td><td>expected</td><td><b>0</b></td><td>01111111</td>"
                      "<td><b>0</b>0000000000000000000000</td><td>1</td>"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("<td>observed</td><td><b>1</b></td><td>01111111</td>"
                      "<td><b>1</b>0000000000000000000000</td><td>-1.5</td>"),
            std::string::npos)
      << page;
  EXPECT_EQ(page.find("<td>0</td><td>expected"), std::string::npos) << "the first element is right";
}

TEST(Values, BeginWhereAnElementDoes) {
  CaseRow row = row_of("f16", {0x3c003c00}, {0x3c003d00});
  EXPECT_NE(values_of(row).find("<td>1.25</td>"), std::string::npos) << values_of(row);
  row.bytes_offset = 15;  // the window begins inside an element
  row.expected = {0, 0x00, 0x3c}, row.observed = {0, 0x00, 0xbc}, row.defined = {0xff, 0xff, 0xff};
  EXPECT_NE(values_of(row).find("<td>16</td><td>expected</td><td><b>0</b></td><td>01111</td>"),
            std::string::npos)
      << values_of(row);
}

TEST(Values, NeedAFormatAndADefinedDifference) {
  EXPECT_EQ(values_of(row_of("", {1}, {2})), "");
  EXPECT_EQ(values_of(row_of("<script>", {1}, {2})), "");
  EXPECT_EQ(values_of(row_of("e2m1", {1}, {2})), "") << "two share a byte";
  CaseRow row = row_of("f32", {1}, {2});
  row.defined.assign(4, 0);
  EXPECT_EQ(values_of(row), "");
}

TEST(Values, OfIntegersHaveNoMantissa) {
  const std::string page = values_of(row_of("u8", {0x03}, {0x07}));
  EXPECT_EQ(page.find("mantissa"), std::string::npos) << page;
  EXPECT_NE(page.find("<td>0</td><td>expected</td><td>00000<b>0</b>11</td><td>0x03</td><td>3</td>"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("<td>observed</td><td>00000<b>1</b>11</td><td>0x07</td><td>7</td>"), std::string::npos)
      << page;
}

TEST(Picture, DrawsRunsOfWrongAndRightElements) {
  CaseRow row;
  row.picture = "@lane|2|column|4\n==x.\n.xx=\n";
  std::string page;
  html::picture(page, row);
  EXPECT_NE(page.find("<title>wrong: lanes 0 to 1, columns 8 to 11</title>"), std::string::npos) << page;
  EXPECT_NE(page.find("<title>wrong: lanes 2 to 3, columns 4 to 11</title>"), std::string::npos) << page;
  EXPECT_NE(page.find("<text x=\"64\" y=\"13\">0</text>"), std::string::npos) << page;
  EXPECT_NE(page.find("3 of 8 cells hold wrong elements"), std::string::npos) << page;
  EXPECT_NE(page.find("A cell is 2 by 4."), std::string::npos) << page;
  page.clear();
  row.picture = "=x\n";  // as earlier versions wrote it
  html::picture(page, row);
  EXPECT_NE(page.find("<title>wrong: row 0, column 1</title>"), std::string::npos) << page;
  for (const char* none : {"", "==\n", "\"><script>\n", "@lane|0|column|1\n", "@x\n#\n"}) {
    page.clear();
    row.picture = none;
    html::picture(page, row);
    EXPECT_EQ(page, "") << none;
  }
  // One that would fill the page is left out.
  row.picture.clear();
  for (int line = 0; line < 64; ++line) {
    for (int i = 0; i < 64; ++i) row.picture += i % 2 == 0 ? 'x' : '=';
    row.picture += '\n';
  }
  page.clear();
  html::picture(page, row);
  EXPECT_EQ(page, "");
}

TEST(Picture, SaysWherePiecesWentAndBelong) {
  CaseRow row;
  row.picture = "@128-byte line|1|element|1\n=x\n#640:512,656:-1,1040:1024\n";
  std::string page;
  html::pieces(page, row);
  EXPECT_NE(
      page.find("<th>640</th><td class=\"miss\" title=\"byte 640 holds the piece that belongs at byte "
                "512\">512</td><td class=\"miss\" title=\"byte 656 holds what belongs nowhere\">?</td>"),
      std::string::npos)
      << page;
  EXPECT_NE(page.find("<th>1024</th><td class=\"never\">·</td><td class=\"miss\""), std::string::npos)
      << page;
  page.clear();
  row.picture = "=x\n#, 1:,<script>:2\n";
  html::pieces(page, row);
  EXPECT_EQ(page, "");
}

}  // namespace
}  // namespace assay::report
