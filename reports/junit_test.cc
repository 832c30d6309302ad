// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cstdlib>
#include <fstream>
#include <pugixml.hpp>
#include <regex>
#include <set>

#include "reports/results.h"
#include "reports/sample_test.h"
#include "reports/text.h"
#include "reports/written_reports.h"

namespace assay::report {
namespace {

/// Every constraint that both public schemas put on a file, and those of the consumers. One sentence a
/// breach.
class Checker {
 public:
  explicit Checker(const std::string& text) {
    if (text.size() > 25u << 20) breach("file above 25 MB");
    for (const char c : text)
      if (static_cast<uint8_t>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r') breach("control character");
    if (well_formed(text) != text) breach("not UTF-8");
    pugi::xml_document document;
    const auto parsed = document.load_string(text.c_str(), pugi::parse_default | pugi::parse_declaration);
    if (!parsed) breach(std::string("not XML: ") + parsed.description());
    if (std::string_view(document.first_child().attribute("encoding").value()) != "UTF-8") breach("encoding");
    const pugi::xml_node root = document.document_element();
    if (std::string_view(root.name()) != "testsuites") breach("root is not testsuites");
    if (root.first_attribute()) breach("attributes on the root");
    int id = 0;
    for (const pugi::xml_node suite : root) check_suite(suite, id++);
  }
  const std::vector<std::string>& breaches() const { return breaches_; }

 private:
  void breach(const std::string& words) { breaches_.push_back(words); }

  void attributes(const pugi::xml_node node, const std::vector<std::string>& names) {
    std::vector<std::string> have;
    for (const auto attribute : node.attributes()) have.emplace_back(attribute.name());
    if (have != names) breach(std::string("attributes of ") + node.name());
  }

  void time(const char* text) {
    if (!std::regex_match(text, std::regex("[0-9]+(\\.[0-9]{1,3})?"))) breach(std::string("time ") + text);
  }

  void check_suite(const pugi::xml_node suite, int id) {
    if (std::string_view(suite.name()) != "testsuite") breach("child of the root is not testsuite");
    attributes(suite, {"package", "id", "name", "timestamp", "hostname", "tests", "failures", "errors",
                       "skipped", "time"});
    if (suite.attribute("id").as_int(-1) != id) breach("suite ids do not count from 0");
    if (!is_timestamp(suite.attribute("timestamp").value())) breach("timestamp");
    if (std::string_view(suite.attribute("hostname").value()).empty()) breach("hostname empty");
    if (!suites_.insert(suite.attribute("name").value()).second) breach("suite name twice");
    time(suite.attribute("time").value());
    int stage = 0, tests = 0, failures = 0, errors = 0, skipped = 0;
    for (const pugi::xml_node child : suite) {
      const std::string_view name = child.name();
      const int at = name == "properties"   ? 1
                     : name == "testcase"   ? 2
                     : name == "system-out" ? 3
                     : name == "system-err" ? 4
                                            : 9;
      if (at == 9 || at < stage || (at == stage && at != 2))
        breach("order of elements at " + std::string(name));
      if (stage == 0 && at != 1) breach("properties missing");
      stage = at;
      if (at == 1)
        for (const auto property : child) attributes(property, {"name", "value"});
      if (at != 2) continue;
      ++tests;
      check_case(child);
      const std::string_view result = child.first_child().name();
      failures += result == "failure", errors += result == "error", skipped += result == "skipped";
    }
    if (stage != 4) breach("system-out or system-err missing");
    const auto count = [&](const char* name, int expected) {
      if (suite.attribute(name).as_int(-1) != expected) breach(std::string("count of ") + name);
    };
    count("tests", tests), count("failures", failures), count("errors", errors), count("skipped", skipped);
  }

  void check_case(const pugi::xml_node node) {
    attributes(node, {"name", "classname", "time"});
    time(node.attribute("time").value());
    const std::string name = node.attribute("name").value(), classname = node.attribute("classname").value();
    if (name.empty() || classname.empty()) breach("empty name");
    if (!cases_.insert({classname, name}).second) breach("case twice: " + classname + " " + name);
    const pugi::xml_node result = node.first_child();
    if (!result) return;
    if (result.next_sibling()) breach("two results in a case");
    const std::string_view kind = result.name();
    if (kind != "skipped" && kind != "error" && kind != "failure") breach("unknown result");
    attributes(result, kind == "skipped" ? std::vector<std::string>{"message"}
                                         : std::vector<std::string>{"message", "type"});
    const std::string message = result.attribute("message").value();
    if (message.empty() || message.size() > 200 || message.find('\n') != std::string::npos)
      breach("message: " + message);
    if (std::string_view(result.child_value()).size() > 8192) breach("text above 8 KB");
  }

  std::vector<std::string> breaches_;
  std::set<std::string> suites_;
  std::set<std::pair<std::string, std::string>> cases_;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Writes junit.xml and holds it against the checker and both schemas.
std::string checked_junit(const Scratch& scratch) {
  write_junit(scratch / "results.db", scratch / "junit.xml");
  const std::string text = read_whole_file(scratch / "junit.xml");
  EXPECT_EQ(joined(Checker(text).breaches()), "");
  for (const char* schema : {"junit_ant.xsd", "junit_xunit10.xsd"}) {
    const std::string command = "xmllint --noout --schema " ASSAY_SOURCE_DIR "/reports/schema/" +
                                std::string(schema) + " " + (scratch / "junit.xml").string() + " 2>" +
                                (scratch / "lint.txt").string();
    EXPECT_EQ(std::system(command.c_str()), 0) << schema << ": " << read_whole_file(scratch / "lint.txt");
  }
  return text;
}

bool have_xmllint() {
  return std::system("xmllint --version >/dev/null 2>&1") == 0;
}

class Junit : public testing::Test {
 protected:
  void SetUp() override {
    if (!have_xmllint()) GTEST_SKIP() << "xmllint (package libxml2-utils) is not installed";
  }
  Scratch scratch;
};

TEST_F(Junit, SampleRunIsValidForBothSchemas) {
  fill_sample(scratch / "results.db");
  const std::string text = checked_junit(scratch);
  EXPECT_NE(text.find("classname=\"silicon_sm_90_cuda_0.tma.tiled\""), std::string::npos);
  EXPECT_NE(text.find("classname=\"emulator_sm_100_schedule_random.tma.tiled\""), std::string::npos)
      << "the schedule's seed is not a part of a name";
  EXPECT_NE(text.find("adopted reading: X-05"), std::string::npos);
  EXPECT_NE(text.find("replay: assay replay 'tma.tiled.store@17#1000/0.2.1'"), std::string::npos);
  EXPECT_NE(text.find("name=\"seed\" value=\"17\""), std::string::npos);
}

TEST_F(Junit, HostileNamesAreValidToo) {
  fill_sample(scratch / "results.db", {.hostile_names = true});
  const std::string text = checked_junit(scratch);
  EXPECT_EQ(text.find("<script>"), std::string::npos);
  EXPECT_NE(text.find("&lt;script>alert(1)"), std::string::npos);
}

TEST_F(Junit, BytesThatAreNoTextAreValidToo) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  bytes += "\xed\xa0\x80 \xef\xbf\xbe \xef\xbf\xbf \xf4\x90\x80\x80 \xc0\x80 \xe2\x82";
  RunInfo run = sample_run();
  run.host = "\x01", run.started_utc = "2026-11-21T02:14:05.123Z", run.command_line = bytes;
  const auto recorder = Recorder::create(scratch / "results.db", run);
  for (const char* spec : {"emulator:sm_90a,schedule=random:1", "emulator:sm_90a,schedule=random:2"}) {
    recorder->add_device({spec, "emulator sm_90", "sm_90", bytes, bytes, {{bytes, bytes}}});
    recorder->plan(spec, {bytes, bytes, {bytes}}, 3);
    CaseRow row;
    row.property = bytes, row.device = spec;
    row.message = row.detail = row.replay = row.signature = bytes + std::string(20000, 'x') + bytes;
    recorder->add_case(row);
  }
  checked_junit(scratch);
}

TEST_F(Junit, BeforeTheFirstCaseEverythingIsIncomplete) {
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  recorder->add_device({"cuda:0", "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-1", {}});
  recorder->plan("cuda:0", {"tma.tiled.load", "claim", {}}, 100);
  recorder->plan("cuda:0", {"tma.tiled.store", "claim", {}}, 0);
  const std::string text = checked_junit(scratch);
  EXPECT_NE(text.find("tests=\"2\" failures=\"0\" errors=\"2\" skipped=\"0\""), std::string::npos) << text;
}

TEST_F(Junit, NoDeviceIsAValidFile) {
  Recorder::create(scratch / "results.db", sample_run())->finish(2, "2026-11-21T02:14:31");
  checked_junit(scratch);
}

TEST_F(Junit, EachVerdictHasItsElementAndType) {
  const std::pair<Verdict, const char*> by_hand[] = {
      {Verdict::conforms, ""},
      {Verdict::adopted_reading, ""},
      {Verdict::declined, "skipped"},
      {Verdict::waived, ""},
      {Verdict::violates, "failure Mismatch"},
      {Verdict::unexpected_pass, "failure UnexpectedPass"},
      {Verdict::flaky, "failure Flaky"},
      {Verdict::crashed, "error Crash"},
      {Verdict::hung, "error Timeout"},
      {Verdict::not_run, "error NotRun"},
      {Verdict::rig_broken, "error Rig"},
      {Verdict::no_demand, ""},
      {Verdict::undecided, "failure Undecided"},
      {Verdict::incomplete, "error Incomplete"},
  };
  for (const auto& [verdict, expected] : by_hand) {
    PropertyTotals totals;
    totals.complete = true, totals.counts = {{verdict, 3}}, totals.reason = "because";
    if (verdict == Verdict::not_run) totals.reason = "device lost: because";
    fill_one(scratch / "results.db", totals);
    pugi::xml_document document;
    ASSERT_TRUE(document.load_string(checked_junit(scratch).c_str()));
    const pugi::xml_node node =
        document.document_element().child("testsuite").child("testcase").first_child();
    std::string got = node.name();
    if (const auto type = node.attribute("type")) got += std::string(" ") + type.value();
    EXPECT_EQ(got, expected) << name(verdict);
  }
}

/// A run of two devices with busy seconds of four properties: device, then host.
std::vector<double> times_written(const Scratch& scratch, double taken,
                                  const std::vector<std::pair<double, double>>& busy) {
  const auto recorder = Recorder::create(scratch / "results.db", sample_run());
  for (size_t i = 0; i < busy.size(); ++i) {
    const std::string spec = i < 2 ? "cuda:0" : "cuda:1", property = "tma.p" + std::to_string(i);
    if (i % 2 == 0) recorder->add_device({spec, "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-" + spec, {}});
    recorder->plan(spec, {property, "claim", {}}, 1);
    PropertyTotals totals;
    totals.complete = true, totals.counts = {{Verdict::conforms, 1}}, totals.issued = 1;
    totals.seconds = taken;  // the run's, for every property
    totals.device_busy_seconds = busy[i].first, totals.host_busy_seconds = busy[i].second;
    recorder->set_totals(spec, property, totals);
  }
  recorder->set_seconds(taken);
  recorder->finish(0, "2026-11-21T02:14:31");
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(checked_junit(scratch).c_str()));
  std::vector<double> times;
  for (const pugi::xml_node suite : document.document_element()) {
    double sum = 0;
    for (const pugi::xml_node node : suite.children("testcase")) {
      times.push_back(node.attribute("time").as_double());
      sum += times.back();
    }
    EXPECT_NEAR(suite.attribute("time").as_double(), sum, 1e-6);
  }
  return times;
}

TEST_F(Junit, TheTimeOfATestCaseIsItsPropertysOwn) {
  // One thread, which waits for the device: each has what it used.
  EXPECT_EQ(times_written(scratch, 20, {{1, 2}, {0.25, 0.5}, {4, 0}, {0, 0}}),
            (std::vector<double>{3, 0.75, 4, 0}));
  // Many threads at once: in proportion, and all together no longer than the run.
  const std::vector<double> shared =
      times_written(scratch, 27, {{10, 89}, {0.3, 0.69999}, {30, 270}, {1, 2}});
  EXPECT_NEAR(shared[0] / shared[3], 33, 0.2);
  EXPECT_NEAR(shared[2] / shared[3], 100, 1);
  EXPECT_LE(shared[0] + shared[1] + shared[2] + shared[3], 27);
  EXPECT_NEAR(shared[0] + shared[1] + shared[2] + shared[3], 27, 0.004);
}

TEST_F(Junit, TheSchemasAndTheCheckerRefuseWhatConsumersRefuse) {
  fill_sample(scratch / "results.db");
  const std::string good = checked_junit(scratch);
  struct Damage {
    const char *from, *to;
    bool ant, xunit;  // valid for that schema
  };
  const Damage damages[] = {
      {"<testsuites>", "<testsuites tests=\"1\">", false, true},
      {"02:14:05\"", "02:14:05.123\"", false, true},
      {"02:14:05\"", "02:14:05Z\"", false, true},
      {"time=\"1.900\"", "time=\"1.900001\"", true, false},
      {" hostname=\"lab-gpu-07\"", "", false, true},
      {"<testcase ", "<testcase file=\"x\" ", false, false},
      {"<testcase ", "<testcase line=\"1\" ", false, false},
      {"<testcase ", "<testcase status=\"run\" ", false, false},
      {"<testcase name=\"tma.tiled.load\" classname=\"silicon_sm_90_cuda_0.tma.tiled\" time=\"1.900\" />",
       "<testcase name=\"a\" classname=\"a\" time=\"1.900\"><system-out/></testcase>", false, true},
      {"<testcase name=\"tma.tiled.load\" classname=\"silicon_sm_90_cuda_0.tma.tiled\" time=\"1.900\" />",
       "<testcase name=\"a\" classname=\"a\" time=\"1.900\"><properties/></testcase>", false, false},
      {"<testcase name=\"tma.tiled.load\" classname=\"silicon_sm_90_cuda_0.tma.tiled\" time=\"1.900\" />",
       "<testcase name=\"a\" classname=\"a\" time=\"1.900\"><failure type=\"a\"/><failure "
       "type=\"b\"/></testcase>",
       false, true},
      {"<testcase name=\"tma.tiled.load\" classname=\"silicon_sm_90_cuda_0.tma.tiled\" time=\"1.900\" />",
       "<testcase name=\"a\" classname=\"a\" time=\"1.900\"><flakyFailure type=\"a\"/></testcase>", false,
       true},
      {"<system-err></system-err>",
       "<testsuite name=\"n\" tests=\"0\" failures=\"0\" errors=\"0\"/><system-err />", false, true},
      {" errors=\"", " disabled=\"", false, false},
  };
  const auto valid = [&](const char* schema) {
    return std::system(("xmllint --noout --schema " ASSAY_SOURCE_DIR "/reports/schema/" +
                        std::string(schema) + " " + (scratch / "damaged.xml").string() + " 2>/dev/null")
                           .c_str()) == 0;
  };
  for (const Damage& damage : damages) {
    std::string text = std::regex_replace(good, std::regex("time=\"[0-9.]+\""), "time=\"1.900\"");
    const size_t at = text.find(damage.from);
    ASSERT_NE(at, std::string::npos) << damage.from;
    text.replace(at, std::string_view(damage.from).size(), damage.to);
    write_whole_file(scratch / "damaged.xml", text);
    EXPECT_EQ(valid("junit_ant.xsd"), damage.ant) << damage.to;
    EXPECT_EQ(valid("junit_xunit10.xsd"), damage.xunit) << damage.to;
    EXPECT_FALSE(Checker(text).breaches().empty()) << damage.to;
  }
}

TEST_F(Junit, AReaderNeverSeesHalfAFile) {
  fill_sample(scratch / "results.db");
  write_junit(scratch / "results.db", scratch / "junit.xml");
  const std::string before = read_whole_file(scratch / "junit.xml");
  EXPECT_THROW(write_junit(scratch / "results.db", scratch / "no/folder/junit.xml"), std::runtime_error);
  EXPECT_THROW(write_junit(scratch / "absent.db", scratch / "junit.xml"), std::runtime_error);
  EXPECT_EQ(read_whole_file(scratch / "junit.xml"), before);
  const std::filesystem::path folder = (scratch / "junit.xml").parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    EXPECT_TRUE(entry.path().extension() == ".db" || entry.path().extension() == ".xml") << entry.path();
}

}  // namespace
}  // namespace assay::report

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
