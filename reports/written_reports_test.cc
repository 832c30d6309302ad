// SPDX-License-Identifier: Apache-2.0
#include "reports/written_reports.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <regex>
#include <sstream>

#include "reports/html/sections.h"
#include "reports/overview.h"
#include "reports/results.h"
#include "reports/sample_test.h"
#include "reports/scratch_test.h"
#include "reports/text.h"

namespace assay::report {
namespace {

TEST(WrittenReports, TheirNamesAreTheirsAlone) {
  EXPECT_TRUE(is_written_report("junit.xml"));
  EXPECT_TRUE(is_written_report("junit-1-of-3.xml"));
  EXPECT_TRUE(is_written_report("report.html"));
  EXPECT_TRUE(is_written_report("summary.md"));
  for (const char* other : {"results.db", "notes.md", "junit.txt", "junits.xml", "report.html.bak", "",
                            "report-of-friday.html", "junit-1-of-.xml", "junit-1-of-3.xml~", ".xml"})
    EXPECT_FALSE(is_written_report(other)) << other;
}

TEST(WrittenReports, GoIntoTheFolderOfARunOrBesideAMergedFile) {
  const std::filesystem::path folder = scratch_path("written_reports");
  std::filesystem::create_directories(folder);
  const std::filesystem::path results = folder / "results.db", merged = folder / "merged.db";
  fill_sample(results);
  std::filesystem::copy_file(results, merged);
  write_in_folder(results, {});
  write_beside(merged, {});
  for (const WrittenReport& row : written_reports()) {
    for (const std::string& name : {std::string(row.name), "merged" + std::string(row.extension)})
      EXPECT_LT(read_whole_file(folder / name).find(report_mark), 100u) << name;
    EXPECT_TRUE(is_written_report(row.name));
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}),
            static_cast<std::ptrdiff_t>(2 + 2 * written_reports().size()));
}

/// What a refusal says, or nothing.
std::string refusal(const std::function<void()>& refuse) {
  try {
    refuse();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(WrittenReports, NeverTakeThePlaceOfFilesOfOthers) {
  const std::filesystem::path folder = scratch_path("others_reports");
  std::filesystem::create_directories(folder);
  const std::filesystem::path results = folder / "results.db", merged = folder / "merged.db";
  fill_sample(results);
  write_in_folder(results, {});
  write_beside(results, {});
  // Its own, absent ones, empty ones and files of other names are no obstacle.
  write_whole_file(folder / "junit.xml", "");
  write_whole_file(folder / "report.md", "mine");
  EXPECT_EQ(refusal([&] { refuse_foreign_reports_in(folder, false); }), "");
  EXPECT_EQ(refusal([&] { refuse_foreign_reports_in(folder / "none", false); }), "");
  EXPECT_EQ(refusal([&] { refuse_foreign_reports_beside(results, false); }), "");
  EXPECT_EQ(refusal([&] { refuse_foreign_reports_beside(merged, false); }), "");
  for (const char* name : {"junit.xml", "junit-2-of-3.xml", "report.html", "summary.md"}) {
    write_whole_file(folder / name, "<testsuites/>");
    EXPECT_EQ(
        refusal([&] { refuse_foreign_reports_in(folder, false); }),
        (folder / name).string() +
            " was not written by assay and would be replaced; move it away, choose another folder, or give "
            "--force");
    EXPECT_EQ(refusal([&] { refuse_foreign_reports_in(folder, true); }), "");
    std::filesystem::remove(folder / name);
  }
  for (const char* name : {"merged.xml", "merged-1-of-2.xml", "merged.html", "merged.md"}) {
    write_whole_file(folder / name, "mine");
    EXPECT_NE(refusal([&] { refuse_foreign_reports_beside(merged, false); }).find(name), std::string::npos);
    EXPECT_EQ(refusal([&] { refuse_foreign_reports_beside(merged, true); }), "");
    std::filesystem::remove(folder / name);
  }
  std::filesystem::create_directories(folder / "report.html");
  EXPECT_NE(refusal([&] { refuse_foreign_reports_in(folder, true); }).find("is a folder"), std::string::npos);
}

size_t count(const std::string& text, const std::string& words) {
  size_t n = 0;
  for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
  return n;
}

TEST(Markdown, SaysVerdictDevicesFailuresAndHowToReplay) {
  const Scratch scratch;
  fill_sample(scratch / "results.db");
  write_markdown(scratch / "results.db", scratch / "summary.md");
  const std::string text = read_whole_file(scratch / "summary.md");
  for (const char* needed :
       {"## assay: failed", "exit code 1; seed 17", "SILICON sm&#95;90", "### What failed",
        "**failed** 24 cases of `tma.tiled.store`", "**crashed** 2 cases",
        "`assay replay 'tma.tiled.store@17#1000/0.2.1' --device cuda:0`", "adopted reading X-05"})
    EXPECT_NE(text.find(needed), std::string::npos) << needed << "\n" << text;
  // Each row of the table has the columns of its head.
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("|")) {
      EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 6) << line;
    }
}

