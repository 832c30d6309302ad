// An operation that stands in one folder, and that nothing else names, runs, shrinks, is reported, replayed,
// written as a program of its own and read from any text as the fuzz target property_case does.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "devices/device.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "suites/failure/replay.h"
#include "suites/run/case_file.h"
#include "suites/run/case_runner.h"
#include "suites/run/conductor.h"

namespace assay::suites {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Each trap costs the device its process.
constexpr uint64_t cases = 12;

class ToyOperation : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    RunOptions options;
    options.properties = {"toy.store"};
    options.devices = {"emulator:sm_90a"};
    options.cases = cases;
    options.most_repeats = 2;
    options.threads = 1;
    options.out = report::scratch_path("toy_operation");
    result_ = run(options);
    results_ = report::read_results(result_.database, {100, 100});
  }
  static const report::PropertyResult& property() { return results_.devices.at(0).properties.at(0); }
  static const report::CaseRow& failure() { return property().failures.at(0).examples.at(0); }

  static inline RunResult result_;
  static inline report::Results results_;
};

TEST_F(ToyOperation, RunsAndEveryTrapIsAViolation) {
  EXPECT_EQ(result_.exit_code, 1);
  EXPECT_EQ(result_.judged, cases);
  uint64_t traps = 0;
  for (uint64_t index = 0; index < cases; ++index) traps += (7919 + index * 97) % 1000 > 500;
  const auto count = [&](report::Verdict verdict) { return property().counts[static_cast<size_t>(verdict)]; };
  EXPECT_EQ(count(report::Verdict::violates), traps);
  EXPECT_EQ(count(report::Verdict::conforms), cases - traps);
}

TEST_F(ToyOperation, ShrinksToTheLeastThatFails) {
  ASSERT_FALSE(property().failures.empty());
  EXPECT_EQ(failure().case_json, R"({"case":{"value":501},"property":"toy.store"})");
  EXPECT_NE(failure().message.find("toy.store value 501: expected to complete"), std::string::npos)
      << failure().message;
}

TEST_F(ToyOperation, StandsInTheReports) {
  EXPECT_NE(text_of(result_.html).find("toy.store"), std::string::npos);
  EXPECT_NE(text_of(result_.junit).find("value 501"), std::string::npos);
}

TEST_F(ToyOperation, IsReplayedFromItsIdAndFromItsFileAndReproduced) {
  const std::filesystem::path folder = result_.database.parent_path() / "cases";
  const std::filesystem::path stored = folder / (failure().case_id + ".json");
  for (const std::string& what : {std::string("toy.store@1#0"), stored.string()}) {
    const bool fails = what == stored.string();
    const ReplayResult again = replay(what, "emulator:sm_90a");
    EXPECT_EQ(again.exit_code, fails || 7919 % 1000 > 500 ? 1 : 0) << what << "\n" << again.text;
  }
  const std::string program = text_of(folder / (failure().case_id + ".cu"));
  EXPECT_NE(program.find("#define KERNEL fixture_trap"), std::string::npos);
  EXPECT_NE(program.find("value: 501"), std::string::npos);
}

TEST_F(ToyOperation, IsReadFromAnyTextAndJudged) {
  const std::unique_ptr<Device> device = open_device("emulator:sm_90a", DeviceLimits{});
  ReadingSet readings(spec::Arch::sm_90);
  CaseRunner runner(*device, readings, spec::Arch::sm_90);
  for (const auto& [json, verdict] : {std::pair{R"({})", report::Verdict::conforms},
                                      std::pair{R"({"value":500})", report::Verdict::conforms},
                                      std::pair{R"({"value":1000000})", report::Verdict::violates}}) {
    const CaseFile read =
        parse_case(std::string(R"({"property":"toy.store","case":)") + json + "}", "toy.json");
    EXPECT_EQ(runner.run(*read.property, {&read.what, 1}).front().verdict, verdict) << json;
  }
  try {
    parse_case(R"({"property":"toy.store","case":{"colour":1}})", "toy.json");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "toy.json: field 'colour' of the case does not exist in a case of this kind.");
  }
}

}  // namespace
}  // namespace assay::suites

/// The process that owns a device is this program again.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "device-worker") return assay::device_worker_main(argc, argv);
  setenv("ASSAY_PROGRAM", std::filesystem::canonical("/proc/self/exe").c_str(), /*overwrite=*/1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
