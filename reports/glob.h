// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace assay::report {

/// Shell-style pattern over the whole text: '*' any characters, '?' one.
constexpr bool glob(std::string_view pattern, std::string_view text) {
  size_t p = 0, n = 0, star = std::string_view::npos, mark = 0;
  while (n < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace assay::report
