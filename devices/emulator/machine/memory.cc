// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/memory.h"

#include <sys/mman.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <mutex>

namespace assay::emulator {
namespace {

constexpr uint64_t page = 4096, huge_page = 2 << 20;
constexpr uint64_t allocation_alignment = 256;

/// The address space of 64 memories, twice as much as an emulated GPU has each, in a part of x86-64's that
/// the host's kernel gives to programs last. The first allocations have bits 20 to 33 set; after a mebibyte
/// they are clear and bit 34 is set: with both, a fault in one of them shows.
constexpr uint64_t lanes_begin = 0x7d00'0000'0000, lane_bytes = uint64_t{1} << 35;
constexpr uint64_t first_in_lane = (uint64_t{1} << 34) - (uint64_t{1} << 20);

std::mutex lanes_mutex;
uint64_t lanes_in_use = 0;

/// 64 where more memories are alive than there are lanes: the host's kernel chooses the addresses.
int take_lane() {
  const std::lock_guard lock(lanes_mutex);
  const int lane = std::countr_one(lanes_in_use);
  if (lane < 64) lanes_in_use |= uint64_t{1} << lane;
  return lane;
}

void give_lane_back(int lane) {
  const std::lock_guard lock(lanes_mutex);
  if (lane < 64) lanes_in_use &= ~(uint64_t{1} << lane);
}

}  // namespace

Memory::Memory() : lane_(take_lane()) {}

Memory::~Memory() {
  for (const Range& range : ranges_)
    if (range.mapping != 0) munmap(reinterpret_cast<void*>(range.mapping), range.mapping_bytes);
  give_lane_back(lane_);
}

uint64_t Memory::lowest_gap(uint64_t bytes) const {
  if (lane_ >= 64) return 0;
  const uint64_t lane = lanes_begin + static_cast<uint64_t>(lane_) * lane_bytes;
  uint64_t at = lane + first_in_lane;
  for (const Range& range : ranges_) {
    if (range.mapping == 0 || range.mapping < at) continue;
    if (range.mapping - at >= bytes) break;
    at = range.mapping + range.mapping_bytes;
  }
  return at + bytes <= lane + lane_bytes ? at : 0;
}

void Memory::insert(const Range& range) {
  const auto at = std::upper_bound(ranges_.begin(), ranges_.end(), range.begin,
                                   [](uint64_t begin, const Range& other) { return begin < other.begin; });
  ranges_.insert(at, range);
  ++generation_;
}

uint64_t Memory::allocate(size_t bytes) {
  if (bytes == 0 || bytes > (1ull << 46)) return 0;
  // One inaccessible page before and after: a stray host access faults at once. The end of the allocation
  // lies as close to the guard page as the alignment lets it.
  const uint64_t rounded = (bytes + allocation_alignment - 1) & ~(allocation_alignment - 1);
  const uint64_t inner = (rounded + page - 1) & ~(page - 1);
  // The address is a wish: where something else of the process lies there, the kernel takes another.
  void* mapping = mmap(reinterpret_cast<void*>(lowest_gap(inner + 2 * page)), inner + 2 * page, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return 0;
  const uint64_t base = reinterpret_cast<uint64_t>(mapping);
  if (mprotect(reinterpret_cast<void*>(base + page), inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, inner + 2 * page);
    return 0;
  }
  // Much of it is written as a whole at once; a refusal costs time alone.
  if (inner >= huge_page) madvise(reinterpret_cast<void*>(base + page), inner, MADV_HUGEPAGE);
  const uint64_t begin = base + page + (inner - rounded);
  insert({begin, begin + bytes, base, inner + 2 * page, ++allocations_});
  return begin;
}

bool Memory::release(uint64_t address) {
  for (size_t i = 0; i < ranges_.size(); ++i)
    if (ranges_[i].begin == address && ranges_[i].mapping != 0) {
      munmap(reinterpret_cast<void*>(ranges_[i].mapping), ranges_[i].mapping_bytes);
      if (released_.size() == most_released) released_.pop_front();
      released_.push_back(ranges_[i]);
      released_.back().freed = ++freed_;
      ranges_.erase(ranges_.begin() + static_cast<ptrdiff_t>(i));
      ++generation_;
      return true;
    }
  return false;
}

void Memory::map_host(void* address, size_t bytes) {
  const uint64_t begin = reinterpret_cast<uint64_t>(address);
  if (bytes != 0) insert({begin, begin + bytes, 0, 0});
}

void Memory::unmap_host(void* address) {
  const uint64_t begin = reinterpret_cast<uint64_t>(address);
  for (size_t i = 0; i < ranges_.size(); ++i)
    if (ranges_[i].begin == begin && ranges_[i].mapping == 0) {
      ranges_.erase(ranges_.begin() + static_cast<ptrdiff_t>(i));
      ++generation_;
      return;
    }
}

const Memory::Range* Memory::locate(uint64_t address) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](uint64_t wanted, const Range& range) { return wanted < range.begin; });
  if (after == ranges_.begin()) return nullptr;
  const Range& range = *(after - 1);
  return address < range.end ? &range : nullptr;
}

