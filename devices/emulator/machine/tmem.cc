// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/tmem.h"

#include <algorithm>

namespace assay::emulator {
namespace {

/// What fresh cells hold, so that use of them shows.
constexpr uint32_t unwritten = 0xcbcbcbcb;

constexpr uint32_t units_of(uint32_t first, uint32_t count) {
  const uint32_t n = count / TensorMemory::unit;
  return (n == 32 ? ~0u : (1u << n) - 1) << first / TensorMemory::unit;
}

}  // namespace

TensorMemory::TensorMemory()
    : cells_(static_cast<size_t>(lanes) * columns, unwritten),
      written_(static_cast<size_t>(lanes) * columns, 0) {}

void TensorMemory::allocate(uint32_t first, uint32_t count) {
  taken_ |= units_of(first, count);
  allocations_[first] = count;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    std::fill_n(cells(lane) + first, count, unwritten);
    std::fill_n(written(lane) + first, count, uint8_t{0});
  }
}

bool TensorMemory::release(uint32_t first, uint32_t count) {
  const auto found = allocations_.find(first);
  if (found == allocations_.end() || found->second != count) return false;
  taken_ &= ~units_of(first, count);
  allocations_.erase(found);
  return true;
}

bool TensorMemory::is_allocated(uint32_t first, uint32_t count) const {
  if (count == 0) return true;
  if (first >= columns || count > columns - first) return false;
  const uint32_t last = first + count - 1;
  for (uint32_t i = first / unit; i <= last / unit; ++i)
    if ((taken_ >> i & 1) == 0) return false;
  return true;
}

std::vector<uint32_t> free_columns(uint32_t taken, uint32_t count) {
  std::vector<uint32_t> found;
  for (uint32_t first = 0; first + count <= TensorMemory::columns; first += TensorMemory::unit)
    if ((taken & units_of(first, count)) == 0) found.push_back(first);
  return found;
}

}  // namespace assay::emulator
