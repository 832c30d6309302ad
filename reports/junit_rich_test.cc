// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <pugixml.hpp>
#include <set>

#include "reports/results.h"
#include "reports/sample_test.h"
#include "reports/text.h"
#include "reports/written_reports.h"

/// The rich profile, and files that are split or limited. The strict one has junit_test.cc.
namespace assay::report {
namespace {

bool is_valid(const std::filesystem::path& file, const char* schema) {
  return std::system(("xmllint --noout --schema " ASSAY_SOURCE_DIR "/reports/schema/" + std::string(schema) +
                      " " + file.string() + " 2>/dev/null")
                         .c_str()) == 0;
}

class JunitFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("xmllint --version >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "xmllint (package libxml2-utils) is not installed";
  }
  std::vector<std::filesystem::path> write(const JunitOptions& options) {
    return write_junit(scratch / "results.db", scratch / "junit.xml", options);
  }
  /// Properties p0, p1, ... of one device; every third violates.
  void fill(int properties) {
    const auto recorder = Recorder::create(scratch / "results.db", sample_run());
    recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
    for (int i = 0; i < properties; ++i) {
      const std::string name = "p" + std::to_string(i);
      recorder->plan("cuda:0", {name, "claim", {}}, 1);
      PropertyTotals totals{.planned = 1, .issued = 1};
      totals.counts = {{i % 3 == 0 ? Verdict::violates : Verdict::conforms, 1}};
      totals.complete = true;
      recorder->set_totals("cuda:0", name, totals);
    }
    recorder->finish(1, "2026-11-21T02:14:31");
  }
  static std::set<std::string> cases(const std::vector<std::filesystem::path>& files) {
    std::set<std::string> names;
    for (const auto& file : files) {
      pugi::xml_document document;
      EXPECT_TRUE(document.load_file(file.c_str())) << file;
      for (const auto& suite : document.document_element())
        for (const auto& node : suite.children("testcase"))
          EXPECT_TRUE(names.insert(node.attribute("name").value()).second) << "twice";
    }
    return names;
  }
  Scratch scratch;
};

TEST_F(JunitFiles, RichIsTheStrictFileAndWhatTheSchemasDoNotKnow) {
  fill_sample(scratch / "results.db");
  const Results results = read_results(scratch / "results.db");
  std::string id;
  for (const auto& property : results.devices[0].properties)
    for (const auto& group : property.failures)
      if (id.empty() && !group.examples.empty()) id = group.examples[0].case_id;
  ASSERT_FALSE(id.empty());
  std::filesystem::create_directories(scratch / "cases");
  for (const char* extension : {".json", ".cu"}) std::ofstream((scratch / "cases") / (id + extension)) << "x";
  ASSERT_EQ(write({.profile = JunitProfile::rich}).size(), 1u);
  const std::filesystem::path file = scratch / "junit.xml";
  EXPECT_FALSE(is_valid(file, "junit_ant.xsd"));
  EXPECT_FALSE(is_valid(file, "junit_xunit10.xsd"));

  pugi::xml_document document;
  ASSERT_TRUE(document.load_file(file.c_str()));
  int attached = 0;
  for (const auto& suite : document.document_element())
    for (auto node : suite.children("testcase")) {
      const pugi::xml_node properties = node.child("properties");
      EXPECT_STREQ(properties.find_child_by_attribute("name", "seed").attribute("value").value(), "17");
      const std::string out = node.child_value("system-out");
      EXPECT_LE(out.size(), 8192u);
      EXPECT_NE(out.find("[[PROPERTY|seed=17]]\n"), std::string::npos);
      const std::string wanted = "\n[[ATTACHMENT|" + ((scratch / "cases") / (id + ".cu")).string() + "]]\n";
      if (out.find(wanted) != std::string::npos) {
        ++attached;
        EXPECT_EQ(node.attribute("file").value(), ((scratch / "cases") / (id + ".json")).string());
      }
      int results_of_case = 0;
      for (const char* kind : {"failure", "error", "skipped", "flakyFailure"})
        for ([[maybe_unused]] const auto& result : node.children(kind)) ++results_of_case;
      EXPECT_LE(results_of_case, 1) << "one result a case; readers show the first alone";
      node.remove_child("properties");
      node.remove_attribute("file");
      node.remove_attribute("line");
    }
  EXPECT_EQ(attached, 1);
  document.save_file((scratch / "without.xml").c_str());
  EXPECT_TRUE(is_valid(scratch / "without.xml", "junit_xunit10.xsd"));
}

TEST_F(JunitFiles, AFlakyPropertyThatOnlyWarnsPassesWithAFlakyFailure) {
  RunInfo run = sample_run();
  for (const bool warns : {true, false}) {
    run.flaky_warns = warns;
    {
      const auto recorder = Recorder::create(scratch / "results.db", run);
      recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
      recorder->plan("cuda:0", {"p", "claim", {}}, 2);
      PropertyTotals totals{.planned = 2, .issued = 2};
      totals.counts = {{Verdict::flaky, 1}, {Verdict::conforms, 1}};
      totals.complete = true;
      recorder->set_totals("cuda:0", "p", totals);
      recorder->finish(warns ? 0 : 1, "2026-11-21T02:14:31");
    }
    write({.profile = JunitProfile::rich});
    pugi::xml_document document;
    ASSERT_TRUE(document.load_file((scratch / "junit.xml").c_str()));
    const auto node = document.document_element().child("testsuite").child("testcase");
    EXPECT_EQ(bool(node.child("flakyFailure")), warns);
    EXPECT_EQ(bool(node.child("failure")), !warns);
    if (warns) {
      EXPECT_STRNE(node.child("flakyFailure").child_value("stackTrace"), "");
    }
    write({});
    ASSERT_TRUE(document.load_file((scratch / "junit.xml").c_str()));
    EXPECT_FALSE(document.document_element().child("testsuite").child("testcase").child("flakyFailure"));
  }
}

TEST_F(JunitFiles, SplitBelowTheConsumersLimits) {
  fill(7);
  const auto whole = write({});
  ASSERT_EQ(whole.size(), 1u);
  const std::set<std::string> all = cases(whole);
  ASSERT_EQ(all.size(), 7u);

  const auto by_count = write({.most_cases = 3});
  ASSERT_EQ(by_count.size(), 3u);
  EXPECT_EQ(by_count[0].filename(), "junit-1-of-3.xml");
  EXPECT_EQ(cases(by_count), all);
  EXPECT_FALSE(std::filesystem::exists(scratch / "junit.xml")) << "a glob would count its cases twice";
  for (const auto& file : by_count) {
    EXPECT_TRUE(is_valid(file, "junit_ant.xsd")) << file;
    EXPECT_TRUE(is_valid(file, "junit_xunit10.xsd")) << file;
  }

  const size_t limit = 25'500;
  const auto by_size = write({.most_bytes = limit});
  ASSERT_GT(by_size.size(), 1u);
  EXPECT_EQ(cases(by_size), all);
  for (const auto& file : by_size) EXPECT_LE(std::filesystem::file_size(file), limit) << file;

  EXPECT_EQ(cases(write({})), all);
  EXPECT_FALSE(std::filesystem::exists(scratch / "junit-1-of-3.xml"));
}

TEST_F(JunitFiles, ALimitNamesTheFirstFailuresAndSaysWhatIsLeftOut) {
  fill(9);
  const auto files = write({.most_failures = 2});
  EXPECT_EQ(cases(files), (std::set<std::string>{"p0", "p3"}));
  EXPECT_TRUE(is_valid(files[0], "junit_ant.xsd"));
  EXPECT_TRUE(is_valid(files[0], "junit_xunit10.xsd"));
  const std::string text = read_whole_file(files[0]);
  EXPECT_NE(text.find("7 of 9 properties are not in this suite"), std::string::npos) << text;
  EXPECT_NE(text.find("tests=\"2\" failures=\"2\""), std::string::npos);
}

}  // namespace
}  // namespace assay::report
