// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

class Launch;
class Runner;

/// Runs the launch on at most `runners` host threads, `first` on this one; further ones (helpers.h) come
/// when there is enough to do for them. What runs, what it leaves and what is said of it are those
/// of one thread: of several clusters that trap, the first in the grid counts, and clusters that wait for
/// others all the same (by plain accesses that race) go on together on this thread.
std::optional<Diagnostic> run_side_by_side(Runner& first, uint32_t runners);

}  // namespace assay::emulator
