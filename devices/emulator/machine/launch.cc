#include "devices/emulator/machine/launch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "devices/emulator/hardware.h"
#include "devices/emulator/machine/special_registers.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tensor/tmem.h"

namespace assay::emulator {
namespace {

/// What fresh shared memory and registers of no meaning hold, so that use of them shows.
constexpr int poison = 0xcb;
/// What local variables may ask to be aligned to, bytes.
constexpr uint64_t local_alignment = 256;
/// Rounds without any movement after which a spinning cluster counts as stalled.
constexpr uint64_t patience = 4;
/// Looks at the state that find it unchanged before a stall is a deadlock, and the stalled rounds between
/// looks.
constexpr uint64_t deadlock_rounds = 3;
constexpr uint64_t hash_every = 8;

uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}
uint64_t product(const std::array<uint32_t, 3>& sizes) {
  return static_cast<uint64_t>(sizes[0]) * sizes[1] * sizes[2];
}

}  // namespace

Launch::Launch(const Settings& settings, Memory& memory, MapHistory& map_history, DeviceHeap& heap,
               const Program& program, const LaunchConfig& config, std::array<uint32_t, 3> cluster_shape,
               uint64_t grid_id, uint32_t on_each)
    : settings(settings),
      memory(memory),
      map_history(map_history),
      heap(heap),
      program(program),
      grid(config.grid),
      block(config.block),
      cluster_shape(cluster_shape),
      dynamic_shared_bytes(config.dynamic_shared_bytes),
      grid_id(grid_id),
      limits(config.limits),
      grid_workspace(config.grid_workspace),
      prints(config.limits.print_bytes),
      params_(static_cast<std::byte*>(std::aligned_alloc(256, align_up(program.param_bytes + 1, 256))),
              std::free),
      on_each_(on_each) {
  std::memset(params_.get(), 0, align_up(program.param_bytes + 1, 256));
  if (!config.params.empty())
    std::memcpy(params_.get(), config.params.data(),
                std::min<size_t>(config.params.size(), program.param_bytes));
  clusters_ = product(grid) / product(cluster_shape);
}

Launch::~Launch() = default;

uint32_t Launch::dynamic_shared_offset() const {
  return shared_reserved_bytes + static_cast<uint32_t>(align_up(program.shared_bytes, 1024));
}

void Launch::fill_environment(Warp& warp) {
  const Cta& cta = *warp.cta;
  for (const EnvironmentColumn& one : program.environment) {
    uint64_t* column = warp.column({one.column});
    if (one.kind == EnvironmentColumn::Kind::special_register) {
      read_special_register(one.name, warp, column);
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
          column[lane] = window + dynamic_shared_offset() + one.offset;
          break;
        case EnvironmentColumn::Kind::param_address:
          column[lane] = reinterpret_cast<uint64_t>(params_.get()) + one.offset;
          break;
        case EnvironmentColumn::Kind::special_register:
          break;  // above, for all lanes at once
      }
    }
  }
}

void Launch::start_warp(Cta& cta, uint32_t index) {
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
  warp->blocked = warp->demoted = warp->synced = 0;
  warp->blocked_at_progress = 0;
  warp->pc.fill(0);
  warp->lane_state.fill({});
  warp->sync_mask.fill(0);
  warp->cluster_token.fill(0);
  for (auto& calls : warp->calls) calls.clear();
  for (auto& groups : warp->bulk_groups) groups.clear();
  for (auto& groups : warp->copy_groups) groups.clear();
  for (auto& copies : warp->copies) copies.clear();
  warp->tmem_loads.clear();
  warp->tmem_stores.clear();
  warp->registers.assign(static_cast<size_t>(program.registers) * warp_lanes, 0);
  warp->taint.assign(program.registers, 0);
  warp->has_taint = false;
  warp->wgmma_groups.clear();
  warp->watch = settings.strict ? std::make_unique<RegisterWatch>(*warp) : nullptr;
  warp->constants = program.constants.data();
  warp->local_stride = align_up(program.local_bytes, local_alignment);
  warp->local.assign(warp->local_stride == 0 ? 0 : warp->local_stride * warp_lanes + local_alignment,
                     std::byte{0});
  warp->local_base = align_up(reinterpret_cast<uint64_t>(warp->local.data()), local_alignment);
  fill_environment(*warp);
  cta.warps.push_back(std::move(warp));
}

