// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "generators/random.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tensor_copy/case.h"

/// Who issues and who receives: copies under way at once, of lanes of a warp or of one thread, and clusters.
namespace assay::gen {

/// Who issues: any thread, and now and then several lanes of a warp, whose boxes lie apart, or one of them
/// for all, `rarity` times as rarely. By a stream of its own.
void place_issue(Random random, uint32_t rarity, TensorCopyCase& c);

/// No lane copies by another map.
void to_one_map(TensorCopyCase& c);

/// Cuts the copy to its first lanes, one at least.
void keep_lanes(TensorCopyCase& c, uint32_t lanes);

/// Some lanes of several get a map of their own: a tensor that begins further on, now and then a shorter one.
/// That of a store lies behind the `written` bytes that all lanes write by the first map, and needs room in
/// the slot.
void part_maps(Random& random, uint64_t written, TensorCopyCase& c);

/// Several lanes that reduce the same elements, or some of them: `most` together. False: they do not fit.
bool overlap_lanes(Random& random, uint32_t most, TensorCopyCase& c);

/// Some copies by other maps than tiled ones are issued by several lanes at once, or by one thread behind
/// each other; stores and reductions in mode im2col then by a map for each of two. What stores write lies
/// apart. Nothing where none of six tries fits, or .cta_group has no bytes to spare.
void add_lanes(Random& random, TensorCopyCase& c);

/// Issuer and mask of a multicast in a cluster of so many: any, and of every other index a corner.
void draw_receivers(Random& random, uint64_t index, uint32_t cluster_size, TensorCopyCase& c);
/// Group, mbarrier and kind of destination of a case that is a multicast.
void draw_cta_group(const CaseId& id, Random& random, TensorCopyCase& c);
/// Of some indexes the load goes to one CTA, without a mask.
void draw_sole_receiver(const Random& random, uint64_t index, TensorCopyCase& c);

/// The hint of a cache; a prefetch of the same; and of a load to one CTA whether it names that CTA's memory.
void draw_hint(Random& random, TensorCopyCase& c);
void draw_prefetch(Random& random, TensorCopyCase& c);
void draw_destination(Random& random, TensorCopyCase& c);

/// Of three indexes in a row a barrier is armed with the right count, with one of these counts more, or less.
void arm_otherwise(uint64_t index, const std::array<int32_t, 4>& more, const std::array<int32_t, 4>& less,
                   TensorCopyCase& c);

/// The one run-time rule that a faulting copy of rows or of a column breaks.
enum class CopyBreach : uint32_t {
  operand,        ///< shared address
  channel_start,  ///< not on 16 bytes; of rows the column
  extent,         ///< above 2^31
  // of rows
  map_rank,
  height,
  negative_row,  ///< of a store, each of the five coordinates
  // of a column
  instruction_rank,
  tile_instruction,
  start_below_box,
  start_above_box,
  negative_start,  ///< of a store
  leaving_corner,  ///< of a store
  // of a column along W
  start_right_of_box,
  plain_map,
  other_mode,
  plain_instruction,
};

/// Breaks it in one of its ways, the `turn`-th.
void breach(Random& random, CopyBreach what, uint32_t turn, TensorCopyCase& c);

/// Cases one step simpler than `c`, the boldest first: rank down, one CTA, one lane, flags off, box
/// smaller, no swizzle, no interleave, type u8, dense strides, coordinates and offsets to zero. Each fits the
/// rig where `c` does; whether it is still legal, or still breaks the same rule, is for the caller's
/// predicate.
std::vector<TensorCopyCase> simpler(const TensorCopyCase& c);

/// Where large cases are rare, so many in a row have a map in common but for its address: the map is most of
/// the cost of making a case.
inline constexpr uint64_t cases_of_a_map = 8;

/// The first case of those that have the map of case `id`.
constexpr CaseId first_of_map(CaseId id) {
  id.index -= id.index % cases_of_a_map;
  return id;
}

/// What the cases of a map have in common, kept from one case to the next. It depends on the first of them
/// alone.
template <typename Made>
class SharedMap {
 public:
  /// make(random, made) makes it. `run`: run_stream() of the case.
  template <typename Make>
  const Made& of(const CaseId& first, uint64_t run, CopyDirection direction, const Make& make) {
    const uint64_t stream = ~case_stream(run, first.index);
    if (stream_ == stream && arch_ == first.arch && direction_ == direction) return made_;
    Random random(stream);
    make(random, made_);
    stream_ = stream, arch_ = first.arch, direction_ = direction;
    return made_;
  }

 private:
  uint64_t stream_ = 0;
  spec::Arch arch_{};
  CopyDirection direction_{};
  Made made_;
};

}  // namespace assay::gen
