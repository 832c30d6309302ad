#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/device_heap.h"
#include "devices/emulator/machine/map_cache.h"
#include "devices/emulator/machine/map_history.h"
#include "devices/emulator/machine/memory.h"
#include "devices/emulator/machine/print_buffer.h"
#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/timeline.h"

namespace assay::emulator {

/// One run of a kernel over a grid. Clusters run one after another; a further one joins when those that run
/// only spin, as kernels with flags between CTAs expect.
class Launch {
 public:
  /// `on_each`: CTAs that fit on a multiprocessor at once.
  Launch(const Settings& settings, Memory& memory, MapHistory& map_history, DeviceHeap& heap,
         const Program& program, const LaunchConfig& config, std::array<uint32_t, 3> cluster_shape,
         uint64_t grid_id, uint32_t on_each);
  ~Launch();

  /// Runs to the end. Nothing: it ended well.
  std::optional<Diagnostic> run();

  const Settings& settings;
  Memory& memory;
  MapHistory& map_history;  ///< of all launches in this memory; for the strict mode
  DeviceHeap& heap;         ///< likewise
  const Program& program;
  const std::array<uint32_t, 3> grid, block, cluster_shape;
  const uint32_t dynamic_shared_bytes;
  const uint64_t grid_id;
  const LaunchLimits limits;
  const uint64_t grid_workspace;  ///< of a cooperative launch, or 0
  uint64_t instructions = 0;      ///< thread instructions so far

  Memory::Range last_range;  ///< of global memory, hit last
  PrintBuffer prints;
  MapCache maps;
  Timeline timeline;  ///< empty but in the strict mode

  /// Adds to the timeline what a warp of the CTA, or nobody, did to an mbarrier; in the strict mode alone.
  void note_barrier(BarrierEvent::Kind kind, const Cta& cta, uint32_t offset, uint32_t warp, uint32_t amount);

  /// %smid of a CTA.
  uint32_t multiprocessor(const Cta& cta) const;
  /// The units of tensor memory that other CTAs on the CTA's multiprocessor hold, a bit each.
  uint32_t columns_taken_beside(const Cta& cta) const;
  /// Columns of tensor memory are free again, of which a CTA of another cluster may be waiting.
  void columns_freed();

  /// Takes a cluster that has not started off the grid, for one that asks: %ctaid of its first CTA, or
  /// nothing when none is left or, under the random schedule, now and then (a launch of higher priority
  /// waits).
  std::optional<std::array<uint32_t, 3>> cancel_cluster(Cluster& requester);
  /// The cluster that was cancelled last runs all the same.
  void start_cancelled() { started_anyway_.push_back(next_cluster_ - 1); }

  /// The kernel's parameters in memory that kernels may read.
  std::byte* params() { return params_.get(); }
  uint32_t params_bytes() const { return program.param_bytes; }
  uint32_t dynamic_shared_offset() const;

  /// Notes a breach of a clause at a thread; kept once a (clause, line).
  void report(std::string_view clause, const Cluster& cluster, const Issuer& issuer);
  std::vector<Breach> take_breaches();
  /// Never-written memory reached global memory. The launch goes on, so that the strict mode sees the rest of
  /// it, and ends with this error, or names it in the one that ended it; the first is kept.
  void uninitialised_read(const Cluster& cluster, const Issuer& issuer, std::string message);

  /// "cta (0,0,0) thread 5"
  static std::string thread_name(const Cta& cta, uint32_t thread);

 private:
  std::array<uint32_t, 3> cluster_id(uint64_t index) const;
  std::array<uint32_t, 3> cta_id(const std::array<uint32_t, 3>& cluster, uint32_t rank) const;
  uint32_t multiprocessor(const std::array<uint32_t, 3>& cta) const;
  std::unique_ptr<Cluster> start_cluster(uint64_t index);
  void start_cta(Cluster& cluster, uint32_t rank);
  void start_warp(Cta& cta, uint32_t index);
  void fill_environment(Warp& warp);
  void retire(Cluster& cluster);
  /// One turn of every warp. True when something moved.
  bool run_round(Cluster& cluster);
  /// Nothing moves by itself: advances asynchronous work or the clock. False: deadlock.
  bool resolve_stall(Cluster& cluster);
  bool run_resident();
  /// Whether its multiprocessors have room for one more CTA each.
  bool has_room_for(uint64_t cluster) const;
  std::optional<Diagnostic> run_clusters();
  uint64_t state_hash(const Cluster& cluster) const;
  Diagnostic deadlock_report() const;
  void list_barriers(const Cta& cta, std::vector<OpenBarrier>& list) const;
  Diagnostic describe(const Trap& trap, const Cluster* cluster, const Warp* warp) const;

  std::unique_ptr<std::byte, void (*)(void*)> params_;
  std::vector<std::unique_ptr<Cluster>> resident_;
  uint64_t next_cluster_ = 0, clusters_ = 0;
  std::vector<uint64_t> started_anyway_;
  const uint32_t on_each_;
  std::vector<std::unique_ptr<Warp>> spare_warps_;  ///< their columns are large, so they are used again
  std::map<std::tuple<std::string, std::string, uint32_t>, Breach> breaches_;
  std::optional<Diagnostic> uninitialised_read_;
  Warp* running_ = nullptr;
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

/// How a warp's turn ended.
enum class TurnEnd : uint8_t {
  moved,     ///< used up its share, can go on
  spun,      ///< went round a loop many times
  blocked,   ///< no lane can go on until something moves
  finished,  ///< every lane has exited
};

/// Runs a warp for one turn.
TurnEnd run_turn(Warp& warp, const Program& program, uint64_t& instructions, uint64_t limit);

}  // namespace assay::emulator