void Launch::start_cta(Cluster& cluster, uint32_t rank) {
  auto cta = std::make_unique<Cta>();
  cta->cluster = &cluster;
  cta->rank = rank;
  cta->id = cta_id(cluster.id, rank);
  cta->threads = cta->live_threads = static_cast<uint32_t>(product(block));
  const uint32_t end = dynamic_shared_bytes != 0 ? dynamic_shared_offset() + dynamic_shared_bytes
                                                 : shared_reserved_bytes + program.shared_bytes;
  cta->shared.assign(end, static_cast<std::byte>(poison));
  cta->written.assign(end, 0);
  for (uint32_t first = 0, index = 0; first < cta->threads; first += warp_lanes, ++index)
    start_warp(*cta, index);
  cluster.ctas.push_back(std::move(cta));
}

std::unique_ptr<Cluster> Launch::start_cluster(uint64_t index) {
  auto cluster = std::make_unique<Cluster>(*this, index);
  cluster->id = cluster_id(index);
  for (uint32_t rank = 0; rank < product(cluster_shape); ++rank) start_cta(*cluster, rank);
  return cluster;
}

std::array<uint32_t, 3> Launch::cluster_id(uint64_t index) const {
  std::array<uint32_t, 3> shape;
  for (size_t i = 0; i < 3; ++i) shape[i] = grid[i] / cluster_shape[i];
  return {static_cast<uint32_t>(index % shape[0]), static_cast<uint32_t>(index / shape[0] % shape[1]),
          static_cast<uint32_t>(index / shape[0] / shape[1])};
}

std::array<uint32_t, 3> Launch::cta_id(const std::array<uint32_t, 3>& cluster, uint32_t rank) const {
  const std::array<uint32_t, 3> inside{rank % cluster_shape[0], rank / cluster_shape[0] % cluster_shape[1],
                                       rank / cluster_shape[0] / cluster_shape[1]};
  std::array<uint32_t, 3> id;
  for (size_t i = 0; i < 3; ++i) id[i] = cluster[i] * cluster_shape[i] + inside[i];
  return id;
}

uint32_t Launch::multiprocessor(const std::array<uint32_t, 3>& cta) const {
  // Launches begin where the one before may not have: a grid of one cluster runs on all of them in turn.
  const uint64_t first = grid_id * product(cluster_shape);
  return static_cast<uint32_t>((first + (uint64_t{cta[2]} * grid[1] + cta[1]) * grid[0] + cta[0]) %
                               multiprocessor_count);
}

uint32_t Launch::multiprocessor(const Cta& cta) const {
  return multiprocessor(cta.id);
}

bool Launch::has_room_for(uint64_t cluster) const {
  std::array<uint32_t, multiprocessor_count> on{};
  for (const auto& resident : resident_)
    for (const auto& cta : resident->ctas) ++on[multiprocessor(*cta)];
  const std::array<uint32_t, 3> id = cluster_id(cluster);
  for (uint32_t rank = 0; rank < product(cluster_shape); ++rank)
    if (++on[multiprocessor(cta_id(id, rank))] > on_each_) return false;
  return true;
}

uint32_t Launch::columns_taken_beside(const Cta& cta) const {
  uint32_t taken = 0;
  for (const auto& resident : resident_)
    for (const auto& other : resident->ctas)
      if (other.get() != &cta && other->tensor != nullptr && multiprocessor(*other) == multiprocessor(cta))
        taken |= other->tensor->taken();
  return taken;
}

void Launch::columns_freed() {
  for (const auto& resident : resident_) ++resident->progress;
}

void Launch::retire(Cluster& cluster) {
  stalls_.erase(&cluster);
  for (auto& cta : cluster.ctas)
    if (!cta->mbarriers.empty()) note_barrier(BarrierEvent::Kind::exited, *cta, 0, BarrierEvent::no_warp, 0);
  for (auto& cta : cluster.ctas)
    for (auto& warp : cta->warps) spare_warps_.push_back(std::move(warp));
}

