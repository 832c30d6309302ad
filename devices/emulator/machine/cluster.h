// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/async/mbarrier.h"
#include "devices/emulator/hardware.h"
#include "devices/emulator/lane_op.h"
#include "devices/emulator/machine/lane_scan.h"
#include "devices/emulator/machine/memory.h"
#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/register_watch.h"

namespace assay::emulator {

class Cta;
class Cluster;
struct ClusterLog;
class Launch;
class Runner;
struct Mbarrier;
class StrictMode;
class TensorMemory;

/// Shared addresses: bits 31:24 are the rank of the CTA in its cluster, the rest is the offset in its window.
/// The first KiB of a window is reserved, then come the static and the dynamic block.
inline constexpr uint32_t shared_rank_shift = 24;
inline constexpr uint32_t shared_offset_mask = (1u << shared_rank_shift) - 1;
inline constexpr uint32_t shared_reserved_bytes = 1024;
/// Generic addresses of shared memory: cluster c at generic_shared_base + c * 4 GiB, then the 32-bit shared
/// address, so that the low word of a generic address is the shared address, as on hardware. Windows come
/// round again after generic_windows clusters.
inline constexpr uint64_t generic_shared_base = 1ull << 48;
inline constexpr uint64_t generic_window_bytes = 1ull << 32;
inline constexpr uint64_t generic_windows = 1ull << 24;
inline constexpr uint64_t generic_shared_bytes = generic_windows * generic_window_bytes;

/// Generic addresses of local memory: the same in every thread, and each thread sees its own memory behind
/// them.
inline constexpr uint64_t generic_local_base = 1ull << 57;

/// What a lane remembers between tries of an instruction that waits.
struct LaneState {
  bool has_arrived = false;
  uint64_t token = 0;  ///< barrier generation, ...
  uint64_t since = 0;  ///< Cluster::clock at the first try, valid while is_timed
  bool is_timed = false;
  uint32_t barrier = 0;      ///< offset of the mbarrier that it waits at, valid while is_timed; 0: none
  bool parity = false;       ///< of the phase that it waits for
  bool gave_up = false;      ///< under the random schedule: its last try ended before its time
  uint32_t cta_barrier = 0;  ///< number of the CTA's barrier that it has arrived at
};

/// A call in progress on one lane.
struct CallFrame {
  uint32_t return_to = 0;  ///< index of the instruction after the call
  uint32_t call = 0;       ///< index of the call
  uint32_t function = 0;   ///< index in Program::functions
  std::vector<uint64_t>
      registers;       ///< of the callee's block before the call, if it was active already (recursion)
  uint32_t shift = 0;  ///< from the function's block of local memory to that of this call
};

/// An arrival at an mbarrier that waits for earlier cp.async copies of its thread.
struct CopyArrival {
  uint32_t remaining = 0;        ///< copies not yet done
  uint32_t barrier = 0;          ///< 32-bit shared address
  std::vector<uint32_t> copies;  ///< by the numbers of the strict mode
};
using CopyListeners = std::vector<std::shared_ptr<CopyArrival>>;

/// A tcgen05.ld whose registers have not arrived, or a tcgen05.st that has not reached tensor memory.
struct TmemTransfer {
  uint64_t operation = 0;         ///< in Cluster::async
  std::vector<uint32_t> columns;  ///< of the register file, rising; empty for a store
};

/// 32 lanes with a program counter each. A group of lanes with the same program counter executes together.
class Warp {
 public:
  Cta* cta = nullptr;
  uint32_t index = 0;
  uint32_t live = 0;                 ///< lanes that have not exited
  uint32_t blocked = 0;              ///< lanes that wait at their instruction
  uint32_t demoted = 0;              ///< lanes that spin: run when no other lane of the warp can
  uint64_t blocked_at_progress = 0;  ///< Cluster::progress when `blocked` lanes last tried
  uint32_t executing = 0;            ///< index of the instruction that executes, for diagnostics
  LaneCounters pc{};                 ///< of lanes that have exited: behind_all
  std::array<LaneState, warp_lanes> lane_state{};
  std::array<std::vector<CallFrame>, warp_lanes> calls;
  std::vector<uint64_t> registers;
  std::vector<uint32_t> taint;  ///< per register column, a bit a lane: holds never-written shared memory
  bool has_taint = false;       ///< some bit of `taint` may be set
  Issuer accumulated;  ///< of a product on cells never written that the last tcgen05.ld brought; line 0: none
  const uint64_t* constants = nullptr;
  bool waits_together = false;      ///< all live lanes wait at a barrier of the CTA, as one,
  uint64_t awaited_generation = 0;  ///< for the phase after this one
  uint32_t apart = 0;  ///< lanes that wait at a barrier of the CTA and came there without the others, and
  LaneCounters went_past{};  ///< what a lane executed meanwhile that is on their way, or behind_all
  uint32_t synced = 0;       ///< lanes whose collective has been executed and that have not passed it yet
  uint32_t waiting = 0;      ///< lanes that wait for others at a collective: bar.warp.sync, shfl.sync, ...
  std::array<const Instruction*, warp_lanes> waits_at{};  ///< of these the instruction
  std::array<uint32_t, warp_lanes> sync_mask{};           ///< and its membermask
  std::array<uint64_t, warp_lanes>
      cluster_token{};  ///< generation of barrier.cluster that ends the wait; 0: not arrived
  std::array<AsyncGroups, warp_lanes> bulk_groups;  ///< cp.async.bulk groups of each lane
  std::array<AsyncGroups, warp_lanes> copy_groups;  ///< cp.async groups of each lane
  AsyncGroups wgmma_groups;
  std::unique_ptr<RegisterWatch> watch;  ///< null unless Settings::strict, and where there is no wgmma
  std::array<std::vector<std::weak_ptr<CopyListeners>>, warp_lanes>
      copies;                                         ///< unfinished cp.async of each lane
  std::vector<TmemTransfer> tmem_loads, tmem_stores;  ///< not known to be finished
  std::vector<std::byte> local;  ///< local memory of all lanes, lane after lane, with room to align it
  uint64_t local_base = 0;       ///< host address of lane 0's
  uint64_t local_stride = 0;     ///< bytes from a lane's to the next

