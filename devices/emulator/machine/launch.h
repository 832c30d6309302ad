// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/grid_history.h"
#include "devices/emulator/machine/map_cache.h"
#include "devices/emulator/machine/memory.h"
#include "devices/emulator/machine/program.h"
#include "devices/emulator/race/global.h"

namespace assay::emulator {

/// What happened to the mbarriers of a launch, in order, as far as the last most_events tell it; kept in the
/// strict mode.
class Timeline {
 public:
  static constexpr size_t most_events = 4096;
  /// What the lanes of a warp do one after the other is one event, of the sum of their arrivals; a warp that
  /// tries its wait again does not begin another.
  void add(const BarrierEvent& event) {
    if (event.kind == BarrierEvent::Kind::blocked && !blocked_.insert(waiter(event)).second) return;
    if (event.kind == BarrierEvent::Kind::wait) blocked_.erase(waiter(event));
    if (!events_.empty() && is_of_same_warp(events_.back(), event)) {
      if (event.kind == BarrierEvent::Kind::arrive) events_.back().amount += event.amount;
      return;
    }
    if (events_.size() == most_events) events_.pop_front();
    events_.push_back(event);
    ++seen_;
  }
  /// Adds what another one kept, of CTAs that this one knows nothing of, so much later.
  void add(const Timeline& other, uint64_t later) {
    for (BarrierEvent event : other.events_) {
      event.time += later;
      events_.push_back(event);
    }
    while (events_.size() > most_events) events_.pop_front();
    seen_ += other.seen_;
  }
  uint64_t seen() const { return seen_; }
  std::vector<BarrierEvent> take() {
    std::vector<BarrierEvent> taken(events_.begin(), events_.end());
    events_.clear();
    return taken;
  }

 private:
  using Waiter = std::tuple<uint32_t, uint32_t, uint32_t>;  ///< CTA, barrier, warp
  static Waiter waiter(const BarrierEvent& event) { return {event.cta, event.address, event.warp}; }
  static bool is_of_same_warp(const BarrierEvent& before, const BarrierEvent& event) {
    using Kind = BarrierEvent::Kind;
    return (event.kind == Kind::arrive || event.kind == Kind::wait) && before.kind == event.kind &&
           event.warp != BarrierEvent::no_warp && waiter(before) == waiter(event) &&
           before.time + 32 >= event.time;
  }
  std::deque<BarrierEvent> events_;
  std::set<Waiter> blocked_;
  uint64_t seen_ = 0;
};

/// What the strict mode finds and learns in a cluster. A launch merges them in the order of the grid, so that
/// no finding depends on which clusters ran beside which.
struct ClusterLog {
  using Breaches = std::map<std::pair<std::string_view, uint32_t>, Breach>;  ///< by clause and line
  Breaches breaches;
  Timeline timeline;      ///< of launches whose clusters are apart
  uint64_t begin = 0;     ///< Runner::instructions when the cluster began,
  uint64_t executed = 0;  ///< and how many of these are its own, where it has left the runner
  MapHistory::Changes maps;
  ByteSet read, written;  ///< for GridHistory,
  bool waits_for_grids = false;
  bool talks_to_host = false;  ///< by strong accesses of memory that both may touch
  race::Grid races;            ///< of launches whose clusters are apart
  bool has_ended = false;
};

class Runner;
class Schedule;

/// Of the sizes of a grid, a cluster or a block: how many it has.
constexpr uint64_t product(const std::array<uint32_t, 3>& sizes) {
  return static_cast<uint64_t>(sizes[0]) * sizes[1] * sizes[2];
}

/// One run of a kernel over a grid: what its clusters share, whoever runs them. One runner has them all, or
/// several have some each (run_side_by_side()).
class Launch {
 public:
  /// `on_each`: CTAs that fit on a multiprocessor at once. `is_apart`: clusters cannot tell of each other, so
  /// that each runs by itself, on up to `runners` host threads.
  Launch(const Settings& settings, Memory& memory, MapHistory& map_history, GridHistory& grid_history,
         DeviceHeap& heap, const Program& program, const LaunchConfig& config,
         std::array<uint32_t, 3> cluster_shape, uint64_t grid_id, uint32_t on_each, bool is_apart,
         uint32_t runners, std::vector<std::unique_ptr<Warp>>& spare_warps);
  ~Launch();

  /// Runs to the end. Nothing: it ended well. `schedule`: who says what comes next, or null: the settings.
  /// `is_quiet`: what the kernel prints is not shown.
  std::optional<Diagnostic> run(Schedule* schedule = nullptr, bool is_quiet = false);

  const Settings& settings;
  Memory& memory;
  MapHistory& map_history;    ///< of all launches in this memory; for the strict mode
  GridHistory& grid_history;  ///< of all launches; for the strict mode
  DeviceHeap& heap;           ///< likewise
  const Program& program;
  const std::array<uint32_t, 3> grid, block, cluster_shape;
  const bool has_clusters;  ///< launched as clusters, of one CTA too
  const uint32_t dynamic_shared_bytes;
  const uint64_t grid_id;
  const LaunchLimits limits;
  const uint64_t grid_workspace;  ///< of a cooperative launch, or 0
  const uint64_t clusters;        ///< in the grid
  const uint32_t on_each;         ///< CTAs that fit on a multiprocessor at once
  const bool is_apart;            ///< no cluster can tell of another
  uint64_t instructions = 0;      ///< thread instructions, known at the end

