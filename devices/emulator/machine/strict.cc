// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/strict.h"

#include <algorithm>

#include "devices/emulator/machine/launch.h"

namespace assay::emulator {

/// Maps lie on multiples of this, so that writes are kept by half a map.
static constexpr uint64_t half_map = 64, map_bytes = 2 * half_map;

StrictMode::StrictMode(Cluster& cluster)
    : tensor([this](std::string_view clause, const Issuer& issuer, const Issuer* first, std::string_view what,
                    const race::Order::Sent* sent) { report(clause, issuer, first, what, sent); },
             [this](const race::Race& race) {
               reports_before_ = reports_;
               report_race(race);
             },
             DeviceReadings(cluster.settings()).is({"AMB-52", "in_order_of_issue"})),
      races(static_cast<uint32_t>(product(cluster.launch.cluster_shape)),
            static_cast<uint32_t>(product(cluster.launch.block)), static_cast<uint32_t>(cluster.index),
            cluster.launch.is_apart ? cluster.log.races : cluster.launch.races,
            [this](const race::Race& race) { report_race(race); }),
      provenance(
          !cluster.settings().warns
              ? nullptr
              : std::make_unique<race::Provenance>([&cluster](std::string_view clause, const Issuer& issuer,
                                                              const Issuer& first, std::string sentence) {
                  cluster.launch.warn(clause, cluster, issuer, &first, std::move(sentence));
                })),
      follows_global(product(cluster.launch.grid) > 1 || product(cluster.launch.block) > warp_lanes ||
                     cluster.launch.program.copies || cluster.launch.program.reads_only),
      begins_early(cluster.launch.grid_history.has_in_flight()),
      is_beside(cluster.launch.grid_history.streams.has_unordered()),
      cluster_(cluster),
      maps_((cluster.launch.is_apart ? cluster.log.races : cluster.launch.races).maps),
      grids_(cluster.launch.grid_history) {
  tensor.races = &races;
}

void StrictMode::report_race(const race::Race& race) {
  if (race.lack == race::Lack::lockstep) return report_lockstep(race);
  if (race.cause.why == race::Cause::Why::relaxed_atomic) return report_relaxed_atomic(race);
  if (race.lack == race::Lack::proxy) return cluster_.launch.report("missing-proxy-fence", race, cluster_);
  if (race.lack == race::Lack::coherence) return cluster_.launch.report("read-only-load", race, cluster_);
  if (race.first.is_wgmma && race.second.is_write)
    return cluster_.launch.report("missing-read-wait", race, cluster_);
  if (!race.is_global && race.second.is_operation && race.second.is_write && !race.first.is_operation &&
      !race.first.is_write)
    return cluster_.launch.report("missing-read-order", race, cluster_);
  if (reports_ == reports_before_ || race::changed.hides_nothing)
    cluster_.launch.report("data-race", race, cluster_);
}

void StrictMode::barrier_used(uint32_t address, const Issuer& issuer) {
  reports_before_ = reports_;
  if (address >> shared_rank_shift != issuer.cta_rank) barrier_used_from_outside(address, issuer, false);
  races.uses_mbarrier(address, issuer);
}

void StrictMode::report(std::string_view clause, const Issuer& issuer, const Issuer* first,
                        std::string_view what, const race::Order::Sent* sent) {
  ++reports_;
  cluster_.launch.report(clause, cluster_, issuer, first, what, {}, sent);
}

void StrictMode::report(std::string_view clause, const Issuer& issuer, std::string why) {
  ++reports_;
  cluster_.launch.report(clause, cluster_, issuer, nullptr, {}, {}, nullptr, std::move(why));
}

void StrictMode::report_landing(const Outstanding& load, const Issuer& issuer) {
  if (load.barrier == 0) return report("missing-wait", issuer, load.issuer, "copy");
  const std::string copy = "copy that signals " + cluster_.launch.name_of_shared(load.barrier, 8);
  report("missing-wait", issuer, &load.issuer, copy, &load.sent);
}

void StrictMode::remote_access(const Cta& target, const Issuer& issuer) {
  if (target.rank != issuer.cta_rank)
    races.order.touch(race::Touches::Object::end_of_cta, target.rank, race::Touch::Kind::read);
  if (target.rank != issuer.cta_rank && target.live_threads == 0) report("cluster-exit", issuer);
}

void StrictMode::check_store(uint32_t address, uint32_t bytes, const Issuer& issuer) {
  check_load(address, bytes, issuer);
  // The source of a store may be written again once the group that it belongs to was waited for.
  for (const Outstanding& store : stores_)
    if (overlap(store.range, address, bytes)) {
      report("missing-read-wait", issuer, store.issuer, "store");
      break;
    }
  tensor.writes_shared(address, bytes, issuer);
  if (provenance) provenance->stored(address, bytes);
  if (inits_.empty()) return;
  const auto init = inits_.upper_bound(address + bytes - 1);
  if (init != inits_.begin() && std::prev(init)->first + 8 > address)
    report("plain-barrier-access", issuer, std::prev(init)->second.issuer, "mbarrier.init");
}

void StrictMode::check_load(uint32_t address, uint32_t bytes, const Issuer& issuer) {
  reports_before_ = reports_;
  for (const Outstanding& load : loads_)
    if (overlap(load.range, address, bytes)) {
      report_landing(load, issuer);
      break;
    }
}

void StrictMode::generic_store(uint32_t address, uint32_t bytes, const Issuer& issuer,
                               const race::MemoryOrder& order) {
  check_store(address, bytes, issuer);
  races.access(address, bytes, issuer, true, order);
}

void StrictMode::generic_load(uint32_t address, uint32_t bytes, const Issuer& issuer,
                              const race::MemoryOrder& order) {
  check_load(address, bytes, issuer);
  if (provenance) provenance->loaded(address, bytes);
  races.access(address, bytes, issuer, false, order);
}

void StrictMode::generic_accesses(const Step& step, const Window& window, const LanePlaces& places,
                                  uint32_t bytes, bool is_write, uint32_t repeating) {
  const race::MemoryOrder& order = step.instruction.order;
  const uint32_t line = step.instruction.line, begin = window.shared_begin;
  remote_access(*cluster_.cta_at(begin), step.issuer(__builtin_ctz(step.mask)));
  reports_before_ = reports_;
  const bool has_tiles = provenance && provenance->has_tiles();
  if (!is_write && has_tiles)
    for_lanes(step.mask, [&](int lane) {
      provenance->loaded(begin + static_cast<uint32_t>(places.offset[static_cast<size_t>(lane)]), bytes);
    });
  // Without copies on their way no clause has anything to say on a load, and without mbarriers none on a
  // store.
  const bool is_plain_store = stores_.empty() && inits_.empty() && !tensor.reads_shared() && !has_tiles;
  if (loads_.empty() && !is_write && places.order == LanePlaces::Order::same)
    return races.access(begin + static_cast<uint32_t>(places.offset[0]), bytes, step.lanes_of(step.mask),
                        line, false, order);
  if (loads_.empty() && (!is_write || is_plain_store))
    return races.accesses(begin, places.offset, bytes, step.lanes_of(step.mask), line, is_write, order,
                          repeating, places.order == LanePlaces::Order::rising);
  for_lanes(step.mask, [&](int lane) {
    const uint32_t address = begin + static_cast<uint32_t>(places.offset[static_cast<size_t>(lane)]);
    if (is_write)
      check_store(address, bytes, step.issuer(lane));
    else
      check_load(address, bytes, step.issuer(lane));
    races.accesses(begin, places.offset, bytes, step.lanes_of(1u << lane), line, is_write, order, repeating,
                   false);
  });
}

void StrictMode::global_accesses(const Step& step, const Window& window, const LanePlaces& places,
                                 uint32_t bytes, const std::byte* values, bool is_write) {
  reports_before_ = reports_;
  if (!follows_global || window.lane_stride != 0) return;
  const auto access = [&](int lane, uint32_t in_all, uint32_t lanes, uint32_t per_lane) {
    const auto index = static_cast<size_t>(lane);
    races.global_access(window.begin + places.offset[index], in_all, step.lanes_of(lanes), per_lane,
                        step.instruction.line, is_write, step.instruction.order,
                        values == nullptr ? nullptr : values + index * bytes);
  };
  if (places.order == LanePlaces::Order::rising && step.mask == ~0u)
    return access(0, bytes * warp_lanes, ~0u, bytes);
  if (places.order == LanePlaces::Order::same && step.mask == ~0u && !is_write) return access(0, bytes, 1, 0);
  if (is_write) return for_lanes(step.mask, [&](int lane) { access(lane, bytes, 1u << lane, 0); });
  races.global_loads(window.begin, places.offset, bytes, step.lanes_of(step.mask), step.instruction.line,
                     step.instruction.order);
}

void StrictMode::check_written(uint64_t address, uint32_t bytes, const Issuer& issuer) {
  for (const WrittenLater& store : written_) {
    // The first range that ends behind the address; they do not overlap.
    const auto range =
        std::partition_point(store.ranges.begin(), store.ranges.end(),
                             [&](const GlobalRange& one) { return one.address + one.bytes <= address; });
    if (range != store.ranges.end() && range->address < address + bytes)
      return report("missing-write-wait", issuer, store.issuer, "store");
  }
}

void StrictMode::grid_waited(uint32_t cta) {
  grid_waited_.insert(cta);
  cluster_.log.waits_for_grids = true;
}

void StrictMode::grid_access(uint64_t address, uint64_t bytes, const Issuer& issuer, bool is_write) {
  if (is_beside)
    if (const auto* const one = grids_.streams.find_unordered(address, bytes, is_write))
      report("missing-stream-order", issuer,
             "'" + one->name + "' in another stream " +
                 (one->writes.meets(address, bytes) ? "writes" : "reads") +
                 " there, and nothing orders the two");
  if (!is_write && grids_.keeps_read(address)) cluster_.log.read.add(address, bytes, issuer.line);
  // Threads that did not wait themselves may have synchronised with the one that did.
  if (!begins_early) return;
  const bool has_waited = grid_waited_.count(issuer.cta_rank) != 0;
  const GridHistory::Flight* const one = grids_.find_in_flight(address, bytes, has_waited, is_write);
  if (one == nullptr) return;
  std::string why =
      "the kernel '" + one->kernel + (one->writes.meets(address, bytes) ? "' writes there" : "' reads there");
  if (has_waited)
    why += "; '" + one->passed_by +
           "', launched behind it, ended without a griddepcontrol.wait, so that to wait for that one is not "
           "enough";
  report("missing-grid-wait", issuer, std::move(why));
}

void StrictMode::global_store(uint64_t address, uint32_t bytes, const Issuer& issuer) {
  grid_access(address, bytes, issuer, true);
  check_written(address, bytes, issuer);
  cluster_.launch.map_history.written(address, bytes, cluster_.log.maps);
  // What was written when matters to the copies of this launch alone.
  if (!cluster_.launch.program.names_tensor_maps) return note_written(address, bytes, issuer);
  ++maps_.now;
  for (uint64_t half = address / half_map; half <= (address + bytes - 1) / half_map; ++half)
    maps_.writes[half] = {maps_.now, static_cast<uint32_t>(cluster_.index), issuer};
  global_write(address, bytes, issuer);
}

void StrictMode::note_written(uint64_t address, uint64_t bytes, const Issuer& issuer) {
  if (grids_.keeps_write(address)) cluster_.log.written.add(address, bytes, issuer.line);
}

void StrictMode::global_write(uint64_t address, uint64_t bytes, const Issuer& issuer) {
  note_written(address, bytes, issuer);
  const auto reads_map = [&](const Outstanding& copy) {
    return copy.tensor_map != 0 && address < copy.tensor_map + map_bytes && copy.tensor_map < address + bytes;
  };
  for (const auto* const copies : {&loads_, &stores_})
    if (const auto copy = std::find_if(copies->begin(), copies->end(), reads_map); copy != copies->end())
      return report("map-changed-in-flight", issuer, copy->issuer, "copy");
}

void StrictMode::tensor_map_replaced(uint64_t address) {
  cluster_.log.maps.changing.insert(address);
}

void StrictMode::proxy_fence(const Issuer& issuer) {
  fences(issuer).proxy = ++now_;
}

void StrictMode::barrier_init_fence(const Issuer& issuer) {
  fences(issuer).init = ++now_;
}

void StrictMode::cluster_release(const Issuer& issuer) {
  fences(issuer).cluster = ++now_;
}

void StrictMode::tensor_map_acquire(uint64_t address, const Issuer& issuer, race::Scope scope) {
  acquired_[{issuer.cta_rank, issuer.thread}][address][static_cast<size_t>(scope)] = ++maps_.now;
}

void StrictMode::tensor_map_release(const Issuer& issuer, race::Scope scope) {
  maps_.releases[{static_cast<uint32_t>(cluster_.index), issuer.cta_rank}][static_cast<size_t>(scope)] =
      ++maps_.now;
}

void StrictMode::tensor_map_used(uint64_t address, const Issuer& issuer) {
  Launch& launch = cluster_.launch;
  const bool by_earlier_launch = launch.map_history.was_changed_before(address, launch.memory);
  cluster_.log.maps.use(address, launch.memory);
  if (!launch.is_apart) launch.map_history.add(cluster_.log.maps);
  const race::MapWrites::Write* last = nullptr;
  for (const uint64_t half : {address / half_map, address / half_map + 1})
    if (const auto written = maps_.writes.find(half);
        written != maps_.writes.end() && (last == nullptr || written->second.time > last->time))
      last = &written->second;
  if (last == nullptr && !by_earlier_launch) return;
  const bool is_far = last != nullptr && last->cluster != cluster_.index;
  const race::Scope needed = is_far ? race::Scope::gpu
                             : last != nullptr && last->issuer.cta_rank != issuer.cta_rank
                                 ? race::Scope::cluster
                                 : race::Scope::cta;
  const auto is_fenced = [&](const std::array<uint64_t, 3>& by_scope) {
    const auto wide = by_scope.begin() + static_cast<ptrdiff_t>(needed);
    return *std::max_element(wide, by_scope.end()) > (last == nullptr ? 0 : last->time);
  };
  // The end of a launch releases. Any thread of a CTA may have done it and synchronised with this one.
  const auto released = [&](uint32_t cluster, uint32_t cta) {
    const auto found = maps_.releases.find({cluster, cta});
    return found != maps_.releases.end() && is_fenced(found->second);
  };
  const bool is_released = last == nullptr || released(last->cluster, last->issuer.cta_rank) ||
                           released(static_cast<uint32_t>(cluster_.index), issuer.cta_rank);
  for (const auto& [thread, addresses] : acquired_) {
    if (thread.first != issuer.cta_rank || !is_released) continue;
    const auto acquired = addresses.find(address);
    if (acquired != addresses.end() && is_fenced(acquired->second)) return;
  }
  ++reports_;
  cluster_.launch.report("missing-tensormap-fence", cluster_, issuer,
                         last == nullptr ? nullptr : &last->issuer, "write",
                         last == nullptr ? cluster_.index : last->cluster);
}

void StrictMode::barrier_initialised(uint32_t address, const Issuer& issuer) {
  if (const auto found = inits_.find(address); found != inits_.end())
    report("barrier-initialised-twice", issuer, found->second.issuer, "mbarrier.init");
  inits_[address] = {++now_, issuer};
  reports_before_ = reports_;
  races.access(address, 8, issuer, true, {});
  races.order.mbarrier_init(address, issuer);
}

void StrictMode::barrier_without_init(uint32_t address, const Issuer& issuer) {
  report("barrier-without-init", issuer);
  // It hands on what others do; who may use it is not asked any more.
  races.order.mbarrier_init(address, issuer);
  races.order.mbarrier_inval(address);
}

void StrictMode::barrier_invalidated(uint32_t address) {
  inits_.erase(address);
  races.order.mbarrier_inval(address);
}

void StrictMode::cta_ended(const Issuer& last) {
  const uint32_t cta = last.cta_rank;
  races.order.touch(race::Touches::Object::end_of_cta, cta, race::Touch::Kind::write);
  const auto from = register_changes_.lower_bound({cta, 0}), to = register_changes_.lower_bound({cta + 1, 0});
  for (auto group = from; group != to; ++group) {
    const auto& warps = group->second;
    const auto most = std::max_element(warps.begin(), warps.end(),
                                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (size_t i = 0; i < most->size(); ++i) {
      const RegisterChange& one = (*most)[i];
      const bool by_all = std::all_of(warps.begin(), warps.end(), [&](const auto& warp) {
        return i < warp.size() && warp[i].count == one.count && warp[i].is_increase == one.is_increase;
      });
      if (!by_all) report("setmaxnreg-of-some-warps", one.issuer);
    }
  }
  check_register_pool(from, to);
  register_changes_.erase(from, to);
  for (const Outstanding& load : loads_)
    if (load.range.bytes != 0 && load.range.address >> shared_rank_shift == cta)
      report("missing-exit-wait", load.issuer, last, "exit");
}

void StrictMode::barrier_used_from_outside(uint32_t address, const Issuer& issuer, bool by_async_proxy) {
  const auto init = inits_.find(address);
  if (init == inits_.end()) return;
  const Issuer& initialiser = init->second.issuer;
  const Fences& by_initialiser = fences(initialiser);
  const Fences& by_user = fences(issuer);
  uint64_t fenced = std::max({by_initialiser.init, by_initialiser.proxy, by_user.proxy});
  if (!by_async_proxy) fenced = std::max(fenced, by_initialiser.cluster);
  if (fenced < init->second.time) report("missing-barrier-init-fence", issuer, initialiser, "mbarrier.init");
}

void StrictMode::barrier_waited(uint32_t address) {
  tensor.barrier_waited(address);
  std::erase_if(loads_, [&](const Outstanding& load) { return load.has_landed && load.barrier == address; });
}

/// The copies that signal an mbarrier, a time each for it.
static void note_copies(Cluster& cluster, const AsyncOperation& operation, BarrierEvent::Kind kind) {
  std::map<uint32_t, uint32_t> bytes;
  for (size_t i = 0; i < operation.barriers.size(); ++i)
    bytes[operation.barriers[i]] += operation.shared_writes[i].bytes;
  for (const auto& [barrier, amount] : bytes)
    if (const Cta* cta = cluster.cta_at(barrier); cta != nullptr && barrier != 0)
      cluster.launch.note_barrier(kind, *cta, barrier & shared_offset_mask,
                                  operation.issuer.thread / warp_lanes, amount);
}

void StrictMode::issued(const AsyncOperation& operation) {
  reports_before_ = reports_;
  check_issue(operation);
  races.issued(operation);
}

void StrictMode::check_issue(const AsyncOperation& operation) {
  note_copies(cluster_, operation, BarrierEvent::Kind::copy);
  if (provenance) provenance->issued(operation);
  if (!operation.is_async_proxy) {
    // st.async and red.async: their bytes are waited for as those of a copy are.
    for (size_t i = 0; i < operation.barriers.size(); ++i) {
      loads_.push_back({operation.shared_writes[i], operation.barriers[i], false, nullptr, operation.issuer,
                        0, races.order.sent(operation.barriers[i])});
      if (operation.barriers[i] >> shared_rank_shift != operation.issuer.cta_rank)
        barrier_used_from_outside(operation.barriers[i], operation.issuer, false);
    }
    return;
  }
  if (!operation.global_writes.empty())
    written_.push_back({operation.global_writes, operation.group, operation.issuer});
  for (const SharedRange& range : operation.shared_reads) {
    for (const Outstanding& load : loads_)
      if (overlap(load.range, range.address, range.bytes)) {
        report_landing(load, operation.issuer);
        break;
      }
    if (operation.group && !operation.is_wgmma)
      stores_.push_back({range, 0, false, operation.group, operation.issuer, operation.tensor_map});
  }
  for (size_t i = 0; i < operation.shared_writes.size(); ++i) {
    const SharedRange& range = operation.shared_writes[i];
    if (const auto init = inits_.upper_bound(range.address + range.bytes - 1);
        range.bytes != 0 && init != inits_.begin() && std::prev(init)->first + 8 > range.address)
      report("plain-barrier-access", operation.issuer, std::prev(init)->second.issuer, "mbarrier.init");
    tensor.writes_shared(range.address, range.bytes, operation.issuer);
    for (const Outstanding& store : stores_)
      if (overlap(store.range, range.address, range.bytes)) {
        report("missing-read-wait", operation.issuer, store.issuer, "store");
        break;
      }
    const uint32_t barrier = i < operation.barriers.size() ? operation.barriers[i] : 0;
    loads_.push_back({range, barrier, false, operation.group, operation.issuer, operation.tensor_map,
                      races.order.sent(barrier)});
    if (barrier != 0) barrier_used_from_outside(barrier, operation.issuer, true);
  }
}

void StrictMode::source_read(const AsyncOperation&) {}

void StrictMode::destination_written(const AsyncOperation& operation) {
  note_copies(cluster_, operation, BarrierEvent::Kind::landed);
  races.landed(operation.id);
  for (size_t i = 0; i < operation.shared_writes.size(); ++i)
    for (Outstanding& load : loads_)
      if (!load.has_landed && load.range.address == operation.shared_writes[i].address &&
          load.issuer.line == operation.issuer.line && load.issuer.thread == operation.issuer.thread &&
          load.issuer.cta_rank == operation.issuer.cta_rank) {
        load.has_landed = true;
        break;
      }
}

/// Removes what this thread has waited for: its newest n groups stay outstanding.
template <class One>
void StrictMode::forget_in(std::vector<One>& all, uint64_t n, const Issuer& issuer,
                           const AsyncGroups& groups) {
  const auto newest = groups.newest(n);
  std::erase_if(all, [&](const One& one) {
    return one.group && one.issuer.cta_rank == issuer.cta_rank && one.issuer.thread == issuer.thread &&
           std::find(newest.begin(), newest.end(), one.group.get()) == newest.end() &&
           !groups.is_open(one.group.get());
  });
}

void StrictMode::groups_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups, bool is_read) {
  if (groups.has_uncommitted()) report("missing-commit", issuer);
  races.groups_waited(n, issuer, groups, is_read);
  forget_in(stores_, n, issuer, groups);
  forget_in(loads_, n, issuer, groups);
  if (!is_read) forget_in(written_, n, issuer, groups);
}

void StrictMode::wgmma_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups) {
  if (groups.has_uncommitted()) report("missing-wgmma-commit", issuer);
  races.wgmma_waited(n, issuer);
}

void StrictMode::exited(const Issuer& issuer, const AsyncGroups& groups) {
  if (groups.has_uncommitted()) report("missing-commit", issuer);
  for (const Outstanding& store : stores_)
    if (store.issuer.cta_rank == issuer.cta_rank && store.issuer.thread == issuer.thread &&
        !groups.is_open(store.group.get())) {
      report("missing-exit-wait", {issuer.cta_rank, issuer.thread, store.issuer.line});
      return;
    }
}

}  // namespace assay::emulator
