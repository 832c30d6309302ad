// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "devices/emulator/machine/flow.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/strict.h"

// What threads of a warp, or of a CTA, do not do as one.
namespace assay::emulator {
namespace {

/// Of the lanes of a warp that wait at aligned barriers without the others one for each instruction.
std::map<uint32_t, int> waiting_at(const Program& program, const Warp& warp) {
  std::map<uint32_t, int> found;
  for_lanes(warp.apart & warp.live, [&](int lane) {
    const uint32_t at = warp.pc[static_cast<size_t>(lane)];
    if (is_aligned(program.code[at])) found.try_emplace(at, lane);
  });
  return found;
}

uint32_t index_of_line(const Program& program, uint32_t line) {
  const auto at = std::find_if(program.code.begin(), program.code.end(),
                               [&](const Instruction& one) { return one.line == line; });
  return static_cast<uint32_t>(at - program.code.begin());
}

}  // namespace

// A load in a loop that need not store again is a wait for the store: it comes out of it with the new value.
void StrictMode::report_lockstep(const race::Race& race) {
  if (!cluster_.settings().warns) return;
  const Issuer &store = race.first.issuer, &load = race.second.issuer;
  const auto [known, is_new] = polls_.try_emplace({store.line, load.line});
  const Program& program = cluster_.launch.program;
  const uint32_t at = index_of_line(program, load.line);
  if (is_new) known->second = may_reach(program, at, at, index_of_line(program, store.line));
  if (known->second) return;
  cluster_.launch.warn("warp-synchronous-read", cluster_, load, &store,
                       "thread " + std::to_string(load.thread) + " finds what thread " +
                           std::to_string(store.thread) +
                           " of its warp stored only if the two lanes went together",
                       "store");
}

void StrictMode::report_relaxed_atomic(const race::Race& race) {
  if (!cluster_.settings().warns) return;
  const std::string line = std::to_string(race.cause.line);
  cluster_.launch.warn("missing-acquire-fence", cluster_, race.second.issuer, &race.first.issuer,
                       "the atom at PTX line " + line + " tells that the first is done, and orders nothing",
                       race.first.is_write ? "store" : "load", race.first.cluster);
}

void StrictMode::barrier_met_apart(const Cta& cta, uint32_t barrier) {
  const Program& program = cluster_.launch.program;
  for (const auto& warp : cta.warps) {
    std::vector<Issuer> met;
    for (const auto& [at, lane] : waiting_at(program, *warp))
      if (warp->lane_state[static_cast<size_t>(lane)].cta_barrier == barrier)
        met.push_back({cta.rank, warp->thread(lane), program.code[at].line});
    if (met.size() > 1) report("divergent-barrier", met.front(), met.back(), "barrier of others of its warp");
  }
}

void StrictMode::barrier_met_elsewhere(const Issuer& first, const Issuer& second) {
  if (cluster_.settings().warns)
    cluster_.launch.warn("barrier-of-some-warps", cluster_, second, &first,
                         "a warp arrives at the barrier of the CTA here, in the phase in which another has "
                         "arrived by the bar.sync at PTX line " +
                             std::to_string(first.line),
                         "other bar.sync");
}

// A thread that has nothing more to do may leave: what it did meanwhile has to be on the way of those, too.
void StrictMode::executes_beside(Warp& warp, uint32_t at, uint32_t lanes) {
  const Program& program = cluster_.launch.program;
  for (const auto& [barrier, lane] : waiting_at(program, warp)) {
    const auto [known, is_new] = comes_by_.try_emplace({barrier, at});
    if (is_new) known->second = always_reaches(program, barrier, at);
    if (known->second) set_counters(warp.went_past, lanes, at);
  }
}

void StrictMode::lanes_exit(const Warp& warp, uint32_t lanes) {
  if (warp.apart == 0) return;
  const Program& program = cluster_.launch.program;
  for (const auto& [at, waiting] : waiting_at(program, warp))
    for_lanes(lanes, [&, at = at, waiting = waiting](int lane) {
      const uint32_t last = warp.went_past[static_cast<size_t>(lane)];
      if (last == behind_all) return;
      report("divergent-barrier", {warp.cta->rank, warp.thread(waiting), program.code[at].line},
             {warp.cta->rank, warp.thread(lane), program.code[last].line},
             "thread of its warp that went past it");
    });
}

}  // namespace assay::emulator
