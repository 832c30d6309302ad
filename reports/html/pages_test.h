// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>

namespace assay::report {

/// The command of a Chromium on this machine; empty where there is none.
inline std::string browser() {
  for (const char* program : {"chromium", "chromium-browser", "google-chrome"})
    if (std::system(("command -v " + std::string(program) + " >/dev/null 2>&1").c_str()) == 0) return program;
  return {};
}

inline size_t occurrences(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace assay::report
