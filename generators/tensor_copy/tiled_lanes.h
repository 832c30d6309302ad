// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/random.h"
#include "reference/model/tensor_copy/im2col_case.h"
#include "reference/model/tensor_copy/tiled_case.h"

/// Several copies of a kind under way at once, of lanes of a warp or of one thread.
namespace assay::gen {

/// Who issues: any thread, and now and then several lanes of a warp, whose boxes lie apart, or one of them
/// for all, `rarity` times as rarely. By a stream of its own.
void place_issue(Random random, uint32_t rarity, TiledCase& c);

/// No lane copies by another map.
void to_one_map(TiledCase& c);
void to_one_map(Im2colCase& c);

/// Cuts the copy to its first lanes, one at least.
template <typename Copy>
void keep_lanes(Copy& c, uint32_t lanes) {
  c.lanes = lanes;
  c.other_map_lanes &= static_cast<uint32_t>((uint64_t{1} << lanes) - 1);
  if (lanes == 1 || c.other_map_lanes == 0) to_one_map(c);
  if (lanes > 1) return;
  c.lane_pitch = 0;
  c.in_a_row = false;
  c.lane_step = {};
}

/// Some lanes of several get a map of their own: a tensor that begins further on, now and then a shorter one.
/// That of a store lies behind the `written` bytes that all lanes write by the first map, and needs room in
/// the slot.
void part_maps(Random& random, uint64_t written, TiledCase& c);

/// Several lanes that reduce the same elements, or some of them: `most` together. False: they do not fit.
bool overlap_lanes(Random& random, uint32_t most, TiledCase& c);

}  // namespace assay::gen
