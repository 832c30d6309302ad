// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/insns/lane_copy.h"

namespace assay::emulator {
namespace {

constexpr uint64_t all_written = 0x0101010101010101ull;

/// Of an access of T's bytes in each lane.
template <class T>
bool is_written_by_words(const uint8_t* written, const LanePlaces& places, uint32_t mask) {
  T all = static_cast<T>(all_written);
  const auto look = [&](size_t lane) {
    T flags;
    std::memcpy(&flags, written + places.offset[lane], sizeof flags);
    all &= flags;
  };
  if (mask == ~0u)
    for (size_t lane = 0; lane < warp_lanes; ++lane) look(lane);
  else
    for_lanes(mask, [&](int lane) { look(static_cast<size_t>(lane)); });
  return all == static_cast<T>(all_written);
}

template <class T>
void mark_words(uint8_t* written, const LanePlaces& places, uint32_t mask) {
  constexpr T flags = static_cast<T>(all_written);
  for_lanes(mask, [&](int lane) {
    std::memcpy(written + places.offset[static_cast<size_t>(lane)], &flags, sizeof flags);
  });
}

}  // namespace

bool is_all_written(const uint8_t* written, const LanePlaces& places, uint32_t mask, uint32_t bytes) {
  if (places.order == LanePlaces::Order::same)
    return std::memchr(written + places.offset[0], 0, bytes) == nullptr;
  if (places.order == LanePlaces::Order::rising)
    return std::memchr(written + places.offset[0], 0, size_t{bytes} * warp_lanes) == nullptr;
  switch (bytes) {
    case 1:
      return is_written_by_words<uint8_t>(written, places, mask);
    case 2:
      return is_written_by_words<uint16_t>(written, places, mask);
    case 4:
      return is_written_by_words<uint32_t>(written, places, mask);
    case 8:
      return is_written_by_words<uint64_t>(written, places, mask);
    default:
      break;
  }
  bool is_written = true;
  for (uint32_t at = 0; at < bytes; at += 8)
    is_written &= is_written_by_words<uint64_t>(written + at, places, mask);
  return is_written;
}

void mark_written(uint8_t* written, const LanePlaces& places, uint32_t mask, uint32_t bytes) {
  if (places.order == LanePlaces::Order::rising) {
    std::memset(written + places.offset[0], 1, size_t{bytes} * warp_lanes);
    return;
  }
  switch (bytes) {
    case 1:
      return mark_words<uint8_t>(written, places, mask);
    case 2:
      return mark_words<uint16_t>(written, places, mask);
    case 4:
      return mark_words<uint32_t>(written, places, mask);
    default:
      for (uint32_t at = 0; at < bytes; at += 8) mark_words<uint64_t>(written + at, places, mask);
  }
}

}  // namespace assay::emulator
