// SPDX-License-Identifier: Apache-2.0
#include "cli/check/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>

#include "devices/device.h"

extern char** environ;

namespace assay::cli::check {

Captured run_captured(const std::vector<std::string>& command) {
  Captured ended;
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) {
    ended.error = errno;
    return ended;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  ended.error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe[1]);
  if (ended.error == 0) {
    char part[4096];
    for (ssize_t got; (got = read(pipe[0], part, sizeof part)) > 0 || (got < 0 && errno == EINTR);)
      if (got > 0) ended.text.append(part, static_cast<size_t>(got));
    while (waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
    }
  }
  close(pipe[0]);
  return ended;
}

namespace {

namespace fs = std::filesystem;

/// A folder in which the libraries have the names that programs look for.
class Links {
 public:
  explicit Links(const std::string& libraries) {
    std::string pattern = (fs::temp_directory_path() / "assay-check-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) return;
    path_ = pattern;
    fs::create_symlink(fs::absolute(fs::path(libraries) / "libassay_emulator.so"), fs::path(path_) / driver);
    fs::create_symlink(fs::absolute(fs::path(libraries) / "libassay_cudart.so"), fs::path(path_) / runtime);
  }
  ~Links() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;
  const std::string& path() const { return path_; }
  static constexpr const char *driver = "libcuda.so.1", *runtime = "libcudart.so.13";

 private:
  std::string path_;
};

void prepend(const char* variable, const std::string& text) {
  const char* before = std::getenv(variable);
  const std::string all = before == nullptr || *before == '\0' ? text : text + ":" + before;
  setenv(variable, all.c_str(), 1);
}

off_t input_begin = -1;

/// In the child: what was typed or piped in is gone, and what is printed has been printed.
void hide_streams() {
  const int null = open("/dev/null", O_RDWR);
  if (input_begin < 0 || lseek(STDIN_FILENO, input_begin, SEEK_SET) < 0) dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
}

/// In the child: ends with the number of the error in the pipe if the program cannot be started.
[[noreturn]] void become(const std::vector<std::string>& command, const std::string& links,
                         const std::string& settings, const std::string& report, int pipe) {
  // Loaded by name and first: whoever needs or opens a library of that name then gets this one.
  prepend("LD_LIBRARY_PATH", links);
  prepend("LD_PRELOAD", std::string(Links::driver) + ":" + Links::runtime);
  setenv("ASSAY_EMULATOR", settings.c_str(), 1);
  setenv("ASSAY_EMULATOR_REPORT", report.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(pipe, &error, sizeof error);
  _exit(127);
}

/// Signals that ask this process to end.
constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP};

volatile sig_atomic_t stop_signal = 0, program_group = 0;

extern "C" void pass_on_to_program(int signal) {
  stop_signal = signal;
  if (program_group != 0) kill(-program_group, signal);
}

/// While it lives, signals that would end this process go to the program instead. Those that are ignored
/// stay so, under nohup say.
class Watched {
 public:
  Watched() {
    stop_signal = 0;
    program_group = 0;
    struct sigaction pass_on {};
    pass_on.sa_handler = pass_on_to_program;
    for (size_t i = 0; i < std::size(ending); ++i) {
      sigaction(ending[i], &pass_on, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN) sigaction(ending[i], &before_[i], nullptr);
    }
    // Giving the terminal away and taking it back must not stop this process.
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGTTOU, &ignore, &output_);
  }
  ~Watched() {
    for (size_t i = 0; i < std::size(ending); ++i) sigaction(ending[i], &before_[i], nullptr);
    sigaction(SIGTTOU, &output_, nullptr);
    program_group = 0;
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  /// In the child.
  void restore() const {
    for (size_t i = 0; i < std::size(ending); ++i) sigaction(ending[i], &before_[i], nullptr);
    sigaction(SIGTTOU, &output_, nullptr);
  }

 private:
  struct sigaction before_[std::size(ending)], output_;
};

/// The terminal, when this process is in front: a shell's job, not one of a script.
bool owns_terminal() {
  return isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/// Until the program has ended: its status. Stopped at the terminal, it stops this process too.
int wait_for_program(pid_t child, bool has_terminal) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> patience;
  int status = 0;
  while (true) {
    const pid_t got = waitpid(child, &status, WUNTRACED | (stop_signal != 0 ? WNOHANG : 0));
    if (got < 0 && errno != EINTR) return status;
    if (got == child && !WIFSTOPPED(status)) return status;
    if (got == child && stop_signal == 0) {
      if (has_terminal) tcsetpgrp(STDIN_FILENO, getpgrp());
      raise(SIGSTOP);
      if (has_terminal) tcsetpgrp(STDIN_FILENO, child);
      kill(-child, SIGCONT);
    }
    if (stop_signal == 0) continue;
    if (!patience) {
      patience = Clock::now() + std::chrono::seconds(2);
      kill(-child, stop_signal);  // one that came before the group was there
      kill(-child, SIGCONT);
    }
    if (Clock::now() >= *patience) kill(-child, SIGKILL);
    usleep(10000);
  }
}

}  // namespace

void begin_input() {
  struct stat found;
  if (fstat(STDIN_FILENO, &found) == 0 && S_ISREG(found.st_mode))
    input_begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
}

ChildEnd run_emulated(const std::vector<std::string>& command, const std::string& libraries,
                      const std::string& settings, const std::string& report, bool is_again) {
  ChildEnd end;
  const Links links(libraries);
  int pipe[2];
  if (links.path().empty() || pipe2(pipe, O_CLOEXEC) != 0) {
    end.why_not = std::string("no temporary folder can be made: ") + std::strerror(errno);
    return end;
  }
  const Watched watched;
  const bool has_terminal = owns_terminal();
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    if (has_terminal) tcsetpgrp(STDIN_FILENO, getpid());
    watched.restore();
    if (is_again) hide_streams();
    become(command, links.path(), settings, report, pipe[1]);
  }
  close(pipe[1]);
  int error = child < 0 ? errno : 0, status = 0;
  if (child > 0) {
    setpgid(child, child);  // whichever of the two comes first
    program_group = child;
    while (read(pipe[0], &error, sizeof error) < 0 && errno == EINTR) {
    }
    status = wait_for_program(child, has_terminal);
    // What it started, and did not wait for, ends with it.
    if (stop_signal != 0) kill(-child, SIGKILL);
    if (has_terminal) tcsetpgrp(STDIN_FILENO, getpgrp());
  }
  close(pipe[0]);
  if (error != 0) {
    end.why_not = "'" + command[0] + "' cannot be started: " + std::strerror(error);
    return end;
  }
  end.has_started = true;
  end.stopped_by = stop_signal;
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  return end;
}

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() : path_((fs::temp_directory_path() / "assay-check-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr)
    throw DeviceError("no temporary folder can be made in " + fs::temp_directory_path().string());
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace assay::cli::check
