// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "devices/device.h"
#include "reference/model/end.h"
#include "reference/model/tensor_copy/tiled_case.h"

namespace assay::suites {

/// "1 2 3": the first `count` entries (at most all of them).
template <typename Numbers>
std::string list_words(const Numbers& numbers, uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < numbers.size() && i < count; ++i)
    text += (i == 0 ? "" : " ") + std::to_string(numbers[i]);
  return text;
}

std::string hex_words(uint64_t value);

/// The arguments of a map as named fields, in the driver's order.
std::vector<std::pair<std::string, std::string>> map_fields(const TensorMapArgs& map);
/// " u8 rank 2 box 16 8 swizzle 64B": what matters most of a map, for a message of one line.
std::string map_brief(const TensorMapArgs& map);

/// "done", "illegal instruction (715)", ...: the same words for what was expected and for what was seen.
std::string words(model::End end);
std::string words(const RecordEnd& end);
/// "expected to complete" and "barrier never completed": the same as sentences, for messages. Those above are
/// parts of signatures.
std::string expectation(model::End end);
std::string observation(const RecordEnd& end);

}  // namespace assay::suites
