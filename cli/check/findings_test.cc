// SPDX-License-Identifier: Apache-2.0
#include "cli/check/findings.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "cli/check/necessity.h"
#include "cli/check/outcome.h"
#include "cli/check/timeline.h"
#include "cli/command.h"
#include "reports/scratch_test.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

const std::vector<Clause> clauses{{"missing-wait", "wait first", "ptx", "mbarrier"}};

const char* const report =
    R"({"kind":"begin","kernel":"cuInit","line":0,"thread":"","message":"sm_100a"}
{"clause":"missing-wait","kernel":"_Z4gemmPf","line":30,"thread":"cta (0,0,0) thread 1",)"
    R"("count":1,"text":"ld.shared.u32 %r1, [%r2];","file":"/src/gemm.cu","source_line":12}
{"clause":"missing-wait","kernel":"_Z4gemmPf","line":30,"thread":"cta (0,0,0) thread 1",)"
    R"("count":8,"text":"ld.shared.u32 %r1, [%r2];","file":"/src/gemm.cu","source_line":12}
{"clause":"missing-wait","kernel":"_Z4gemmPf","line":20,"thread":"cta (0,0,0) thread 1",)"
    R"("count":2,"text":"x","file":"/src/gemm.cu","source_line":10}
not a line
{"kind":"illegal_address","kernel":"k","line":7,"thread":"cta (1,0,0) thread 3","message":"outside"}
{"kind":"end","launches":3}
)";

Outcome outcome_of(const std::string& lines, int code = 0) {
  Outcome outcome;
  outcome.command = {"./gemm"};
  outcome.device = "emulator:sm_100a";
  outcome.clauses = clauses;
  outcome.runs.push_back({"lazy", {true, "", code, 0}});
  add_report(outcome.findings, lines, clauses, "");
  return outcome;
}

TEST(CheckFindings, OfSeveralSchedulesEachIsOneWithALineToReplayIt) {
  const std::string first =
      R"({"kind":"deadlock","kernel":"k","line":7,"thread":"cta (0,0,0): 1 thread","message":"no thread"}
{"kind":"illegal_address","kernel":"k","line":9,"thread":"t","message":"outside 0x10"}
{"kind":"end","launches":2}
)";
  const std::string second =
      R"({"kind":"deadlock","kernel":"k","line":8,"thread":"cta (0,0,0): 2 threads","message":"no warp"}
{"kind":"illegal_address","kernel":"k","line":9,"thread":"t","message":"outside 0x20"}
{"clause":"missing-wait","kernel":"k","line":30,"thread":"cta (0,0,0) thread 1","count":3}
{"kind":"end","launches":2}
)";
  Outcome outcome = outcome_of(first);
  outcome.runs.push_back({"random:1", {true, "", 0, 0}});
  outcome.replay = {"--", "./gemm", "two words"};
  for (const char* schedule : {"random:1", "random:2"})
    add_report(outcome.findings, second, clauses, schedule);
  ASSERT_EQ(outcome.findings.findings.size(), 3u);
  EXPECT_EQ(outcome.findings.findings[0].count(), 3u) << "the cause comes first";
  EXPECT_EQ(outcome.findings.findings[1].places[0].line, 7u);
  EXPECT_EQ(outcome.findings.findings[2].count(), 1u);
  const std::string text = summary(outcome, false);
  const std::string replay =
      "    seen under schedule=random:1; to replay: assay check --device emulator:sm_100a,schedule=random:1 "
      "-- "
      "./gemm 'two words'\n";
  EXPECT_NE(text.find(replay), text.npos) << text;
  EXPECT_EQ(text.find("seen under"), text.rfind("seen under")) << text;
  EXPECT_NE(text.find("3 findings in 2 launches; the program exited with 0"), text.npos) << text;
}