std::byte* Memory::find(uint64_t address, size_t bytes) const {
  const Range* range = locate(address);
  if (range == nullptr || range->end - address < bytes) return nullptr;
  return reinterpret_cast<std::byte*>(address);
}

namespace {

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string name_of(const Memory::Range& range) {
  return "the " + grouped(range.end - range.begin) + " bytes of " +
         (range.number == 0 ? "a variable or of host memory" : "allocation " + std::to_string(range.number));
}

}  // namespace

std::string Memory::where(uint64_t address, uint64_t bytes) const {
  if (const Range* const inside = locate(address))
    return grouped(bytes - (inside->end - address)) + " bytes past the end of " + name_of(*inside);
  // Memory that was freed says more than a neighbour.
  for (auto freed = released_.rbegin(); freed != released_.rend(); ++freed)
    if (address - freed->begin < freed->end - freed->begin)
      return "in " + name_of(*freed) + ", which call " + std::to_string(freed->freed) +
             " of cudaFree (or cudaFreeAsync, cuMemFree) freed";
  constexpr uint64_t near = 1 << 20;
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](uint64_t wanted, const Range& range) { return wanted < range.begin; });
  const bool is_past = after != ranges_.begin() && address - (after - 1)->end < near;
  const bool is_before = after != ranges_.end() && after->begin - address < near;
  if (is_past && (!is_before || address - (after - 1)->end <= after->begin - address)) {
    const uint64_t past = address - (after - 1)->end;
    return (past == 0 ? "right past" : grouped(past) + " bytes past") + " the end of " +
           name_of(*(after - 1));
  }
  if (is_before) return grouped(after->begin - address) + " bytes before " + name_of(*after);
  return "outside every allocation";
}

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

std::string Memory::byte_name(uint64_t address) const {
  const Range* const range = locate(address);
  if (range == nullptr) return "byte " + std::to_string(address);
  const std::string of = range->number == 0 ? "host memory" : "allocation " + std::to_string(range->number);
  return "byte " + std::to_string(address - range->begin) + " of " + of;
}

MemoryImage::MemoryImage(const Memory& memory) {
  for (const Memory::Range& range : memory.ranges()) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(range.begin);
    parts_.emplace_back(range.begin, std::vector<std::byte>(bytes, bytes + (range.end - range.begin)));
  }
}

void MemoryImage::restore() const {
  // Pages that are as they were stay untouched.
  for (const auto& [begin, bytes] : parts_)
    if (std::memcmp(reinterpret_cast<const void*>(begin), bytes.data(), bytes.size()) != 0)
      std::memcpy(reinterpret_cast<void*>(begin), bytes.data(), bytes.size());
}

uint64_t MemoryImage::hash() const {
  uint64_t made = 0xcbf29ce484222325;
  for (const auto& [begin, bytes] : parts_)
    for (const std::byte one : bytes) made = (made ^ static_cast<uint8_t>(one)) * 0x100000001b3;
  return made;
}

std::optional<uint64_t> MemoryImage::difference() const {
  for (const auto& [begin, bytes] : parts_) {
    const auto* const now = reinterpret_cast<const std::byte*>(begin);
    const auto found = std::mismatch(bytes.begin(), bytes.end(), now);
    if (found.first != bytes.end()) return reinterpret_cast<uint64_t>(found.second);
  }
  return std::nullopt;
}

}  // namespace assay::emulator
