// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "suites/run/case.h"

/// Cases, records and outputs of a batch lie further apart than a core looks ahead by itself, and are in no
/// cache: what is next is fetched while a case is worked on.
namespace assay::suites {

/// Always inlined, since g++ 12 leaves out calls of a function that only fetches. What lies outside of
/// `memory` is not fetched.
[[gnu::always_inline]] inline void look_ahead(std::span<const std::byte> memory, size_t first, size_t bytes) {
  constexpr size_t line = 64;
  const size_t end = std::min(memory.size(), first + bytes);
  for (size_t at = first; at < end; at += line) __builtin_prefetch(memory.data() + at);
}

/// Bytes of a case that most operations use.
inline constexpr size_t case_in_use = 384;

/// Where case `next` and its record are to be made.
[[gnu::always_inline]] inline void look_ahead_to_fill(const std::vector<Case>& cases,
                                                      std::span<const std::byte> records, size_t record_bytes,
                                                      size_t next) {
  look_ahead(std::as_bytes(std::span(cases)), next * sizeof(Case), case_in_use);
  look_ahead(records, next * record_bytes, record_bytes);
}

/// A case and its output, which is taken for as long as that before it; of a long one the core sees by itself
/// how it goes on.
[[gnu::always_inline]] inline void look_ahead_to_judge(const Case& next, std::span<const std::byte> outputs,
                                                       size_t output, size_t bytes) {
  constexpr size_t most = 2048;
  look_ahead(std::as_bytes(std::span(&next, 1)), 0, case_in_use);
  look_ahead(outputs, output, std::min(bytes, most));
}

}  // namespace assay::suites
