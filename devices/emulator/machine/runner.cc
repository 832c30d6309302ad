// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/runner.h"

#include <algorithm>

#include "devices/emulator/hardware.h"
#include "devices/emulator/machine/lane_scan.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/machine/tmem.h"

namespace assay::emulator {
namespace {

/// What fresh shared memory and registers of no meaning hold, so that use of them shows.
constexpr std::byte poison{0xcb};
/// What local variables may ask to be aligned to, bytes.
constexpr uint64_t local_alignment = 256;
/// Rounds without any movement after which a spinning cluster counts as stalled.
constexpr uint64_t patience = 4;
/// Looks at the state that find it unchanged before a stall is a deadlock, and the stalled rounds between
/// looks. None before a kernel that tries some dozens of times for a barrier has given up.
constexpr uint64_t deadlock_rounds = 3;
constexpr uint64_t hash_every = 8, first_hash = 96;

/// Times that a cluster by itself goes on with the help of the clock alone, before it waits for others.
constexpr uint64_t alone_patience = 64;

/// Registers of warps that are kept from one launch to the next.
constexpr size_t most_spare_bytes = size_t{8} << 20;

uint64_t round_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}
uint32_t count(const std::array<uint32_t, 3>& sizes) {
  return sizes[0] * sizes[1] * sizes[2];
}

}  // namespace

Runner::Runner(Launch& launch) : launch(launch), prints(launch.limits.print_bytes) {
  for (const EnvironmentColumn& one : launch.program.environment)
    special_registers_.push_back(one.kind == EnvironmentColumn::Kind::special_register
                                     ? find_special_register(one.name)
                                     : SpecialRegister{});
}

Runner::~Runner() = default;

std::vector<std::unique_ptr<Warp>> Runner::leave_warps() {
  size_t bytes = 0, kept = 0;
  while (kept < spare_warps_.size() && bytes < most_spare_bytes)
    bytes += spare_warps_[kept++]->registers.capacity() * sizeof(uint64_t);
  spare_warps_.resize(kept);
  return std::move(spare_warps_);
}

void Runner::fill_environment(Warp& warp) {
  const Cta& cta = *warp.cta;
  for (size_t i = 0; i < launch.program.environment.size(); ++i) {
    const EnvironmentColumn& one = launch.program.environment[i];
    uint64_t* column = warp.column({one.column});
    if (one.kind == EnvironmentColumn::Kind::special_register) {
      read_special_register(special_registers_[i], warp, column);
      continue;
    }
    const uint64_t window = static_cast<uint64_t>(cta.rank) << shared_rank_shift;
    for (int lane = 0; lane < warp_lanes; ++lane) {
      switch (one.kind) {
        case EnvironmentColumn::Kind::local_address:
          column[lane] = generic_local_base + one.offset;
          break;
        case EnvironmentColumn::Kind::shared_address:
          column[lane] = window + shared_reserved_bytes + one.offset;
          break;
        case EnvironmentColumn::Kind::dynamic_shared:
          column[lane] = window + launch.dynamic_shared_offset() + one.offset;
          break;
        case EnvironmentColumn::Kind::param_address:
          column[lane] = reinterpret_cast<uint64_t>(launch.params()) + one.offset;
          break;
        case EnvironmentColumn::Kind::special_register:
          break;  // above, for all lanes at once
      }
    }
  }
}

void Runner::start_warp(Cta& cta, uint32_t index) {
  std::unique_ptr<Warp> warp;
  if (spare_warps_.empty()) {
    warp = std::make_unique<Warp>();
  } else {
    warp = std::move(spare_warps_.back());
    spare_warps_.pop_back();
  }
  warp->cta = &cta;
  warp->index = index;
  const uint32_t threads = std::min<uint32_t>(warp_lanes, cta.threads - index * warp_lanes);
  warp->live = threads == warp_lanes ? ~0u : (1u << threads) - 1;
  warp->blocked = warp->demoted = warp->apart = warp->synced = warp->waiting = 0;
  warp->waits_together = false;
  warp->blocked_at_progress = 0;
  warp->pc.fill(behind_all);
  warp->went_past.fill(behind_all);
  set_counters(warp->pc, warp->live, 0);
  warp->lane_state.fill({});
  warp->cluster_token.fill(0);
  for (auto& calls : warp->calls) calls.clear();
  for (auto& groups : warp->bulk_groups) groups.clear();
  for (auto& groups : warp->copy_groups) groups.clear();
  for (auto& copies : warp->copies) copies.clear();
  warp->tmem_loads.clear();
  warp->tmem_stores.clear();
  warp->registers.assign(static_cast<size_t>(launch.program.registers) * warp_lanes, 0);
  warp->taint.assign(launch.program.registers, 0);
  warp->has_taint = false;
  warp->accumulated = {};
  warp->wgmma_groups.clear();
  warp->watch =
      launch.settings.strict && launch.program.uses_wgmma ? std::make_unique<RegisterWatch>(*warp) : nullptr;
  warp->constants = launch.program.constants.data();
  // Functions that call themselves have their further blocks behind those of the program.
  const uint64_t stack = launch.program.recurses ? launch.limits.stack_bytes : 0;
  warp->local_stride = round_up(launch.program.local_bytes + stack, local_alignment);
  warp->local.assign(warp->local_stride == 0 ? 0 : warp->local_stride * warp_lanes + local_alignment,
                     std::byte{0});
  warp->local_base = round_up(reinterpret_cast<uint64_t>(warp->local.data()), local_alignment);
  fill_environment(*warp);
  cta.warps.push_back(std::move(warp));
}

