#include "devices/emulator/ptx/scopes.h"

namespace assay::emulator::ptx {

Symbol* Scopes::find(std::string_view name, uint64_t& number) {
  number = 0;
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  // %r07 is not %r7.
  const bool may_be_in_range = digits < name.size() && digits > 0 && name.size() - digits < 10 &&
                               (name[digits] != '0' || digits + 1 == name.size());
  uint64_t index = 0;
  for (size_t i = digits; may_be_in_range && i < name.size(); ++i)
    index = index * 10 + static_cast<uint64_t>(name[i] - '0');
  for (size_t level = levels_.size(); level-- > 0;) {
    auto& names = levels_[level];
    if (names.empty()) continue;
    if (const auto found = names.find(name); found != names.end() && !found->second.is_range)
      return &found->second;
    if (!may_be_in_range) continue;
    const auto range = names.find(name.substr(0, digits));
    if (range != names.end() && range->second.is_range && index < range->second.count) {
      number = index;
      return &range->second;
    }
  }
  return nullptr;
}

}  // namespace assay::emulator::ptx
