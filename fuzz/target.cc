// SPDX-License-Identifier: Apache-2.0
#include "fuzz/target.h"

#include <cstdio>
#include <cstdlib>

namespace assay::fuzz {
namespace {

Hooks& registered() {
  static Hooks one;
  return one;
}

}  // namespace

void found(std::string_view claim, const std::string& details) {
  std::fprintf(stderr, "FINDING: %.*s\n%s%s", static_cast<int>(claim.size()), claim.data(), details.c_str(),
               details.empty() ? "" : "\n");
  std::fflush(stderr);
  std::abort();
}

RegisteredHooks::RegisteredHooks(Hooks hooks) {
  registered() = hooks;
}

const Hooks& hooks() {
  return registered();
}

}  // namespace assay::fuzz