const char* const race =
    R"({"clause":"data-race","kernel":"gemm","line":30,"thread":"cta (0,0,0) thread 32",)"
    R"("count":1,"text":"ld","race":true,)"
    R"("file":"/src/gemm.cu","source_line":12,"message":"the load meets the store",)"
    R"("other":{"line":20,"thread":"cta (0,0,0) thread 0","text":"st","file":"/src/gemm.cu","source_line":9}}
)";

TEST(CheckFindings, NameBothEndsOfARace) {
  const Outcome outcome = outcome_of(race);
  ASSERT_EQ(outcome.findings.findings.size(), 1u);
  const std::string text = summary(outcome, false);
  EXPECT_NE(text.find("/src/gemm.cu:12: data-race: the load meets the store"), text.npos) << text;
  EXPECT_NE(text.find("the other access: /src/gemm.cu:9, cta (0,0,0) thread 0\n    st"), text.npos) << text;
  const auto result = nlohmann::json::parse(sarif(outcome)).at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("message").at("text"), "the load meets the store");
  const auto& other = result.at("relatedLocations").at(0);
  EXPECT_EQ(other.at("physicalLocation").at("region").at("startLine"), 9);
}

TEST(CheckFindings, SayFromWhereInlinedCodeIsCalledAndWhichWaitWasInVain) {
  const std::string lines =
      R"({"clause":"missing-wait","kernel":"gemm","line":30,"thread":"cta (0,0,0) thread 1","count":1,)"
      R"("text":"ld","file":"/src/tile.h","source_line":12,"called_from":[["/src/a.cu",40],["/src/b.cu",9]],)"
      R"("why":"it waited for phase 0","message":"copy",)"
      R"("other":{"line":20,"thread":"T","text":"cp","file":"/src/tile.h","source_line":9,)"
      R"("called_from":[["/src/a.cu",38]]}})";
  Outcome outcome = outcome_of(lines);
  const std::string text = summary(outcome, false);
  EXPECT_NE(text.find("called from /src/a.cu:40, from /src/b.cu:9, PTX line 30"), text.npos) << text;
  EXPECT_NE(text.find("\n    it waited for phase 0\n"), text.npos) << text;
  EXPECT_NE(text.find("the copy: /src/tile.h:9, called from /src/a.cu:38, T"), text.npos) << text;
  const auto result = nlohmann::json::parse(sarif(outcome)).at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("message").at("text"), "wait first; it waited for phase 0");
  std::vector<int> related;
  for (const auto& one : result.at("relatedLocations"))
    related.push_back(one.at("physicalLocation").at("region").at("startLine"));
  EXPECT_EQ(related, (std::vector<int>{9, 38, 40, 9}));
  for (const char* words : {"called from /src/b.cu:9", "it waited for phase 0"})
    EXPECT_NE(html_page(outcome).find(words), std::string::npos) << words;
  EXPECT_NE(junit(outcome).find("called from /src/a.cu:40, from /src/b.cu:9"), std::string::npos);
  outcome.suppressions = read_suppressions("missing-wait a.cu:40\n", "f");
  suppress(outcome.findings.findings, outcome.suppressions);
  EXPECT_TRUE(outcome.findings.findings[0].is_suppressed);
}

TEST(CheckFindings, PutWhatIsWrongWithTheFirstAccessBeforeWhatIsWrongWithTheSecond) {
  const auto at = [](int line, int other, const char* clause) {
    return R"({"clause":")" + std::string(clause) + R"(","kernel":"gemm","line":)" + std::to_string(line) +
           R"(,"count":1,"message":"copy","other":{"line":)" + std::to_string(other) + "}}\n";
  };
  Outcome outcome = outcome_of(at(30, 20, "missing-wait") + at(20, 10, "data-race"));
  ASSERT_EQ(outcome.findings.findings.size(), 2u);
  EXPECT_EQ(outcome.findings.findings[0].places[0].line, 20u);
  // Each of the two is the first of the other.
  outcome = outcome_of(at(30, 20, "missing-wait") + at(20, 30, "data-race"));
  EXPECT_EQ(outcome.findings.findings[0].clause, "missing-wait");
}

