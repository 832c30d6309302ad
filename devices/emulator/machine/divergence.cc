// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "devices/emulator/hardware.h"
#include "devices/emulator/machine/flow.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/strict.h"

// What threads of a warp, warps of a warpgroup or of a CTA, do not do as one.
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
  for (const auto& [barrier, lane] : waiting_at(cluster_.launch.program, warp))
    if (comes_by(barrier, at)) set_counters(warp.went_past, lanes, at);
}

bool StrictMode::comes_by(uint32_t from, uint32_t to) {
  const auto [known, is_new] = comes_by_.try_emplace({from, to});
  if (is_new) known->second = always_reaches(cluster_.launch.program, from, to);
  return known->second;
}

// On the two sides of a condition it is what the guide allows.
void StrictMode::shuffles_apart(const Issuer& one, const Issuer& other) {
  if (!cluster_.settings().warns) return;
  const Program& program = cluster_.launch.program;
  const uint32_t at = index_of_line(program, one.line), there = index_of_line(program, other.line);
  for (const bool is_behind : {false, true}) {
    if (!(is_behind ? comes_by(at, there) : comes_by(there, at))) continue;
    const Issuer &first = is_behind ? one : other, &second = is_behind ? other : one;
    return cluster_.launch.warn("shuffle-out-of-step", cluster_, first, &second,
                                "its membermask has thread " + std::to_string(second.thread) +
                                    ", which executes the shfl.sync at PTX line " +
                                    std::to_string(second.line) +
                                    " instead; this thread comes to that one afterwards",
                                "shuffle");
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

void StrictMode::registers_changed(const Cta& cta, uint32_t warp, bool is_increase, uint32_t count,
                                   const Issuer& issuer) {
  // Warps that are no whole warpgroup have nobody to wait for.
  if (warp / 4 * 4 + 4 > cta.warps.size()) return;
  auto& warps = register_changes_[{cta.rank, warp / 4}];
  auto& own = warps[warp % 4];
  const race::Clock& seen = races.order.of(issuer).knows.seen;
  for (const auto& other : warps)
    if (&other != &own && !own.empty() &&
        (other.size() < own.size() || !seen.knows_some(other[own.size() - 1].moment))) {
      report("setmaxnreg-without-barrier", issuer, own.back().issuer, "setmaxnreg before it");
      break;
    }
  own.push_back({count, is_increase, issuer, races.order.warp(issuer).moment(~0u)});
}

// Without a bound of the block's size ptxas does not know how many registers there are, and ignores it.
void StrictMode::check_register_pool(RegisterChanges::const_iterator from,
                                     RegisterChanges::const_iterator to) {
  const Launch& launch = cluster_.launch;
  if (product(launch.program.required_threads) == 0 && product(launch.program.max_threads) == 0) return;
  const uint64_t warps = (product(launch.block) + warp_lanes - 1) / warp_lanes;
  const uint64_t at_first =
      std::min<uint64_t>(registers_per_multiprocessor / warps / 256 * 8, most_registers_per_thread + 1);
  uint64_t had = 0, wanted = 0;
  const RegisterChange* increase = nullptr;
  for (auto group = from; group != to; ++group)
    for (const auto& warp : group->second) {
      if (warp.empty()) continue;
      had += at_first;
      wanted += warp.back().count;
      if (warp.back().is_increase) increase = &warp.back();
    }
  if (increase != nullptr && wanted > had) report("setmaxnreg-beyond-pool", increase->issuer);
}

}  // namespace assay::emulator
