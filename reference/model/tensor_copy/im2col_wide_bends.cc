// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "reference/model/as_if.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/spec/rules.h"

/// Bends of loads along W alone, and those of any im2col load that are not about its walk.
namespace assay::model {
namespace {
namespace wide_bent {

using spec::rule;
using C = TensorCopyCase;

uint32_t step_of(const C& c, uint32_t axis) {
  return c.map.element_stride[dimension_of_axis(c.map, axis)];
}
bool in_groups(const C& c) {
  return c.mode == CopyMode::w_128;
}
/// Of im2col::w (0), of im2col::w::128 (1).
template <int mode, typename Change>
uint32_t halo_of(const C& c, uint32_t right, Change change) {
  return in_groups(c) == (mode == 1) ? change(right) : right;
}
template <int mode>
uint32_t no_halo(const C& c, uint32_t right) {
  return halo_of<mode>(c, right, [](uint32_t) { return 0u; });
}
template <int mode>
uint32_t short_halo(const C& c, uint32_t right) {
  return halo_of<mode>(c, right, [](uint32_t halo) { return halo == 0 ? 0 : halo - 1; });
}
template <int mode, uint32_t largest>
uint32_t largest_halo_short(const C& c, uint32_t right) {
  return halo_of<mode>(c, right, [](uint32_t halo) { return halo == largest ? halo - 1 : halo; });
}
template <uint32_t range>
uint32_t narrow_halo(const C&, uint32_t right) {
  return right % range;
}
template <WideEnd of>
int64_t offset_not_of(const C&, WideEnd end, int64_t right) {
  return end == of ? 0 : right;
}
template <int64_t range>
int64_t narrow_offset(const C&, WideEnd, int64_t right) {
  return right % range;
}
/// By the rank of the map; 0: at all.
template <uint32_t rank>
int64_t image_stays(const C& c, int64_t right) {
  return rank == 0 || c.map.rank == rank ? 0 : right;
}
template <int64_t by>
int64_t last_moved(const C&, uint32_t, int64_t right) {
  return right + by;
}
template <uint32_t rank, int bits>
int64_t narrow_corner(const C& c, uint32_t, bool, int64_t right) {
  if (c.map.rank != rank) return right;
  constexpr int64_t range = int64_t{1} << bits;
  const int64_t low = (right % range + range) % range;
  return low >= range / 2 ? low - range : low;
}
template <bool of_upper, int64_t by>
int64_t corner_moved(const C&, uint32_t, bool upper, int64_t right) {
  return upper == of_upper ? right + by : right;
}
/// Bytes of the halos among those of all pixels.
int64_t halo_bytes(const C& c, int64_t all) {
  const int64_t groups = in_groups(c) ? pixels_of_w_128 / pixels_before_halo : 1;
  const int64_t pixels = in_groups(c) ? int64_t{pixels_of_w_128} : int64_t{c.map.pixels};
  const int64_t halos = groups * c.w_halo;
  return all / std::max<int64_t>(pixels + halos, 1) * halos;
}
template <uint32_t group>
uint32_t late_halo(const C& c, uint32_t of) {
  return in_groups(c) && (group > 3 || of == group) ? 1 : 0;
}
/// As many groups of 32 as the map's column has.
uint32_t pixels_by_map(const C& c, uint32_t right) {
  return in_groups(c) ? std::clamp(c.map.pixels / pixels_before_halo, 1u, 4u) * pixels_before_halo : right;
}
template <uint32_t axis>
int64_t step_of_other(const C& c, uint32_t, int64_t right) {
  return axis < spatial_axes(c.map.rank) ? int64_t{step_of(c, axis)} : right;
}
Bend unchecked(spec::RuleIndex rule) {
  return {.rule = rule, .words = "it were not checked", .is_left_out = true};
}

std::vector<Bend> of_this_mode() {
  return {
      as_if("IM2W-R01", "the walk stayed in its image", &Im2colBend::image_step, image_stays<0>),
      as_if("IM2W-R01", "the walk stayed in its image at rank 3", &Im2colBend::image_step, image_stays<3>),
      as_if("IM2W-R01", "the walk stayed in its image at rank 4", &Im2colBend::image_step, image_stays<4>),
      as_if("IM2W-R01", "the walk stayed in its image at rank 5", &Im2colBend::image_step, image_stays<5>),
      as_if("IM2W-R01", "the walk went one position too far", &Im2colBend::last, last_moved<1>),
      as_if("IM2W-R01", "the walk left out the last position", &Im2colBend::last, last_moved<-1>),
      as_if("IM2W-R01", "the walk began again at 0", &Im2colBend::restart,
            [](const C&, uint32_t, int64_t right) { return std::max<int64_t>(right, 0); }),
      as_if("IM2W-R01", "the walk began again where it had started", &Im2colBend::restart,
            [](const C& c, uint32_t, int64_t) {
              return int64_t{c.coord[dimension_of_axis(c.map, 0)]} + c.w_offset;
            }),
      as_if("IM2W-R02", "im2col::w::128 brought what the map has in a column", &WideBend::pixels,
            pixels_by_map),
      as_if("IM2W-R02", "im2col::w::128 brought 32 pixels", &WideBend::pixels,
            [](const C& c, uint32_t right) { return in_groups(c) ? pixels_before_halo : right; }),
      as_if("IM2W-R02", "im2col::w brought one pixel less", &WideBend::pixels,
            [](const C& c, uint32_t right) { return in_groups(c) ? right : right - 1; }),
      as_if("IM2W-R03", "im2col::w brought no halo", &WideBend::halo, no_halo<0>),
      as_if("IM2W-R03", "the halo of im2col::w were one pixel shorter", &WideBend::halo, short_halo<0>),
      as_if("IM2W-R03", "a halo of 511 pixels were one shorter", &WideBend::halo, largest_halo_short<0, 511>),
      as_if("IM2W-R04", "im2col::w::128 brought no halos", &WideBend::halo, no_halo<1>),
      as_if("IM2W-R04", "the halos of im2col::w::128 were one pixel shorter", &WideBend::halo, short_halo<1>),
      as_if("IM2W-R04", "a halo of 31 pixels were one shorter", &WideBend::halo, largest_halo_short<1, 31>),
      as_if("IM2W-R04", "the next 32 pixels began behind the halo", &WideBend::halo_moves_on, true),
      as_if("IM2W-R04", "halos lay one row further on", &WideBend::halo_moved, late_halo<4>),
      as_if("IM2W-R04", "the first halo lay one row further on", &WideBend::halo_moved, late_halo<0>),
      as_if("IM2W-R04", "the last halo lay one row further on", &WideBend::halo_moved, late_halo<3>),
      as_if("IM2W-R05", "wOffset were not added", &WideBend::offset,
            [](const C&, WideEnd, int64_t) { return int64_t{0}; }),
      as_if("IM2W-R05", "wOffset were not added to the start", &WideBend::offset,
            offset_not_of<WideEnd::start>),
      as_if("IM2W-R05", "wOffset were not added to the lower corner", &WideBend::offset,
            offset_not_of<WideEnd::lower>),
      as_if("IM2W-R05", "wOffset were not added to the upper corner", &WideBend::offset,
            offset_not_of<WideEnd::upper>),
      as_if("IM2W-R05", "4 bits of wOffset were added", &WideBend::offset, narrow_offset<16>),
      as_if("IM2W-R06", "a step from left of the box led to its lower corner", &WideBend::snaps_to_box, true),
      as_if("IM2W-R06", "a start left of the box were its lower corner", &Im2colBend::start,
            [](const C& c, uint32_t, int64_t right) {
              return std::max(right, box_of(c.map, 0).lower + c.w_offset);
            }),
      as_if("IM2W-R08", "the walk stepped by 1", &Im2colBend::step,
            [](const C&, uint32_t, int64_t) { return int64_t{1}; }),
      as_if("IM2W-R08", "the walk stepped by the stride of H", &Im2colBend::step, step_of_other<1>),
      as_if("IM2W-R08", "the stride of H acted along W too", &Im2colBend::step,
            [](const C& c, uint32_t, int64_t right) {
              return spatial_axes(c.map.rank) > 1 ? right + step_of(c, 1) - 1 : right;
            }),
      as_if("IM2W-R08", "a step that leaves the box went on in the next image", &WideBend::carries_step,
            true),
      as_if("IM2W-R09", "the pixels of halos were not counted", &Im2colBend::signalled,
            [](const C& c, int64_t right) { return right - halo_bytes(c, right); }),
      as_if("IM2W-R09", "the pixels of halos were counted twice", &Im2colBend::signalled,
            [](const C& c, int64_t right) { return right + halo_bytes(c, right); }),
      as_if("IM2W-R12", "wHalo had 8 bits", &WideBend::halo, narrow_halo<256>),
      as_if("IM2W-R12", "wHalo had 7 bits", &WideBend::halo, narrow_halo<128>),
      as_if("IM2W-R12", "wHalo had 4 bits", &WideBend::halo, narrow_halo<16>),
      as_if("IM2W-R12", "wOffset had 4 bits", &WideBend::offset, narrow_offset<16>),
      as_if("IM2C-R03", "corners of rank 3 had 8 bits", &Im2colBend::corner, narrow_corner<3, 8>),
      as_if("IM2C-R03", "corners of rank 4 had 8 bits", &Im2colBend::corner, narrow_corner<4, 8>),
      as_if("IM2C-R03", "corners of rank 5 had 5 bits", &Im2colBend::corner, narrow_corner<5, 5>),
      as_if("IM2C-R03", "the upper corner were one less", &Im2colBend::corner, corner_moved<true, -1>),
      as_if("IM2C-R03", "the lower corner were one more", &Im2colBend::corner, corner_moved<false, 1>),
      unchecked(rule("IM2W-R07")),
      unchecked(rule("IM2W-R11")),
  };
}

/// What the walk has of its own, and how many bytes are told: those are above.
bool is_of_any_load(const Bend& bend) {
  const Im2colBend& walk = bend.im2col;
  const bool walks = walk.pixels != nullptr || walk.corner != nullptr || walk.start != nullptr ||
                     walk.step != nullptr || walk.image_step != nullptr || walk.last != nullptr ||
                     walk.restart != nullptr || walk.order != nullptr || walk.offset != nullptr ||
                     walk.signalled != nullptr;
  return !walks && bend.copy.signalled == nullptr && bend.copy.signalled_ranks == nullptr;
}

}  // namespace wide_bent
}  // namespace

std::span<const Bend> im2col_wide_bends() {
  static const std::vector<Bend> all = [] {
    std::vector<Bend> made = wide_bent::of_this_mode();
    made.insert(made.end(), cta_pair_bends().begin(), cta_pair_bends().end());
    for (const Bend& bend : im2col_copy_bends())
      if (wide_bent::is_of_any_load(bend)) made.push_back(bend);
    return made;
  }();
  return all;
}

}  // namespace assay::model
