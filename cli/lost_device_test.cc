// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/run_process_test.h"

/// The GPU falls off the bus in the middle of a run (cli/lost_driver.c): the program says so with exit code
/// 3, everything planned has one verdict, and the same run goes on when the GPU is back.
namespace assay::cli {
namespace {

std::vector<std::string> run_of_three(const std::string& out) {
  return {"run",
          "driver.tensor_map.encode_tiled",
          "tma.tiled.load",
          "tma.tiled.store",
          "--device",
          "emulator:sm_90a",
          "--cases",
          "400",
          "--seed",
          "9",
          "--threads",
          "2",
          "--out",
          out};
}

/// The library, compiled once; empty: there is no C compiler here.
const std::string& lost_driver() {
  static const std::string library = []() -> std::string {
    const std::string file = folder("liblost_driver.so"), programs = ASSAY_BINARY_DIR;
    const std::string command = "cc -shared -fPIC -o " + file + " " + ASSAY_SOURCE_DIR +
                                "/cli/lost_driver.c -Wl,--no-as-needed " + programs +
                                "/libassay_emulator.so -Wl,-rpath," + programs + " -ldl";
    if (std::system("command -v cc >/dev/null") != 0) return {};
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return file;
  }();
  return library;
}

/// The launch after the first `launches` gives `code`.
pid_t start_and_lose(const std::vector<std::string>& arguments, int launches, int code,
                     const std::string& file) {
  setenv("ASSAY_EMULATOR_LIBRARY", lost_driver().c_str(), 1);
  setenv("ASSAY_LOST_FILE", file.c_str(), 1);
  setenv("ASSAY_LOST_AFTER", std::to_string(launches).c_str(), 1);
  setenv("ASSAY_LOST_CODE", std::to_string(code).c_str(), 1);
  const pid_t pid = start(arguments);
  for (const char* name :
       {"ASSAY_EMULATOR_LIBRARY", "ASSAY_LOST_FILE", "ASSAY_LOST_AFTER", "ASSAY_LOST_CODE"})
    unsetenv(name);
  return pid;
}

std::string text_of(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class LostDevice : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string out = folder("undisturbed");
    ASSERT_EQ(wait_for(start(run_of_three(out))), 0);
    undisturbed = essence(report::read_results(out + "/results.db"));
  }
  void SetUp() override {
    if (lost_driver().empty()) GTEST_SKIP() << "no C compiler: there is no driver that loses its GPU";
  }
  static std::string undisturbed;
};
std::string LostDevice::undisturbed;

TEST_F(LostDevice, EndsWith3WithOneVerdictACaseAndTheRunResumes) {
  struct {
    int launches, code;
    const char* words;                                   ///< what the driver said
  } const losses[] = {{4, 719, "CUDA_ERROR_NO_DEVICE"},  // CUDA_ERROR_LAUNCH_FAILED, as of a kernel's own
                      {12, 999, "CUDA_ERROR_UNKNOWN"},   // which ends no context
                      {20, 46, "46"}};                   // CUDA_ERROR_DEVICE_UNAVAILABLE
  for (const auto& loss : losses) {
    SCOPED_TRACE(loss.code);
    const std::string out = folder("lost"), file = folder("launches");
    EXPECT_EQ(wait_for(start_and_lose(run_of_three(out), loss.launches, loss.code, file)), 3);
    const report::Results lost = report::read_results(out + "/results.db");
    EXPECT_TRUE(lost.finished);
    EXPECT_EQ(lost.exit_code, 3);
    expect_one_verdict_a_case(lost);
    uint64_t not_run = 0, blamed = 0;
    std::string reasons;
    for (const auto& property : lost.devices.at(0).properties) {
      reasons += property.reason + "\n";
      for (const report::VerdictRow& row : report::verdicts) {
        const uint64_t cases = property.counts[static_cast<size_t>(row.verdict)];
        if (row.verdict == report::Verdict::not_run) not_run += cases;
        if (row.verdict != report::Verdict::not_run && row.verdict != report::Verdict::conforms)
          blamed += cases;
      }
    }
    EXPECT_GT(not_run, 0u);
    EXPECT_EQ(blamed, 0u) << "no case has lost this device";
    EXPECT_GT(not_passed(out), 0);
    EXPECT_NE(text_of(out + "/junit.xml").find("type=\"NotRun\""), std::string::npos);
    EXPECT_NE(text_of(out + "/summary.md").find("a device was lost"), std::string::npos);
    // What the launch said, or the start of the process that was to try it again.
    EXPECT_TRUE(reasons.find(loss.words) != std::string::npos ||
                reasons.find("CUDA_ERROR_NO_DEVICE") != std::string::npos)
        << reasons;

    // Still gone: the folder stays as it is.
    EXPECT_EQ(wait_for(start_and_lose({"run", "--resume", out}, 0, loss.code, file)), 2);
    EXPECT_EQ(report::read_results(out + "/results.db").exit_code, 3);

    EXPECT_EQ(wait_for(start({"run", "--resume", out})), 0);
    const report::Results resumed = report::read_results(out + "/results.db");
    EXPECT_TRUE(resumed.finished);
    EXPECT_FALSE(resumed.device_lost);
    EXPECT_EQ(essence(resumed), undisturbed);
    EXPECT_EQ(not_passed(out), 0);
  }
}

/// Cases that end their process, on the paths of a GPU, sixteen contexts open.
class LostSacrifices : public testing::Test {
 protected:
  void SetUp() override {
    if (lost_driver().empty()) GTEST_SKIP() << "no C compiler: there is no driver that loses its GPU";
    // What a run leaves behind becomes a child of this process.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setenv("ASSAY_CUDA_DRIVER", lost_driver().c_str(), 1);
    setenv("ASSAY_EMULATOR", "sm_90a", 1);
    setenv("ASSAY_LOST_FILE", file.c_str(), 1);
    setenv("ASSAY_LOST_CODE", "999", 1);
    lose_after(1'000'000);
  }
  void TearDown() override {
    for (const char* name :
         {"ASSAY_CUDA_DRIVER", "ASSAY_EMULATOR", "ASSAY_LOST_FILE", "ASSAY_LOST_AFTER", "ASSAY_LOST_CODE"})
      unsetenv(name);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
  }
  void lose_after(int launches) {
    std::filesystem::remove(file);
    setenv("ASSAY_LOST_AFTER", std::to_string(launches).c_str(), 1);
  }
  static std::vector<std::string> run_into(const std::string& out) {
    return {"run",
            "tma.tiled.store.faults",
            "bulk.copy.faults",
            "tma.map.use.faults",
            "--device",
            "cuda:0",
            "--cases",
            "24",
            "--seed",
            "9",
            "--threads",
            "8",
            "--out",
            out};
  }
  /// Whether a process of a run that has ended is there.
  static void expect_no_orphan() {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left behind";
  }
  static uint64_t blamed(const report::Results& results) {
    uint64_t sum = 0;
    for (const auto& property : results.devices.at(0).properties)
      for (const report::VerdictRow& row : report::verdicts)
        if (row.verdict != report::Verdict::not_run && row.verdict != report::Verdict::conforms &&
            row.verdict != report::Verdict::incomplete)
          sum += property.counts[static_cast<size_t>(row.verdict)];
    return sum;
  }
  const std::string file = folder("sacrifice_launches");
};

TEST_F(LostSacrifices, NothingIsLostNorLeftBehind) {
  const std::string whole = folder("sacrifices");
  ASSERT_EQ(wait_for(start(run_into(whole))), 0);
  const std::string undisturbed = essence(report::read_results(whole + "/results.db"));
  for (const char* code : {"999", "79", "719"}) {
    SCOPED_TRACE(code);
    setenv("ASSAY_LOST_CODE", code, 1);
    lose_after(40);
    const std::string out = folder("lost_sacrifices");
    EXPECT_EQ(wait_for(start(run_into(out))), 3);
    expect_no_orphan();
    const report::Results lost = report::read_results(out + "/results.db");
    EXPECT_TRUE(lost.finished);
    EXPECT_EQ(blamed(lost), 0u) << "no case has lost this device";
    expect_one_verdict_a_case(lost);
    lose_after(1'000'000);
    EXPECT_EQ(wait_for(start({"run", "--resume", out})), 0);
    EXPECT_EQ(essence(report::read_results(out + "/results.db")), undisturbed);
  }
}

TEST_F(LostSacrifices, AnInterruptedRunLosesNothing) {
  const std::string whole = folder("uninterrupted"), out = folder("interrupted_sacrifices");
  ASSERT_EQ(wait_for(start(run_into(whole))), 0);
  lose_after(1'000'000);
  const pid_t run = start(run_into(out));
  // Cases are under way, each in a process of its own.
  struct stat launches {};
  while (stat(file.c_str(), &launches) != 0 || launches.st_size < 30) usleep(10'000);
  kill(run, SIGINT);
  EXPECT_EQ(wait_for(run), 4);
  expect_no_orphan();
  const report::Results interrupted = report::read_results(out + "/results.db");
  EXPECT_EQ(blamed(interrupted), 0u);
  expect_one_verdict_a_case(interrupted);
  EXPECT_EQ(wait_for(start({"run", "--resume", out})), 0);
  EXPECT_EQ(essence(report::read_results(out + "/results.db")),
            essence(report::read_results(whole + "/results.db")));
}

TEST_F(LostDevice, ReplayEndsWith3) {
  EXPECT_EQ(wait_for(start_and_lose({"replay", "tma.tiled.load@9#3", "--device", "emulator:sm_90a"}, 0, 999,
                                    folder("replayed"))),
            3);
}

}  // namespace
}  // namespace assay::cli
