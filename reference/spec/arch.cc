// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/arch.h"

#include <algorithm>

namespace assay::spec {

std::string name_text(Arch arch) {
  return std::string(name(arch));
}
std::string target_text(Arch arch) {
  return std::string(row_of(arch).target);
}
std::string capability_text(Arch arch) {
  const int number = capability(arch);
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

std::string listed(std::string (*text)(Arch), const OnArch& on, std::string_view between,
                   std::string_view last) {
  auto left = std::count(on.begin(), on.end(), true);
  std::string list;
  for (const Arch arch : all_archs) {
    if (!on[static_cast<size_t>(arch)]) continue;
    list += text(arch);
    if (--left > 0) list += left == 1 ? last : between;
  }
  return list;
}

std::string requires_capability(Mechanism mechanism) {
  return "requires compute capability " + listed(capability_text, where(mechanism));
}

}  // namespace assay::spec