// What is said of a race names threads, which differ from run to run, and so may the order of the two.
TEST(CheckFindings, OfOneRaceInTwoSchedulesAreOne) {
  Outcome outcome = outcome_of(race);
  const std::string again =
      R"({"clause":"data-race","kernel":"gemm","line":30,"thread":"cta (0,0,0) thread 33",)"
      R"("count":2,"race":true,)"
      R"("file":"/src/gemm.cu","source_line":12,"message":"another thread",)"
      R"("other":{"line":20,"thread":"cta (0,0,0) thread 1"}})"
      "\n"
      R"({"clause":"data-race","kernel":"gemm","line":20,"thread":"cta (0,0,0) thread 0",)"
      R"("count":2,"race":true,)"
      R"("message":"the other way round","other":{"line":30,"thread":"cta (0,0,0) thread 32"}})";
  add_report(outcome.findings, again, clauses, "lazy");
  ASSERT_EQ(outcome.findings.findings.size(), 1u);
  EXPECT_EQ(outcome.findings.findings[0].places.size(), 1u);
}

TEST(CheckFindings, AWarningIsNoFindingAndComesLast) {
  const std::vector<Clause> with_warning{{"tile-mismatch", "both alike", "ptx", "s", true}, clauses[0]};
  Outcome outcome = outcome_of("{\"kind\":\"begin\"}\n");
  add_report(
      outcome.findings,
      R"({"clause":"tile-mismatch","kernel":"gemm","line":30,"thread":"t","count":1,)"
      R"("text":"mma","file":"/src/gemm.cu","source_line":12,"message":"A is read as B",)"
      R"("other":{"line":20,"thread":"u","text":"cp"}}
{"clause":"tile-mismatch","kernel":"gemm","line":34,"thread":"t","count":1,"text":"mma",)"
      R"("file":"/src/gemm.cu","source_line":12,"message":"A is read as B","other":{"line":20,"thread":"u"}}
{"kind":"illegal_address","kernel":"k","line":7,"thread":"cta (1,0,0) thread 3","message":"outside"}
)",
      with_warning, "");
  ASSERT_EQ(outcome.findings.findings.size(), 2u) << "code that a compiler repeated is one place";
  EXPECT_EQ(outcome.findings.findings[1].clause, "tile-mismatch");
  EXPECT_EQ(loud_findings(outcome), 1u);
  const std::string text = summary(outcome, false);
  EXPECT_NE(text.find("/src/gemm.cu:12: warning: tile-mismatch: A is read as B\n"), text.npos) << text;
  EXPECT_NE(text.find("  the copy: gemm:20, u\n"), text.npos) << text;
  EXPECT_NE(text.find("assay: 1 finding, 1 warning in "), text.npos) << text;
  outcome.findings.findings.erase(outcome.findings.findings.begin());
  EXPECT_EQ(exit_code(outcome), 0);
  EXPECT_NE(html_page(outcome).find("<strong>0 findings, 1 warning</strong>"), std::string::npos);
  const nlohmann::json result = nlohmann::json::parse(sarif(outcome)).at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("level"), "warning");
  EXPECT_EQ(result.at("message").at("text"), "A is read as B");
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(junit(outcome).c_str()));
  EXPECT_EQ(xml.child("testsuites").child("testsuite").attribute("failures").as_int(), 0);
}

TEST(CheckFindings, OfAProgramWithFindingsOnlyNewOnesAreMissed) {
  ExploredRun with, without;
  add_report(with.findings, report, clauses, "");
  without.findings = with.findings;
  EXPECT_EQ(difference(with, without), "");
  const std::string line =
      R"({"clause":"missing-wait","kernel":"_Z4gemmPf","line":25,"thread":"t","count":1})";
  add_report(without.findings, line, clauses, "");
  EXPECT_EQ(difference(with, without), "missing-wait at gemm:25");
  without.findings.findings.clear();
  with.findings.findings.clear();
  with.findings.explored = without.findings.explored = {{"k", 1, 1, 0, "", "", "", 7}};
  without.findings.explored[0].result = 8;
  EXPECT_EQ(difference(with, without), "other bytes in global memory after launch 1");
  forget_what_varies(with, without);
  EXPECT_EQ(difference(with, without), "");
  without.findings.explored[0].others = 1;
  EXPECT_EQ(difference(with, without), "what launch 1 leaves depends on the order");
  with.findings.explored[0].why_not_all = "the time was over";
  EXPECT_EQ(difference(with, without), "") << "another order of the program as it is may do so too";
}

