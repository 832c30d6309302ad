// SPDX-License-Identifier: Apache-2.0
// What the warps of a matrix instruction know, and what its completion tells.

#include "devices/emulator/race/races.h"

namespace assay::emulator::race {

/// Of a wgmma each warp reads by itself: .sync makes the threads of a warp wait for one another, and nothing
/// the warps of a warpgroup (ptx, wgmma.mma_async).
std::vector<Races::Reader> Races::readers_of(const AsyncOperation& operation) {
  if (!operation.is_wgmma) return {{operation.issuer, order.of(operation.issuer).knows}};
  std::vector<Reader> readers(threads_of_warpgroup / 32, {operation.issuer, {}});
  for (uint32_t i = 0; i < readers.size(); ++i) {
    Reader& one = readers[i];
    one.issuer.thread += i * 32;
    order.warp(one.issuer).collect(order.warp(one.issuer).every(), one.knows);
  }
  return readers;
}

void Races::wgmma_committed(const Issuer& issuer) {
  Groups& groups = wgmma_[thread_of(issuer)];
  groups.committed.push_back(groups.open);
}

void Races::wgmma_waited(uint64_t n, const Issuer& issuer) {
  order.touch_group(issuer, Touch::Kind::await);
  Groups& groups = wgmma_[thread_of(issuer)];
  if (is_widened(Row::wgmma_wait))
    for (const auto& operation : operations_) operation->landed.push_back(known_to_all);
  if (groups.committed.size() <= n || !orders(Row::wgmma_wait)) return;
  const uint32_t last = groups.committed[groups.committed.size() - n - 1];
  groups.committed.erase(groups.committed.begin(), groups.committed.end() - static_cast<ptrdiff_t>(n));
  const uint32_t leader = issuer.thread / threads_of_warpgroup * threads_of_warpgroup;
  Knowledge done;
  done.seen.learn({agent({issuer.cta_rank, leader}).component, 1, last}, 1);
  WarpClock& warp = order.warp(issuer);
  warp.each(warp.every(), [&](Part& part) { part.learn(done); });
}

Moment Races::works(const Issuer& issuer) {
  Agent& tcgen05 = agent(thread_of(issuer));
  return {tcgen05.component, 1, ++tcgen05.issued};
}

std::shared_ptr<const Knowledge> Races::committed(const Issuer& issuer) {
  const auto told = std::make_shared<Knowledge>();
  const Lanes who = lanes_of(issuer);
  order.warp(issuer).collect(who.lanes, *told);
  order.warp(issuer).tick();
  for (auto& [thread, one] : agents_) {
    const bool is_own = thread.cta == issuer.cta_rank && thread.index == issuer.thread;
    if (orders(Row::commit, is_own)) told->seen.learn({one.component, 1, one.issued}, 1);
  }
  return told;
}

}  // namespace assay::emulator::race
