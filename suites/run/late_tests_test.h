// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>

namespace assay::suites {

/// Tests that are made from lists which exist only when main runs: properties register themselves in other
/// files, faults are rows of devices/faults. Called by main before GoogleTest starts.
void register_property_tests();
void register_fault_tests();
void register_rival_tests();
void register_every_reading_tests();

/// Which sample tests take that cannot try everything: always the same one, so that their outcome depends on
/// the sources alone. ASSAY_SAMPLE names another.
inline uint64_t sample_number() {
  const char* const given = std::getenv("ASSAY_SAMPLE");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 0;
}

}  // namespace assay::suites