void Runner::start_cta(Cluster& cluster, uint32_t rank) {
  auto cta = std::make_unique<Cta>();
  cta->cluster = &cluster;
  cta->rank = rank;
  cta->id = launch.cta_id(cluster.id, rank);
  cta->threads = cta->live_threads = static_cast<uint32_t>(count(launch.block));
  const uint32_t end = launch.dynamic_shared_bytes != 0
                           ? launch.dynamic_shared_offset() + launch.dynamic_shared_bytes
                           : shared_reserved_bytes + launch.program.shared_bytes;
  if (!spare_shared_.empty()) {
    cta->shared = std::move(spare_shared_.back().bytes);
    cta->written = std::move(spare_shared_.back().written);
    spare_shared_.pop_back();
  }
  cta->shared.assign(end, poison);
  cta->written.assign(end, 0);
  for (uint32_t first = 0, index = 0; first < cta->threads; first += warp_lanes, ++index)
    start_warp(*cta, index);
  cluster.ctas.push_back(std::move(cta));
}

std::unique_ptr<Cluster> Runner::start_cluster(uint64_t index) {
  auto cluster = std::make_unique<Cluster>(launch, *this, index);
  cluster->id = launch.cluster_id(index);
  for (uint32_t rank = 0; rank < count(launch.cluster_shape); ++rank) start_cta(*cluster, rank);
  return cluster;
}

uint32_t Runner::columns_taken_beside(const Cta& cta) const {
  uint32_t taken = 0;
  each_tensor_beside(cta, [&](const Cta& other) {
    taken |= launch.settings.strict && other.tensor->keeps_right() ? ~0u : other.tensor->taken();
  });
  return taken;
}

void Runner::columns_freed() {
  for (const auto& resident : resident_) ++resident->progress;
}

void Runner::retire(Cluster& cluster) {
  stalls_.erase(&cluster);
  for (auto& cta : cluster.ctas)
    if (!cta->mbarriers.empty())
      launch.note_barrier(BarrierEvent::Kind::exited, *cta, 0, BarrierEvent::no_warp, 0);
  for (auto& cta : cluster.ctas) {
    for (auto& warp : cta->warps) spare_warps_.push_back(std::move(warp));
    spare_shared_.push_back({std::move(cta->shared), std::move(cta->written)});
  }
  launch.close_log(cluster);
}

const std::vector<Warp*>& Runner::order_of_warps(Cluster& cluster, const Cta& cta) {
  warp_order_.clear();
  for (const auto& warp : cta.warps) warp_order_.push_back(warp.get());
  if (launch.settings.completion != Completion::random) return warp_order_;
  for (size_t i = warp_order_.size(); i > 1; --i)
    std::swap(warp_order_[i - 1], warp_order_[cluster.dice() % i]);
  return warp_order_;
}

bool Runner::run_round(Cluster& cluster) {
  const uint64_t before = cluster.progress;
  bool is_busy = false, has_spinner = false;
  // The seeded schedule also varies which CTA goes first, and in which order warps take their turns.
  const size_t first =
      launch.settings.completion == Completion::random ? cluster.async.random() % cluster.ctas.size() : 0;
  for (size_t i = 0; i < cluster.ctas.size(); ++i)
    for (Warp* const warp : order_of_warps(cluster, *cluster.ctas[(first + i) % cluster.ctas.size()])) {
      if (warp->live == 0) continue;
      cluster.async.tick();
      running_ = warp;
      const TurnEnd end = run_turn(*warp, launch.program, instructions, launch.settings.instruction_limit);
      running_ = nullptr;
      is_busy |= end == TurnEnd::moved;
      has_spinner |= end == TurnEnd::spun;
    }
  Stall& stall = stalls_[&cluster];
  stall.has_spinner = has_spinner || is_busy;
  if (cluster.progress != before) {
    stall = {};
    return true;
  }
  ++stall.rounds;
  return stall.has_spinner && stall.rounds < patience;
}

uint64_t Runner::state_hash(const Cluster& cluster) const {
  uint64_t hash = 0x9e3779b97f4a7c15;
  const auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0xbf58476d1ce4e5b9;
    hash ^= hash >> 29;
  };
  for (const auto& cta : cluster.ctas)
    for (const auto& warp : cta->warps) {
      mix(warp->live);
      if (warp->live == 0) continue;
      for (const uint32_t pc : warp->pc) mix(pc);
      for (const uint64_t value : warp->registers) mix(value);
    }
  return hash;
}

