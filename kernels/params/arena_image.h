// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "kernels/params/arena.h"

namespace assay::params {

/// Writes the arena, arena_bytes long, as the kernel arena does. For the host.
inline void write_arena(std::byte* arena) {
  for (uint64_t i = 0; i < arena_bytes / 8; ++i) {
    const uint64_t word = arena_word(i);
    std::memcpy(arena + 8 * i, &word, 8);
  }
}
inline std::vector<std::byte> arena_image() {
  std::vector<std::byte> image(arena_bytes);
  write_arena(image.data());
  return image;
}

}  // namespace assay::params