TEST(CheckFindings, AFailureShowsThePlaceThatItsOrderLeadsTo) {
  const Outcome outcome = outcome_of(
      R"({"kind":"deadlock","kernel":"k","line":9,"thread":"t","message":"hangs","schedule":"order:1:3w1"}
{"kind":"deadlock","kernel":"k","line":4,"thread":"t","message":"hangs","schedule":"order:1:5w1"}
)");
  ASSERT_EQ(outcome.findings.findings.size(), 1u);
  EXPECT_EQ(outcome.findings.findings[0].schedule, "order:1:3w1");
  EXPECT_EQ(outcome.findings.findings[0].places[0].line, 9u);
}

TEST(CheckFindings, AreGroupedByClauseAndKernelWithTheLargestCount) {
  const Outcome outcome = outcome_of(report);
  const Findings& findings = outcome.findings;
  EXPECT_TRUE(findings.has_begun);
  EXPECT_EQ(findings.launches(), 3u);
  ASSERT_EQ(findings.findings.size(), 2u);
  const Finding& waits = findings.findings[0];
  EXPECT_EQ(waits.clause, "missing-wait");
  EXPECT_EQ(waits.sentence, "wait first");
  ASSERT_EQ(waits.places.size(), 2u);
  EXPECT_EQ(waits.places[0].line, 20u) << "in order of lines";
  EXPECT_EQ(waits.places[1].count, 8u);
  EXPECT_EQ(waits.count(), 10u);
  EXPECT_EQ(findings.findings[1].clause, "illegal-address");
  EXPECT_EQ(findings.findings[1].message, "outside");
}

TEST(CheckFindings, DecideTheExitCode) {
  EXPECT_EQ(exit_code(outcome_of(report)), 1);
  const std::string begun = "{\"kind\":\"begin\"}\n";
  EXPECT_EQ(exit_code(outcome_of(begun)), 0);
  EXPECT_EQ(exit_code(outcome_of(begun, 7)), 7) << "the program's own";
  EXPECT_EQ(exit_code(outcome_of("")), 2) << "the driver was never called: nothing was checked";
  EXPECT_EQ(exit_code(outcome_of(begun + R"({"kind":"absent","kernel":"cudaX","message":"m"})")), 2);
  EXPECT_EQ(
      exit_code(outcome_of(begun + R"({"kind":"unknown_instruction","kernel":"k","line":3,"message":"m"})")),
      2);
  Outcome ended = outcome_of(begun);
  ended.runs[0].end.signal = 11;
  EXPECT_EQ(exit_code(ended), 139);
  ended.runs[0].end = {false, "it cannot be started", 0, 0};
  EXPECT_EQ(exit_code(ended), 2);
}

TEST(CheckFindings, TheSummaryReadsLikeACompilers) {
  const std::string text = summary(outcome_of(report), false);
  EXPECT_EQ(text,
            "/src/gemm.cu:10: missing-wait: wait first\n"
            "    x\n"
            "    PTX line 20 of gemm, cta (0,0,0) thread 1, 10 times in 2 places\n"
            "k:7: illegal-address: outside\n"
            "    cta (1,0,0) thread 3\n"
            "assay: 2 findings in 3 launches; the program exited with 0 (emulator:sm_100a)\n");
}

