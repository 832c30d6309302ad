// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <sys/wait.h>
#include <csignal>

#include <map>
#include <thread>

#include "cli/run_process_test.h"

/// A machine that is busy with other work gets fewer cases done and says so; it finds nothing else.
namespace assay::cli {
namespace {

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
