// SPDX-License-Identifier: Apache-2.0
#include "generators/borders.h"

#include <algorithm>
#include <bit>

#include "reference/model/rig.h"

namespace assay::gen {

uint64_t beside_power_of_two(Random& random, uint64_t most) {
  most = most / copy_step * copy_step;
  const auto lowest = static_cast<uint32_t>(std::bit_width(copy_step)) - 1;
  const auto behind =
      static_cast<uint32_t>(std::bit_width(most - 1));  // the first power that is not below `most`
  const uint64_t power = std::min(most, uint64_t{1} << random.between(lowest, std::max(lowest, behind)));
  const uint64_t drawn = power + copy_step * random.below(3) - copy_step;
  return std::clamp<uint64_t>(drawn, copy_step, most);
}

uint64_t place_at_border(Random& random, uint64_t bytes, const Borders& where) {
  if (where.first + bytes > where.end) return 0;
  const uint64_t multiple = uint64_t{1} << random.between(where.low, where.high);
  const bool ends = random.one_in(2);
  const uint64_t part = ends ? bytes : 0;
  // Borders, as offsets plus `before`, at which the part may lie.
  const uint64_t lowest = (where.before + where.first + part + multiple - 1) / multiple;
  const uint64_t highest = (where.before + where.end - bytes + part) / multiple;
  if (lowest > highest) return 0;
  const uint64_t at = random.between64(lowest, highest) * multiple - where.before - part;
  const uint32_t beside = random.below(4);
  if (beside == 0 && at >= where.first + where.step) return at - where.step;
  if (beside == 1 && at + bytes + where.step <= where.end) return at + where.step;
  return at;
}

uint32_t tile_at_shared_border(Random& random, uint64_t bytes, uint64_t most, uint32_t guard) {
  constexpr uint32_t tile_step = 128;
  if (most < bytes + 2ull * guard) return 0;
  const Borders where{.first = (guard + tile_step - 1) / tile_step * tile_step,
                      .end = most - guard,
                      .before = rig::usual_window_address,
                      .low = 16,
                      .high = 16,
                      .step = tile_step};
  const uint64_t at = place_at_border(random, bytes, where);
  return static_cast<uint32_t>(at / tile_step * tile_step);
}

uint64_t place_in_arena(Random& random, uint64_t bytes, uint32_t rarity) {
  uint64_t room = rig::arena_bytes - bytes;
  if (!is_anywhere(random, rarity)) room = std::min(room, usual_reach);
  return copy_step * random.below64(room / copy_step + 1);
}

uint64_t at_integer_borders(Random& random, uint64_t bytes) {
  return rig::arena_integers +
         copy_step * random.below64((rig::arena_floats - rig::arena_integers - bytes) / copy_step + 1);
}

uint64_t at_floats(Random& random, uint64_t bytes) {
  return rig::arena_floats +
         copy_step * random.below64((rig::arena_bytes - rig::arena_floats - bytes) / copy_step + 1);
}

}  // namespace assay::gen
