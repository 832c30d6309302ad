// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/map_history.h"

#include <cstring>

namespace assay::emulator {

void MapHistory::written_over_maps(uint64_t address, uint32_t bytes) {
  const uint64_t first = address < sizeof(TensorMapBytes) ? 0 : address - sizeof(TensorMapBytes) + 1;
  for (auto map = used_.lower_bound(first); map != used_.end() && *map < address + bytes; ++map)
    changing_.insert(*map);
}

void MapHistory::launch_ended(const Memory& memory) {
  for (const uint64_t address : changing_)
    if (const std::byte* now = memory.find(address, sizeof(TensorMapBytes)))
      std::memcpy(changed_[address].data(), now, sizeof(TensorMapBytes));
  changing_.clear();
}

bool MapHistory::was_changed_before(uint64_t address, const Memory& memory) const {
  const auto left = changed_.find(address);
  if (left == changed_.end()) return false;
  const std::byte* now = memory.find(address, sizeof(TensorMapBytes));
  return now != nullptr && std::memcmp(left->second.data(), now, sizeof(TensorMapBytes)) == 0;
}

}  // namespace assay::emulator
