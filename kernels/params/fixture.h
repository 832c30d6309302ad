// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// Which of the kernels that misbehave on purpose runs a record.
enum class Fixture : uint32_t { hang = 0, trap = 1, write_out_of_bounds = 2 };

/// A record of the family "fixture", by which the sandbox is tested. An innocent record writes `value` to
/// output + 16 * its index, four times over; a guilty one does what its fixture is named for.
struct FixtureRecord {
  Fixture fixture;
  uint32_t guilty;
  uint32_t value;
  uint32_t reserved;
};
static_assert(sizeof(FixtureRecord) == 16);

}  // namespace assay::params
