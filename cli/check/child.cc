#include "cli/check/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace assay::cli::check {
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

}  // namespace

ChildEnd run_emulated(const std::vector<std::string>& command, const std::string& libraries,
                      const std::string& settings, const std::string& report) {
  ChildEnd end;
  const Links links(libraries);
  int pipe[2];
  if (links.path().empty() || pipe2(pipe, O_CLOEXEC) != 0) {
    end.why_not = std::string("no temporary folder can be made: ") + std::strerror(errno);
    return end;
  }
  // The terminal's signals are for the program; it decides whether it ends.
  struct sigaction ignore {
  }, interrupt, quit;
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGQUIT, &ignore, &quit);
  const pid_t child = fork();
  if (child == 0) {
    sigaction(SIGINT, &interrupt, nullptr);
    sigaction(SIGQUIT, &quit, nullptr);
    become(command, links.path(), settings, report, pipe[1]);
  }
  close(pipe[1]);
  int error = child < 0 ? errno : 0, status = 0;
  if (child > 0) {
    [[maybe_unused]] const ssize_t got = read(pipe[0], &error, sizeof error);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  close(pipe[0]);
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGQUIT, &quit, nullptr);
  if (error != 0) {
    end.why_not = "'" + command[0] + "' cannot be started: " + std::strerror(error);
    return end;
  }
  end.has_started = true;
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
  return end;
}

}  // namespace assay::cli::check
