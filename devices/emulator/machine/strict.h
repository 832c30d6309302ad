// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/grid_history.h"
#include "devices/emulator/machine/provenance.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/race/races.h"
#include "devices/emulator/readings.h"
#include "reference/spec/field.h"

namespace assay::emulator {

/// A rule of the memory model that the strict mode checks. Breaches are reported by id; the launch goes on.
/// Causes stand before what comes of them.
struct Clause {
  std::string_view id;
  std::string_view sentence;  ///< what happens where it is broken, and what mends that
  spec::Cite cite;
  bool is_warning = false;  ///< legal, and likely wrong; Settings::warns asks for these
};

inline constexpr Clause clauses[] = {
    {"missing-proxy-fence",
     "a copy or a matrix instruction, which accesses memory through the async proxy, reads or overwrites "
     "what a thread has written, or a request of clusterlaunchcontrol overwrites what one has read, with "
     "no fence.proxy.async between; the fence belongs after the thread's access, or before the "
     "instruction in a thread that has synchronised with the first",
     {"ptx", "Async Proxy; membar/fence: fence.proxy.async"}},
    {"missing-wait",
     "shared memory is accessed while a bulk or tensor copy may still be writing it; a wait on the mbarrier "
     "that the copy signals has to succeed before",
     {"ptx", "Async proxy; cp.async.bulk: completion mechanism"}},
    {"missing-read-wait",
     "shared memory is overwritten while a bulk or tensor store or a wgmma may still be reading it; "
     "wait_group.read or wait_group belongs before",
     {"ptx", "cp.async.bulk.wait_group; wgmma.wait_group"}},
    {"missing-write-wait",
     "global memory is accessed while a bulk or tensor store of the same cluster may still be writing it; "
     "wait_group belongs before, without .read, which waits for the reads alone",
     {"ptx", "cp.async.bulk.wait_group"}},
    {"missing-read-order",
     "a bulk or tensor copy overwrites shared memory that another thread may still be reading; that thread "
     "has to synchronise with the one that issues the copy, after it has read",
     {"ptx", "Async proxy; Memory Consistency Model: Causality order"}},
    {"missing-commit",
     "a thread waits for its bulk groups, or exits, while a bulk operation of it is in no group; "
     "cp.async.bulk.commit_group belongs after the operation",
     {"ptx", "cp.async.bulk.commit_group"}},
    {"missing-exit-wait",
     "a thread exits while a bulk operation that it committed may still be reading shared memory, or a CTA "
     "while a copy may still be writing to its shared memory; cp.async.bulk.wait_group.read, or a wait on "
     "the mbarrier that the copy signals, belongs before the exit",
     {"ptx", "cp.async.bulk.wait_group; cp.async.bulk: completion mechanism; Async operations"}},
    {"missing-barrier-init-fence",
     "the async proxy or another CTA uses an mbarrier whose initialisation was not made visible to it; "
     "fence.mbarrier_init (or fence.proxy.async, a fence of cluster scope) belongs after mbarrier.init",
     {"ptx", "membar/fence: fence.mbarrier_init"}},
    {"missing-tensormap-fence",
     "a copy uses a tensor map in global memory that was changed, with no release and no acquire between; "
     "fence.proxy.tensormap::generic.release, or tensormap.cp_fenceproxy, belongs after the change, and "
     "fence.proxy.tensormap::generic.acquire of its address before the copy, in each CTA, both with a "
     "scope that includes the other thread",
     {"ptx", "membar/fence: fence.proxy.tensormap::generic; tensormap.cp_fenceproxy"}},
    {"map-changed-in-flight",
     "the memory of a tensor map is written while a tensor copy that reads the map is unfinished; a wait on "
     "its mbarrier, or for its bulk group, belongs before",
     {"ptx", "cp.async.bulk.tensor; cp.async.bulk.wait_group; tensormap.replace"}},
    {"missing-wgmma-fence",
     "a wgmma.mma_async has as accumulator or as A a register that was written since the last "
     "wgmma.fence, or no wgmma.fence comes before the first one; wgmma.fence belongs between",
     {"ptx", "wgmma.fence"}},
    {"missing-wgmma-wait",
     "a register of a wgmma.mma_async is accessed (one of A: written) while that may be running; "
     "wgmma.wait_group belongs before",
     {"ptx", "wgmma.mma_async; wgmma.wait_group"}},
    {"missing-wgmma-commit",
     "a warp waits for its groups of wgmma while a wgmma.mma_async of it is in no group; "
     "wgmma.commit_group belongs after it",
     {"ptx", "wgmma.commit_group"}},
    {"missing-load-wait",
     "a register of tcgen05.ld is used, or the tensor memory that it reads is overwritten, while the load "
     "may be running; tcgen05.wait::ld belongs before",
     {"ptx", "tcgen05.wait; tcgen05, Memory Consistency Model"}},
    {"missing-store-wait",
     "tensor memory is accessed while a tcgen05.st may still be writing it; tcgen05.wait::st belongs before",
     {"ptx", "tcgen05.wait; tcgen05, Memory Consistency Model"}},
    {"missing-mma-wait",
     "what a tcgen05.mma, cp or shift writes is accessed, or what it reads is overwritten, while it may be "
     "running; a tcgen05.commit and a wait on its mbarrier belong between, except in pipelined pairs of one "
     "thread and for a tcgen05.cp behind a tcgen05.mma where the device keeps that order (AMB-52)",
     {"ptx", "tcgen05.commit; tcgen05, Memory Consistency Model: pipelined instructions"}},
    {"missing-before-fence",
     "a thread accesses tensor memory that another has loaded or stored, and that one has not executed "
     "tcgen05.fence::before_thread_sync between its tcgen05.ld or tcgen05.st and what the two synchronise "
     "by; the fence belongs there",
     {"ptx", "tcgen05.fence; tcgen05, Memory Consistency Model"}},
    {"missing-after-fence",
     "a thread accesses tensor memory that another thread or a tcgen05.mma accessed, and has not executed "
     "tcgen05.fence::after_thread_sync since the two synchronised; the fence belongs between",
     {"ptx", "tcgen05.fence; tcgen05, Memory Consistency Model"}},
    {"tensor-lane-window",
     "a tcgen05.ld or tcgen05.st names lanes of tensor memory outside its warp's own quarter; warp N of a "
     "warpgroup has lanes 32 N to 32 N + 31",
     {"ptx", "tcgen05.ld: Access restrictions"}},
    {"plain-barrier-access",
     "the memory of an initialised mbarrier object is accessed by something other than an mbarrier "
     "operation; mbarrier.inval belongs before",
     {"ptx", "Contents of the mbarrier object"}},
    {"barrier-after-inval",
     "an mbarrier object is used after mbarrier.inval; mbarrier.init has to initialise it again before",
     {"ptx", "mbarrier.inval"}},
    {"barrier-without-init",
     "an mbarrier operation is applied to a word that ordinary stores wrote and no mbarrier.init has "
     "initialised; mbarrier.init belongs before",
     {"ptx", "mbarrier.init; Contents of the mbarrier object"}},
    {"barrier-initialised-twice",
     "mbarrier.init is applied to an mbarrier object that is still valid; mbarrier.inval belongs before",
     {"ptx", "mbarrier.init"}},
    {"tensor-memory-freed-twice",
     "an allocation of tensor memory is freed a second time; one tcgen05.dealloc, by one warp, is enough",
     {"ptx", "tcgen05.dealloc"}},
    {"setmaxnreg-of-some-warps",
     "the warps of a warpgroup do not execute the same setmaxnreg, or some of them execute none; all have "
     "to execute the same",
     {"ptx", "setmaxnreg"}},
    {"setmaxnreg-without-barrier",
     "a warp executes setmaxnreg again, and does not know that the others of its warpgroup have executed "
     "the one before; a barrier of the warpgroup belongs between",
     {"ptx", "setmaxnreg"}},
    {"setmaxnreg-beyond-pool",
     "warpgroups ask by setmaxnreg.inc for more registers than the block was launched with, so that one "
     "waits for ever; others have to release some by setmaxnreg.dec",
     {"ptx", "setmaxnreg"}},
    {"map-stride",
     "tensormap.replace writes a stride that is no multiple of 16 bytes: its lower bits are dropped; "
     "the encoders refuse such a stride, and a multiple belongs there",
     {"driver", "cuTensorMapEncodeTiled, globalStrides"}},
    {"divergent-barrier",
     "threads of one warp are at different bar.sync instructions, or some have gone past the one at which "
     "others wait; all threads that have not exited have to execute the same bar.sync, outside of the "
     "condition",
     {"ptx", "bar, barrier: .aligned"}},
    {"missing-grid-wait",
     "a kernel that may start before the one launched before it has ended accesses what that one writes, "
     "or what an earlier one writes that the kernel between has not waited for; griddepcontrol.wait "
     "belongs before the access, and in the kernel between",
     {"ptx", "griddepcontrol"}},
    {"missing-stream-order",
     "an operation of one stream accesses bytes that an operation of another writes, or writes those that "
     "it reads, and nothing orders the two; cudaStreamWaitEvent for an event recorded after the first, or "
     "a wait of the host, belongs between",
     {"guide", "Streams; Events; Implicit Synchronization"}},
    {"missing-host-wait",
     "the host reads memory that an operation of a stream writes, or writes what one accesses, and has not "
     "waited for it; cudaStreamSynchronize, or another wait for the operation, belongs before",
     {"guide", "Asynchronous Concurrent Execution; Unified Memory: Coherency and Concurrency"}},
    {"bulk-size",
     "the size of a bulk copy is not a multiple of 16 bytes, so that only whole pieces of 16 are copied; "
     "the rest needs ordinary loads and stores",
     {"ptx", "cp.async.bulk; cp.reduce.async.bulk"}},
    {"generic-as-shared",
     "a 64-bit address that does not lie in the shared state space is used as one that does, and its "
     "upper half is ignored; cvta.to.shared converts a generic address",
     {"ptx", "Addresses as Operands; cvta"}},
    {"request-after-refusal",
     "a CTA that has seen a request of clusterlaunchcontrol fail makes another, which is undefined; no "
     "request may come after one that was seen to fail",
     {"ptx", "9.7.13.17, clusterlaunchcontrol.try_cancel"}},
    {"lane-outside-membermask",
     "a thread executes match.sync whose membermask does not name it; the bit of each thread that executes "
     "it "
     "belongs in the mask",
     {"ptx", "match.sync"}},
    {"read-only-load",
     "ld.global.nc reads what a thread of the same launch writes: its cache holds what stays the same while "
     "the kernel runs; a load without .nc belongs there (no __ldg, no pointer that is const and "
     "__restrict__)",
     {"ptx", "ld.global.nc"}},
    {"shuffle-from-absent-lane",
     "shfl.sync takes the value of a lane that its membermask names and that has exited, which is "
     "undefined; every lane of the mask has to execute it, or the mask to name only those that do",
     {"ptx", "shfl.sync"}},
    {"data-race",
     "two accesses, at least one of them a write, are not ordered, and not both strong at a scope that "
     "includes both threads; a barrier, or a release and an acquire, belongs between",
     {"ptx", "Memory Consistency Model: Conflict and Data-races"}},
    {"cluster-exit",
     "shared memory of another CTA is accessed after that CTA has exited; a cluster barrier belongs before "
     "its exit",
     {"ptx", "mapa; Cluster of Cooperative Thread Arrays"}},
    {"swizzle-mismatch",
     "what a tensor copy wrote to shared memory with one swizzle is read with another; the tensor map and "
     "the "
     "matrix descriptor, or the two maps, should have the same",
     {"ptx", "Tensors: Swizzling Modes; Asynchronous warpgroup-level matrix shared memory layout"},
     true},
    {"scale-order",
     "scale factors are not in the order that they are read in: tcgen05.cp.32x128b takes blocks of 512 "
     "bytes, 4 of rows r, r + 32, r + 64 and r + 96 side by side, and a scaled product the same ones of B "
     "in each 32 lanes; they belong in that order in global memory, or have to be put in it",
     {"ptx", "tcgen05.mma: Scale factor layouts; tcgen05.cp: .32x128b, .warpx4"},
     true},
    {"unread-tile",
     "what a copy brought to shared memory is overwritten before any of it has been read, or rows of it "
     "are that no operand descriptor covered; one of the two copies has the wrong address, or the first "
     "is not needed",
     {"ptx", "cp.async.bulk; cp.async.bulk.tensor; tcgen05.alloc"},
     true},
    {"barrier-of-some-warps",
     "warps of a CTA meet at its barrier by different bar.sync instructions; all threads of the CTA "
     "should execute the same one, or barriers with a number of threads",
     {"ptx", "bar, barrier: .aligned"},
     true},
    {"warp-synchronous-read",
     "a lane reads once what another lane of its warp has written by a volatile or relaxed store, and is "
     "sure to find it only if the two run in lockstep; bar.warp.sync (__syncwarp) belongs between",
     {"guide", "Independent Thread Scheduling"},
     true},
    {"shuffle-out-of-step",
     "lanes of a warp exchange values at two different shfl.sync, one of which comes after the other, so "
     "that some execute the second one again without the rest; all lanes of a membermask should execute "
     "the same one, or the mask name only those that do",
     {"guide", "Warp Shuffle Functions"},
     true},
    {"missing-acquire-fence",
     "what another CTA has released is accessed after an atom that acquires nothing; .acquire on it, or a "
     "fence (__threadfence) after it, orders the two",
     {"ptx", "Memory Consistency Model: Release and Acquire Patterns"},
     true},
    {"overlapping-rows",
     "a tensor store writes bytes of global memory more than once, in any order; the strides of its map "
     "should "
     "be as long as what they step over, and rows of a scatter differ",
     {"driver", "cuTensorMapEncodeTiled, globalStrides"},
     true},
};

/// Watches one cluster for breaches. Every member may be called with any valid access; none ends the launch.
class StrictMode {
 public:
  explicit StrictMode(Cluster& cluster);