  Warp();
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;

  uint32_t thread(int lane) const { return index * warp_lanes + static_cast<uint32_t>(lane); }
  bool is_generic_local(uint64_t address) const { return address - generic_local_base < local_stride; }
  /// The local memory of a lane.
  std::byte* local_of(int lane) const {
    return reinterpret_cast<std::byte*>(local_base + static_cast<uint64_t>(lane) * local_stride);
  }
  uint64_t* column(Column c) {
    return (c.index & Column::constant_bank)
               ? const_cast<uint64_t*>(constants) + (c.index & ~Column::constant_bank) * warp_lanes
               : registers.data() + static_cast<size_t>(c.index) * warp_lanes;
  }
  /// Sets or clears the taint of a lane of a register, and of the column after it for the upper half of 128
  /// bits.
  void mark_taint(Column c, int lane, bool is_tainted, bool is_wide) {
    has_taint |= is_tainted;
    for (uint32_t i = c.index; i <= c.index + (is_wide ? 1 : 0); ++i)
      taint[i] = (taint[i] & ~(1u << lane)) | static_cast<uint32_t>(is_tainted) << lane;
  }
  bool is_tainted(Column c, int lane) const {
    return has_taint && !(c.index & Column::constant_bank) && (taint[c.index] >> lane & 1);
  }
};

/// A named CTA barrier.
struct NamedBarrier {
  uint32_t expected =
      0;  ///< threads of the phase in progress; 0: none in progress, ~0u: all threads of the CTA
  uint32_t arrived = 0;
  uint64_t generation = 0;  ///< completed phases
  Issuer first;             ///< to arrive in the phase in progress, in the strict mode,
  bool is_apart = false;    ///< and whether lanes of a warp arrived without others
  uint32_t popc = 0;        ///< of the phase in progress
  bool all = true, any = false;
  uint32_t last_popc = 0;  ///< of the last completed phase
  bool last_all = false, last_any = false;
};

struct WgmmaOperation;  ///< insns/wgmma.cc

/// Four warps, the first a multiple of four, that execute wgmma together.
struct Warpgroup {
  uint32_t arrived = 0;     ///< warps that stand at `instruction`
  uint64_t generation = 0;  ///< wgmma issued
  const Instruction* instruction = nullptr;
  uint64_t a_desc = 0, b_desc = 0, scale_d = 0;         ///< of the first warp to arrive
  std::deque<std::shared_ptr<WgmmaOperation>> pending;  ///< in the order in which they take effect
};

class Cta {
 public:
  /// The initialised mbarrier at an offset, or null.
  Mbarrier* mbarrier(uint32_t offset) {
    const auto at = mbarriers.find(offset);
    return at == mbarriers.end() || !at->second.is_live ? nullptr : &at->second.state;
  }
  Cluster* cluster = nullptr;
  uint32_t rank = 0;             ///< in the cluster
  std::array<uint32_t, 3> id{};  ///< %ctaid
  uint32_t threads = 0, live_threads = 0;
  std::vector<std::unique_ptr<Warp>> warps;
  std::array<NamedBarrier, 16> barriers{};
  std::map<uint32_t, Warpgroup> warpgroups;
  std::vector<std::byte> shared;  ///< the window, from offset 0; ends where the CTA's memory ends
  std::vector<uint8_t> written;   ///< per byte of `shared`: 1 once something was stored
  std::map<uint32_t, MbarrierObject> mbarriers;  ///< by offset; those invalidated stay
  std::shared_ptr<TensorMemory> tensor;          ///< null until an instruction asks for it
  bool saw_refusal = false;  ///< a request of clusterlaunchcontrol was found to have cancelled nothing
};

/// CTAs that are co-scheduled and see each other's shared memory.
class Cluster {
 public:
  Cluster(Launch& launch, Runner& runner, uint64_t index);
  ~Cluster();
  Launch& launch;
  Runner* runner;                ///< whose host thread runs it
  uint64_t index;                ///< linear index in the grid of clusters
  std::array<uint32_t, 3> id{};  ///< %clusterid
  std::vector<std::unique_ptr<Cta>> ctas;
  AsyncQueue async;
  uint64_t progress = 0;  ///< counts events that can end a wait: stores, arrivals, completions, exits
  uint64_t clock = 0;     ///< nanoseconds of the virtual clock, for %globaltimer, %clock64 and time limits
  uint64_t barrier_generation = 0;     ///< completed phases of barrier.cluster
  uint32_t barrier_arrived = 0;        ///< threads in the phase in progress
  std::unique_ptr<StrictMode> strict;  ///< null unless Settings::strict
  ClusterLog& log;                     ///< what the strict mode finds here; the launch has it

