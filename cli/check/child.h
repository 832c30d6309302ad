// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay::cli::check {

/// How a program ended, and what it said.
struct Captured {
  int error = 0;     ///< errno, where it could not be started
  int status = 0;    ///< as waitpid gives it
  std::string text;  ///< standard output and error
};

/// Runs a program to its end; the first word is looked up in PATH.
Captured run_captured(const std::vector<std::string>& command);

/// How a program ended.
struct ChildEnd {
  bool has_started = false;
  std::string why_not;  ///< a sentence
  int code = 0;         ///< its exit code
  int signal = 0;       ///< 0, or what ended it
  int stopped_by = 0;   ///< 0, or the signal to this process for which it was ended
};

/// Starts a program with the emulated driver and the runtime's stand-in in place of the real ones, and waits
/// for it. It has this process's standard streams, terminal and environment, and a process group of its own:
/// SIGINT, SIGTERM and SIGHUP to this process go to the whole group, which has two seconds to end.
/// `libraries`: folder with libassay_emulator.so and libassay_cudart.so. `settings`: words for
/// ASSAY_EMULATOR. `report`: the file that the libraries write to. `is_again`: it ran before; what it prints
/// is not wanted, and standard input is a file that begin_input() winds back, or empty.
ChildEnd run_emulated(const std::vector<std::string>& command, const std::string& libraries,
                      const std::string& settings, const std::string& report, bool is_again = false);

/// Where standard input stands, if it is a file: further runs of a program begin there.
void begin_input();

/// A folder for temporary files that goes away with them.
class ScratchFolder {
 public:
  /// Throws DeviceError where none can be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace assay::cli::check
