// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "reports/html/page.h"
#include "reports/overview.h"
#include "reports/sample_test.h"
#include "reports/text.h"
#include "reports/written_reports.h"

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