/// Work that some thread waits for at an mbarrier.
static bool advance_on_demand(Cluster& cluster) {
  if (!cluster.async.is_on_demand()) return false;
  std::set<uint32_t> awaited;
  for (const auto& cta : cluster.ctas)
    for (const auto& warp : cta->warps)
      for_lanes(warp->live, [&](int lane) {
        const LaneState& state = warp->lane_state[static_cast<size_t>(lane)];
        if (state.is_timed && state.barrier != 0)
          awaited.insert(cta->rank << shared_rank_shift | state.barrier);
      });
  return cluster.async.advance_for([&](const AsyncOperation& operation) {
    return awaited.count(operation.arrival) != 0 ||
           std::any_of(operation.barriers.begin(), operation.barriers.end(),
                       [&](uint32_t barrier) { return awaited.count(barrier) != 0; });
  });
}

bool Runner::resolve_stall(Cluster& cluster) {
  Stall& stall = stalls_[&cluster];
  if (advance_on_demand(cluster) || cluster.async.advance()) {
    ++cluster.progress;
    stall = {};
    return true;
  }
  // Only time can help: waits with a limit time out, %globaltimer moves on. A loop that counts its tries
  // changes registers and goes on; one that would do the same for ever is a deadlock.
  // Looking at every register is dear: most waits are over before the first look.
  if (++stall.resolved % hash_every == 0 && stall.resolved >= first_hash) {
    const uint64_t hash = state_hash(cluster);
    stall.same_state = hash == stall.hash ? stall.same_state + 1 : 0;
    stall.hash = hash;
  }
  cluster.clock += stall.step;
  stall.step = std::min(stall.step * 2, Stall::last_step);
  ++cluster.progress;
  return stall.same_state < deadlock_rounds;
}

bool Runner::retire_finished() {
  bool has_retired = false;
  for (size_t i = 0; i < resident_.size();) {
    bool is_over = true;
    for (const auto& cta : resident_[i]->ctas) is_over &= cta->live_threads == 0;
    if (!is_over) {
      ++i;
      continue;
    }
    // Off the list only when what it left behind is done: a trap there still names its cluster.
    resident_[i]->async.drain();
    retire(*resident_[i]);
    resident_.erase(resident_.begin() + static_cast<ptrdiff_t>(i));
    columns_freed();
    has_retired = true;
  }
  return has_retired;
}

bool Runner::run_resident() {
  bool has_moved = false;
  for (auto& cluster : resident_) has_moved |= run_round(*cluster);
  has_moved |= retire_finished();
  if (has_moved) return true;
  for (auto& cluster : resident_)
    if (!cluster->async.empty()) return resolve_stall(*cluster);
  if (launch.has_next() && launch.has_room_for(launch.next(), resident_)) {
    resident_.push_back(start_cluster(*launch.take_next()));
    return true;
  }
  bool can_move = false;
  for (auto& cluster : resident_) can_move |= resolve_stall(*cluster);
  return can_move;
}

std::optional<Diagnostic> Runner::run_all() {
  try {
    while (launch.has_next() || !launch.started_anyway.empty() || !resident_.empty()) {
      if (resident_.empty() && launch.has_next()) {
        resident_.push_back(start_cluster(*launch.take_next()));
      } else if (resident_.empty()) {
        resident_.push_back(start_cluster(launch.started_anyway.back()));
        launch.started_anyway.pop_back();
      }
      if (!run_resident()) return deadlock_report();
    }
  } catch (const Trap& trap) {
    return describe(trap);
  }
  return std::nullopt;
}

std::optional<Runner::Alone> Runner::advance_alone() {
  Cluster& cluster = *resident_.front();
  if (run_round(cluster)) return retire_finished() ? std::optional(Alone::over) : std::nullopt;
  if (retire_finished()) return Alone::over;
  const bool is_waiting_for_others = cluster.async.empty() && stalls_[&cluster].resolved >= alone_patience;
  if (is_waiting_for_others || !resolve_stall(cluster)) return Alone::waits;
  return std::nullopt;
}

std::unique_ptr<Cluster> Runner::give() {
  std::unique_ptr<Cluster> given = std::move(resident_.back());
  given->log.executed = instructions - given->log.begin;
  resident_.pop_back();
  stalls_.erase(given.get());
  return given;
}

void Runner::take(std::unique_ptr<Cluster> cluster) {
  cluster->runner = this;
  cluster->log.begin = instructions - cluster->log.executed;
  resident_.push_back(std::move(cluster));
}

const Memory::Range* Runner::find_range(uint64_t address) {
  if (const Memory::Range* recent = recent_range(address)) return recent;
  const Memory::Range* const found = launch.memory.locate(address);
  if (found == nullptr) return nullptr;
  Memory::Range& kept = recent_ranges_[oldest_range_++ % recent_ranges_.size()];
  kept = *found;
  return &kept;
}

void Runner::uninitialised_read(const Cluster& cluster, const Issuer& issuer, std::string message) {
  if (first_uninitialised_read) return;
  first_uninitialised_read.emplace(
      cluster.index,
      Diagnostic{Diagnostic::Kind::uninitialised_read, launch.program.name, issuer.line,
                 Launch::thread_name(cluster.ctas[issuer.cta_rank]->id, issuer.thread), std::move(message)});
}

}  // namespace assay::emulator
