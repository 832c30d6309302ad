// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::fuzz {

/// Counts of this process. They lie in the file that the variable ASSAY_FUZZ_COUNTS names when it is set, so
/// that `assay fuzz` can show them while the target runs.
struct Counts {
  uint64_t inputs = 0;       ///< given to the target
  uint64_t past_parser = 0;  ///< of them, those that reached what lies behind the first check of the input
  uint64_t cells = 0;        ///< different ISA cells reached
};
Counts& counts();

/// Cells are numbered by the target, from 0 below this.
inline constexpr uint32_t cell_limit = 1u << 17;
/// The input lies in an ISA cell. Engines that read the section __libfuzzer_extra_counters take a new cell as
/// new coverage. Cells beyond the limit wrap around.
void hit_cell(uint32_t cell);

}  // namespace assay::fuzz
