// SPDX-License-Identifier: Apache-2.0
#include "cli/check/findings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "cli/check/outcome.h"
#include "cli/command_line.h"

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

}  // namespace
}  // namespace assay::cli::check
