// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "devices/emulator/machine/step.h"

namespace assay::emulator {

/// Ends lanes: they leave every barrier that counts the threads of the CTA or cluster.
void exit_lanes(Step& step, uint32_t lanes);

/// Completes named barriers, and the cluster's barrier, whose last awaited threads have exited.
void recheck_barriers(Cta& cta);

}  // namespace assay::emulator