TEST(CheckFindings, AFileSuppressesByClauseAndPlace) {
  Outcome outcome = outcome_of(report);
  outcome.suppressions =
      read_suppressions("# known\nmissing-wait  gemm.cu:12\n*  k\nmissing-wait other.cu:*\n", "f");
  suppress(outcome.findings.findings, outcome.suppressions);
  EXPECT_EQ(loud_findings(outcome), 1u);
  ASSERT_EQ(outcome.findings.findings[0].places.size(), 1u) << "the other place is still loud";
  EXPECT_EQ(outcome.findings.findings[0].places[0].source_line, 10u);
  EXPECT_TRUE(outcome.findings.findings[1].is_suppressed);
  EXPECT_TRUE(outcome.suppressions[0].is_used && outcome.suppressions[1].is_used);
  EXPECT_FALSE(outcome.suppressions[2].is_used);
  EXPECT_EQ(exit_code(outcome), 1);
  outcome.suppressions = read_suppressions("* *", "f");
  suppress(outcome.findings.findings, outcome.suppressions);
  EXPECT_EQ(exit_code(outcome), 0);
  EXPECT_THROW(read_suppressions("missing-wait", "f"), UsageError);
}

TEST(CheckFindings, SarifAndJunitHaveEveryPlaceAndSayWhatIsSuppressed) {
  Outcome outcome = outcome_of(report);
  outcome.findings.findings[1].is_suppressed = true;
  const nlohmann::json document = nlohmann::json::parse(sarif(outcome));
  EXPECT_EQ(document.at("version"), "2.1.0");
  const nlohmann::json& run = document.at("runs").at(0);
  ASSERT_EQ(run.at("results").size(), 3u);
  const nlohmann::json& first = run.at("results").at(0);
  EXPECT_EQ(first.at("ruleId"), "missing-wait");
  EXPECT_EQ(first.at("locations").at(0).at("physicalLocation").at("region").at("startLine"), 10);
  EXPECT_FALSE(first.contains("suppressions"));
  EXPECT_TRUE(run.at("results").at(2).contains("suppressions"));
  for (const nlohmann::json& result : run.at("results")) {
    bool is_rule = false;
    for (const nlohmann::json& rule : run.at("tool").at("driver").at("rules"))
      is_rule |= rule.at("id") == result.at("ruleId");
    EXPECT_TRUE(is_rule) << result;
  }
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(junit(outcome).c_str()));
  const pugi::xml_node suite = xml.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 3);
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
}

TEST(CheckFindings, SarifOfAProgramThatASignalEndedIsNotOneOfSuccess) {
  Outcome outcome = outcome_of(report);
  outcome.runs.back().end.signal = 6;
  const nlohmann::json invocation =
      nlohmann::json::parse(sarif(outcome)).at("runs").at(0).at("invocations").at(0);
  EXPECT_EQ(invocation.at("exitCode"), 134);
  EXPECT_EQ(invocation.at("exitSignalNumber"), 6);
}

TEST(CheckFindings, NamesOfKernelsAreShort) {
  EXPECT_EQ(short_name("void gemm<float, (int)4>(float*, int)"), "gemm<float, (int)4>");
  EXPECT_EQ(short_name("ns::k(void (*)(int))"), "ns::k");
  EXPECT_EQ(short_name("k"), "k");
  EXPECT_EQ(short_name(std::string(100, 'x')).size(), 60u);
}

// The page of `assay check --html`, and the drawing of barriers in it.

namespace fs = std::filesystem;

std::string page_of(const std::string& museum_kernel, const std::string& target, const std::string& kernel) {
  const std::string page = report::scratch_path("page_" + museum_kernel + "_" + kernel + ".html").string();
  const fs::path file = fs::path(ASSAY_SOURCE_DIR) / "testdata/museum" / (museum_kernel + ".ptx");
  report::shell(std::string(ASSAY_BINARY_DIR) + "/assay check " + file.string() +
                " --device emulator:" + target + " --schedules 1 --kernel " + kernel + " --html " + page);
  return report::read_whole_file(page);
}

