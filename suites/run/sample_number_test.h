#pragma once

#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace assay::suites {

/// Days since 1970, or what ASSAY_SAMPLE says: a sample of another day can be had again.
inline uint64_t sample_number() {
  const char* const given = std::getenv("ASSAY_SAMPLE");
  return given != nullptr ? std::strtoull(given, nullptr, 10)
                          : static_cast<uint64_t>(std::time(nullptr)) / 86400;
}

}  // namespace assay::suites
