// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <sys/wait.h>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "cli/run_process_test.h"

/// Whatever happens to a run's processes, its results file opens, its junit.xml is valid, every planned case
/// has one verdict, and resuming ends with the counts of a run that nothing happened to.
namespace assay::cli {
namespace {

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream in(entry.path() / "stat");
    std::string word, text((std::istreambuf_iterator<char>(in)), {});
    const size_t after = text.rfind(')');
    if (after == std::string::npos) continue;
    char state = 0;
    int ppid = 0;
    if (std::sscanf(text.c_str() + after + 1, " %c %d", &state, &ppid) == 2 && ppid == parent)
      children.push_back(std::stoi(name));
  }
  return children;
}

const std::vector<std::string> whole_run{
    "run",     "tma.tiled.load", "tma.tiled.store", "--device", "emulator:sm_90a",
    "--cases", "1500",           "--seed",          "5",        "--threads",
    "2",       "--out"};

std::vector<std::string> run_kill_into(const std::string& out) {
  std::vector<std::string> words = whole_run;
  words.push_back(out);
  return words;
}

/// junit.xml is there before the first case is: from then on a run of ours has the better part of a second to
/// go. False when the run ended without one.
bool has_begun(pid_t pid, const std::string& out) {
  while (!std::filesystem::exists(out + "/junit.xml")) {
    siginfo_t ended{};
    if (waitid(P_PID, pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == pid) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// As far as it got: a run killed before its first write has no file yet.
bool is_valid(const std::string& out) {
  if (!std::filesystem::exists(out + "/junit.xml")) return false;
  const report::Results results = report::read_results(out + "/results.db");
  // The last thing that a run does is to write its reports: killed then, it has all its verdicts.
  EXPECT_EQ(results.exit_code == 0, results.finished);
  expect_one_verdict_a_case(results);
  const int bad = not_passed(out);
  if (!results.finished) {
    EXPECT_GT(bad, 0) << "a run that was killed has not passed";
  }
  return true;
}

class Kill : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string out = folder("whole");
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(wait_for(start(run_kill_into(out))), 0);
    takes = std::chrono::steady_clock::now() - begin;
    const report::Results results = report::read_results(out + "/results.db");
    expect_one_verdict_a_case(results);
    whole = essence(results);
  }
  static std::string whole;
  static std::chrono::duration<double> takes;
};
std::string Kill::whole;
std::chrono::duration<double> Kill::takes;

TEST_F(Kill, ARunKilledAtAnyMomentIsValidAndResumes) {
  std::mt19937 random(20261121);
  int valid = 0, resumed = 0;
  for (int round = 0; round < 4; ++round) {
    const std::string out = folder("main");
    const pid_t pid = start(run_kill_into(out));
    // Anywhere, and surely among the cases.
    if (round % 2 == 1) {
      ASSERT_TRUE(has_begun(pid, out));
    }
    const double share = std::uniform_real_distribution(0.1, 0.9)(random) / (round % 2 == 1 ? 4 : 1);
    std::this_thread::sleep_for(takes * share);
    kill(pid, SIGKILL);
    if (wait_for(pid) != 128 + SIGKILL) continue;  // it was over already
    if (!is_valid(out)) continue;
    ++valid;
    // Killed again while it resumes, then left alone.
    const pid_t again = start({"run", "--resume", out});
    std::this_thread::sleep_for(takes * 0.3);
    kill(again, SIGKILL);
    wait_for(again);
    EXPECT_EQ(wait_for(start({"run", "--resume", out})), 0);
    ++resumed;
    const report::Results results = report::read_results(out + "/results.db");
    EXPECT_TRUE(results.finished);
    EXPECT_EQ(essence(results), whole) << "killed after " << share << " of its time";
  }
  EXPECT_GT(valid, 0);
  EXPECT_GT(resumed, 0);
}

TEST_F(Kill, AStoppedRunEndsWith4ReportsAndResumes) {
  // Ctrl-C, what a scheduler sends before SIGKILL, a terminal that is closed.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::string out;
    int code = 0;
    // On a busy host a run may be over before the signal is sent: one of five meets it.
    for (int attempt = 0; attempt < 5 && code == 0; ++attempt) {
      out = folder("stopped");
      const pid_t pid = start(run_kill_into(out));
      ASSERT_TRUE(has_begun(pid, out));
      kill(pid, signal);
      code = wait_for(pid);
    }
    ASSERT_EQ(code, 4);
    const report::Results results = report::read_results(out + "/results.db");
    EXPECT_TRUE(results.finished);
    expect_one_verdict_a_case(results);
    EXPECT_GT(not_passed(out), 0);
    EXPECT_TRUE(std::filesystem::exists(out + "/report.html"));
    EXPECT_EQ(wait_for(start({"run", "--resume", out})), 0);
    EXPECT_EQ(essence(report::read_results(out + "/results.db")), whole);
  }
}

