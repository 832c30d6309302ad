// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/launch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "devices/emulator/hardware.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/side_by_side.h"

namespace assay::emulator {
namespace {

uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

}  // namespace

Launch::Launch(const Settings& settings, Memory& memory, MapHistory& map_history, GridHistory& grid_history,
               DeviceHeap& heap, const Program& program, const LaunchConfig& config,
               std::array<uint32_t, 3> cluster_shape, uint64_t grid_id, uint32_t on_each, bool is_apart,
               uint32_t runners, std::vector<std::unique_ptr<Warp>>& spare_warps)
    : settings(settings),
      memory(memory),
      map_history(map_history),
      grid_history(grid_history),
      heap(heap),
      program(program),
      grid(config.grid),
      block(config.block),
      cluster_shape(cluster_shape),
      has_clusters(product(config.cluster) != 0 || product(program.required_cluster) != 0),
      dynamic_shared_bytes(config.dynamic_shared_bytes),
      grid_id(grid_id),
      limits(config.limits),
      grid_workspace(config.grid_workspace),
      clusters(product(config.grid) / product(cluster_shape)),
      on_each(on_each),
      is_apart(is_apart),
      params_(static_cast<std::byte*>(std::aligned_alloc(256, align_up(program.param_bytes + 1, 256))),
              std::free),
      runners_(runners),
      spare_warps_(spare_warps) {
  std::memset(params_.get(), 0, align_up(program.param_bytes + 1, 256));
  if (!config.params.empty())
    std::memcpy(params_.get(), config.params.data(),
                std::min<size_t>(config.params.size(), program.param_bytes));
}

Launch::~Launch() = default;

uint32_t Launch::dynamic_shared_offset() const {
  return shared_reserved_bytes + static_cast<uint32_t>(align_up(program.shared_bytes, 1024));
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
  if (settings.strict && settings.completion == Completion::random) {
    uint64_t cluster = 0, rank = 0;
    for (size_t i = 3; i-- > 0;) {
      cluster = cluster * (grid[i] / cluster_shape[i]) + cta[i] / cluster_shape[i];
      rank = rank * cluster_shape[i] + cta[i] % cluster_shape[i];
    }
    return static_cast<uint32_t>((first + cluster / on_each * product(cluster_shape) + rank) %
                                 multiprocessor_count);
  }
  return static_cast<uint32_t>((first + (uint64_t{cta[2]} * grid[1] + cta[1]) * grid[0] + cta[0]) %
                               multiprocessor_count);
}

uint32_t Launch::multiprocessor(const Cta& cta) const {
  return multiprocessor(cta.id);
}

bool Launch::has_room_for(uint64_t cluster, const std::vector<std::unique_ptr<Cluster>>& resident) const {
  std::vector<uint64_t> indices;
  for (const auto& one : resident) indices.push_back(one->index);
  return has_room_for(cluster, indices);
}

bool Launch::has_room_for(uint64_t cluster, const std::vector<uint64_t>& resident) const {
  std::array<uint32_t, multiprocessor_count> on{};
  const auto add = [&](uint64_t index) {
    const std::array<uint32_t, 3> id = cluster_id(index);
    bool has_room = true;
    for (uint32_t rank = 0; rank < product(cluster_shape); ++rank)
      has_room &= ++on[multiprocessor(cta_id(id, rank))] <= on_each;
    return has_room;
  };
  for (const uint64_t index : resident) add(index);
  return add(cluster);
}

std::optional<uint64_t> Launch::take_next() {
  // Never past the end, however many ask there.
  uint64_t next = next_cluster_.load(std::memory_order_relaxed);
  while (next < clusters)
    if (next_cluster_.compare_exchange_weak(next, next + 1, std::memory_order_relaxed)) return next;
  return std::nullopt;
}

std::optional<std::array<uint32_t, 3>> Launch::cancel_cluster(Cluster& requester) {
  if (!has_next()) return std::nullopt;
  if (settings.completion == Completion::random && requester.async.random() % 4 == 0) return std::nullopt;
  const std::optional<uint64_t> taken = take_next();
  if (!taken) return std::nullopt;
  return cta_id(cluster_id(*taken), 0);
}

std::optional<Diagnostic> Launch::run(Schedule* schedule, bool is_quiet) {
  Runner runner(*this);
  runner.use_warps(std::move(spare_warps_));
  // Strict launches run so on one thread too: what they find must not depend on how many there are.
  const bool runs_apart = is_apart && (runners_ > 1 || settings.strict);
  std::optional<Diagnostic> end = schedule != nullptr ? runner.run_chosen(*schedule)
                                  : runs_apart        ? run_side_by_side(runner, runners_)
                                                      : runner.run_all();
  for (const auto& [cluster, log] : logs_) merge(log);
  logs_.clear();
  instructions += runner.instructions;
  spare_warps_ = runner.leave_warps();
  if (!is_quiet) {
    std::fputs(runner.failed_assertions.c_str(), stderr);
    runner.prints.flush();
  }
  if (!runner.first_uninitialised_read) return end;
  const Diagnostic& read = runner.first_uninitialised_read->second;
  if (!end) return read;
  end->message +=
      "; before that, at PTX line " + std::to_string(read.line) + ", " + read.thread + ": " + read.message;
  return end;
}

ClusterLog& Launch::open_log(const Cluster& cluster) {
  const std::lock_guard lock(logs_mutex_);
  ClusterLog& log = logs_[cluster.index];
  log.begin = cluster.runner->instructions;
  return log;
}

void Launch::close_log(const Cluster& cluster) {
  const std::lock_guard lock(logs_mutex_);
  cluster.log.executed = cluster.runner->instructions - cluster.log.begin;
  cluster.log.has_ended = true;
  for (auto first = logs_.begin();
       first != logs_.end() && first->second.has_ended && first->first <= next_log_;
       first = logs_.erase(first)) {
    merge(first->second);
    next_log_ = std::max(next_log_, first->first + 1);
  }
}

void Launch::forget_logs_after(uint64_t cluster) {
  logs_.erase(logs_.upper_bound(cluster), logs_.end());
}

/// A race is one whichever of the two accesses came first.
static Breach* find_same(ClusterLog::Breaches& breaches, std::string_view clause, uint32_t line,
                         uint32_t other_line) {
  if (other_line != 0) {
    const auto other = breaches.find({clause, other_line});
    if (other != breaches.end() && other->second.other_line == line) return &other->second;
  }
  const auto same = breaches.find({clause, line});
  return same == breaches.end() ? nullptr : &same->second;
}

void Launch::merge(const ClusterLog& log) {
  for (const auto& [key, breach] : log.breaches)
    if (Breach* const same = find_same(breaches_, key.first, breach.line, breach.other_line))
      same->count += breach.count;
    else
      breaches_.emplace(key, breach);
  timeline.add(log.timeline, merged_instructions_);
  merged_instructions_ += log.executed;
  map_history.add(log.maps);
  grid_history.add(log.read, log.written, log.waits_for_grids);
  if (log.talks_to_host) grid_history.streams.talks_to_host();
  if (!is_apart) return;
  races.memory.merge(log.races.memory, [this](const race::Race& race) {
    const std::string_view clause = race.lack == race::Lack::coherence ? "read-only-load" : "data-race";
    const uint32_t line = race.second.issuer.line;
    if (Breach* const same = find_same(breaches_, clause, line, race.first.issuer.line)) {
      ++same->count;
      return;
    }
    Breach& made = breaches_[{clause, line}];
    made = {std::string(clause), program.name, line, "", 1};
    explain(made, race, 0);
  });
}

Breach* Launch::count(std::string_view clause, const Cluster& cluster, const Issuer& issuer,
                      uint32_t other_line) {
  if (Breach* const same = find_same(cluster.log.breaches, clause, issuer.line, other_line)) {
    ++same->count;
    return nullptr;
  }
  Breach& made = cluster.log.breaches[{clause, issuer.line}];
  made = {std::string(clause), program.name, issuer.line,
          thread_name(cluster.ctas[issuer.cta_rank]->id, issuer.thread), 1};
  return &made;
}

void Launch::report(std::string_view clause, const Cluster& cluster, const Issuer& issuer,
                    const Issuer* first, std::string_view what, std::optional<uint64_t> first_cluster,
                    const race::Order::Sent* sent, std::string why) {
  Breach* const breach = count(clause, cluster, issuer, 0);
  if (breach == nullptr) return;
  breach->why = std::move(why);
  if (first == nullptr) return;
  if (sent != nullptr) breach->why = cluster.strict->why_incomplete(*sent, issuer);
  breach->other_line = first->line;
  breach->other_thread =
      thread_name(cta_id(cluster_id(first_cluster.value_or(cluster.index)), first->cta_rank), first->thread);
  breach->message = what;
}

void Launch::warn(std::string_view clause, const Cluster& cluster, const Issuer& issuer, const Issuer* first,
                  std::string sentence, std::string_view what, std::optional<uint64_t> first_cluster) {
  Breach* const breach = count(clause, cluster, issuer, 0);
  if (breach == nullptr) return;
  breach->is_warning = true;
  breach->message = std::move(sentence);
  breach->other_is = what;
  if (first == nullptr) return;
  breach->other_line = first->line;
  breach->other_thread =
      thread_name(cta_id(cluster_id(first_cluster.value_or(cluster.index)), first->cta_rank), first->thread);
}

/// What an instruction other than a load or a store is called, or nothing: "tcgen05.mma", "cp.async.bulk".
static std::string_view name_of_access(const Program& program, uint32_t line) {
  const auto at = std::find_if(program.code.begin(), program.code.end(),
                               [&](const Instruction& one) { return one.line == line; });
  if (at == program.code.end() || at->opcode == nullptr) return {};
  const std::string_view text = at->opcode->text;
  if (text.starts_with("ld.") || text.starts_with("st.")) return {};
  size_t length = text.size();
  for (const std::string_view end :
       {".cta_group", ".sync", ".shared", ".global", ".relaxed", ".release", ".kind"})
    length = std::min(length, text.find(end));
  return text.substr(0, length);
}

void Launch::explain(Breach& breach, const race::Race& race, uint64_t cluster) const {
  const auto name = [&](const race::End& end) {
    return thread_name(cta_id(cluster_id(end.cluster.value_or(cluster)), end.issuer.cta_rank),
                       end.issuer.thread);
  };
  breach.is_race = true;
  breach.thread = name(race.second);
  breach.other_line = race.first.issuer.line;
  breach.other_thread = name(race.first);
  race::Race named = race;
  for (race::End* const end : {&named.first, &named.second})
    end->instruction = name_of_access(program, end->issuer.line);
  named.culprit = name_of_access(program, race.cause.line);
  if (named.culprit.empty()) named.culprit = "access of the flag";
  breach.message = race::in_words(named, breach.thread, breach.other_thread);
}

void Launch::report(std::string_view clause, const race::Race& race, const Cluster& cluster) {
  const Issuer& first = race.first.issuer;
  Breach* const breach = count(clause, cluster, race.second.issuer, first.line);
  if (breach == nullptr) return;
  explain(*breach, race, cluster.index);
  if (cluster.strict) breach->why = cluster.strict->why(race);
}

void Launch::note_barrier(BarrierEvent::Kind kind, const Cta& cta, uint32_t offset, uint32_t warp,
                          uint32_t amount) {
  if (!settings.strict) return;
  const uint32_t index = cta.id[0] + grid[0] * (cta.id[1] + grid[1] * cta.id[2]);
  ClusterLog& log = cta.cluster->log;
  const uint64_t time = cta.cluster->runner->instructions - (is_apart ? log.begin : 0);
  (is_apart ? log.timeline : timeline).add({kind, time, index, offset, warp, amount});
}

std::vector<Breach> Launch::take_breaches() {
  std::vector<Breach> taken;
  // A clause at the same line says more than that there is a race.
  const auto is_explained = [&](const Breach& race) {
    return race.clause == "data-race" && !race::changed.hides_nothing &&
           std::any_of(breaches_.begin(), breaches_.end(), [&](const auto& one) {
             // Those of wgmma's registers say nothing of memory.
             return one.second.line == race.line && one.second.clause != race.clause &&
                    !one.second.is_warning && !one.second.clause.starts_with("missing-wgmma-");
           });
  };
  std::erase_if(breaches_, [&](const auto& one) { return is_explained(one.second); });
  for (auto& [key, breach] : breaches_) taken.push_back(std::move(breach));
  breaches_.clear();
  return taken;
}

}  // namespace assay::emulator
