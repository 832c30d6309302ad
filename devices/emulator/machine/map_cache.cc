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

void MapHistory::written_over(const std::map<uint64_t, Used>& maps, uint64_t address, uint32_t bytes,
                              Changes& by) {
  const uint64_t first = address < sizeof(TensorMapBytes) ? 0 : address - sizeof(TensorMapBytes) + 1;
  for (auto map = maps.lower_bound(first); map != maps.end() && map->first < address + bytes; ++map)
    by.changing.insert(map->first);
}

void MapHistory::launch_ended(const Memory& memory) {
  for (const uint64_t address : changing_)
    if (const std::byte* now = memory.find(address, sizeof(TensorMapBytes)))
      std::memcpy(changed_[address].data(), now, sizeof(TensorMapBytes));
  changing_.clear();
}

void MapHistory::Changes::use(uint64_t address, const Memory& memory) {
  // Parameters and constant memory are shown to copies when a kernel is launched.
  const Memory::Range* const range = memory.locate(address);
  const std::byte* const now = memory.find(address, sizeof(TensorMapBytes));
  if (range == nullptr || range->mapping == 0 || now == nullptr) return;
  Used& last = used[address];
  std::memcpy(last.map.data(), now, sizeof(TensorMapBytes));
  last.generation = memory.generation();
}

bool MapHistory::was_changed_before(uint64_t address, const Memory& memory) const {
  const std::byte* now = memory.find(address, sizeof(TensorMapBytes));
  if (now == nullptr) return false;
  const auto is_now = [&](const TensorMapBytes& map) {
    return std::memcmp(map.data(), now, sizeof(TensorMapBytes)) == 0;
  };
  const auto used = used_.find(address);
  if (used != used_.end() && used->second.generation == memory.generation() && !is_now(used->second.map))
    return true;
  const auto left = changed_.find(address);
  return left != changed_.end() && is_now(left->second);
}

}  // namespace assay::emulator
