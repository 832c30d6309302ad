// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/device_heap.h"

#include <iterator>

namespace assay::emulator {
namespace {

constexpr uint64_t granule = 16;

}  // namespace

uint64_t DeviceHeap::allocate(uint64_t bytes, uint64_t limit) {
  if (begin_ == 0) {
    limit -= limit % granule;
    if (limit == 0 || (begin_ = memory_.allocate(limit)) == 0) return 0;
    free_[begin_] = limit;
  }
  if (bytes > ~uint64_t{0} - granule) return 0;
  bytes = bytes == 0 ? granule : (bytes + granule - 1) / granule * granule;
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const auto [address, room] = *at;
    if (room < bytes) continue;
    free_.erase(at);
    if (room > bytes) free_[address + bytes] = room - bytes;
    taken_[address] = bytes;
    return address;
  }
  return 0;
}

bool DeviceHeap::release(uint64_t address) {
  const auto found = taken_.find(address);
  if (found == taken_.end()) return false;
  auto at = free_.emplace(address, found->second).first;
  taken_.erase(found);
  if (const auto next = std::next(at); next != free_.end() && at->first + at->second == next->first) {
    at->second += next->second;
    free_.erase(next);
  }
  if (at != free_.begin())
    if (const auto before = std::prev(at); before->first + before->second == at->first) {
      before->second += at->second;
      free_.erase(at);
    }
  return true;
}

}  // namespace assay::emulator