  TensorOrder tensor;
  race::Races races;
  const std::unique_ptr<race::Provenance> provenance;  ///< null unless Settings::warns

  /// Accesses of the generic proxy to shared memory (32-bit shared::cluster address).
  void generic_store(uint32_t address, uint32_t bytes, const Issuer& issuer,
                     const race::MemoryOrder& order = {});
  void generic_load(uint32_t address, uint32_t bytes, const Issuer& issuer,
                    const race::MemoryOrder& order = {});
  /// The same of the lanes of a warp that lie in one window of shared memory. `repeating`: lanes that write
  /// what is there.
  void generic_accesses(const Step& step, const Window& window, const LanePlaces& places, uint32_t bytes,
                        bool is_write, uint32_t repeating = 0);
  /// By an mbarrier operation of any thread.
  void barrier_used(uint32_t address, const Issuer& issuer);
  void remote_access(const Cta& target, const Issuer& issuer);
  /// Reads and writes of the generic proxy to global memory. Reads matter while a store is on its way.
  void global_load(uint64_t address, uint32_t bytes, const Issuer& issuer) {
    grid_access(address, bytes, issuer);
    check_written(address, bytes, issuer);
  }
  /// Races in global memory, of lanes that lie in one window of it, and of one lane. `values`: what is
  /// written, by lane, or null.
  void global_accesses(const Step& step, const Window& window, const LanePlaces& places, uint32_t bytes,
                       const std::byte* values, bool is_write);
  void global_access(const Step& step, int lane, uint64_t address, uint32_t bytes, bool is_write) {
    reports_before_ = reports_;
    if (follows_global)
      races.global_access(address, bytes, {step.cta.rank, step.warp.index, 1u << lane}, 0,
                          step.instruction.line, is_write, step.instruction.order, nullptr);
  }
  /// Whether two accesses of global memory could race: a grid of one CTA without copies has none that are
  /// told.
  const bool follows_global;
  /// Whether global_load() may find anything in the allocation that begins there, or keeps it.
  bool looks_at_global_loads(uint64_t begin) const {
    return !written_.empty() || begins_early || is_beside || grids_.keeps_read(begin);
  }
  void global_store(uint64_t address, uint32_t bytes, const Issuer& issuer);
  /// A write to global memory by whichever proxy.
  void global_write(uint64_t address, uint64_t bytes, const Issuer& issuer);
  /// The map at an address of global memory was made or changed by a tensormap instruction.
  void tensor_map_replaced(uint64_t address);

