// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

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
  /// Calls move(shared offset, row offset) for each of them; those of a line are displaced alike.
  template <typename Move>
  void for_whole(uint32_t at, uint32_t bytes, const Move& move) const {
    for (uint32_t done = 0; done < bytes;) {
      const uint32_t change = swizzle.line_xor(at + done);
      for (const uint32_t end = std::min(bytes, done + 128 - (at + done) % 128); done < end; done += 16)
        move((at + done) ^ change, done);
    }
  }
  void place(std::byte* window, uint32_t at, const std::byte* from, uint32_t bytes) const {
    if (are_whole(at, bytes)) {
      for_whole(at, bytes,
                [&](uint32_t to, uint32_t offset) { std::memcpy(window + to, from + offset, 16); });
      return;
    }
    for_pieces(swizzle, at, bytes, [&](uint32_t to, uint32_t offset, uint32_t piece) {
      std::memcpy(window + to, from + offset, piece);
    });
  }
  void fetch(std::byte* to, const std::byte* window, uint32_t at, uint32_t bytes) const {
    if (are_whole(at, bytes)) {
      for_whole(at, bytes,
                [&](uint32_t from, uint32_t offset) { std::memcpy(to + offset, window + from, 16); });
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
  const auto advance_of = [&](int i) { return static_cast<uint64_t>(shape.step[i]) * shape.stride[i]; };
  uint64_t of_outer = transfer.base;
  for (int i = 0; i < 5; ++i) of_outer += static_cast<uint64_t>(shape.start[i]) * shape.stride[i];
  const uint64_t advance = advance_of(1);
  const uint32_t before = shape.first[1], within = shape.end[1] - before, all = shape.count[1];
  const uint32_t behind = all - before - within;
  uint32_t shared = transfer.tile_offset;
  for (uint32_t j4 = 0; j4 < shape.count[4]; ++j4, of_outer += advance_of(4)) {
    uint64_t of_third = of_outer;
    for (uint32_t j3 = 0; j3 < shape.count[3]; ++j3, of_third += advance_of(3)) {
      const bool is_inside = in(3, j3) && in(4, j4);
      uint64_t global = of_third;
      for (uint32_t j2 = 0; j2 < shape.count[2]; ++j2, global += advance_of(2)) {
        if (!is_inside || !in(2, j2) || within == 0) {
          visit(RowRun{false, all, shared, global, advance});
        } else {
          if (before != 0) visit(RowRun{false, before, shared, global, advance});
          visit(RowRun{true, within, shared + before * shape.pitch, global + before * advance, advance});
          const uint32_t to_behind = before + within;
          if (behind != 0)
            visit(RowRun{false, behind, shared + to_behind * shape.pitch, global + to_behind * advance,
                         advance});
        }
        shared += all * shape.pitch;
      }
    }
  }
}

}  // namespace assay::model
