// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "devices/emulator/race/races.h"

// What threads learn of asynchronous operations that they wait for.
namespace assay::emulator::race {

void Races::groups_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups, bool is_read) {
  order.touch_group(issuer, Touch::Kind::await);
  const auto pending = pending_.find(thread_of(issuer));
  if (pending != pending_.end()) wait_for(pending->second.bulk, n, issuer, groups, is_read, Row::group_wait);
}

void Races::copies_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups) {
  order.touch_group(issuer, Touch::Kind::await);
  const auto pending = pending_.find(thread_of(issuer));
  if (pending != pending_.end()) wait_for(pending->second.copies, n, issuer, groups, false, Row::copy_wait);
}

void Races::wait_for(std::vector<uint32_t>& numbers, uint64_t n, const Issuer& issuer,
                     const AsyncGroups& groups, bool is_read, Row row) {
  const auto newest = groups.newest(n);
  const Moment now = order.warp(issuer).moment(1u << issuer.thread % 32);
  std::erase_if(numbers, [&](uint32_t number) {
    Operation* const operation = find(number);
    if (operation == nullptr) return true;
    const AsyncGroup* const group = operation->group.get();
    const bool is_awaited =
        std::find(newest.begin(), newest.end(), group) == newest.end() && !groups.is_open(group);
    if (!orders(row, is_awaited)) return false;
    // What .read has told stays told.
    if (operation->read.of == no_component) operation->read = now;
    if (is_widened(row)) operation->landed.push_back(known_to_all);
    if (!is_read) operation->written = now;
    return !is_read;
  });
}

std::vector<uint32_t> Races::copies_of(const Issuer& issuer) const {
  const auto pending = pending_.find(thread_of(issuer));
  return pending == pending_.end() ? std::vector<uint32_t>{} : pending->second.copies;
}

void Races::copies_arrive(uint32_t barrier, const std::vector<uint32_t>& copies) {
  const Order::Mbarrier* const mbarrier = order.mbarrier(barrier);
  if (mbarrier == nullptr || !orders(Row::copy_arrival)) return;
  for (const uint32_t number : copies)
    if (Operation* const operation = find(number))
      operation->landed.push_back({mbarrier->agent, 1, mbarrier->phases + 1});
}

}  // namespace assay::emulator::race
