// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>

namespace assay::suites {

/// Which sample tests take that cannot try everything: always the same one, so that their outcome depends on
/// the sources alone. ASSAY_SAMPLE names another.
inline uint64_t sample_number() {
  const char* const given = std::getenv("ASSAY_SAMPLE");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 0;
}

}  // namespace assay::suites
