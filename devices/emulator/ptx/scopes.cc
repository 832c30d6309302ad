// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/lowerer.h"

#include <algorithm>
#include <optional>

namespace assay::emulator::ptx {
namespace {

/// A name that may be one of a range: what stands before its number, and the number.
struct Numbered {
  std::string_view stem;
  uint64_t number = 0;
};

std::optional<Numbered> numbered(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  // %r07 is not %r7.
  if (digits == name.size() || digits == 0 || name.size() - digits >= 10 ||
      (name[digits] == '0' && digits + 1 != name.size()))
    return std::nullopt;
  Numbered made{name.substr(0, digits)};
  for (const char digit : name.substr(digits))
    made.number = made.number * 10 + static_cast<uint64_t>(digit - '0');
  return made;
}

}  // namespace

bool Scopes::declare(const std::string& name, Symbol symbol) {
  Level& level = levels_.back();
  if (symbol.is_range) {
    const bool covers_a_name = std::any_of(level.names.begin(), level.names.end(), [&](const auto& one) {
      const auto other = numbered(one.first);
      return other && other->stem == name && other->number < symbol.count;
    });
    return !covers_a_name && level.ranges.emplace(name, std::move(symbol)).second;
  }
  if (const auto one = numbered(name)) {
    const auto range = level.ranges.find(one->stem);
    if (range != level.ranges.end() && one->number < range->second.count) return false;
  }
  return level.names.emplace(name, std::move(symbol)).second;
}

Symbol* Scopes::find(std::string_view name, uint64_t& number) {
  number = 0;
  const std::optional<Numbered> one = numbered(name);
  for (size_t level = levels_.size(); level-- > 0;) {
    auto& [names, ranges] = levels_[level];
    if (!names.empty())
      if (const auto found = names.find(name); found != names.end()) return &found->second;
    if (!one || ranges.empty()) continue;
    const auto range = ranges.find(one->stem);
    if (range != ranges.end() && one->number < range->second.count) {
      number = one->number;
      return &range->second;
    }
  }
  return nullptr;
}

}  // namespace assay::emulator::ptx
