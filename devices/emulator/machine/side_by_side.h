#pragma once

#include <cstdint>
#include <optional>

#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/program.h"

namespace assay::emulator {

class Launch;
class Runner;

/// Whether no cluster of a launch of the program can learn from another what that has done, but by a data
/// race: no instruction orders accesses beyond the cluster, adds to what others add to, or reads a clock,
/// which others would stop. Each then does the same whether they run one after another or side by side.
bool has_independent_clusters(const Program& program);

/// Runs the launch on at most `runners` host threads, `first` on this one; further ones (helpers.h) come
/// when there is enough to do for them. What runs, what it leaves and what is said of it are those
/// of one thread: of several clusters that trap, the first in the grid counts, and clusters that wait for
/// others all the same (by plain accesses that race) go on together on this thread.
std::optional<Diagnostic> run_side_by_side(Runner& first, uint32_t runners);

}  // namespace assay::emulator