TEST(Markdown, NamesAddNoMarkupAndTheSizeIsBounded) {
  const Scratch scratch;
  fill_sample(scratch / "results.db", {.failures = 4000, .hostile_names = true});
  const std::string text = markdown_text(scratch / "results.db");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LE(text.size(), 60'000u);
  // Outside of code marks nothing of a name is markup.
  const std::string outside = std::regex_replace(text, std::regex("`[^`\n]*`"), "");
  EXPECT_EQ(outside.find("<script"), std::string::npos) << outside;
  EXPECT_EQ(outside.find("<img"), std::string::npos) << outside;
  EXPECT_EQ(count(text, "`") % 2, 0u);
}

TEST(Tap, IsAPlanAndOnePointAPropertyOnADevice) {
  const Scratch scratch;
  fill_sample(scratch / "results.db");
  const Results results = read_results(scratch / "results.db");
  size_t points = 0, bad = 0, declined = 0;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) {
      ++points;
      bad += property.exit_code != 0;
      declined += property.verdict == Verdict::declined;
    }
  ASSERT_GT(bad, 0u);
  ASSERT_GT(declined, 0u);
  const std::string text = tap_text(scratch / "results.db");
  EXPECT_TRUE(text.starts_with("TAP version 13\n1.." + std::to_string(points) + "\n")) << text;
  EXPECT_EQ(count(text, "\nok ") + count(text, "\nnot ok "), points);
  EXPECT_EQ(count(text, "\nnot ok "), bad);
  EXPECT_EQ(count(text, " # SKIP "), declined);
  EXPECT_EQ(count(text, "\n  ---\n"), bad);
  EXPECT_NE(text.find("replay: 'assay replay ''tma.tiled.store@17#1000/0.2.1'' --device cuda:0'"),
            std::string::npos)
      << text;
}

TEST(Tap, IsReadByPerlsHarness) {
  if (shell("prove --version").code != 0) GTEST_SKIP() << "there is no prove (package perl)";
  const Scratch scratch;
  fill_sample(scratch / "results.db");
  const std::string failing = scratch / "failing.tap", good = scratch / "good.tap";
  std::ofstream(failing) << tap_text(scratch / "results.db");
  const Ended bad = shell("prove --exec cat " + failing);
  EXPECT_EQ(bad.code, 1) << bad.text;
  EXPECT_EQ(bad.text.find("Parse errors"), std::string::npos) << bad.text;
  const auto recorder = Recorder::create(scratch / "good.db", sample_run());
  recorder->add_device({"emulator", "emulator sm_90", "sm_90", "assay emulator", "", {}});
  recorder->plan("emulator", {"p", "claim", {}}, 1);
  recorder->set_totals("emulator", "p",
                       {.planned = 1, .issued = 1, .counts = {{Verdict::conforms, 1}}, .complete = true});
  recorder->finish(0, "2026-11-21T02:14:31");
  std::ofstream(good) << tap_text(scratch / "good.db");
  EXPECT_EQ(shell("prove --exec cat " + good).code, 0) << shell("prove --exec cat " + good).text;
}

TEST(Tap, NamesAreNoDirectives) {
  const Scratch scratch;
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  recorder->add_device({"emulator", "emulator sm_90", "sm_90", "assay emulator", "", {}});
  recorder->plan("emulator", {"p # SKIP not really\nok 2", "claim", {}}, 1);
  recorder->set_totals("emulator", "p # SKIP not really\nok 2",
                       {.planned = 1, .issued = 1, .counts = {{Verdict::violates, 1}}});
  recorder->finish(1, "2026-11-21T02:14:31");
  const std::string text = tap_text(scratch / "results.db");
  EXPECT_EQ(count(text, " # SKIP"), 0u) << text;
  EXPECT_EQ(count(text, "\nok "), 0u) << text;
  EXPECT_EQ(count(text, "\nnot ok "), 1u) << text;
}

}  // namespace
}  // namespace assay::report