  Timeline timeline;  ///< empty but in the strict mode
  race::Grid races;   ///< likewise; of clusters that are apart those that have ended

  /// Adds to the timeline what a warp of the CTA, or nobody, did to an mbarrier; in the strict mode alone.
  void note_barrier(BarrierEvent::Kind kind, const Cta& cta, uint32_t offset, uint32_t warp, uint32_t amount);

  std::array<uint32_t, 3> cluster_id(uint64_t index) const;
  std::array<uint32_t, 3> cta_id(const std::array<uint32_t, 3>& cluster, uint32_t rank) const;
  /// %smid of a CTA. CTAs of several clusters share a multiprocessor where there are more than
  /// multiprocessors, and in a random order of the strict mode as soon as they fit.
  uint32_t multiprocessor(const std::array<uint32_t, 3>& cta) const;
  uint32_t multiprocessor(const Cta& cta) const;

  /// Whether the multiprocessors have room for one more cluster beside those that are resident.
  bool has_room_for(uint64_t cluster, const std::vector<std::unique_ptr<Cluster>>& resident) const;
  bool has_room_for(uint64_t cluster, const std::vector<uint64_t>& resident) const;
  /// Whether a cluster is left that has not started.
  bool has_next() const { return next_cluster_.load(std::memory_order_relaxed) < clusters; }
  uint64_t next() const { return next_cluster_.load(std::memory_order_relaxed); }
  /// Takes the next cluster off the grid; nothing when none is left.
  std::optional<uint64_t> take_next();
  /// Takes a cluster that has not started off the grid, for one that asks: %ctaid of its first CTA, or
  /// nothing when none is left or, under the random schedule, now and then (a launch of higher priority
  /// waits).
  std::optional<std::array<uint32_t, 3>> cancel_cluster(Cluster& requester);
  /// The cluster that was cancelled last runs all the same.
  void start_cancelled() { started_anyway.push_back(next_cluster_ - 1); }
  std::vector<uint64_t> started_anyway;

  /// The kernel's parameters in memory that kernels may read.
  std::byte* params() { return params_.get(); }
  uint32_t params_bytes() const { return program.param_bytes; }
  uint32_t dynamic_shared_offset() const;

  /// Notes a breach of a clause at a thread; kept once a (clause, line).
  /// `first`: the other end of it, or null, and what that is; `first_cluster`: where, if not in this one;
  /// `sent`: where it completes on an mbarrier, or null; `why`: what led to it, in words.
  void report(std::string_view clause, const Cluster& cluster, const Issuer& issuer,
              const Issuer* first = nullptr, std::string_view what = {},
              std::optional<uint64_t> first_cluster = {}, const race::Order::Sent* sent = nullptr,
              std::string why = {});
  void report(std::string_view clause, const race::Race& race, const Cluster& cluster);
  /// The same of what is legal, with a sentence on what happened. `first`, `what`: as above.
  void warn(std::string_view clause, const Cluster& cluster, const Issuer& issuer, const Issuer* first,
            std::string sentence, std::string_view what = "copy", std::optional<uint64_t> first_cluster = {});
  std::vector<Breach> take_breaches();

  /// The log of a cluster that begins, until close_log() of it or the end of the launch.
  ClusterLog& open_log(const Cluster& cluster);
  /// The cluster has ended: its log is merged when those before it have been.
  void close_log(const Cluster& cluster);
  /// Clusters after this one would not have run on one thread.
  void forget_logs_after(uint64_t cluster);

  /// The variable in which an address of shared memory lies, as the PTX names it: "bar", "tile + 64", and
  /// "full[1]" of one that has several things of that size.
  std::string name_of_shared(uint32_t address, uint32_t size) const;

  /// "cta (0,0,0) thread 5"
  static std::string thread_name(const std::array<uint32_t, 3>& cta, uint32_t thread);

 private:
  void merge(const ClusterLog& log);
  void explain(Breach& breach, const race::Race& race, uint64_t cluster) const;
  /// Counts a breach; where it is the first of its line, that.
  Breach* count(std::string_view clause, const Cluster& cluster, const Issuer& issuer, uint32_t other_line);
  std::unique_ptr<std::byte, void (*)(void*)> params_;
  std::atomic<uint64_t> next_cluster_{0};
  ClusterLog::Breaches breaches_;
  std::mutex logs_mutex_;
  std::map<uint64_t, ClusterLog> logs_;  ///< by cluster, of those that are not merged
  uint64_t next_log_ = 0;                ///< clusters before this one are merged
  uint64_t merged_instructions_ = 0;     ///< of those
  const uint32_t runners_;
  std::vector<std::unique_ptr<Warp>>& spare_warps_;  ///< from one launch to the next
};

/// By the index of an instruction.
struct Pauses {
  std::vector<bool> may_synchronise;  ///< threads may, there
  std::vector<bool> executed;         ///< of those that are no arithmetic
  uint32_t first = ~0u, last = 0;     ///< of what the last turn executed
  void note(uint32_t index) { first = std::min(first, index), last = std::max(last, index); }
};

/// How a warp's turn ended.
enum class TurnEnd : uint8_t {
  moved,     ///< used up its share, can go on
  spun,      ///< went round a loop many times
  blocked,   ///< no lane can go on until something moves
  finished,  ///< every lane has exited
};

/// Runs a warp for one turn. `pauses`: it ends before the second instruction of these that does something.
TurnEnd run_turn(Warp& warp, const Program& program, uint64_t& instructions, uint64_t limit,
                 Pauses* pauses = nullptr);

}  // namespace assay::emulator
