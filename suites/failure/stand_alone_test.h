// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "reports/scratch_test.h"

namespace assay::suites {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
inline constexpr bool is_sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool is_sanitized = false;
#endif

/// A stand-alone program, compiled as it says itself, and run by way of its PTX with the emulated driver in
/// the place of libcuda.so.1.
class StandAlone {
 public:
  /// Why no such program can be made and run here, or nothing.
  static std::string missing() {
    if (is_sanitized) return "a sanitized emulator loads into sanitized programs alone";
    return compiler().empty() ? "no nvcc on this machine" : "";
  }
  /// An nvcc of this machine that runs, or empty.
  static std::string compiler() {
    for (const char* candidate : {"nvcc", "/usr/local/cuda/bin/nvcc"})
      if (report::shell(std::string(candidate) + " --version").code == 0) return candidate;
    return {};
  }

  StandAlone(const std::string& name, const std::string& text) : folder_(report::scratch_path(name)) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "case.cu") << text;
    constexpr const char* before = "// Stand-alone: nvcc ";
    const size_t first = text.find(before);
    const size_t last = text.find(" -o case THIS_FILE && ./case", first);
    if (last != std::string::npos)
      options_ = text.substr(first + std::strlen(before), last - first - std::strlen(before));
  }

  /// Of nvcc, in the words of the program; empty: it has none.
  const std::string& options() const { return options_; }
  /// With the PTX on its way to the program.
  report::Ended compile() const {
    const report::Ended ended =
        in_folder(compiler() + " " + options_ + " case.cu -keep -o case && test -e case.ptx");
    return {ended.code, ended.text.substr(0, 2000)};
  }
  /// `device`: settings of the emulator, "sm_90a,fault=tx_16_long"; `more`: for its environment.
  report::Ended run(const std::string& device, const std::string& more = {}) const {
    return in_folder("CASE_LIBCUDA=" ASSAY_BINARY_DIR "/libassay_emulator.so ASSAY_EMULATOR=" + device + " " +
                     more + " ./case case.ptx");
  }

 private:
  report::Ended in_folder(const std::string& command) const {
    return report::shell("cd " + folder_.string() + " && " + command);
  }

  std::filesystem::path folder_;
  std::string options_;
};

}  // namespace assay::suites
