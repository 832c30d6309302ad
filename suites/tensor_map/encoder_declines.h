// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "reference/spec/arch.h"

namespace assay::suites {

/// Why what the driver's encoders refuse and write cannot be judged on an architecture, or nothing.
inline std::optional<std::string> encoder_declines(spec::Arch arch) {
  if (spec::row_of(arch).is_encoder_known) return std::nullopt;
  return "the behaviour of the driver of " + std::string(spec::name(arch)) +
         " is undocumented and unmeasured";
}

}  // namespace assay::suites
