// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
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

std::string essence(const std::filesystem::path& database) {
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
  EXPECT_EQ(essence(folder / "merged.db"), essence(folder / "whole" / "results.db"));
  EXPECT_TRUE(std::filesystem::exists(folder / "merged.html"));
  EXPECT_TRUE(std::filesystem::exists(folder / "merged.xml"));
  EXPECT_EQ(report::read_results(folder / "merged.db").runs.size(), 2u);
}

TEST(SlurmArray, OutsideOfAnArrayItSaysSo) {
  EXPECT_EQ(run("env -u SLURM_ARRAY_TASK_ID " + script + " /tmp"), 64);
  EXPECT_EQ(run(script), 64);
}

}  // namespace
}  // namespace assay::cli
