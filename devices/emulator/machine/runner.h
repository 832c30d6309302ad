// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/map_cache.h"
#include "devices/emulator/machine/memory.h"
#include "devices/emulator/machine/special_registers.h"

namespace assay::emulator {

/// What a kernel printed. The buffer is a ring of a fixed size: the oldest go when there is more (CUDA
/// Programming Guide, Formatted Output).
class PrintBuffer {
 public:
  explicit PrintBuffer(size_t bytes) : limit_(bytes) {}
  /// `bytes`: what the entry takes in the buffer, which keeps arguments and not text. `cluster`: whose it is.
  void add(uint64_t cluster, size_t bytes, std::string text);
  /// Takes over what another buffer holds, both in the order of clusters: what one launch printed into
  /// several buffers, as if it had been one.
  void merge(PrintBuffer&& other);
  /// Forgets what clusters after this one printed.
  void forget_after(uint64_t cluster);
  /// All that is left to stdout.
  void flush();

 private:
  void keep_to_limit();

  struct Entry {
    uint64_t cluster;
    size_t bytes;
    std::string text;
  };
  size_t limit_, used_ = 0;
  std::deque<Entry> entries_;
};

/// Runs clusters of a launch on one host thread, one after another; a further one joins when those that run
/// only spin, as kernels with flags between CTAs expect.
class Runner {
 public:
  explicit Runner(Launch& launch);
  ~Runner();

  /// Warps that have ended, for the next launch: at most a few megabytes.
  std::vector<std::unique_ptr<Warp>> leave_warps();
  void use_warps(std::vector<std::unique_ptr<Warp>> spare) { spare_warps_ = std::move(spare); }

  /// Runs all clusters that are left, those that are resident among them. Nothing: it ended well.
  std::optional<Diagnostic> run_all();

  /// The same, step by step, as the schedule says.
  std::optional<Diagnostic> run_chosen(Schedule& schedule);

  /// How a cluster that runs by itself came to stop.
  enum class Alone : uint8_t {
    over,     ///< all of it has run
    waits,    ///< nothing of its own can make it go on: it is resident still
    stopped,  ///< `is_wanted` said no
  };
  /// Runs one cluster beside those of other runners, with no other joining it. `is_wanted` is asked after
  /// every round. Throws Trap.
  template <class Wanted>
  Alone run_alone(uint64_t index, Wanted is_wanted) {
    resident_.push_back(start_cluster(index));
    for (;;) {
      if (const std::optional<Alone> end = advance_alone()) return *end;
      if (!is_wanted()) return Alone::stopped;
    }
  }
  /// The cluster that waits leaves, and joins another runner.
  std::unique_ptr<Cluster> give();
  void take(std::unique_ptr<Cluster> cluster);
  /// Of a trap that came out of run_alone() or ended run_all().
  Diagnostic describe(const Trap& trap) const;

  Launch& launch;
  uint64_t instructions = 0;  ///< thread instructions so far
  PrintBuffer prints;
  std::string failed_assertions;  ///< lines for stderr, if the launch ends with them
  MapCache maps;
  race::Touches touches;          ///< of the step that run_chosen() takes
  bool ends_waits_early = false;  ///< in this step

  /// The range of global memory that holds the address, if it is one of those hit last; or in any case, null
  /// if none does.
  const Memory::Range* recent_range(uint64_t address) const {
    for (const Memory::Range& range : recent_ranges_)
      if (address - range.begin < range.end - range.begin) return &range;
    return nullptr;
  }
  const Memory::Range* find_range(uint64_t address);

  /// The units of tensor memory that other CTAs on the CTA's multiprocessor hold, a bit each; in the strict
  /// mode all, while one of them keeps the right to allocate.
  uint32_t columns_taken_beside(const Cta& cta) const;
  /// Columns of tensor memory are free again, of which a CTA of another cluster may be waiting.
  void columns_freed();
  /// Never-written memory reached global memory. The launch goes on, so that the strict mode sees the rest of
  /// it, and ends with this error, or names it in the one that ended it; the first is kept.
  void uninitialised_read(const Cluster& cluster, const Issuer& issuer, std::string message);
  /// That, and the index of its cluster.
  std::optional<std::pair<uint64_t, Diagnostic>> first_uninitialised_read;

 private:
  std::unique_ptr<Cluster> start_cluster(uint64_t index);
  void start_cta(Cluster& cluster, uint32_t rank);
  void start_warp(Cta& cta, uint32_t index);
  void fill_environment(Warp& warp);
  void retire(Cluster& cluster);
  /// The warps of a CTA as they take their turns in this round.
  const std::vector<Warp*>& order_of_warps(Cluster& cluster, const Cta& cta);
  /// One turn of every warp. True when something moved.
  bool run_round(Cluster& cluster);
  /// Nothing moves by itself: advances asynchronous work or the clock. False: deadlock.
  bool resolve_stall(Cluster& cluster);
  /// Retires the clusters whose threads have all exited. True if there was one.
  bool retire_finished();
  bool run_resident();
  friend class ChosenRun;  ///< machine/schedule.cc
  /// One round of the one cluster, and what it needs to go on; nothing: it can.
  std::optional<Alone> advance_alone();
  uint64_t state_hash(const Cluster& cluster) const;
  Diagnostic deadlock_report() const;
  /// Of a CTA that waits in tcgen05.alloc: who holds tensor memory of its multiprocessor.
  std::string holders_beside(const Cta& cta) const;
  template <class F>
  void each_tensor_beside(const Cta& cta, F f) const {
    for (const auto& resident : resident_)
      for (const auto& other : resident->ctas)
        if (other.get() != &cta && other->tensor != nullptr &&
            launch.multiprocessor(*other) == launch.multiprocessor(cta))
          f(*other);
  }
  void list_barriers(const Cta& cta, std::vector<OpenBarrier>& list) const;

  std::vector<std::unique_ptr<Cluster>> resident_;
  /// What is large is used again.
  std::vector<std::unique_ptr<Warp>> spare_warps_;
  struct Shared {
    std::vector<std::byte> bytes;
    std::vector<uint8_t> written;
  };
  std::vector<Shared> spare_shared_;
  std::vector<SpecialRegister> special_registers_;  ///< by the columns of the environment
  std::array<Memory::Range, 4> recent_ranges_{};
  size_t oldest_range_ = 0;
  Warp* running_ = nullptr;
  std::vector<Warp*> warp_order_;
  struct Stall {
    static constexpr uint64_t first_step = 1'000'000, last_step = 64'000'000;
    uint64_t rounds = 0;       ///< rounds in a row in which nothing moved
    uint64_t resolved = 0;     ///< times that only the clock could help
    bool has_spinner = false;  ///< in the last round some warp went round a loop
    uint64_t same_state = 0;   ///< looks in a row that found the state unchanged
    uint64_t hash = 0;
    uint64_t step = first_step;  ///< nanoseconds that the clock jumps next
  };
  std::map<const Cluster*, Stall> stalls_;
};

}  // namespace assay::emulator
