// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "generators/random.h"

/// Sizes and places where counters and address fields of so many bits end: a draw that is even over a range
/// almost never meets them.
namespace assay::gen {

/// Bytes that bulk copies and swizzled tiles come in.
inline constexpr uint32_t copy_step = 16;

/// Every power of two up to `most`, and `most` itself, is as likely, and as likely as one copy_step less or
/// more. A multiple of copy_step, at least one and at most `most`, which is at least one.
uint64_t beside_power_of_two(Random& random, uint64_t most);

/// An offset in [first, end - bytes] at which `bytes` bytes begin or end at a border, or within one `step` of
/// it; borders are the multiples of a power of two from 2^low to 2^high, counted `before` bytes ahead of
/// offset 0. Every power is as likely. The offset is a multiple of `step`, as `first`, `before` and 2^low
/// are. 0: there is no such place.
struct Borders {
  uint64_t first, end;
  uint64_t before = 0;
  uint32_t low, high;
  uint32_t step = copy_step;
};
uint64_t place_at_border(Random& random, uint64_t bytes, const Borders& where);

/// For a tile in a window of shared memory: it begins or ends at a multiple of 64 KiB of the shared address.
/// 0: a window of `most` bytes has no such place with `guard` bytes on both sides.
uint32_t tile_at_shared_border(Random& random, uint64_t bytes, uint64_t most, uint32_t guard);

/// Bytes from an address on that cases mostly read where large ones are rare: those of a few such addresses
/// stay in a core's own cache, beside all that goes through it.
inline constexpr uint64_t usual_reach = 64 << 10;
/// Whether a case reads anywhere: all do where large ones are not rare.
inline bool is_anywhere(Random& random, uint32_t rarity) {
  return random.one_in(rarity * rarity);
}
/// An offset of the arena, a multiple of copy_step, at which so many bytes fit: near its start unless
/// is_anywhere().
uint64_t place_in_arena(Random& random, uint64_t bytes, uint32_t rarity);

/// Where so many bytes of the arena are borders of integers.
uint64_t at_integer_borders(Random& random, uint64_t bytes);
/// Where they are patterns of floats.
uint64_t at_floats(Random& random, uint64_t bytes);

/// One of so many tiles lies there: such windows are large, and go back to the host whole.
inline constexpr uint32_t tiles_for_one_at_border = 96;

/// How much rarer large cases are at an index than at the first: one of them costs the time of many small
/// cases. The first indexes of a property have them often, so that a short run meets every corner.
constexpr uint32_t rarity_at(uint64_t index) {
  return index < uint64_t{1} << 14 ? 1 : 8;
}

}  // namespace assay::gen
