// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/spec/field.h"

namespace assay::emulator::race {

/// What establishes order between accesses. Each has a row below.
enum class Row : uint8_t {
  program_order,
  morally_strong,
  cta_barrier,
  warp_barrier,
  cluster_barrier,
  mbarrier_arrival,
  mbarrier_wait,
  mbarrier_phase,
  narrow_arrival,
  scope,
  release,
  acquire,
  fence_release,
  fence_acquire,
  fence_sc,
  init_fence,
  proxy_fence,
  response_fence,
  landing,
  group_wait,
  copy_wait,
  copy_arrival,
  wgmma_wait,
  commit,
  grid_scope,
  global_proxy_fence,
  atomic_acquire,
  same_value,
  new_value,
};

struct Ordering {
  Row row;
  std::string_view id, sentence;
  spec::Cite cite;
};

inline constexpr Ordering orderings[] = {
    {Row::program_order,
     "program-order",
     "operations of one thread come in its order, those of other lanes of its warp do not",
     {"ptx", "Memory Consistency Model: Program Order"}},
    {Row::morally_strong,
     "morally-strong",
     "two strong accesses are no race if the scope of each has the thread of the other",
     {"ptx", "Memory Consistency Model: Morally strong operations; Conflict and Data-races"}},
    {Row::cta_barrier,
     "cta-barrier",
     "what threads did before they arrived is known to those that wait, not to those that only arrive",
     {"ptx", "bar, barrier; Memory Consistency Model: Memory synchronization"}},
    {Row::warp_barrier,
     "warp-barrier",
     "bar.warp.sync orders the lanes of its membermask",
     {"ptx", "bar.warp.sync"}},
    {Row::cluster_barrier,
     "cluster-barrier",
     "barrier.cluster orders what comes before arrive, unless it is .relaxed, and what comes after wait",
     {"ptx", "barrier.cluster"}},
    {Row::mbarrier_arrival,
     "mbarrier-arrival",
     "mbarrier.arrive releases what came before it, unless it is .relaxed",
     {"ptx", "mbarrier.arrive"}},
    {Row::mbarrier_wait,
     "mbarrier-wait",
     "test_wait and try_wait that return true acquire, unless they are .relaxed",
     {"ptx", "mbarrier.test_wait, mbarrier.try_wait"}},
    {Row::mbarrier_phase,
     "mbarrier-phase",
     "what arrived in a phase is known to those that wait for that phase",
     {"ptx", "mbarrier: Phase of the mbarrier object"}},
    {Row::narrow_arrival,
     "narrow-arrival",
     "an arrival of .cta scope, the default, at an mbarrier of another CTA tells its threads that reads and "
     "asynchronous operations before it are done, and of writes that a fence.proxy.async or a fence of wider "
     "scope is behind: libraries give tiles back and hand operands on so; it is not for other writes",
     {"ptx", "mbarrier.arrive: .scope; Memory Consistency Model: Scope"}},
    {Row::scope,
     "scope",
     "a release and an acquire order two threads if the scope of each has the other thread",
     {"ptx", "Memory Consistency Model: Scope; Release and Acquire Patterns"}},
    {Row::release,
     "release",
     "a write that is .release makes what came before it known to who acquires from its location",
     {"ptx", "Memory Consistency Model: Release and Acquire Patterns"}},
    {Row::acquire,
     "acquire",
     "a read that is .acquire knows what was released to its location",
     {"ptx", "Memory Consistency Model: Release and Acquire Patterns"}},
    {Row::fence_release,
     "fence-release",
     "a fence before a strong write, or before a relaxed arrival, releases what came before the fence",
     {"ptx", "Memory Consistency Model: Release and Acquire Patterns"}},
    {Row::fence_acquire,
     "fence-acquire",
     "a fence after a strong read, or after a relaxed wait, acquires what was released to its location",
     {"ptx", "Memory Consistency Model: Release and Acquire Patterns"}},
    {Row::fence_sc,
     "fence-sc",
     "a fence.sc of .gpu or .sys scope, as membar.gl and .sys are, synchronises with one behind a strong "
     "read "
     "of global memory that found what was written behind the first: the other order of the two would have "
     "the read before the write that it has found",
     {"ptx", "Memory Consistency Model: Fence-SC order; Synchronizes; Causality"}},
    {Row::init_fence,
     "init-fence",
     "fence.mbarrier_init releases the initialisations of mbarriers before it, and nothing else",
     {"ptx", "membar/fence: fence.mbarrier_init"}},
    {Row::proxy_fence,
     "proxy-fence",
     "what was written through the generic proxy is ordered before the async proxy by fence.proxy.async of a "
     "thread that knows of it",
     {"ptx", "Memory Consistency Model: Proxies, Causality order; membar/fence: fence.proxy.async"}},
    {Row::response_fence,
     "response-fence",
     "a read of a response of clusterlaunchcontrol.try_cancel is ordered before the next request that writes "
     "there by fence.proxy.async of a thread that knows of it",
     {"guide", "Work Stealing with Cluster Launch Control"}},
    {Row::landing,
     "landing",
     "bytes that a copy brings are known to who waits for the phase of the mbarrier that it completes on",
     {"ptx", "cp.async.bulk: completion mechanism; mbarrier.complete_tx"}},
    {Row::group_wait,
     "group-wait",
     "cp.async.bulk.wait_group N orders all but the N latest groups of its thread, .read their reads",
     {"ptx", "cp.async.bulk.wait_group"}},
    {Row::copy_wait,
     "copy-wait",
     "cp.async.wait_group N orders all but the N latest groups of its thread, for that thread",
     {"ptx", "cp.async.wait_group, cp.async.wait_all"}},
    {Row::copy_arrival,
     "copy-arrival",
     "cp.async.mbarrier.arrive arrives when the copies that its thread issued before are done",
     {"ptx", "cp.async.mbarrier.arrive"}},
    {Row::wgmma_wait,
     "wgmma-wait",
     "wgmma.wait_group N orders all but the N latest groups of its warp",
     {"ptx", "wgmma.wait_group"}},
    {Row::commit,
     "commit",
     "tcgen05.commit arrives when what its thread issued before is done",
     {"ptx", "tcgen05.commit"}},
    {Row::grid_scope,
     "grid-scope",
     "threads of different clusters are ordered by a release and an acquire of global memory that both have "
     "the scope .gpu or .sys",
     {"ptx", "Memory Consistency Model: Scope; Release and Acquire Patterns"}},
    {Row::global_proxy_fence,
     "global-proxy-fence",
     "what was written to global memory through the generic proxy is ordered before the async proxy by "
     "fence.proxy.async, with .global or for all spaces, of a thread that knows of it",
     {"ptx", "Memory Consistency Model: Proxies, Causality order; membar/fence: fence.proxy.async"}},
    {Row::atomic_acquire,
     "atomic-acquire",
     "behind an atom of global memory at .gpu or .sys scope what fences have released to its location is "
     "told "
     "as a warning, where it has no fence of its own: the example of the guide has none",
     {"guide", "Memory Fence Functions: the example of __threadfence"}},
    {Row::same_value,
     "same-value",
     "two plain stores of the same value race and do no harm: they are not told",
     {"ptx", "Memory Consistency Model: Conflict and Data-races"}},
    {Row::new_value,
     "new-value",
     "a release is known to who has read its write: a store of the value that was there cannot be told from "
     "what was there before",
     {"ptx", "Memory Consistency Model: Observation; Release and Acquire Patterns; Synchronizes"}},
};

/// For tests of the rows: one that is left out, and one that orders whatever its condition says. Set it
/// before a launch.
struct Changed {
  int left_out = -1, widened = -1;
  bool hides_nothing = false;  ///< races are told where a clause says what is missing, too
};
inline Changed changed;
inline bool is_widened(Row row) {
  return changed.widened == static_cast<int>(row);
}

/// Whether the row orders, where its condition holds.
inline bool orders(Row row, bool holds = true) {
  if (changed.left_out == static_cast<int>(row)) return false;
  return holds || is_widened(row);
}

}  // namespace assay::emulator::race
