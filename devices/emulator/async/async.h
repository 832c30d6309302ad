// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// A thread of a cluster, as diagnostics and the strict mode know it.
struct Issuer {
  uint32_t cta_rank = 0;  ///< in its cluster
  uint32_t thread = 0;    ///< linear index in its CTA
  uint32_t line = 0;      ///< of the PTX text
};

/// What an operation of a group still has to do. A group is done for `.read` when nothing is unread, and done
/// when nothing is unwritten.
struct AsyncGroup {
  uint32_t unread = 0;
  uint32_t unwritten = 0;
  uint32_t operations = 0;  ///< in all
  bool is_done(bool reading) const { return (reading ? unread : unwritten) == 0; }
};

/// The async-groups of one thread: those of cp.async.bulk (commit_group, wait_group) or those of cp.async.
class AsyncGroups {
 public:
  /// The group that operations issued now belong to until the next commit().
  std::shared_ptr<AsyncGroup> open();
  /// An empty group is committed too: it counts in wait_group N.
  void commit();
  /// True when at most `n` of the most recently committed groups have not finished (reading their sources, if
  /// `read`), by `is_done` where it is given.
  bool at_most(uint64_t n, bool read, bool (*is_done)(const AsyncGroup&, bool read) = nullptr) const;
  bool has_uncommitted() const { return open_ != nullptr; }
  bool has_committed() const { return !committed_.empty(); }
  bool is_open(const AsyncGroup* group) const { return open_.get() == group; }
  /// The n most recently committed groups, or fewer.
  std::vector<const AsyncGroup*> newest(uint64_t n) const;
  /// Forgets finished groups.
  void trim();
  /// What was issued since the last commit() is of no group any more.
  void forget_open() { open_.reset(); }
  /// As when it was made.
  void clear() {
    open_.reset();
    if (!committed_.empty()) committed_.clear();
  }

 private:
  std::shared_ptr<AsyncGroup> open_;
  std::deque<std::shared_ptr<AsyncGroup>> committed_;
};

/// How chunks of a 128-byte line of shared memory change places.
enum class SwizzleKind : uint8_t {
  none,
  span_32,
  span_64,
  span_96,
  span_128,
  span_128_atom_32,
  span_128_atom_32_flip_8,
  span_128_atom_64,
};

/// A range of shared memory by its 32-bit shared::cluster address.
struct SharedRange {
  uint32_t address = 0;
  uint32_t bytes = 0;
  std::optional<SwizzleKind> swizzle{};  ///< with which it is read or written, where that has one
  uint8_t warps = 0xf;                   ///< of a wgmma: those of its warpgroup that read it, a bit each
  bool is_scales = false;                ///< read by tcgen05.cp.32x128b, which is for scale factors
};

/// A range of global memory.
struct GlobalRange {
  uint64_t address = 0, bytes = 0;
};

/// An asynchronous operation. `read` (may be empty) takes what it needs from the source; `write` (required)
/// moves the result to the destination and signals its mbarrier, if any. The queue calls read, then write,
/// each once, at moments that Settings::completion chooses, in any order among operations. Both may throw
/// Trap.
struct AsyncOperation {
  Issuer issuer;
  std::function<void()> read;
  std::function<void()> write;
  std::shared_ptr<AsyncGroup> group;  ///< of a bulk_group or cp.async operation, else null
  /// For the strict mode: shared memory that is read and written (one range per receiving CTA), and the
  /// mbarrier whose phase completion makes the write visible (0: none).
  std::vector<SharedRange> shared_reads, shared_writes;
  std::vector<GlobalRange> global_reads, global_writes;  ///< of copies, for the strict mode too
  std::vector<uint32_t> barriers;                        ///< one per entry of shared_writes, or empty
  uint32_t arrival = 0;                                  ///< of a tcgen05.commit: its mbarrier
  uint64_t tensor_map = 0;  ///< generic address of the map that a tensor copy reads
  bool is_wgmma = false;
  bool is_response = false;     ///< of clusterlaunchcontrol.try_cancel
  bool is_reduction = false;    ///< its writes are relaxed atomic operations of a wide scope
  bool is_async_proxy = true;   ///< false for cp.async and others that are no async-proxy access
  std::vector<uint64_t> after;  ///< operations that must be done before this one starts
  uint64_t id = 0;              ///< given by the queue
};

/// The pending asynchronous work of one cluster.
class AsyncQueue {
 public:
  /// `on_demand`: under the random schedule nothing happens while something else can go on.
  AsyncQueue(Completion completion, uint64_t seed, bool on_demand = false)
      : completion_(completion), is_on_demand_(on_demand), state_(seed) {}
  AsyncQueue(const AsyncQueue&) = delete;
  AsyncQueue& operator=(const AsyncQueue&) = delete;
  ~AsyncQueue();
  /// Takes the operation over; under the eager schedule it is done on return. Returns its id.
  uint64_t issue(AsyncOperation operation);
  bool is_pending(uint64_t id) const { return find(id) < pending_.size(); }
  /// Does what is left of an operation, and of those that it comes after, if anything.
  void complete(uint64_t id);
  bool empty() const { return pending_.empty(); }
  size_t size() const { return pending_.size(); }
  /// Pending operations of which a stage can be done, the oldest first, and that stage of one of them.
  std::vector<uint64_t> ready_ids() const;
  void advance(uint64_t id) { step(find(id)); }
  const AsyncOperation& operation(uint64_t id) const { return pending_[find(id)]->operation; }
  uint64_t last_id() const { return last_id_; }
  /// Performs one stage of one pending operation: the oldest under lazy, any under random. False if none.
  bool advance();
  bool is_on_demand() const { return is_on_demand_; }
  /// A stage of the oldest operation that f(operation) asks for, or of one before it; false if it asks for
  /// none.
  template <class F>
  bool advance_for(F f) {
    for (size_t i = 0; i < pending_.size(); ++i)
      if (f(pending_[i]->operation)) return step(ready(i)), true;
    return false;
  }
  /// Called at every scheduling decision: the random schedule may advance something now.
  void tick();
  void drain();
  /// Called before and after an operation's stages run; the cluster hooks its strict mode in.
  std::function<void(const AsyncOperation&)> on_issue;
  std::function<void(const AsyncOperation&)> on_read, on_written;
  /// Whose stage is running, for diagnostics.
  const std::optional<Issuer>& running() const { return running_; }
  uint64_t running_id() const { return running_id_; }  ///< of that, or of the last one
  uint64_t random();
  uint64_t seed() const { return state_; }  ///< as long as nothing random has happened

 private:
  struct Pending {
    AsyncOperation operation;
    bool was_read = false;
  };
  void step(size_t index);
  size_t find(uint64_t id) const;
  /// The operation itself, or one that must be done before it and can start.
  size_t ready(size_t index) const;
  Completion completion_;
  const bool is_on_demand_;
  uint64_t state_, last_id_ = 0, running_id_ = 0;
  /// Ids rise. Owned, as plain pointers, of which many move at once.
  std::vector<Pending*> pending_;
  std::optional<Issuer> running_;
};

}  // namespace assay::emulator
