// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/map_cache.h"

#include <algorithm>
#include <cstring>

namespace assay::emulator {

const TensorMapBytes& MapCache::fetch(uint32_t multiprocessor, uint64_t address, const std::byte* now,
                                      Completion completion, const std::function<uint64_t()>& random) {
  std::deque<Entry>& entries = entries_[multiprocessor].maps;
  entries_[multiprocessor].last = address;
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.address == address; });
  if (found == entries.end()) {
    if (entries.size() == capacity) entries.pop_front();
    Entry& entry = entries.emplace_back();
    entry.address = address;
    std::memcpy(entry.map.data(), now, entry.map.size());
    return entry.map;
  }
  if (std::memcmp(found->map.data(), now, found->map.size()) == 0) return found->map;
  // Of four changed maps one has left the cache by itself.
  const bool is_gone =
      completion == Completion::eager || (completion == Completion::random && random() % 4 == 0);
  if (is_gone) std::memcpy(found->map.data(), now, found->map.size());
  return found->map;
}

void MapCache::acquire(uint32_t multiprocessor, uint64_t address,
                       bool (*acquires)(uint64_t acquired, uint64_t map, bool is_last)) {
  Entries& entries = entries_[multiprocessor];
  std::erase_if(entries.maps, [&](const Entry& entry) {
    return acquires(address, entry.address, entry.address == entries.last);
  });
}

}  // namespace assay::emulator
