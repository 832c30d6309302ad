// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/check/ptx_launch.h"
#include "cli/command.h"
#include "devices/device.h"
#include "reference/spec/near_names.h"
#include "reports/text.h"

namespace {

/// `assay` alone shows what there is; options alone are those of `assay run`.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return {"--help"};
  const bool names_command =
      (words[0][0] != '-' || words[0] == "-h" || words[0] == "--help" || words[0] == "--version");
  if (!names_command) words.insert(words.begin(), "run");
  return words;
}

/// A message may quote a file or a word that is not for terminals.
std::string shown(std::string_view words) {
  std::string text;
  for (size_t end = words.find('\n'); end != words.npos; end = words.find('\n')) {
    text += assay::report::for_terminal(words.substr(0, end)) + "\n";
    words.remove_prefix(end + 1);
  }
  return text + assay::report::for_terminal(words);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace assay::cli;
  if (argc > 1 && std::string_view(argv[1]) == "device-worker") return assay::device_worker_main(argc, argv);

  if (argc > 1 && std::string_view(argv[1]) == "check-launch") return check::check_launch_main(argc, argv);
  if (argc > 1 && std::string_view(argv[1]) == "check-run") return check::check_run_main(argc, argv);

  // A file that reaches the limit of its size is an error of the write, which is told.
  signal(SIGXFSZ, SIG_IGN);
  // Processes that own a device are this program again, whatever its file is called.
  std::error_code unknown;
  if (const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown); !unknown)
    setenv("ASSAY_PROGRAM", self.c_str(), /*overwrite=*/0);

  const std::vector<std::string> words = arguments(argc, argv);
  try {
    const int code = run_command(words);
    // Where what was asked for could not be written, nothing was answered. A write that failed before the
    // last one has left its mark on the stream alone.
    if (std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::cerr << "assay: cannot write to standard output\n";
    return could_not_run;
  } catch (const UsageError& error) {
    std::cerr << "assay: " << shown(error.what()) << "\n       " << help_hint(words) << "\n";
    return usage;
  } catch (const assay::spec::UnknownName& error) {
    std::cerr << "assay: " << shown(error.what()) << "\n       " << help_hint(words) << "\n";
    return usage;
  } catch (const assay::DeviceSpecError& error) {
    std::cerr << "assay: " << shown(error.what()) << "\n       " << help_hint({"run"}) << "\n";
    return usage;
  } catch (const assay::DeviceError& error) {
    std::cerr << "assay: " << shown(error.what()) << "\n";
    return could_not_run;
  } catch (const std::exception& error) {
    std::cerr << "assay: " << shown(error.what()) << "\n";
    return could_not_run;
  }
}
