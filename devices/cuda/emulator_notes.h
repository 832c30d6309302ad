// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace assay::cuda {

/// Takes what an export of the emulator that gives one JSON object a line has
/// (devices/emulator/driver/extra.h). Empty for a null export, as a real driver has it.
std::vector<nlohmann::json> take_lines(int (*take)(char*, size_t));

struct KernelNames;

/// What the mbarriers of a kernel that stands still wait for, a line each, those alike and waited for by
/// nobody together: "CTA 0 full[1]: phase 0, 0 of 1 arrivals pending, 2048 bytes pending; the multiply warp
/// waits for phase 0". At most so many lines. `names` may be null. Nothing for other notes.
std::vector<std::string> barriers_in_words(const nlohmann::json& note, const KernelNames* names, size_t most);

/// "kernel k, PTX line 17, cta (0,0,0) thread 5: misaligned_address: ...", or the message of a driver call.
std::string note_in_words(const nlohmann::json&);

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
