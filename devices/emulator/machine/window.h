// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "devices/emulator/machine/access.h"

namespace assay::emulator {

/// A stretch of memory that all lanes of an access may lie in, found once for the warp: one range of global
/// memory, the parameters, the local memory of each lane, the shared memory of one CTA.
struct Window {
  std::byte* host = nullptr;   ///< of the address `begin`
  uint8_t* written = nullptr;  ///< of shared memory: one byte a byte
  uint64_t begin = 0;          ///< address
  uint64_t bytes = 0;          ///< 0: there is none
  uint64_t lane_stride = 0;    ///< of local memory: host bytes from a lane's to the next
  uint64_t address_mask = ~0ull;
  uint32_t shared_begin = 0;  ///< of shared memory: the shared::cluster address of `begin`

  /// The place at an offset.
  Place place(uint64_t offset) const {
    if (written == nullptr) return {host + offset};
    return {host + offset, written + offset, shared_begin + static_cast<uint32_t>(offset)};
  }
};

/// The window in which an access of the warp to that address lies, as resolve() would find it; none where
/// that refuses.
Window find_window(const Step& step, Space space, uint64_t address, bool is_write);

/// Where in a window the lanes of an access lie.
struct LanePlaces {
  enum class Order : uint8_t { scattered, same, rising };  ///< rising: each right behind the lane before it
  std::array<uint64_t, warp_lanes> offset;                 ///< host bytes from Window::host
  Order order = Order::scattered;                          ///< of all 32 lanes
};

/// False if some lane of the mask lies outside of the window or is not aligned to the bytes that it accesses,
/// a power of two.
bool find_places(const Window& window, const uint64_t* addresses, uint64_t added, uint32_t mask,
                 uint32_t bytes, LanePlaces& places);

}  // namespace assay::emulator