  void proxy_fence(const Issuer& issuer);
  void barrier_init_fence(const Issuer& issuer);
  /// A release at cluster scope or wider: shows initialised barriers to other CTAs, not to the async proxy.
  void cluster_release(const Issuer& issuer);
  void tensor_map_acquire(uint64_t address, const Issuer& issuer, race::Scope scope);
  void tensor_map_release(const Issuer& issuer, race::Scope scope);
  void tensor_map_used(uint64_t address, const Issuer& issuer);

  void barrier_initialised(uint32_t address, const Issuer& issuer);
  void barrier_invalidated(uint32_t address);
  /// A barrier of the CTA is about to complete, at which lanes of a warp arrived apart from others.
  void barrier_met_apart(const Cta& cta, uint32_t barrier);
  /// Two warps have arrived in one phase of the barrier that all threads of a CTA meet at.
  void barrier_met_elsewhere(const Issuer& first, const Issuer& second);
  /// Lanes execute the instruction of that index while others of their warp wait at a barrier of the CTA.
  void executes_beside(Warp& warp, uint32_t at, uint32_t lanes);
  void lanes_exit(const Warp& warp, uint32_t lanes);
  /// griddepcontrol.wait by a thread of the CTA.
  void grid_waited(uint32_t cta);
  /// Any access of global memory, or the copy that will make it.
  void grid_access(uint64_t address, uint64_t bytes, const Issuer& issuer, bool is_write = false);
  /// Whether grid_access() may find anything in this launch: of kernels in front, of other streams.
  const bool begins_early, is_beside;
  /// setmaxnreg by a warp.
  void registers_changed(const Cta& cta, uint32_t warp, bool is_increase, uint32_t count,
                         const Issuer& issuer);
  /// All threads of the CTA have exited, this one last.
  void cta_ended(const Issuer& last);
  /// The first operation on an object that no init made.
  void barrier_without_init(uint32_t address, const Issuer& issuer);
  void barrier_used_after_inval(const Issuer& issuer) { report("barrier-after-inval", issuer); }
  void request_after_refusal(const Issuer& issuer) { report("request-after-refusal", issuer); }
  void lane_outside_membermask(const Issuer& issuer) { report("lane-outside-membermask", issuer); }
  void shuffle_from_absent(const Issuer& issuer, int source) {
    report("shuffle-from-absent-lane", issuer,
           "lane " + std::to_string(source) + " is in the membermask and has exited");
  }
  /// Lanes of a warp have met at two instructions.
  void shuffles_apart(const Issuer& one, const Issuer& other);
  void generic_as_shared(const Issuer& issuer) { report("generic-as-shared", issuer); }
  void odd_bulk_size(const Issuer& issuer) { report("bulk-size", issuer); }
  void odd_map_stride(const Issuer& issuer) { report("map-stride", issuer); }
  /// The scales of B that a product reads differ between lanes, 32 to 32.
  void scales_differ(const Issuer& issuer);
  /// A tensor store writes so many bytes of global memory again.
  void rows_overlap(uint64_t bytes, const Issuer& issuer);
  void tensor_memory_freed_twice(const Issuer& issuer, const Issuer& before) {
    report("tensor-memory-freed-twice", issuer, before, "tcgen05.dealloc");
  }
  /// By an mbarrier operation of another CTA, or by the async proxy.
  void barrier_used_from_outside(uint32_t address, const Issuer& issuer, bool by_async_proxy);
  /// A test_wait or try_wait on the barrier at the address succeeded.
  void barrier_waited(uint32_t address);

