// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <thread>

#include "reports/results.h"
#include "reports/scratch_test.h"

/// The job script of docs/fleet.md as Slurm runs it: a task is a process with the variables of an array.
namespace assay::cli {
namespace {

const std::string script = std::string(ASSAY_SOURCE_DIR) + "/docs/fleet/slurm_array.sh";

int run(const std::string& command) {
  const int status = std::system((command + " >/dev/null 2>&1 </dev/null").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string task(int id, const std::string& folder, const std::string& arguments) {
  return "ASSAY=" + std::string(ASSAY_BINARY_DIR) +
         "/assay SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_MIN=3 "
         "SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_ID=" +
         std::to_string(id) + " " + script + " " + folder + " " + arguments;
}

std::string fleet_essence(const std::filesystem::path& database) {
  const report::Results results = report::read_results(database);
  std::string text = std::to_string(results.exit_code);
  for (const auto& property : results.devices.at(0).properties) {
    text += "\n" + property.info.name + " " + property.totals.fingerprint;
    for (const uint64_t n : property.counts) text += " " + std::to_string(n);
  }
  return text;
}

TEST(SlurmArray, TwoTasksOneOfThemKilledMergeToTheWholeRun) {
  const auto folder = report::scratch_path("slurm");
  std::filesystem::create_directories(folder);
  const std::string what =
      "tma.tiled.load tma.tiled.store --device emulator:sm_90a --cases 300 --seed 4 --threads 1";
  ASSERT_EQ(
      run(std::string(ASSAY_BINARY_DIR) + "/assay run " + what + " --out " + (folder / "whole").string()), 0);

  EXPECT_EQ(run(task(3, folder, what)), 0);
  // The second task's node goes down: everything of it at once.
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    execl("/bin/sh", "sh", "-c", (task(4, folder, what) + " >/dev/null 2>&1").c_str(), nullptr);
    _exit(127);
  }
  const auto database = folder / "shard-4" / "results.db";
  for (int i = 0; i < 3000 && !std::filesystem::exists(database); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(-pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  EXPECT_EQ(run(task(4, folder, what)), 0) << "requeued, it resumes";

  EXPECT_EQ(
      run("ASSAY=" + std::string(ASSAY_BINARY_DIR) + "/assay " + script + " " + folder.string() + " merge"),
      0);
  EXPECT_EQ(fleet_essence(folder / "merged.db"), fleet_essence(folder / "whole" / "results.db"));
  EXPECT_TRUE(std::filesystem::exists(folder / "merged.html"));
  EXPECT_TRUE(std::filesystem::exists(folder / "merged.xml"));
  EXPECT_EQ(report::read_results(folder / "merged.db").runs.size(), 2u);
}

TEST(SlurmArray, OutsideOfAnArrayItSaysSo) {
  EXPECT_EQ(run("env -u SLURM_ARRAY_TASK_ID " + script + " /tmp"), 64);
  EXPECT_EQ(run(script), 64);
}

// docs/fleet.md on a real Slurm: a controller and two nodes on this machine (cli/slurm_cluster.sh).

const std::string source = ASSAY_SOURCE_DIR, binary = std::string(ASSAY_BINARY_DIR) + "/assay";

using report::Ended;
using report::shell;

/// What a report says, times, hosts and the names of runs left out.
std::string slurm_essence(const std::filesystem::path& database) {
  const report::Results results = report::read_results(database);
  std::ostringstream out;
  out << "exit " << results.exit_code << "\n";
  for (const report::DeviceResult& device : results.devices) {
    out << device.info.spec << " " << device.info.evidence << "\n";
    for (const report::ReadingRow& reading : device.readings)
      out << reading.question << " " << reading.chosen_letter << " " << reading.status << "\n";
    for (const report::PropertyResult& property : device.properties) {
      out << property.info.name << " " << report::name(property.verdict) << " " << property.planned << " "
          << property.totals.fingerprint;
      for (const uint64_t n : property.counts) out << " " << n;
      std::map<std::string, uint64_t> counts;  // a merged file lists some of them in another order
      for (const report::RuleCount& rule : property.rules) {
        counts[rule.rule + " exercised"] = rule.exercised;
        counts[rule.rule + " violated"] = rule.violated + rule.suspected + rule.implicated;
      }
      for (const report::CoverageCell& cell : property.coverage)
        if (cell.count != 0) counts[cell.dimension + ": " + cell.cell] = cell.count;
      for (const report::FailureKindRow& kind : property.kinds) counts[kind.signature] = kind.count;
      for (const auto& [what, count] : counts) out << "\n " << what << " " << count;
      out << "\n";
    }
  }
  return out.str();
}

class Slurm : public testing::Test {
 protected:
  void SetUp() override {
    // Short: a socket's path lies in it.
    folder_ = std::filesystem::temp_directory_path() / ("assay-slurm-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const Ended up = shell(source + "/cli/slurm_cluster.sh start " + folder_.string());
    // A machine on which Slurm does not come up says nothing about assay.
    if (up.code != 0) GTEST_SKIP() << up.text;
    is_up_ = true;
    setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
    setenv("ASSAY", held_program().c_str(), 1);
  }
  void TearDown() override {
    if (is_up_) shell(source + "/cli/slurm_cluster.sh stop " + folder_.string());
    unsetenv("SLURM_CONF");
    unsetenv("ASSAY");
    std::error_code left_behind;
    if (!HasFailure()) std::filesystem::remove_all(folder_, left_behind);
  }
  Ended submit(const std::string& options, const std::string& arguments) {
    return shell("sbatch --parsable --output=" + (folder_ / "task-%a.txt").string() + " " + options + " " +
                 source + "/docs/fleet/slurm_array.sh " + shared().string() + " " + arguments);
  }
  /// The program as the first two tasks start it. Task 0 begins once task 1 has, so that it still has its
  /// node when Slurm looks for one for task 1. Task 1 is stopped as soon as it has written results, so that
  /// the kill finds it half-way however fast the machine is; then the file "stopped" exists.
  std::filesystem::path held_program() const {
    const auto script = folder_ / "held_assay";
    std::ofstream(script) << "#!/usr/bin/env bash\n"
                          << "cd " << folder_ << "; assay=" << binary << "\n"
                          << R"(task=${SLURM_ARRAY_TASK_ID:-none}
if [ $task = 0 ]; then
  for _ in $(seq 600); do [ -e held ] && break; sleep 0.1; done
fi
if [ $task != 1 ] || [ -e held ]; then exec $assay "$@"; fi
touch held
$assay "$@" &
until [ -s shared/shard-1/results.db ]; do sleep 0.01; done
kill -STOP $! && touch stopped
wait
)";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    return script;
  }
  std::filesystem::path shared() const { return folder_ / "shared"; }
  std::string words_of(const std::string& file) const {
    std::stringstream text;
    text << std::ifstream(folder_ / file).rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
  bool is_up_ = false;
};

bool slurm_wait_for(const std::function<bool()>& condition, std::chrono::seconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

TEST_F(Slurm, TwoNodesOneJobKilledResumeAndMergeToTheWholeRun) {
  const std::string what =
      "tma.tiled.load tma.tiled.store driver.tensor_map.encode_tiled --device "
      "emulator:sm_90a,fault=encoder_dim_range_unchecked --cases 6000 --seed 4 --threads 1";
  const Ended whole = shell(binary + " run " + what + " --out " + (folder_ / "whole").string());
  ASSERT_EQ(whole.code, 1) << whole.text;

  const Ended array = submit("--array=0-1", what);
  ASSERT_EQ(array.code, 0) << array.text;
  const std::string job = array.text.substr(0, array.text.find('\n'));
  const auto database = shared() / "shard-1" / "results.db";
  ASSERT_TRUE(
      slurm_wait_for([&] { return std::filesystem::exists(folder_ / "stopped"); }, std::chrono::seconds(120)))
      << words_of("task-1.txt") << shell("squeue").text;
  // Which node has which task is Slurm's choice; it is in the task's output from its first line on.
  const std::string node = words_of("task-1.txt").find("on node two") != std::string::npos ? "two" : "one";
  shell(source + "/cli/slurm_cluster.sh kill " + folder_.string() + " " + node);
  ASSERT_TRUE(slurm_wait_for([&] { return shell("squeue -h -j " + job).text.find(job) == std::string::npos; },
                             std::chrono::seconds(200)))
      << shell("squeue").text;
  EXPECT_FALSE(report::read_left_behind(database).finished) << "it was to be killed half-way";
  EXPECT_TRUE(report::read_left_behind(shared() / "shard-0" / "results.db").finished);
  const std::string zero = words_of("task-0.txt"), one = words_of("task-1.txt");
  EXPECT_NE((zero.find("on node one") != std::string::npos), (one.find("on node one") != std::string::npos))
      << "both nodes were to be used\n"
      << zero << one;

  // The same submission again resumes the shard that was killed, and leaves alone the one that was finished.
  const Ended again = submit("--wait --array=0-1", what);
  EXPECT_NE(again.text.find_first_of("0123456789"), std::string::npos) << again.text;
  EXPECT_TRUE(report::read_left_behind(database).finished) << words_of("task-1.txt");
  EXPECT_GE(report::read_left_behind(database).run.generation, 1);
  submit("--wait", "merge");
  EXPECT_EQ(slurm_essence(shared() / "merged.db"), slurm_essence(folder_ / "whole" / "results.db"));
  EXPECT_EQ(report::read_results(shared() / "merged.db").runs.size(), 2u);
  for (const char* file : {"merged.html", "merged.xml", "merged.md"})
    EXPECT_TRUE(std::filesystem::exists(shared() / file)) << file;
  EXPECT_EQ(shell(binary + " verify " + (shared() / "merged.html").string() + " " +
                  (shared() / "merged.db").string())
                .code,
            0);
}

}  // namespace
}  // namespace assay::cli