  const Settings& settings() const;
  /// 31 random bits for the order of warps and for waits, of a generator of their own, so that what else is
  /// random does not depend on how often they are asked for.
  uint32_t dice() {
    shuffle_ = shuffle_ * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
    return static_cast<uint32_t>(shuffle_ >> 33);
  }
  /// Whether a wait that may end before its phase does so now.
  bool ends_wait_early();
  uint64_t generic_window() const {
    return generic_shared_base + index % generic_windows * generic_window_bytes;
  }
  bool is_generic_shared(uint64_t address) const { return address - generic_window() < generic_window_bytes; }

  /// The CTA that a 32-bit shared::cluster address names, or null.
  Cta* cta_at(uint32_t address) const;
  /// Host pointer of shared memory, or null if a byte lies outside the CTA's window or in the reserved part.
  std::byte* shared(uint32_t address, size_t bytes) const;

  /// Accesses of the async proxy (TMA, bulk copies), checked by the strict mode. Null as above. A read of
  /// never-written bytes that `reaches_output` is an uninitialised read, with which the launch ends.
  std::byte* async_write(uint32_t address, size_t bytes, const Issuer& issuer);
  const std::byte* async_read(uint32_t address, size_t bytes, const Issuer& issuer, bool reaches_output);
  /// Global memory and params by generic address, for an access of a whole range; null if any byte is not
  /// accessible. Shared memory is not found here, nor local memory, which is a thread's own.
  std::byte* global(uint64_t address, size_t bytes) const;
  /// For stores of asynchronous operations to global memory: tells the machine that something moved.
  void moved() { ++progress; }

  /// The 128 bytes of the tensor map at a generic address (parameters, const, global memory) as a copy finds
  /// them, or null; the strict mode checks that writes to it by the generic proxy were fenced.
  const std::byte* tensor_map(uint64_t address, const Issuer& issuer);
  /// fence.proxy.tensormap::generic.acquire of that address.
  void acquire_tensor_map(uint64_t address, const Issuer& issuer, race::Scope scope);

  /// The object that an mbarrier operation finds, or null: an initialised one, or a word that inval left or
  /// ordinary stores wrote, with which hardware goes on (H200: MB-02, MB-11) and which the strict mode
  /// reports.
  Mbarrier* barrier_at(uint32_t address, const Issuer& issuer);
  /// complete_tx on the mbarrier at a shared::cluster address: `bytes` leave its transaction count; the phase
  /// completes when nothing is pending. Traps if there is no initialised mbarrier. For asynchronous
  /// operations.
  void complete_tx(uint32_t address, uint32_t bytes, const Issuer& issuer);
  /// One arrival on the mbarrier at a shared::cluster address. Traps as complete_tx does.
  void arrive(uint32_t address, const Issuer& issuer);

 private:
  /// Changes the mbarrier of an asynchronous operation; `change` returns what is wrong, or nothing.
  void change_barrier(uint32_t address, const Issuer& issuer,
                      const std::function<std::string_view(Mbarrier&)>& change);
  uint64_t shuffle_;
};

}  // namespace assay::emulator
