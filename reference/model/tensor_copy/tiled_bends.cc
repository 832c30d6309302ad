// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/model/as_if.h"

/// Bends of tiled copies: which elements they move. The others stand in tiled_bends_*.cc.
namespace assay::model {
namespace {

using C = TensorCopyCase;

int last_dimension(const C& c) {
  return static_cast<int>(c.map.rank) - 1;
}
int64_t extent(const C& c, int dimension) {
  return static_cast<int64_t>(c.map.global_dim[static_cast<size_t>(dimension)]);
}
int64_t step(const C& c, int dimension) {
  return c.map.element_stride[static_cast<size_t>(dimension)];
}
uint32_t box(const C& c, int dimension) {
  return c.map.box_dim[static_cast<size_t>(dimension)];
}

/// Bounds that are wrong in one dimension; ~0: in all.
template <int only>
constexpr bool is_in(int dimension) {
  return only < 0 || dimension == only;
}
template <int only>
bool last_is_outside(const C& c, int i, int64_t at, bool right) {
  return right && !(is_in<only>(i) && at == extent(c, i) - 1);
}
template <int only>
bool next_is_inside(const C& c, int i, int64_t at, bool right) {
  return right || (is_in<only>(i) && at == extent(c, i));
}
template <int only>
bool first_is_outside(const C&, int i, int64_t at, bool right) {
  return right && !(is_in<only>(i) && at == 0);
}
template <int only>
bool minus_one_is_inside(const C&, int i, int64_t at, bool right) {
  return right || (is_in<only>(i) && at == -1);
}
/// What a store clips has rules of its own.
bool is_load(const C& c) {
  return c.direction == CopyDirection::load;
}
template <int only>
bool no_upper_bound(const C& c, int i, int64_t at, bool right) {
  return right || (is_load(c) && is_in<only>(i) && at >= 0);
}
template <int only>
bool no_lower_bound(const C& c, int i, int64_t at, bool right) {
  return right || (is_load(c) && is_in<only>(i) && at < extent(c, i));
}

bool has_steps_above_0(const C& c) {
  for (int i = 1; i <= last_dimension(c); ++i)
    if (step(c, i) > 1) return true;
  return false;
}

/// Traversal strides, in one dimension or in all above 0.
template <int only>
constexpr bool steps_in(int dimension) {
  return only < 0 ? dimension != 0 : dimension == only;
}
template <int only>
int64_t rounded_down(const C& c, int i, int64_t right) {
  return steps_in<only>(i) ? std::max<int64_t>(1, std::min<int64_t>(right, box(c, i) / step(c, i))) : right;
}
template <int only>
int64_t not_stepped(const C&, int i, int64_t visit, int64_t right) {
  return steps_in<only>(i) ? visit : right;
}
template <int only, int change>
int64_t stepped_off(const C& c, int i, int64_t visit, int64_t right) {
  return steps_in<only>(i) && step(c, i) != 1 ? visit * (step(c, i) + change) : right;
}
template <int only>
int64_t last_step_short(const C& c, int i, int64_t visit, int64_t right) {
  const bool is_last = visit != 0 && (visit + 1) * step(c, i) >= box(c, i);
  return steps_in<only>(i) && is_last && step(c, i) > 1 ? right - 1 : right;
}

template <int bits>
int64_t start_in_bits(const C&, int, int64_t right) {
  return static_cast<int64_t>(static_cast<uint64_t>(right) << (64 - bits)) >> (64 - bits);
}
template <int64_t from, int64_t to>
int64_t start_exchanged(const C&, int i, int64_t right) {
  return i > 0 && right == from ? to : right;
}
template <int only, int change>
int64_t start_off(const C&, int i, int64_t right) {
  return i == only ? right + change : right;
}
template <int only>
int64_t minus_one_is_zero(const C&, int i, int64_t right) {
  return is_in<only>(i) && right == -1 ? 0 : right;
}
template <int a, int b>
uint64_t strides_exchanged(const C& c, int i, uint64_t right) {
  if (last_dimension(c) < b) return right;
  return i == a ? c.map.global_stride[b - 1] : i == b ? c.map.global_stride[a - 1] : right;
}
template <int a, int b>
int64_t starts_exchanged(const C& c, int i, int64_t right) {
  if (last_dimension(c) < b) return right;
  return i == a ? c.coord[b] : i == b ? c.coord[a] : right;
}
template <int bits>
uint64_t stride_in_bits(const C&, int, uint64_t right) {
  return right & ((uint64_t{1} << bits) - 1);
}
template <int bits>
int64_t distance_in_bits(const C&, int64_t right) {
  return right & ((int64_t{1} << bits) - 1);
}
/// The memory that tensors lie in is large, and on a multiple of much.
template <int bit>
int64_t address_without_bit(const C& c, int64_t right) {
  const auto base = static_cast<int64_t>(c.map.global_address);
  return ((base + right) & ~(int64_t{1} << bit)) - base;
}

// clang-format off
constexpr Bend place_bends[] = {
    as_if("TILE-R01", "strides 1 and 2 were swapped", &TiledBend::stride, strides_exchanged<1, 2>),
    as_if("TILE-R01", "strides 2 and 3 were swapped", &TiledBend::stride, strides_exchanged<2, 3>),
    as_if("TILE-R01", "strides 3 and 4 were swapped", &TiledBend::stride, strides_exchanged<3, 4>),
    as_if("TILE-R01", "coordinates 0 and 1 were swapped", &TiledBend::start, starts_exchanged<0, 1>),
    as_if("TILE-R01", "coordinates 1 and 2 were swapped", &TiledBend::start, starts_exchanged<1, 2>),
    as_if("TILE-R01", "coordinates 2 and 3 were swapped", &TiledBend::start, starts_exchanged<2, 3>),
    as_if("TILE-R01", "strides kept 12 bits", &TiledBend::stride, stride_in_bits<12>),
    as_if("TILE-R01", "strides kept 16 bits", &TiledBend::stride, stride_in_bits<16>),
    as_if("TILE-R01", "strides kept 20 bits", &TiledBend::stride, stride_in_bits<20>),
    as_if("TILE-R01", "strides kept 32 bits", &TiledBend::stride, stride_in_bits<32>),
    as_if("TILE-R01", "the offset in the tensor kept 16 bits", &TiledBend::distance, distance_in_bits<16>),
    as_if("TILE-R01", "the offset in the tensor kept 20 bits", &TiledBend::distance, distance_in_bits<20>),
    as_if("TILE-R01", "the offset in the tensor kept 24 bits", &TiledBend::distance, distance_in_bits<24>),
    as_if("TILE-R01", "the address lost bit 16", &TiledBend::distance, address_without_bit<16>),
    as_if("TILE-R01", "the address lost bit 20", &TiledBend::distance, address_without_bit<20>),
    as_if("TILE-R01", "the address lost bit 24", &TiledBend::distance, address_without_bit<24>),
    as_if("TILE-R01", "the box began one row further", &TiledBend::start, start_off<1, 1>),
    as_if("TILE-R01", "the box began one row before", &TiledBend::start, start_off<1, -1>),
    as_if("TILE-R01", "other elements of the tensor were taken", &TiledBend::data_is_open, true),
    as_if("TILE-R04", "traversal strides led to other elements", &TiledBend::data_is_open,
          true, &TiledBend::concerns, has_steps_above_0),
    as_if("TILE-R05", "the traversal stride of dimension 0 led to other elements", &TiledBend::data_is_open,
          true, &TiledBend::concerns, [](const C& c) { return c.map.interleave == 0 && step(c, 0) != 1; }),
    as_if("TILE-R35", "the traversal stride of dimension 0 led to other slices", &TiledBend::data_is_open,
          true, &TiledBend::concerns, [](const C& c) { return c.map.interleave != 0 && step(c, 0) != 1; }),
    as_if("TILE-R02", "the last index of a dimension were outside", &TiledBend::inside, last_is_outside<-1>),
    as_if("TILE-R02", "the last index of dimension 0 were outside", &TiledBend::inside, last_is_outside<0>),
    as_if("TILE-R02", "the last index of dimension 1 were outside", &TiledBend::inside, last_is_outside<1>),
    as_if("TILE-R02", "the last index of dimension 2 were outside", &TiledBend::inside, last_is_outside<2>),
    as_if("TILE-R02", "the last index of dimension 3 were outside", &TiledBend::inside, last_is_outside<3>),
    as_if("TILE-R02", "the last index of dimension 4 were outside", &TiledBend::inside, last_is_outside<4>),
    as_if("TILE-R02", "the index past the end were inside", &TiledBend::inside, next_is_inside<-1>),
    as_if("TILE-R02", "the index past the end of dimension 0 were inside", &TiledBend::inside,
          next_is_inside<0>),
    as_if("TILE-R02", "the index past the end of dimension 1 were inside", &TiledBend::inside,
          next_is_inside<1>),
    as_if("TILE-R02", "the index past the end of dimension 2 were inside", &TiledBend::inside,
          next_is_inside<2>),
    as_if("TILE-R02", "the index past the end of dimension 3 were inside", &TiledBend::inside,
          next_is_inside<3>),
    as_if("TILE-R02", "the index past the end of dimension 4 were inside", &TiledBend::inside,
          next_is_inside<4>),
    as_if("TILE-R02", "index 0 were outside", &TiledBend::inside, first_is_outside<-1>),
    as_if("TILE-R02", "index 0 of dimension 0 were outside", &TiledBend::inside, first_is_outside<0>),
    as_if("TILE-R02", "index 0 of dimension 1 were outside", &TiledBend::inside, first_is_outside<1>),
    as_if("TILE-R02", "index 0 of dimension 2 were outside", &TiledBend::inside, first_is_outside<2>),
    as_if("TILE-R02", "index 0 of dimension 3 were outside", &TiledBend::inside, first_is_outside<3>),
    as_if("TILE-R02", "index 0 of dimension 4 were outside", &TiledBend::inside, first_is_outside<4>),
    as_if("TILE-R02", "index -1 were inside", &TiledBend::inside, minus_one_is_inside<-1>),
    as_if("TILE-R02", "index -1 of dimension 0 were inside", &TiledBend::inside, minus_one_is_inside<0>),
    as_if("TILE-R02", "index -1 of dimension 1 were inside", &TiledBend::inside, minus_one_is_inside<1>),
    as_if("TILE-R02", "index -1 of dimension 2 were inside", &TiledBend::inside, minus_one_is_inside<2>),
    as_if("TILE-R02", "index -1 of dimension 3 were inside", &TiledBend::inside, minus_one_is_inside<3>),
    as_if("TILE-R02", "index -1 of dimension 4 were inside", &TiledBend::inside, minus_one_is_inside<4>),
    as_if("TILE-R02", "there were no upper bound", &TiledBend::inside, no_upper_bound<-1>),
    as_if("TILE-R02", "dimension 0 had no upper bound", &TiledBend::inside, no_upper_bound<0>),
    as_if("TILE-R02", "dimension 1 had no upper bound", &TiledBend::inside, no_upper_bound<1>),
    as_if("TILE-R02", "dimension 2 had no upper bound", &TiledBend::inside, no_upper_bound<2>),
    as_if("TILE-R02", "dimension 3 had no upper bound", &TiledBend::inside, no_upper_bound<3>),
    as_if("TILE-R02", "dimension 4 had no upper bound", &TiledBend::inside, no_upper_bound<4>),
    as_if("TILE-R02", "there were no lower bound", &TiledBend::inside, no_lower_bound<-1>),
    as_if("TILE-R02", "elements in bounds were outside", &TiledBend::inside,
          [](const C&, int, int64_t, bool) { return false; }),
    as_if("TILE-R02", "a negative coordinate were a large positive one", &TiledBend::inside,
          [](const C& c, int i, int64_t, bool right) { return right
         && c.coord[static_cast<size_t>(i)] >= 0; }),
    as_if("TILE-R02", "a coordinate of -1 were 0", &TiledBend::start, minus_one_is_zero<-1>),
    as_if("TILE-R02", "a coordinate of -1 in dimension 0 were 0", &TiledBend::start, minus_one_is_zero<0>),
    as_if("TILE-R02", "a coordinate of -1 in dimension 1 were 0", &TiledBend::start, minus_one_is_zero<1>),
    as_if("TILE-R02", "a coordinate of -1 in dimension 2 were 0", &TiledBend::start, minus_one_is_zero<2>),
    as_if("TILE-R02", "a coordinate of -1 in dimension 3 were 0", &TiledBend::start, minus_one_is_zero<3>),
    as_if("TILE-R02", "a coordinate of -1 in dimension 4 were 0", &TiledBend::start, minus_one_is_zero<4>),

    as_if("TILE-R03", "coordinates kept 8 bits", &TiledBend::start, start_in_bits<8>),
    as_if("TILE-R03", "coordinates kept 12 bits", &TiledBend::start, start_in_bits<12>),
    as_if("TILE-R03", "coordinates kept 16 bits", &TiledBend::start, start_in_bits<16>),
    as_if("TILE-R03", "32,767 above dimension 0 were -32,769", &TiledBend::start,
          start_exchanged<0x7fff, -0x8001>),
    as_if("TILE-R03", "32,768 above dimension 0 were -32,768", &TiledBend::start,
          start_exchanged<0x8000, -0x8000>),
    as_if("TILE-R03", "65,535 above dimension 0 were -1", &TiledBend::start, start_exchanged<0xffff, -1>),
    as_if("TILE-R03", "65,536 above dimension 0 were 0", &TiledBend::start, start_exchanged<0x10000, 0>),
    as_if("TILE-R03", "coordinates kept 24 bits", &TiledBend::start, start_in_bits<24>),
    as_if("TILE-R03", "coordinates kept 31 bits", &TiledBend::start, start_in_bits<31>),

    as_if("TILE-R04", "B / E were rounded down", &TiledBend::count, rounded_down<-1>),
    as_if("TILE-R04", "B / E were rounded down in dimension 1", &TiledBend::count, rounded_down<1>),
    as_if("TILE-R04", "B / E were rounded down in dimension 2", &TiledBend::count, rounded_down<2>),
    as_if("TILE-R04", "B / E were rounded down in dimension 3", &TiledBend::count, rounded_down<3>),
    as_if("TILE-R04", "B / E were rounded down in dimension 4", &TiledBend::count, rounded_down<4>),
    as_if("TILE-R04", "traversal strides left out no element", &TiledBend::count,
          [](const C& c, int i, int64_t right) { return i == 0 || right == 1 ? right
         : int64_t{box(c, i)}; }, &TiledBend::offset, not_stepped<-1>),
    as_if("TILE-R04", "traversal strides counted elements but stepped over none", &TiledBend::offset,
          not_stepped<-1>),
    as_if("TILE-R04", "no traversal stride stepped over any element, that of dimension 0 neither",
          &TiledBend::offset, [](const C&, int, int64_t visit, int64_t) { return visit; }),
    as_if("TILE-R04", "the traversal stride of dimension 1 stepped over none", &TiledBend::offset,
          not_stepped<1>),
    as_if("TILE-R04", "the traversal stride of dimension 2 stepped over none", &TiledBend::offset,
          not_stepped<2>),
    as_if("TILE-R04", "the traversal stride of dimension 3 stepped over none", &TiledBend::offset,
          not_stepped<3>),
    as_if("TILE-R04", "the traversal stride of dimension 4 stepped over none", &TiledBend::offset,
          not_stepped<4>),
    as_if("TILE-R04", "a traversal stride stepped one element too few", &TiledBend::offset,
          stepped_off<-1, -1>),
    as_if("TILE-R04", "a traversal stride stepped one element too many", &TiledBend::offset,
          stepped_off<-1, 1>),
    as_if("TILE-R04", "the last step of a traversal stride were one element short", &TiledBend::offset,
          last_step_short<-1>),
    as_if("TILE-R04", "the last step in dimension 1 were one element short", &TiledBend::offset,
          last_step_short<1>),
    as_if("TILE-R04", "the last step in dimension 2 were one element short", &TiledBend::offset,
          last_step_short<2>),
    as_if("TILE-R04", "the last step in dimension 3 were one element short", &TiledBend::offset,
          last_step_short<3>),
    as_if("TILE-R04", "the last step in dimension 4 were one element short", &TiledBend::offset,
          last_step_short<4>),
    as_if("TILE-R05", "the traversal stride of dimension 0 acted", &TiledBend::offset,
          [](const C& c, int i, int64_t visit, int64_t right) { return i == 0
         && c.map.interleave == 0 ? visit * step(c, 0) : right; }),
    as_if("TILE-R05", "the traversal stride of dimension 0 acted, on fewer elements", &TiledBend::count,
          [](const C& c, int i, int64_t right) { return i == 0 && c.map.interleave == 0
         ? (right + step(c, 0) - 1) / step(c, 0) : right; }, &TiledBend::offset,
          [](const C& c, int i, int64_t visit, int64_t right) { return i == 0
         && c.map.interleave == 0 ? visit * step(c, 0) : right; }),
    as_if("TILE-R34", "an interleaved copy took two channel slices", &TiledBend::count,
          [](const C& c, int i, int64_t right) { return c.map.interleave != 0
         && i == last_dimension(c) - 1 && box(c, i) > 1 ? 2 : right; }),
    as_if("TILE-R34", "an interleaved copy took all channel slices of its box", &TiledBend::count,
          [](const C& c, int i, int64_t right) { return c.map.interleave != 0
         && i == last_dimension(c) - 1 ? int64_t{box(c, i)} : right; }),
    as_if("TILE-R35", "the traversal stride of dimension 0 did not act", &TiledBend::count,
          [](const C& c, int i, int64_t right) { return i == 0 && c.map.interleave != 0
         ? int64_t{box(c, i)} : right; }, &TiledBend::offset,
          [](const C& c, int i, int64_t visit, int64_t right) { return i == 0
         && c.map.interleave != 0 ? visit : right; }),
    as_if("TILE-R35", "the traversal stride of dimension 0 stepped over nothing", &TiledBend::offset,
          [](const C& c, int i, int64_t visit, int64_t right) { return i == 0
         && c.map.interleave != 0 ? visit : right; }),
    as_if("TILE-R35", "the traversal stride of dimension 0 counted nothing", &TiledBend::count,
          [](const C& c, int i, int64_t right) { return i == 0 && c.map.interleave != 0
         ? int64_t{box(c, i)} : right; }),
};
// clang-format on

}  // namespace

std::span<const Bend> tiled_place_bends() {
  return place_bends;
}

std::span<const Bend> tiled_bends() {
  static const std::vector<Bend> bends = [] {
    std::vector<Bend> all;
    for (const auto part : {tiled_place_bends(), tiled_layout_bends(), tiled_value_bends(), tiled_end_bends(),
                            cta_pair_bends(), reduction_bends(), arming_bends()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return bends;
}

}  // namespace assay::model
