// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay::cuda {

/// "0-3, 6", of rising numbers.
inline std::string number_runs(const std::vector<uint32_t>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
    if (last != i) text += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}
/// "CTA 3", "CTAs 0-3".
inline std::string numbered(const std::string& what, const std::vector<uint32_t>& numbers) {
  return what + (numbers.size() == 1 ? " " : "s ") + number_runs(numbers);
}

}  // namespace assay::cuda