  /// A tcgen05.ld or st by a warp gave lanes of another warp's window.
  void lane_outside_window(const Issuer& issuer) { report("tensor-lane-window", issuer); }

  /// Which wait of the second thread, or whose arrivals, did not do what they were for; or nothing.
  std::string why(const race::Race& race);
  /// A wait that the second thread relies on, and that was over too early; or nothing.
  std::string why_early(const race::Race& race);
  /// Why the thread does not know that what was sent there is done, or nothing.
  std::string why_incomplete(const race::Order::Sent& sent, const Issuer& issuer);

  void issued(const AsyncOperation& operation);
  void source_read(const AsyncOperation& operation);
  void destination_written(const AsyncOperation& operation);
  /// The thread waited until at most n of its bulk groups are unfinished, or have sources that are not read.
  void groups_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups, bool is_read);
  /// The same for the wgmma groups of a warp, by its first thread.
  void wgmma_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups);
  void exited(const Issuer& issuer, const AsyncGroups& groups);

 private:
  struct ThreadKey {
    uint32_t cta, thread;
    bool operator<(const ThreadKey& other) const {
      return cta != other.cta ? cta < other.cta : thread < other.thread;
    }
  };
  struct Fences {
    uint64_t proxy = 0, init = 0, cluster = 0;
  };
  /// A copy whose destination nobody has waited for, or whose source nobody has waited for.
  struct Outstanding {
    SharedRange range;
    uint32_t barrier = 0;
    bool has_landed = false;
    std::shared_ptr<AsyncGroup> group;
    Issuer issuer;
    uint64_t tensor_map = 0;
    race::Order::Sent sent{};
  };
  /// What a store writes, from its issue to the wait for its writes: ranges by rising address.
  struct WrittenLater {
    std::vector<GlobalRange> ranges;
    std::shared_ptr<AsyncGroup> group;
    Issuer issuer;
  };
  struct Mark {
    uint64_t time;
    Issuer issuer;
  };
  Fences& fences(const Issuer& issuer) { return fences_[{issuer.cta_rank, issuer.thread}]; }
  void check_issue(const AsyncOperation& operation);
  void check_written(uint64_t address, uint32_t bytes, const Issuer& issuer);
  /// For the launches after this one.
  void note_written(uint64_t address, uint64_t bytes, const Issuer& issuer);
  void report(std::string_view clause, const Issuer& issuer) { report(clause, issuer, nullptr, {}); }
  /// `first`: the other end, and what it is.
  void report(std::string_view clause, const Issuer& issuer, const Issuer* first, std::string_view what,
              const race::Order::Sent* sent = nullptr);
  void report(std::string_view clause, const Issuer& issuer, const Issuer& first, std::string_view what) {
    report(clause, issuer, &first, what);
  }
  /// `why`: what led to it, in words.
  void report(std::string_view clause, const Issuer& issuer, std::string why);
  void report_landing(const Outstanding& load, const Issuer& issuer);
  void check_load(uint32_t address, uint32_t bytes, const Issuer& issuer);
  void check_store(uint32_t address, uint32_t bytes, const Issuer& issuer);
  /// Two clauses are races of a kind. Of others nothing is said where a clause has said what is missing at
  /// the same access.
  void report_race(const race::Race& race);
  void report_lockstep(const race::Race& race);
  void report_relaxed_atomic(const race::Race& race);
  template <class One>
  static void forget_in(std::vector<One>& all, uint64_t n, const Issuer& issuer, const AsyncGroups& groups);
  static bool overlap(const SharedRange& range, uint32_t address, uint32_t bytes) {
    return address < range.address + range.bytes && range.address < address + bytes;
  }

  Cluster& cluster_;
  uint64_t now_ = 0;
  uint64_t reports_ = 0, reports_before_ = 0;  ///< of clauses: in all, and before the access in progress
  std::map<ThreadKey, Fences> fences_;
  std::vector<Outstanding> loads_, stores_;
  std::vector<WrittenLater> written_;
  std::set<uint32_t> grid_waited_;  ///< CTAs of which a thread has waited
  std::map<uint32_t, Mark> inits_;
  struct RegisterChange {
    uint32_t count;
    bool is_increase;
    Issuer issuer;
    race::Moment moment;
  };
  /// By CTA and warpgroup, of each of its warps: what it executed, in order.
  using RegisterChanges = std::map<std::pair<uint32_t, uint32_t>, std::array<std::vector<RegisterChange>, 4>>;
  RegisterChanges register_changes_;
  /// Of a CTA: whether all have what they ask for last.
  void check_register_pool(RegisterChanges::const_iterator from, RegisterChanges::const_iterator to);
  /// By the indices of two instructions: whether who leaves the one always comes by the other.
  bool comes_by(uint32_t from, uint32_t to);
  std::map<std::pair<uint32_t, uint32_t>, bool> comes_by_;
  /// By the lines of a store and of a load: whether the load is done again until it finds what was stored.
  std::map<std::pair<uint32_t, uint32_t>, bool> polls_;
  race::MapWrites& maps_;
  const GridHistory& grids_;
  /// Of tensor maps: thread -> address -> time, by the scope of the acquire.
  std::map<std::pair<uint32_t, uint32_t>, std::map<uint64_t, std::array<uint64_t, 3>>> acquired_;
};

}  // namespace assay::emulator
