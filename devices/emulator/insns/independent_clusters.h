// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/emulator/machine/program.h"

namespace assay::emulator {

/// Whether no cluster of a launch of the program can learn from another what that has done, but by a data
/// race: no instruction orders accesses beyond the cluster, adds to what others add to, or reads a clock,
/// which others would stop. Each then does the same whether they run one after another or side by side.
bool has_independent_clusters(const Program& program);

}  // namespace assay::emulator
