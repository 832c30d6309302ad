// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "reference/spec/rule.h"

namespace assay::suites {

/// One more of each rule of the set, a word of it at a time: std::bitset finds its bits with a call each.
inline void count_rules(const spec::RuleSet& rules, std::array<uint32_t, spec::max_rules>& counts) {
  static_assert(sizeof rules * 8 == spec::max_rules);
  std::array<uint64_t, sizeof rules / 8> words;
  std::memcpy(words.data(), &rules, sizeof rules);
  for (size_t w = 0; w < words.size(); ++w)
    for (uint64_t left = words[w]; left != 0; left &= left - 1)
      ++counts[64 * w + static_cast<size_t>(std::countr_zero(left))];
}

}  // namespace assay::suites
