// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "reference/layout/swizzle.h"
#include "reference/model/tensor_copy/tiled_shape.h"

/// What loads and stores have in common: walking the rows of a box, and moving a row between a run of bytes
/// and its places in the window.
namespace assay::model {

/// Longest row of a box: 256 slices of 32 bytes.
inline constexpr uint32_t max_row_bytes = 256 * 32;

/// Calls move(shared offset, row offset, bytes) for every piece of a row that stays together.
template <typename Move>
void for_pieces(const SwizzlePattern& swizzle, uint32_t at, uint32_t bytes, const Move& move) {
  const uint32_t together = swizzle.flips ? 8 : 16;
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t piece = std::min(bytes - done, together - (at + done) % together);
    move(swizzle.place(at + done), done, piece);
    done += piece;
  }
}

/// Ways to move a row between a run of bytes and its places in the window: place() puts it there, fetch()
/// gets it.
struct Linear {
  void place(std::byte* window, uint32_t at, const std::byte* from, uint32_t bytes) const {
    std::memcpy(window + at, from, bytes);
  }
  void fetch(std::byte* to, const std::byte* window, uint32_t at, uint32_t bytes) const {
    std::memcpy(to, window + at, bytes);
  }
};
/// Whole lines: at and bytes are multiples of 128, no flip.
struct Lines {
  SwizzlePattern swizzle;
  LineCopies copies = line_copies();
  void place(std::byte* window, uint32_t at, const std::byte* from, uint32_t bytes) const {
    copies.place(swizzle, window, at, from, 128, bytes / 128);
  }
  void fetch(std::byte* to, const std::byte* window, uint32_t at, uint32_t bytes) const {
    copies.fetch(swizzle, to, 128, window, at, bytes / 128);
  }
};
struct Pieces {
  SwizzlePattern swizzle;
  /// Pieces of 16 bytes, each in one place.
  bool are_whole(uint32_t at, uint32_t bytes) const { return !swizzle.flips && (at | bytes) % 16 == 0; }
  void place(std::byte* window, uint32_t at, const std::byte* from, uint32_t bytes) const {
    if (are_whole(at, bytes)) {
      for (uint32_t done = 0; done < bytes; done += 16)
        std::memcpy(window + swizzle.place(at + done), from + done, 16);
      return;
    }
    for_pieces(swizzle, at, bytes, [&](uint32_t to, uint32_t offset, uint32_t piece) {
      std::memcpy(window + to, from + offset, piece);
    });
  }
  void fetch(std::byte* to, const std::byte* window, uint32_t at, uint32_t bytes) const {
    if (are_whole(at, bytes)) {
      for (uint32_t done = 0; done < bytes; done += 16)
        std::memcpy(to + done, window + swizzle.place(at + done), 16);
      return;
    }
    for_pieces(swizzle, at, bytes, [&](uint32_t from, uint32_t offset, uint32_t piece) {
      std::memcpy(to + offset, window + from, piece);
    });
  }
};
/// Calls use(way) with the fastest way that does for all rows of the shape, `row_bytes` of each.
template <typename Use>
void with_way(const TiledShape& shape, const Transfer& transfer, uint32_t row_bytes, const Use& use) {
  const uint32_t all = transfer.tile_offset | shape.pitch | row_bytes;
  if (shape.swizzle.atoms == 1)
    use(Linear{});
  else if (all % 128 == 0 && !shape.swizzle.flips)
    use(Lines{shape.swizzle});
  else
    use(Pieces{shape.swizzle});
}

/// Calls visit(run) for all rows of the box in order of shared memory. Addresses are exact modulo 2^64, thus
/// exact wherever they are used.
template <typename Visit>
void for_runs(const TiledShape& shape, const Transfer& transfer, const Visit& visit) {
  const auto in = [&](int i, uint32_t j) { return j >= shape.first[i] && j < shape.end[i]; };
  const auto at = [&](int i, uint32_t j) {
    return static_cast<uint64_t>(shape.start[i] + static_cast<int64_t>(j) * shape.step[i]) * shape.stride[i];
  };
  const uint64_t row_start = transfer.base + static_cast<uint64_t>(shape.start[0]) * shape.stride[0];
  const uint64_t advance = static_cast<uint64_t>(shape.step[1]) * shape.stride[1];
  uint32_t shared = transfer.tile_offset;
  for (uint32_t j4 = 0; j4 < shape.count[4]; ++j4)
    for (uint32_t j3 = 0; j3 < shape.count[3]; ++j3)
      for (uint32_t j2 = 0; j2 < shape.count[2]; ++j2) {
        const bool inside = in(2, j2) && in(3, j3) && in(4, j4);
        uint64_t global = row_start + at(1, 0) + at(2, j2) + at(3, j3) + at(4, j4);
        const uint32_t before = shape.first[1], within = shape.end[1] - shape.first[1];
        const std::pair<bool, uint32_t> runs[] = {
            {false, before}, {inside, within}, {false, shape.count[1] - before - within}};
        for (const auto& [is_inside, rows] : runs) {
          if (rows == 0) continue;
          visit(RowRun{is_inside, rows, shared, global, advance});
          shared += rows * shape.pitch;
          global += rows * advance;
        }
      }
}

}  // namespace assay::model
