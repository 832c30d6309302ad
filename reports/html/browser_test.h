// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace assay::report {

/// The command of a Chromium on this machine; empty where there is none.
inline std::string browser() {
  for (const char* program : {"chromium", "chromium-browser", "google-chrome"})
    if (std::system(("command -v " + std::string(program) + " >/dev/null 2>&1").c_str()) == 0) return program;
  return {};
}

}  // namespace assay::report
