// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "reference/model/as_if.h"
#include "reference/model/reduction.h"
#include "reference/spec/rules.h"

/// Bends of im2col copies: the walk, its box and its offsets; and those of tiled copies that are about what a
/// row of a box and a pixel have in common.
namespace assay::model {
namespace {
namespace im2col_bent {

using spec::rule;
using C = TensorCopyCase;

uint32_t step_of(const C& c, uint32_t axis) {
  return c.map.element_stride[dimension_of_axis(c.map, axis)];
}
template <uint32_t rank>
bool is_rank(const C& c) {
  return rank == 0 || c.map.rank == rank;
}

/// Corners of one axis (3: of all), of one side (2: of both), at one rank (0: at all).
template <uint32_t axis, int side, uint32_t rank, typename Change>
int64_t corner_of(const C& c, uint32_t k, bool upper, int64_t right, Change change) {
  const bool is_it = (axis == 3 || k == axis) && (side == 2 || upper == (side == 1)) && is_rank<rank>(c);
  return is_it ? change(right) : right;
}
template <uint32_t axis, int side, int64_t by>
int64_t corner_moved(const C& c, uint32_t k, bool upper, int64_t right) {
  return corner_of<axis, side, 0>(c, k, upper, right, [](int64_t v) { return v + by; });
}
template <uint32_t axis, int side>
int64_t corner_zero(const C& c, uint32_t k, bool upper, int64_t right) {
  return corner_of<axis, side, 0>(c, k, upper, right, [](int64_t) { return int64_t{0}; });
}
/// The bits of the field without their sign.
int64_t corner_unsigned(const C& c, uint32_t, bool, int64_t right) {
  const int64_t range = c.map.rank == 3 ? 65536 : c.map.rank == 4 ? 256 : 32;
  return right < 0 ? right + range : right;
}
template <uint32_t rank>
int64_t corner_unsigned_at(const C& c, uint32_t k, bool upper, int64_t right) {
  return is_rank<rank>(c) ? corner_unsigned(c, k, upper, right) : right;
}
template <uint32_t rank>
int64_t corner_magnitude(const C& c, uint32_t, bool, int64_t right) {
  return is_rank<rank>(c) && right < 0 ? -right : right;
}
/// Signed, of fewer bits than the rank has.
template <uint32_t rank, uint32_t width>
int64_t corner_narrow(const C& c, uint32_t, bool, int64_t right) {
  constexpr int64_t range = int64_t{1} << width;
  if (!is_rank<rank>(c)) return right;
  const int64_t low = ((right % range) + range) % range;
  return low >= range / 2 ? low - range : low;
}
/// The lowest value that the rank has counts as one more.
template <uint32_t rank>
int64_t corner_lowest(const C& c, uint32_t, bool, int64_t right) {
  constexpr int64_t lowest = rank == 3 ? -32768 : rank == 4 ? -128 : -16;
  return is_rank<rank>(c) && right == lowest ? right + 1 : right;
}
int64_t corners_exchanged(const C& c, uint32_t k, bool upper, int64_t right) {
  const uint32_t axes = spatial_axes(c.map.rank);
  if (axes < 2 || k > 1) return right;
  return upper ? c.map.upper[1 - k] : c.map.lower[1 - k];
}

template <uint32_t first, uint32_t second, uint32_t third>
uint32_t order_of(const C& c, uint32_t place) {
  constexpr uint32_t order[] = {first, second, third};
  const uint32_t axes = spatial_axes(c.map.rank);
  uint32_t left = place;
  for (const uint32_t axis : order)
    if (axis < axes && left-- == 0) return axis;
  return place;
}
template <uint32_t axis, int64_t by>
int64_t last_moved(const C&, uint32_t k, int64_t right) {
  return axis == 3 || k == axis ? right + by : right;
}
template <uint32_t axis>
int64_t restart_at_zero(const C&, uint32_t k, int64_t right) {
  return axis == 3 || k == axis ? std::max<int64_t>(right, 0) : right;
}
template <uint32_t axis>
int64_t restart_at_start(const C& c, uint32_t k, int64_t right) {
  return axis == 3 || k == axis ? c.coord[dimension_of_axis(c.map, k)] : right;
}
template <uint32_t axis>
int64_t step_of_one(const C&, uint32_t k, int64_t right) {
  return axis == 3 || k == axis ? 1 : right;
}
template <uint32_t from>
int64_t step_everywhere(const C& c, uint32_t k, int64_t right) {
  return from < spatial_axes(c.map.rank) && k != from ? step_of(c, from) : right;
}
template <uint32_t rank>
int64_t image_stays(const C& c, int64_t right) {
  return is_rank<rank>(c) ? 0 : right;
}
int64_t image_by_one(const C&, int64_t) {
  return 1;
}
int64_t image_by_channels(const C& c, int64_t) {
  return c.map.element_stride[c.map.interleave != 0 ? c.map.rank - 2 : 0];
}

template <uint32_t axis, uint32_t rank>
int64_t offset_ignored(const C& c, uint32_t k, int64_t right) {
  return (axis == 3 || k == axis) && is_rank<rank>(c) ? 0 : right;
}
int64_t offset_subtracted(const C&, uint32_t, int64_t right) {
  return -right;
}
int64_t offset_in_steps(const C& c, uint32_t k, int64_t right) {
  return right * step_of(c, k);
}
template <uint32_t rank>
int64_t offset_signed(const C& c, uint32_t, int64_t right) {
  const int64_t range = rank == 3 ? 65536 : rank == 4 ? 256 : 32;
  return is_rank<rank>(c) && right >= range / 2 ? right - range : right;
}
/// As the instruction has it.
template <uint32_t rank>
int64_t offset_uncut(const C& c, uint32_t k, int64_t right) {
  return is_rank<rank>(c) ? c.offset[k] : right;
}
template <uint32_t rank, uint32_t width>
int64_t offset_narrow(const C& c, uint32_t, int64_t right) {
  return is_rank<rank>(c) ? right & ((int64_t{1} << width) - 1) : right;
}
/// Each by itself, without what the one before carries into it.
int64_t offset_without_carry(const C& c, uint32_t k, int64_t right) {
  return is_rank<5>(c) ? c.offset[k] % 32 : right;
}
template <uint32_t a, uint32_t b, uint32_t rank>
int64_t offsets_exchanged(const C& c, uint32_t k, int64_t right) {
  if (!is_rank<rank>(c) || std::max(a, b) >= spatial_axes(c.map.rank)) return right;
  const int64_t range = c.map.rank == 4 ? 256 : 32;
  return k == a ? c.offset[b] % range : k == b ? c.offset[a] % range : right;
}
/// The offset moves the start, and the walk ends at the box all the same.
int64_t start_with_offset(const C& c, uint32_t k, int64_t right) {
  return right + c.offset[k];
}

template <spec::ReduceOp of, spec::ReduceOp as>
uint64_t other_extreme(const spec::Reduction& what, uint64_t old, uint64_t operand, uint64_t right) {
  return what.op == of ? reduced({as, what.type}, old, operand) : right;
}

Bend cornered(std::string_view words, int64_t (*corner)(const C&, uint32_t, bool, int64_t)) {
  return as_if("IM2C-R03", words, &Im2colBend::corner, corner);
}
Bend offset(spec::RuleIndex rule, std::string_view words, int64_t (*offset)(const C&, uint32_t, int64_t)) {
  return {.rule = rule, .words = words, .im2col = {.offset = offset}};
}
Bend unchecked(spec::RuleIndex rule) {
  return {.rule = rule, .words = "it were not checked", .is_left_out = true};
}

std::vector<Bend> of_this_mode() {
  std::vector<Bend> list{
      as_if("IM2C-R01", "a column were one pixel shorter", &Im2colBend::pixels,
            [](const C&, uint32_t right) { return right - 1; }),
      as_if("IM2C-R01", "a column of 1024 pixels were one shorter", &Im2colBend::pixels,
            [](const C&, uint32_t right) { return right == 1024 ? right - 1 : right; }),
      as_if("IM2C-R01", "the pixels of a column had 9 bits", &Im2colBend::pixels,
            [](const C&, uint32_t right) { return (right - 1) % 512 + 1; }),
      as_if("IM2C-R01", "the pixels of a column had 8 bits", &Im2colBend::pixels,
            [](const C&, uint32_t right) { return (right - 1) % 256 + 1; }),

      as_if("IM2C-R02", "the walk went through H first", &Im2colBend::order, order_of<1, 0, 2>),
      as_if("IM2C-R02", "the walk went through D first", &Im2colBend::order, order_of<2, 1, 0>),
      as_if("IM2C-R02", "H and D were swapped", &Im2colBend::order, order_of<0, 2, 1>),
      as_if("IM2C-R02", "the walk left out the last position", &Im2colBend::last, last_moved<3, -1>),
      as_if("IM2C-R02", "the walk left out the last position of W", &Im2colBend::last, last_moved<0, -1>),
      as_if("IM2C-R02", "the walk left out the last position of H", &Im2colBend::last, last_moved<1, -1>),
      as_if("IM2C-R02", "the walk left out the last position of D", &Im2colBend::last, last_moved<2, -1>),
      as_if("IM2C-R02", "the walk went one position too far", &Im2colBend::last, last_moved<3, 1>),
      as_if("IM2C-R02", "the walk went one position too far in W", &Im2colBend::last, last_moved<0, 1>),
      as_if("IM2C-R02", "the walk went one position too far in H", &Im2colBend::last, last_moved<1, 1>),
      as_if("IM2C-R02", "the walk began again at 0", &Im2colBend::restart, restart_at_zero<3>),
      as_if("IM2C-R02", "the walk began again at 0 in W", &Im2colBend::restart, restart_at_zero<0>),
      as_if("IM2C-R02", "the walk began again at 0 in H", &Im2colBend::restart, restart_at_zero<1>),
      as_if("IM2C-R02", "the walk began again where it had started", &Im2colBend::restart,
            restart_at_start<3>),
      as_if("IM2C-R02", "the walk began again where it had started in W", &Im2colBend::restart,
            restart_at_start<0>),
      as_if("IM2C-R02", "the walk stayed in its image", &Im2colBend::image_step, image_stays<0>),
      as_if("IM2C-R02", "the walk stayed in its image at rank 3", &Im2colBend::image_step, image_stays<3>),
      as_if("IM2C-R02", "the walk stayed in its image at rank 4", &Im2colBend::image_step, image_stays<4>),
      as_if("IM2C-R02", "the walk stayed in its image at rank 5", &Im2colBend::image_step, image_stays<5>),

      cornered("lower corners were one more", corner_moved<3, 0, 1>),
      cornered("lower corners were one less", corner_moved<3, 0, -1>),
      cornered("upper corners were one less", corner_moved<3, 1, -1>),
      cornered("upper corners were one more", corner_moved<3, 1, 1>),
      cornered("the upper corner of W were one less", corner_moved<0, 1, -1>),
      cornered("the upper corner of H were one less", corner_moved<1, 1, -1>),
      cornered("the upper corner of D were one less", corner_moved<2, 1, -1>),
      cornered("the lower corner of W were 0", corner_zero<0, 0>),
      cornered("the lower corner of H were 0", corner_zero<1, 0>),
      cornered("the lower corner of D were 0", corner_zero<2, 0>),
      cornered("the upper corner of W were 0", corner_zero<0, 1>),
      cornered("the upper corner of H were 0", corner_zero<1, 1>),
      cornered("the upper corner of D were 0", corner_zero<2, 1>),
      cornered("corners had no sign", corner_unsigned),
      cornered("corners of rank 3 had no sign", corner_unsigned_at<3>),
      cornered("corners of rank 4 had no sign", corner_unsigned_at<4>),
      cornered("corners of rank 5 had no sign", corner_unsigned_at<5>),
      cornered("the magnitude of corners of rank 3 counted", corner_magnitude<3>),
      cornered("the magnitude of corners of rank 4 counted", corner_magnitude<4>),
      cornered("the magnitude of corners of rank 5 counted", corner_magnitude<5>),
      cornered("corners of rank 3 had 8 bits", corner_narrow<3, 8>),
      cornered("corners of rank 3 had 15 bits", corner_narrow<3, 15>),
      cornered("corners of rank 4 had 7 bits", corner_narrow<4, 7>),
      cornered("corners of rank 5 had 4 bits", corner_narrow<5, 4>),
      cornered("the lowest corner of rank 3 were one more", corner_lowest<3>),
      cornered("the lowest corner of rank 4 were one more", corner_lowest<4>),
      cornered("the lowest corner of rank 5 were one more", corner_lowest<5>),
      cornered("corners of W and H were swapped", corners_exchanged),

      as_if("IM2C-R04", "the walk stepped by 1", &Im2colBend::step, step_of_one<3>),
      as_if("IM2C-R04", "the walk stepped by 1 in W", &Im2colBend::step, step_of_one<0>),
      as_if("IM2C-R04", "the walk stepped by 1 in H", &Im2colBend::step, step_of_one<1>),
      as_if("IM2C-R04", "the walk stepped by 1 in D", &Im2colBend::step, step_of_one<2>),
      as_if("IM2C-R04", "the step of W acted everywhere", &Im2colBend::step, step_everywhere<0>),
      as_if("IM2C-R04", "the step of H acted everywhere", &Im2colBend::step, step_everywhere<1>),
      as_if("IM2C-R04", "the step of W acted in H too", &Im2colBend::step,
            [](const C& c, uint32_t k, int64_t right) { return k == 1 ? int64_t{step_of(c, 0)} : right; }),
      as_if("IM2C-R05", "images were stepped over one by one", &Im2colBend::image_step, image_by_one),
      as_if("IM2C-R05", "images were stepped over by the step of the channels", &Im2colBend::image_step,
            image_by_channels),

      offset(rule("IM2C-R06"), "offsets were not added", offset_ignored<3, 0>),
      offset(rule("IM2C-R06"), "the offset of W were not added", offset_ignored<0, 0>),
      offset(rule("IM2C-R06"), "the offset of H were not added", offset_ignored<1, 0>),
      offset(rule("IM2C-R06"), "the offset of D were not added", offset_ignored<2, 0>),
      offset(rule("IM2C-R06"), "the offset of H were not added at rank 4", offset_ignored<1, 4>),
      offset(rule("IM2C-R06"), "the offset of H were not added at rank 5", offset_ignored<1, 5>),
      offset(rule("IM2C-R06"), "offsets were subtracted", offset_subtracted),
      offset(rule("IM2C-R06"), "offsets counted steps", offset_in_steps),
      offset(rule("IM2C-R06"), "offsets of W and H were swapped at rank 4", offsets_exchanged<0, 1, 4>),
      offset(rule("IM2C-R06"), "offsets of W and D were swapped", offsets_exchanged<0, 2, 5>),
      offset(rule("IM2C-R06"), "offsets of W and H were swapped at rank 5", offsets_exchanged<0, 1, 5>),
      as_if("IM2C-R06", "offsets moved the start", &Im2colBend::start, start_with_offset, &Im2colBend::offset,
            offset_ignored<3, 0>),
      offset(rule("IM2C-R07"), "offsets of rank 3 had a sign", offset_signed<3>),
      offset(rule("IM2C-R07"), "offsets of rank 4 had a sign", offset_signed<4>),
      offset(rule("IM2C-R07"), "offsets of rank 5 had a sign", offset_signed<5>),
      offset(rule("IM2C-R07"), "offsets of rank 4 kept all their bits", offset_uncut<4>),
      offset(rule("IM2C-R07"), "offsets of rank 5 kept all their bits", offset_uncut<5>),
      offset(rule("IM2C-R07"), "the offset of rank 3 had 15 bits", offset_narrow<3, 15>),
      offset(rule("IM2C-R07"), "the offset of rank 3 had 8 bits", offset_narrow<3, 8>),
      offset(rule("IM2C-R07"), "offsets of rank 4 had 7 bits", offset_narrow<4, 7>),
      offset(rule("IM2C-R07"), "offsets of rank 5 had 4 bits", offset_narrow<5, 4>),
      offset(rule("IM2C-R07"), "offsets of rank 5 were not summed", offset_without_carry),

      as_if("IM2C-R08", "images before the first were those behind it", &TiledBend::inside,
            [](const TensorCopyCase& c, int i, int64_t at, bool right) {
              return right || (i == static_cast<int>(c.map.rank) - 1 && at < 0);
            }),
      as_if("IM2C-R10", "fewer bytes were signalled", &Im2colBend::signalled,
            [](const C&, int64_t right) { return right - 16; }),
      as_if("IM2C-R10", "more bytes were signalled", &Im2colBend::signalled,
            [](const C&, int64_t right) { return right + 16; }),
      as_if("IM2C-R16", "a reduction stored", &ReductionBend::result,
            [](const spec::Reduction&, uint64_t, uint64_t operand, uint64_t) { return operand; }),
      as_if("IM2C-R16", "an element met its operand twice", &ReductionBend::result,
            [](const spec::Reduction& what, uint64_t, uint64_t operand, uint64_t right) {
              return reduced(what, right, operand);
            }),
      as_if("IM2C-R16", "a minimum were a maximum", &ReductionBend::result,
            other_extreme<spec::ReduceOp::min, spec::ReduceOp::max>),
      as_if("IM2C-R16", "a maximum were a minimum", &ReductionBend::result,
            other_extreme<spec::ReduceOp::max, spec::ReduceOp::min>),
      unchecked(rule("IM2C-R12")),
      unchecked(rule("IM2C-R13")),
      unchecked(rule("IM2C-R15")),
  };
  return list;
}

/// What is about boxes alone, or about elements that nothing says which they are.
bool is_of_tiles_alone(const Bend& bend) {
  const TiledBend& copy = bend.copy;
  if (copy.count != nullptr || copy.offset != nullptr || copy.row != nullptr || copy.group != nullptr ||
      copy.packed != nullptr)
    return true;
  for (const std::string_view id : {"TILE-R04", "TILE-R05", "TILE-R29", "TILE-R33", "TILE-R35", "TILE-R37"})
    if (spec::rule_table[bend.rule].id == id) return true;
  return copy.data_is_open && copy.concerns == nullptr;
}

std::vector<Bend> made() {
  std::vector<Bend> list = of_this_mode();
  for (const auto bends :
       {tiled_place_bends(), tiled_layout_bends(), tiled_value_bends(), tiled_end_bends(), arming_bends()})
    for (const Bend& bend : bends)
      if (!is_of_tiles_alone(bend)) list.push_back(bend);
  return list;
}

}  // namespace im2col_bent
}  // namespace

std::span<const Bend> im2col_copy_bends() {
  static const std::vector<Bend> bends = im2col_bent::made();
  return bends;
}

}  // namespace assay::model
