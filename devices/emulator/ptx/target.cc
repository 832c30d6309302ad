// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/target.h"

#include <cctype>

namespace assay::emulator::ptx {
namespace {

int number(Target target) {
  switch (target) {
    case Target::sm_90a:
      return 90;
    case Target::sm_100a:
      return 100;
    case Target::sm_103a:
      return 103;
    case Target::sm_120a:
      return 120;
  }
  return 0;
}

}  // namespace

std::string target_mismatch(std::string_view module_target, Target device) {
  const std::string shown = "the module is for " + std::string(module_target) + ", the device is " +
                            std::string(target_name(device));
  std::string_view rest = module_target;
  if (!rest.starts_with("sm_")) return "'" + std::string(module_target) + "' is not a target";
  rest.remove_prefix(3);
  int wanted = 0;
  size_t digits = 0;
  for (; digits < rest.size() && digits < 4 && std::isdigit(static_cast<unsigned char>(rest[digits]));
       ++digits)
    wanted = wanted * 10 + (rest[digits] - '0');
  const std::string_view suffix = rest.substr(digits);
  const int have = number(device);
  if (digits < 2 || (suffix != "" && suffix != "a" && suffix != "f"))
    return "'" + std::string(module_target) + "' is not a target";
  const bool fits = suffix == "a"   ? wanted == have
                    : suffix == "f" ? wanted / 10 == have / 10 && wanted <= have
                                    : wanted <= have;
  return fits ? "" : shown;
}

}  // namespace assay::emulator::ptx