bool Launch::run_round(Cluster& cluster) {
  const uint64_t before = cluster.progress;
  bool is_busy = false, has_spinner = false;
  // The seeded schedule also varies which CTA goes first.
  const size_t first =
      settings.completion == Completion::random ? cluster.async.random() % cluster.ctas.size() : 0;
  for (size_t i = 0; i < cluster.ctas.size(); ++i)
    for (auto& warp : cluster.ctas[(first + i) % cluster.ctas.size()]->warps) {
      if (warp->live == 0) continue;
      cluster.async.tick();
      running_ = warp.get();
      const TurnEnd end = run_turn(*warp, program, instructions, settings.instruction_limit);
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

uint64_t Launch::state_hash(const Cluster& cluster) const {
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

bool Launch::resolve_stall(Cluster& cluster) {
  Stall& stall = stalls_[&cluster];
  if (cluster.async.advance()) {
    ++cluster.progress;
    stall = {};
    return true;
  }
  // Only time can help: waits with a limit time out, %globaltimer moves on. A loop that counts its tries
  // changes registers and goes on; one that would do the same for ever is a deadlock.
  // Looking at every register is dear, so not every round does.
  if (stall.resolved++ % hash_every == 0) {
    const uint64_t hash = state_hash(cluster);
    stall.same_state = hash == stall.hash ? stall.same_state + 1 : 0;
    stall.hash = hash;
  }
  cluster.clock += stall.step;
  stall.step = std::min(stall.step * 2, Stall::last_step);
  ++cluster.progress;
  return stall.same_state < deadlock_rounds;
}

std::optional<std::array<uint32_t, 3>> Launch::cancel_cluster(Cluster& requester) {
  if (next_cluster_ == clusters_) return std::nullopt;
  if (settings.completion == Completion::random && requester.async.random() % 4 == 0) return std::nullopt;
  return cta_id(cluster_id(next_cluster_++), 0);
}

bool Launch::run_resident() {
  bool has_moved = false;
  for (auto& cluster : resident_) has_moved |= run_round(*cluster);
  for (size_t i = 0; i < resident_.size();) {
    bool is_over = true;
    for (const auto& cta : resident_[i]->ctas) is_over &= cta->live_threads == 0;
    if (is_over) {
      // Off the list only when what it left behind is done: a trap there still names its cluster.
      resident_[i]->async.drain();
      retire(*resident_[i]);
      resident_.erase(resident_.begin() + static_cast<ptrdiff_t>(i));
      columns_freed();
      has_moved = true;
    } else {
      ++i;
    }
  }
  if (has_moved) return true;
  for (auto& cluster : resident_)
    if (!cluster->async.empty()) return resolve_stall(*cluster);
  if (next_cluster_ < clusters_ && has_room_for(next_cluster_)) {
    resident_.push_back(start_cluster(next_cluster_++));
    return true;
  }
  bool can_move = false;
  for (auto& cluster : resident_) can_move |= resolve_stall(*cluster);
  return can_move;
}

std::optional<Diagnostic> Launch::run() {
  std::optional<Diagnostic> end = run_clusters();
  prints.flush();
  if (!uninitialised_read_) return end;
  if (!end) return uninitialised_read_;
  end->message += "; before that, at line " + std::to_string(uninitialised_read_->line) + ", " +
                  uninitialised_read_->thread + ": " + uninitialised_read_->message;
  return end;
}

std::optional<Diagnostic> Launch::run_clusters() {
  try {
    while (next_cluster_ < clusters_ || !started_anyway_.empty() || !resident_.empty()) {
      if (resident_.empty() && next_cluster_ < clusters_) {
        resident_.push_back(start_cluster(next_cluster_++));
      } else if (resident_.empty()) {
        resident_.push_back(start_cluster(started_anyway_.back()));
        started_anyway_.pop_back();
      }
      if (!run_resident()) return deadlock_report();
    }
  } catch (const Trap& trap) {
    const Cluster* cluster = nullptr;
    for (const auto& one : resident_)
      if (one->async.running()) cluster = one.get();
    return describe(trap, cluster, running_);
  }
  return std::nullopt;
}

void Launch::report(std::string_view clause, const Cluster& cluster, const Issuer& issuer) {
  Breach& breach = breaches_[{std::string(clause), program.name, issuer.line}];
  if (breach.count++ != 0) return;
  breach.clause = clause;
  breach.kernel = program.name;
  breach.line = issuer.line;
  breach.thread = thread_name(*cluster.ctas[issuer.cta_rank], issuer.thread);
}

void Launch::note_barrier(BarrierEvent::Kind kind, const Cta& cta, uint32_t offset, uint32_t warp,
                          uint32_t amount) {
  if (!settings.strict) return;
  const uint32_t index = cta.id[0] + grid[0] * (cta.id[1] + grid[1] * cta.id[2]);
  timeline.add({kind, instructions, index, offset, warp, amount});
}

void Launch::uninitialised_read(const Cluster& cluster, const Issuer& issuer, std::string message) {
  if (uninitialised_read_) return;
  uninitialised_read_ =
      Diagnostic{Diagnostic::Kind::uninitialised_read, program.name, issuer.line,
                 thread_name(*cluster.ctas[issuer.cta_rank], issuer.thread), std::move(message)};
}

std::vector<Breach> Launch::take_breaches() {
  std::vector<Breach> taken;
  for (auto& [key, breach] : breaches_) taken.push_back(std::move(breach));
  breaches_.clear();
  return taken;
}

}  // namespace assay::emulator
