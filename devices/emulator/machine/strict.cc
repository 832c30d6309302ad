// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/strict.h"

#include <algorithm>

#include "devices/emulator/machine/launch.h"

namespace assay::emulator {

/// Maps lie on multiples of this, so that writes are kept by half a map.
static constexpr uint64_t half_map = 64, map_bytes = 2 * half_map;

StrictMode::StrictMode(Cluster& cluster)
    : tensor([this](std::string_view clause, const Issuer& issuer) { report(clause, issuer); },
             DeviceReadings(cluster.settings()).is({"AMB-52", "in_order_of_issue"})),
      races(static_cast<uint32_t>(product(cluster.launch.cluster_shape)),
            static_cast<uint32_t>(product(cluster.launch.block)),
            [this](const race::Race& race) { report_race(race); }),
      cluster_(cluster) {}

void StrictMode::report_race(const race::Race& race) {
  if (reports_ == reports_before_) cluster_.launch.report(race, cluster_);
}

void StrictMode::barrier_used(uint32_t address, const Issuer& issuer) {
  reports_before_ = reports_;
  if (address >> shared_rank_shift != issuer.cta_rank) barrier_used_from_outside(address, issuer, false);
  races.uses_mbarrier(address, issuer);
}

void StrictMode::report(std::string_view clause, const Issuer& issuer) {
  ++reports_;
  cluster_.launch.report(clause, cluster_, issuer);
}

std::vector<StrictMode::WriteMark>& StrictMode::marks_in(Marks& all, uint32_t cta) {
  std::vector<WriteMark>& found = all[cta];
  if (found.empty()) found.resize(cluster_.ctas[cta]->shared.size() / 4 + 1);
  return found;
}

void StrictMode::remote_access(const Cta& target, const Issuer& issuer) {
  if (target.rank != issuer.cta_rank && target.live_threads == 0) report("cluster-exit", issuer);
}

void StrictMode::generic_store(uint32_t address, uint32_t bytes, const Issuer& issuer,
                               const race::MemoryOrder& order) {
  reports_before_ = reports_;
  const uint32_t cta = address >> shared_rank_shift;
  auto& written = marks(cta);
  const uint64_t time = ++now_;
  const uint32_t first = (address & shared_offset_mask) / 4;
  const uint32_t last = ((address & shared_offset_mask) + bytes - 1) / 4;
  for (uint32_t i = first; i <= last && i < written.size(); ++i)
    written[i] = {time, issuer.cta_rank, issuer.thread};
  for (const Outstanding& load : loads_)
    if (overlap(load.range, address, bytes)) {
      report("missing-wait", issuer);
      break;
    }
  // The source of a store may be written again once the group that it belongs to was waited for.
  for (const Outstanding& store : stores_)
    if (overlap(store.range, address, bytes)) {
      report("missing-read-wait", issuer);
      break;
    }
  tensor.writes_shared(address, bytes, issuer);
  const auto init = inits_.upper_bound(address + bytes - 1);
  if (init != inits_.begin() && std::prev(init)->first + 8 > address) report("plain-barrier-access", issuer);
  races.access(address, bytes, issuer, true, order);
}

void StrictMode::generic_load(uint32_t address, uint32_t bytes, const Issuer& issuer,
                              const race::MemoryOrder& order) {
  reports_before_ = reports_;
  for (const Outstanding& load : loads_)
    if (overlap(load.range, address, bytes)) {
      report("missing-wait", issuer);
      break;
    }
  auto& read = marks_in(reads_, address >> shared_rank_shift);
  const uint64_t time = ++now_;
  const uint32_t offset = address & shared_offset_mask;
  for (uint32_t i = offset / 4; i <= (offset + bytes - 1) / 4 && i < read.size(); ++i)
    read[i] = {time, issuer.cta_rank, issuer.thread};
  races.access(address, bytes, issuer, false, order);
}

/// Of a read by another thread that has not synchronised with anybody since then nobody can know that it is
/// over.
void StrictMode::check_reads(const SharedRange& range, const Issuer& issuer) {
  const auto found = reads_.find(range.address >> shared_rank_shift);
  if (found == reads_.end()) return;
  const uint32_t offset = range.address & shared_offset_mask;
  for (uint32_t i = offset / 4; i < (offset + range.bytes + 3) / 4 && i < found->second.size(); ++i) {
    WriteMark& read = found->second[i];
    const bool is_own = read.cta == issuer.cta_rank && read.thread == issuer.thread;
    if (read.time == 0 || is_own) continue;
    const auto synchronised = synchronised_.find({read.cta, read.thread});
    if (synchronised == synchronised_.end() || synchronised->second < read.time) {
      report("missing-read-order", issuer);
      return;
    }
    read.time = 0;
  }
}

void StrictMode::check_written(uint64_t address, uint32_t bytes, const Issuer& issuer) {
  for (const WrittenLater& store : written_) {
    // The first range that ends behind the address; they do not overlap.
    const auto range =
        std::partition_point(store.ranges.begin(), store.ranges.end(),
                             [&](const GlobalRange& one) { return one.address + one.bytes <= address; });
    if (range != store.ranges.end() && range->address < address + bytes)
      return report("missing-write-wait", issuer);
  }
}

bool StrictMode::begins_early() const {
  return cluster_.launch.grid_history.has_in_flight();
}

void StrictMode::grid_access(uint64_t address, uint64_t bytes, const Issuer& issuer) {
  // Threads that did not wait themselves may have synchronised with the one that did.
  if (grid_waited_.count(issuer.cta_rank) == 0 && cluster_.launch.grid_history.is_in_flight(address, bytes))
    report("missing-grid-wait", issuer);
}

void StrictMode::global_store(uint64_t address, uint32_t bytes, const Issuer& issuer) {
  grid_access(address, bytes, issuer);
  cluster_.launch.grid_history.written(address, bytes);
  check_written(address, bytes, issuer);
  cluster_.launch.map_history.written(address, bytes);
  // What was written when matters to the copies of this launch alone.
  if (!cluster_.launch.program.names_tensor_maps) return;
  const uint64_t time = ++now_;
  for (uint64_t half = address / half_map; half <= (address + bytes - 1) / half_map; ++half)
    global_writes_[half] = {time, {issuer.cta_rank, issuer.thread}};
  global_write(address, bytes, issuer);
}

void StrictMode::global_write(uint64_t address, uint64_t bytes, const Issuer& issuer) {
  cluster_.launch.grid_history.written(address, bytes);
  const auto reads_map = [&](const Outstanding& copy) {
    return copy.tensor_map != 0 && address < copy.tensor_map + map_bytes && copy.tensor_map < address + bytes;
  };
  if (std::any_of(loads_.begin(), loads_.end(), reads_map) ||
      std::any_of(stores_.begin(), stores_.end(), reads_map))
    report("map-changed-in-flight", issuer);
}

void StrictMode::tensor_map_replaced(uint64_t address) {
  cluster_.launch.map_history.replaced(address);
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

void StrictMode::tensor_map_acquire(uint64_t address, const Issuer& issuer) {
  acquired_[{issuer.cta_rank, issuer.thread}][address] = ++now_;
}

void StrictMode::tensor_map_used(uint64_t address, const Issuer& issuer) {
  Launch& launch = cluster_.launch;
  const bool by_earlier_launch = launch.map_history.was_changed_before(address, launch.memory);
  launch.map_history.used(address);
  uint64_t last = 0;
  for (const uint64_t half : {address / half_map, address / half_map + 1})
    if (const auto written = global_writes_.find(half); written != global_writes_.end())
      last = std::max(last, written->second.time);
  if (last == 0 && !by_earlier_launch) return;
  // Any thread of the CTA may have acquired and passed it on through a barrier.
  for (const auto& [thread, addresses] : acquired_) {
    if (thread.first != issuer.cta_rank) continue;
    const auto acquired = addresses.find(address);
    if (acquired != addresses.end() && acquired->second > last) return;
  }
  report("missing-tensormap-fence", issuer);
}

void StrictMode::barrier_initialised(uint32_t address, const Issuer& issuer) {
  if (inits_.count(address) != 0) report("barrier-initialised-twice", issuer);
  inits_[address] = {++now_, {issuer.cta_rank, issuer.thread}};
  reports_before_ = reports_;
  races.access(address, 8, issuer, true, {});
  races.order.mbarrier_init(address, issuer);
}

void StrictMode::barrier_invalidated(uint32_t address) {
  inits_.erase(address);
  races.order.mbarrier_inval(address);
}

void StrictMode::registers_changed(const Cta& cta, uint32_t warp, bool is_increase, uint32_t count,
                                   const Issuer& issuer) {
  // Warps that are no whole warpgroup have nobody to wait for.
  if (warp / 4 * 4 + 4 > cta.warps.size()) return;
  register_changes_[{cta.rank, warp / 4}][warp % 4].push_back({count, is_increase, issuer});
}

void StrictMode::cta_ended(uint32_t cta) {
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
  register_changes_.erase(from, to);
}

void StrictMode::barrier_used_from_outside(uint32_t address, const Issuer& issuer, bool by_async_proxy) {
  const auto init = inits_.find(address);
  if (init == inits_.end()) return;
  const Fences& by_initialiser = fences_[init->second.thread];
  const Fences& by_user = fences(issuer);
  uint64_t fenced = std::max({by_initialiser.init, by_initialiser.proxy, by_user.proxy});
  if (!by_async_proxy) fenced = std::max(fenced, by_initialiser.cluster);
  if (fenced < init->second.time) report("missing-barrier-init-fence", issuer);
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
  if (!operation.is_async_proxy) {
    // st.async and red.async: their bytes are waited for as those of a copy are.
    for (size_t i = 0; i < operation.barriers.size(); ++i) {
      loads_.push_back({operation.shared_writes[i], operation.barriers[i], false, nullptr, operation.issuer});
      if (operation.barriers[i] >> shared_rank_shift != operation.issuer.cta_rank)
        barrier_used_from_outside(operation.barriers[i], operation.issuer, false);
    }
    return;
  }
  const auto check_fence = [&](const SharedRange& range) {
    const uint32_t cta = range.address >> shared_rank_shift;
    if (cta >= cluster_.ctas.size()) return;
    const auto& written = marks(cta);
    const uint64_t by_issuer = fences(operation.issuer).proxy;
    for (uint32_t i = (range.address & shared_offset_mask) / 4;
         i < ((range.address & shared_offset_mask) + range.bytes + 3) / 4 && i < written.size(); ++i) {
      const WriteMark& mark = written[i];
      if (mark.time == 0 || by_issuer > mark.time) continue;
      const auto writer = fences_.find({mark.cta, mark.thread});
      if (writer != fences_.end() && writer->second.proxy > mark.time) continue;
      report("missing-proxy-fence", operation.issuer);
      return;
    }
  };
  if (!operation.global_writes.empty())
    written_.push_back({operation.global_writes, operation.group, operation.issuer});
  for (const SharedRange& range : operation.shared_reads) {
    check_fence(range);
    for (const Outstanding& load : loads_)
      if (overlap(load.range, range.address, range.bytes)) {
        report("missing-wait", operation.issuer);
        break;
      }
    if (operation.group)
      stores_.push_back(
          {range, 0, false, operation.group, operation.issuer, operation.is_wgmma, operation.tensor_map});
  }
  for (size_t i = 0; i < operation.shared_writes.size(); ++i) {
    const SharedRange& range = operation.shared_writes[i];
    check_fence(range);
    check_reads(range, operation.issuer);
    tensor.writes_shared(range.address, range.bytes, operation.issuer);
    for (const Outstanding& store : stores_)
      if (overlap(store.range, range.address, range.bytes)) {
        report("missing-read-wait", operation.issuer);
        break;
      }
    // What the copy brings replaces what the generic proxy wrote.
    const uint32_t cta = range.address >> shared_rank_shift;
    if (cta < cluster_.ctas.size()) {
      auto& written = marks(cta);
      const uint32_t first = (range.address & shared_offset_mask) / 4;
      const uint32_t end = std::min<uint32_t>(first + range.bytes / 4, static_cast<uint32_t>(written.size()));
      for (uint32_t word = first; word < end; ++word) written[word].time = 0;
    }
    const uint32_t barrier = i < operation.barriers.size() ? operation.barriers[i] : 0;
    loads_.push_back({range, barrier, false, operation.group, operation.issuer, false, operation.tensor_map});
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
void StrictMode::forget_in(std::vector<One>& all, uint64_t n, const Issuer& issuer, const AsyncGroups& groups,
                           bool is_wgmma) {
  const auto newest = groups.newest(n);
  std::erase_if(all, [&](const One& one) {
    return one.group && one.is_wgmma == is_wgmma && one.issuer.cta_rank == issuer.cta_rank &&
           one.issuer.thread == issuer.thread &&
           std::find(newest.begin(), newest.end(), one.group.get()) == newest.end() &&
           !groups.is_open(one.group.get());
  });
}

void StrictMode::groups_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups, bool is_read) {
  if (groups.has_uncommitted()) report("missing-commit", issuer);
  races.groups_waited(n, issuer, groups, is_read);
  forget(n, issuer, groups, false);
  if (!is_read) forget_in(written_, n, issuer, groups, false);
}

void StrictMode::wgmma_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups) {
  if (groups.has_uncommitted()) report("missing-wgmma-commit", issuer);
  races.wgmma_waited(n, issuer);
  forget(n, issuer, groups, true);
}

void StrictMode::forget(uint64_t n, const Issuer& issuer, const AsyncGroups& groups, bool is_wgmma) {
  forget_in(stores_, n, issuer, groups, is_wgmma);
  forget_in(loads_, n, issuer, groups, is_wgmma);
}

void StrictMode::exited(const Issuer& issuer, const AsyncGroups& groups) {
  if (groups.has_uncommitted()) report("missing-commit", issuer);
  for (const Outstanding& store : stores_)
    if (!store.is_wgmma && store.issuer.cta_rank == issuer.cta_rank && store.issuer.thread == issuer.thread &&
        !groups.is_open(store.group.get())) {
      report("missing-exit-wait", {issuer.cta_rank, issuer.thread, store.issuer.line});
      return;
    }
}

}  // namespace assay::emulator