TEST_F(Kill, ADeadWorkerCostsAtMostOneCase) {
  std::mt19937 random(7);
  int killed = 0;
  for (int round = 0; round < 3; ++round) {
    const std::string out = folder("worker");
    const pid_t pid = start(run_kill_into(out));
    ASSERT_TRUE(has_begun(pid, out));
    std::this_thread::sleep_for(takes * std::uniform_real_distribution(0.0, 0.3)(random));
    const std::vector<pid_t> workers = children_of(pid);
    if (!workers.empty() && kill(workers[random() % workers.size()], SIGKILL) == 0) ++killed;
    const int code = wait_for(pid);
    const report::Results results = report::read_results(out + "/results.db");
    EXPECT_TRUE(results.finished);
    EXPECT_EQ(results.exit_code, code);
    expect_one_verdict_a_case(results);
    uint64_t crashed = 0, conforming = 0;
    for (const auto& property : results.devices.at(0).properties) {
      for (const auto verdict : {report::Verdict::crashed, report::Verdict::flaky})
        crashed += property.counts[static_cast<size_t>(verdict)];
      conforming += property.counts[static_cast<size_t>(report::Verdict::conforms)];
    }
    EXPECT_LE(crashed, 1u);
    EXPECT_EQ(conforming + crashed, 3000u);
  }
  EXPECT_GT(killed, 0);
}

// A machine that is busy with other work gets fewer cases done and says so; it finds nothing else.

/// Processes that never give up their core.
class Spinners {
 public:
  explicit Spinners(int count) {
    for (int i = 0; i < count; ++i) {
      pids_.push_back(fork());
      if (pids_.back() != 0) continue;
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      volatile bool goes_on = true;
      while (goes_on) {
      }
    }
  }
  ~Spinners() {
    for (const pid_t pid : pids_) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> pids_;
};

struct Seen {
  int code = -1;
  std::map<std::string, report::Verdict> verdicts;
  bool is_told = false;
};

Seen run_for(const std::string& name, const std::string& budget) {
  const std::string out = folder(name);
  Seen seen;
  seen.code =
      wait_for(start({"run", "tma.tiled.*", "tmem.*", "mma.descriptor.one_field_wrong", "mma.ws.layout",
                      "--device", "emulator:sm_100a", "--seed", "9", "--budget", budget, "--out", out}));
  const report::Results results = report::read_results(out + "/results.db");
  for (const auto& property : results.devices.at(0).properties)
    seen.verdicts[property.info.name] = property.verdict;
  for (const report::Finding& finding : results.findings) seen.is_told |= finding.kind == "busy host";
  return seen;
}

TEST(BusyHost, TheVerdictsAreThoseOfAnIdleOne) {
  const Seen idle = run_for("idle_host", "10s");
  EXPECT_EQ(idle.code, 0);
  const Spinners others(4 * static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  const Seen busy = run_for("busy_host", "10s");
  EXPECT_EQ(busy.code, 0);
  EXPECT_EQ(busy.verdicts, idle.verdicts);
  EXPECT_TRUE(busy.is_told);
}

}  // namespace
}  // namespace assay::cli
