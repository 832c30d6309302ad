// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/fuzz_jobs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr uint64_t most_findings = 50;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> made;
  for (std::string& word : words) made.push_back(word.data());
  made.push_back(nullptr);
  return made;
}

/// Starts a program with its standard error, and output unless there is a pipe for it, in a file.
pid_t start(std::vector<std::string> command, const fs::path& log, const std::string& variable,
            int output = -1) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, output < 0 ? STDERR_FILENO : output, STDOUT_FILENO);
  std::vector<std::string> environment;
  for (char** at = environ; *at != nullptr; ++at) environment.emplace_back(*at);
  if (!variable.empty()) environment.push_back(variable);
  pid_t child = 0;
  const int problem = posix_spawn(&child, command[0].c_str(), &actions, nullptr, pointers(command).data(),
                                  pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw std::runtime_error("cannot start " + command[0]);
  return child;
}

/// The counters of fuzz/target.h, as a job keeps them in its file.
struct Counts {
  uint64_t inputs = 0, past_parser = 0, cells = 0;
};

class Jobs {
 public:
  Jobs(const FuzzTarget& target, int jobs, std::chrono::milliseconds time)
      : target_(target), begun_(Clock::now()), end_(begun_ + time), jobs_(static_cast<size_t>(jobs)) {
    for (const char* folder : {"corpus", "findings"}) fs::create_directories(target.out / folder);
    for (const auto& entry : fs::directory_iterator(target.out))
      if (entry.path().filename().string().rfind("job-", 0) == 0) fs::remove(entry.path());
  }
  ~Jobs() {
    for (Job& job : jobs_)
      if (job.process > 0) {
        kill(job.process, SIGKILL);
        waitpid(job.process, nullptr, 0);
      }
  }

  FuzzProgress run(const std::atomic<bool>& stop, const std::function<void(const FuzzProgress&)>& show) {
    for (size_t i = 0; i < jobs_.size(); ++i) start_job(i);
    FuzzProgress now;
    bool asked = false;
    while (std::any_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.process > 0; })) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      const bool over = stop || findings_ >= most_findings;
      if (over && !asked)
        for (const Job& job : jobs_)
          if (job.process > 0) kill(job.process, SIGINT);  // the engine ends its corpus and leaves
      asked = asked || over;
      for (size_t i = 0; i < jobs_.size(); ++i) collect(i, asked);
      now = progress();
      show(now);
    }
    return now;
  }

 private:
  struct Job {
    pid_t process = 0;
    int starts = 0;
    Counts done;  ///< of processes that have ended
  };

  fs::path file_of(size_t i, const char* what) const {
    return target_.out / ("job-" + std::to_string(i) + "." + what);
  }

  void start_job(size_t i) {
    Job& job = jobs_[i];
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(end_ - Clock::now()).count();
    std::vector<std::string> command{target_.engine.string(),
                                     "-max_total_time=" + std::to_string(std::max<int64_t>(1, left)),
                                     "-timeout=20",
                                     "-rss_limit_mb=3000",
                                     "-reload=1",
                                     "-print_final_stats=1",
                                     "-artifact_prefix=" + (target_.out / "findings").string() + "/"};
    // Where an input takes a microsecond, weighing inputs by the rarity of what they reach costs more than it
    // brings.
    if (largest_seed() <= 16) command.push_back("-entropic=0");
    if (fs::exists(target_.dictionary)) command.push_back("-dict=" + target_.dictionary.string());
    command.push_back((target_.out / "corpus").string());
    if (fs::is_directory(target_.seeds)) command.push_back(target_.seeds.string());
    fs::remove(file_of(i, "counts"));
    job.process = start(command, file_of(i, "log"), "ASSAY_FUZZ_COUNTS=" + file_of(i, "counts").string());
    ++job.starts;
  }

  uintmax_t largest_seed() const {
    uintmax_t largest = 0;
    if (!fs::is_directory(target_.seeds)) return ~uintmax_t{0};
    for (const auto& entry : fs::directory_iterator(target_.seeds))
      largest = std::max(largest, entry.file_size());
    return largest;
  }

  Counts counts_of(size_t i) const {
    Counts counts;
    std::ifstream in(file_of(i, "counts"), std::ios::binary);
    in.read(reinterpret_cast<char*>(&counts), sizeof counts);
    return in ? counts : Counts{};
  }

  void collect(size_t i, bool stopping) {
    Job& job = jobs_[i];
    int status = 0;
    if (job.process <= 0 || waitpid(job.process, &status, WNOHANG) != job.process) return;
    job.process = 0;
    const Counts counts = counts_of(i);
    job.done.inputs += counts.inputs;
    job.done.past_parser += counts.past_parser;
    job.done.cells = std::max(job.done.cells, counts.cells);
    fs::remove(file_of(i, "counts"));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    if (stopping) return;
    if (counts.inputs == 0)
      throw std::runtime_error(target_.engine.string() + " did not start; its output is in " +
                               file_of(i, "log").string());
    ++findings_;
    if (Clock::now() + std::chrono::seconds(1) < end_) start_job(i);
  }

  FuzzProgress progress() const {
    FuzzProgress all;
    for (size_t i = 0; i < jobs_.size(); ++i) {
      const Counts counts = counts_of(i);
      all.executions += jobs_[i].done.inputs + counts.inputs;
      all.past_parser += jobs_[i].done.past_parser + counts.past_parser;
      all.cells = std::max({all.cells, jobs_[i].done.cells, counts.cells});
      std::ifstream in(file_of(i, "log"), std::ios::binary | std::ios::ate);
      const auto bytes = static_cast<int64_t>(in.tellg()), from = std::max<int64_t>(0, bytes - 16384);
      std::string tail(static_cast<size_t>(std::max<int64_t>(0, bytes - from)), '\0');
      in.seekg(from);
      in.read(tail.data(), static_cast<std::streamsize>(tail.size()));
      const EngineLine line = last_engine_line(tail);
      all.coverage = std::max(all.coverage, line.coverage);
      all.inputs = std::max(all.inputs, line.corpus);
    }
    const std::chrono::duration<double> seconds = Clock::now() - begun_;
    all.per_second = static_cast<double>(all.executions) / std::max(seconds.count(), 0.001);
    all.findings = findings_;
    return all;
  }

  const FuzzTarget& target_;
  const Clock::time_point begun_, end_;
  std::vector<Job> jobs_;
  uint64_t findings_ = 0;
};

}  // namespace

FuzzProgress run_fuzz_jobs(const FuzzTarget& target, int jobs, std::chrono::milliseconds time,
                           const std::atomic<bool>& stop,
                           const std::function<void(const FuzzProgress&)>& show) {
  return Jobs(target, jobs, time).run(stop, show);
}

EngineLine last_engine_line(const std::string& log) {
  EngineLine line;
  const size_t at = log.rfind(" cov: ");
  if (at == std::string::npos) return line;
  line.coverage = std::strtoull(log.c_str() + at + 6, nullptr, 10);
  const size_t corpus = log.find(" corp: ", at);
  if (corpus != std::string::npos) line.corpus = std::strtoull(log.c_str() + corpus + 7, nullptr, 10);
  return line;
}

std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to " + command[0]);
  const pid_t child = start(command, "/dev/null", {}, ends[1]);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got; (got = read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<size_t>(got));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace assay::cli