size_t count(const std::string& text, const std::string& words) {
  size_t n = 0;
  for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++n;
  return n;
}

TEST(CheckPage, ShowsTheStateAtAHangAndWhoWaits) {
  const std::string page = page_of("expects_more_bytes_than_come", "sm_90a", "defect");
  EXPECT_NE(page.find("<strong>1 finding</strong>"), page.npos);
  EXPECT_NE(page.find("data-clause=\"deadlock\""), page.npos);
  EXPECT_NE(page.find("1024 bytes pending (expect_tx of "), page.npos) << "what is missing";
  EXPECT_NE(page.find(" delivered, last by PTX line 2"), page.npos) << "what came";
  EXPECT_NE(page.find("); warp 0 waits for phase 0"), page.npos) << "who waits for what";
  EXPECT_NE(page.find("<b><i>28</i>  "), page.npos) << "the line of the file, marked";
  ASSERT_EQ(count(page, "<svg class=\"timeline\""), 1u);
  EXPECT_EQ(count(page, "class=\"stuck\""), 2u) << "the key, and the warp that waits for ever";
  EXPECT_EQ(count(page, "<rect class=\"flight\""), 1u) << "the copy that came";
  EXPECT_EQ(count(page, "<rect class=\"open\""), 1u) << "the phase that is not complete";
  EXPECT_EQ(page.find("<rect class=\"holds\""), page.npos);
}

TEST(CheckPage, ShowsTheBarriersOfALaunchWithABreach) {
  const std::string page = page_of("load_overwrites_what_is_read", "sm_90a", "defect");
  EXPECT_NE(page.find("data-clause=\"missing-read-order\""), page.npos);
  EXPECT_EQ(count(page, "<rect class=\"flight\""), 2u);
  EXPECT_EQ(count(page, "<rect class=\"even\"") + count(page, "<rect class=\"odd\""), 2u) << "phases";
  EXPECT_GE(count(page, "<rect class=\"holds\""), 2u) << "each warp after its wait";
}

TEST(CheckPage, OfNoFindingsHasNoneAndNoDrawing) {
  const std::string page = page_of("expects_more_bytes_than_come", "sm_90a", "mended");
  EXPECT_NE(page.find("<strong>0 findings</strong>"), page.npos);
  EXPECT_EQ(page.find("<svg"), page.npos);
}

TEST(CheckTimeline, DrawsALaneABarrierAndLeavesOutWhatIsMalformed) {
  const Timeline timeline = read_timeline(nlohmann::json::parse(
      R"({"kind":"timeline","kernel":"k","launch":3,"seen":9,"events":[
          ["init",0,0,1024,0,1],["init",0,1,1032,0,1],
          ["copy",5,0,1024,0,64],["blocked",6,0,1024,2,0],["landed",9,0,1024,0,64],["complete",9,0,1024,-1,0],
          ["wait",10,0,1024,2,0],["arrive",12,0,1032,2,1],
          ["exited",13,1,0,-1,0],["nonsense"],[1,2,3,4,5,6]]})"));
  ASSERT_EQ(timeline.events.size(), 9u);
  EXPECT_EQ(timeline.launch, 3u);
  const std::string drawn = timeline_svg(timeline);
  EXPECT_EQ(count(drawn, "class=\"base\""), 3u) << "CTA 0's two barriers and CTA 1's";
  EXPECT_NE(drawn.find("warp 2 waits for the phase of parity 0"), drawn.npos);
  EXPECT_NE(drawn.find("warp 2 is using the data guarded by the barrier"), drawn.npos);
  EXPECT_EQ(drawn.find("class=\"stuck\""), drawn.npos);
  EXPECT_EQ(count(drawn, "class=\"mark\""), 1u) << "its arrival at the other barrier";
  EXPECT_EQ(count(drawn, "class=\"open\""), 2u)
      << "of the initialised barriers: one when its CTA ended, one when the launch did";
}

}  // namespace
}  // namespace assay::cli::check
