// SPDX-License-Identifier: Apache-2.0
#include "suites/run/covered_members.h"

#include <algorithm>

namespace assay::suites {
namespace {

/// Numbers up to so many have a class each, and codes that have names.
constexpr uint64_t few = 8, few_codes = 64;

bool has_names(const model::fields::Field& row, uint64_t least, uint64_t most) {
  return (most - least) / row.multiple < (row.shows != nullptr ? few_codes : few);
}

}  // namespace

CoveredField covered_by_row(std::string name, const model::fields::Field& row, uint64_t least,
                            uint64_t most) {
  const auto shown = [&](uint64_t value) {
    return row.shows == nullptr ? std::to_string(value) : covered_name(row.shows(value));
  };
  std::vector<std::string> names;
  if (!row.values.empty()) {
    for (const uint32_t value : row.values) names.push_back(shown(value));
  } else if (has_names(row, least, most)) {
    for (uint64_t value = least; value <= most; value += row.multiple) names.push_back(shown(value));
  } else {
    return covered_number(std::move(name), least, most, row.multiple);
  }
  return covered_codes(std::move(name), std::move(names));
}

uint64_t covered_value(const model::fields::Field& row, uint64_t least, uint64_t most, uint64_t value) {
  if (!row.values.empty())
    return static_cast<uint64_t>(std::ranges::find(row.values, value) - row.values.begin());
  if (!has_names(row, least, most)) return value;
  const bool is_legal = value >= least && value <= most && (value - least) % row.multiple == 0;
  return is_legal ? (value - least) / row.multiple : ~uint64_t{0};
}

}  // namespace assay::suites