/// Page, terminal, Markdown, JUnit and JSON are of one file: what they add up to is the same.
namespace assay::report {
namespace {

class Totals : public testing::Test {
 protected:
  Totals() {
    const auto recorder = Recorder::create(db, sample_run());
    for (const auto& [device, evidence] :
         {std::pair{"cuda:0", "silicon sm_90"}, {"emulator:sm_90a", "emulator sm_90"}}) {
      recorder->add_device({device, evidence, "sm_90", "name", "", {}});
      add(*recorder, device, "tma.passed", {{Verdict::conforms, 1000}, {Verdict::no_demand, 24}}, 3.0);
      add(*recorder, device, "tma.failed", {{Verdict::conforms, 490}, {Verdict::violates, 10}}, 1.0);
      add(*recorder, device, "mma.crashed", {{Verdict::conforms, 99}, {Verdict::crashed, 1}}, 0.5);
      add(*recorder, device, "mma.skipped", {{Verdict::declined, 0}}, 0);
    }
    recorder->set_seconds(4);
    recorder->finish(1, "2026-11-21T02:14:31");
  }
  static void add(Recorder& recorder, const std::string& device, const std::string& name,
                  std::vector<std::pair<Verdict, uint64_t>> counts, double seconds) {
    recorder.plan(device, {name, "Says something.", {"TILE-R01"}}, 0);
    PropertyState state;
    state.totals.counts = std::move(counts);
    for (const auto& [verdict, n] : state.totals.counts) state.totals.issued += n;
    state.totals.complete = true;
    if (state.totals.issued == 0) state.totals.reason = "requires compute capability 9.0 (device: 8.0)";
    state.totals.seconds = 99, state.totals.device_busy_seconds = seconds;
    state.coverage = {{"d", "a", 3, true}, {"d", "b", 0, true}, {"d", "c", 0, false}};
    recorder.set_state(device, name, state);
  }
  static bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  }

  const Scratch scratch;
  const std::filesystem::path db = scratch / "results.db";
};

TEST_F(Totals, OfAllReportsAreTheSame) {
  // 2 devices x (1024 + 500 + 100) cases; coverage of the three properties that ran, two reachable cells
  // each.
  const std::string page = html_text(db), terminal = summary_text(db, false), markdown = markdown_text(db);
  const auto json = nlohmann::json::parse(results_json(db));
  write_junit(db, scratch / "junit.xml");
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_file((scratch / "junit.xml").c_str()));

  uint64_t json_cases = 0, properties = 0;
  double json_seconds = 0;
  for (const auto& device : json.at("devices"))
    for (const auto& property : device.at("properties")) {
      json_cases += property.at("cases").get<uint64_t>();
      json_seconds += property.at("seconds").get<double>();
      ++properties;
    }
  EXPECT_EQ(json_cases, 3248u);
  EXPECT_TRUE(contains(page, "<b data-cases>3\u202F248</b> cases"))
      << page.substr(page.find("data-cases"), 60);
  EXPECT_TRUE(contains(terminal, "   3,248 cases   ")) << terminal;
  EXPECT_TRUE(contains(markdown, "| 4 | 1,624 |")) << markdown;

  const std::string outcome = "8 properties: 2 failed, 2 crashed, 2 passed, 2 skipped";
  for (const std::string& text : {page, terminal, markdown}) EXPECT_TRUE(contains(text, outcome)) << terminal;
  EXPECT_EQ(json.at("properties"),
            nlohmann::json::parse(R"({"conforms":2,"violates":2,"crashed":2,"declined":2})"));
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double junit_seconds = 0;
  for (const pugi::xml_node suite : junit.document_element().children("testsuite")) {
    tests += suite.attribute("tests").as_int(), failures += suite.attribute("failures").as_int();
    errors += suite.attribute("errors").as_int(), skipped += suite.attribute("skipped").as_int();
    for (const pugi::xml_node test : suite.children("testcase"))
      junit_seconds += test.attribute("time").as_double();
  }
  EXPECT_EQ(static_cast<uint64_t>(tests), properties);
  EXPECT_EQ((std::array{failures, errors, skipped}), (std::array{2, 2, 2}));

  // What properties ran adds up to what the run took: nine busy seconds in four.
  EXPECT_NEAR(junit_seconds, 4, 0.01);
  EXPECT_NEAR(json_seconds, 4, 0.01);
  EXPECT_TRUE(contains(page, "768/s")) << "1024 cases in 3 s of 9 in 4";

  const std::string covered = "3 of 6 reachable coverage cells hit (50.0 %)",
                    all = "6 of 12 reachable coverage cells hit (50.0 %)";
  EXPECT_TRUE(contains(page, covered) && contains(page, all));
  EXPECT_TRUE(contains(terminal, covered)) << terminal;
}

}  // namespace
}  // namespace assay::report
