// SPDX-License-Identifier: Apache-2.0
#include "reference/model/as_if.h"
#include "reference/model/mma/bends.h"
#include "reference/model/mma/mma.h"

/// Bends of block scaling: where scale factors lie, what they are worth, and how what they scale is added.
namespace assay::model {
namespace {

using layout::ScalePlace;
using numerics::Arithmetic;
using numerics::Types;
using Wanted = ScaleWanted;

enum class ScalesOf { a, b, both };

bool is_of(ScalesOf which, const Wanted& w) {
  return which == ScalesOf::both || w.is_a == (which == ScalesOf::a);
}

/// As if the instruction had another scale id.
template <ScalesOf which, int keep, int flip>
ScalePlace other_id(const Wanted& w, ScalePlace right) {
  if (!is_of(which, w)) return right;
  const int id = (w.id & keep) ^ flip;
  const int position = id + w.s;
  const int n = static_cast<int>(w.c.n);
  return w.is_a ? layout::a_scale_places(w.layout, w.line, position).front()
                : layout::b_scale_places(w.layout, w.line, n, position).front();
}
/// The id of the other operand.
ScalePlace id_of_other(const Wanted& w, ScalePlace right) {
  const int own = static_cast<int>((w.is_a ? w.c.a_scales : w.c.b_scales).id);
  const int other = static_cast<int>((w.is_a ? w.c.b_scales : w.c.a_scales).id);
  if (own == other) return right;
  const int position = (w.id - own + other + 4) % 4 + w.s, n = static_cast<int>(w.c.n);
  return w.is_a ? layout::a_scale_places(w.layout, w.line, position).front()
                : layout::b_scale_places(w.layout, w.line, n, position).front();
}
template <ScalesOf which, int flip>
ScalePlace other_byte(const Wanted& w, ScalePlace right) {
  if (is_of(which, w)) right.byte ^= flip;
  return right;
}
template <ScalesOf which, int flip>
ScalePlace other_lane(const Wanted& w, ScalePlace right) {
  if (is_of(which, w)) right.lane ^= flip;
  return right;
}
/// All lines in the first column of their group.
template <ScalesOf which>
ScalePlace first_column(const Wanted& w, ScalePlace right) {
  if (is_of(which, w)) right.column -= w.line_of_half() / 32;
  return right;
}
template <ScalesOf which, int by>
ScalePlace column_swapped(const Wanted& w, ScalePlace right) {
  const int inside = w.line_of_half() / 32;
  if (is_of(which, w)) right.column += (inside ^ by) - inside;
  return right;
}
/// Scales after byte 3 so many columns on.
template <ScalesOf which, int group>
ScalePlace other_group(const Wanted& w, ScalePlace right) {
  const int groups = (w.id + w.s) / 4;
  if (is_of(which, w) && groups != 0) right.column = w.line_of_half() / 32 + groups * group;
  return right;
}
ScalePlace wraps_in_cell(const Wanted& w, ScalePlace right) {
  if ((w.id + w.s) / 4 != 0) right.column = w.line_of_half() / 32;
  return right;
}
/// The scale of the block before or behind.
template <ScalesOf which, int flip>
ScalePlace other_block(const Wanted& w, ScalePlace right) {
  const int s = w.s ^ flip, n = static_cast<int>(w.c.n);
  if (!is_of(which, w) || s >= scale_count(w.c)) return right;
  return w.is_a ? layout::a_scale_places(w.layout, w.line, w.id + s).front()
                : layout::b_scale_places(w.layout, w.line, n, w.id + s).front();
}
/// The first scale for all blocks.
template <ScalesOf which>
ScalePlace first_block(const Wanted& w, ScalePlace right) {
  if (!is_of(which, w)) return right;
  const int n = static_cast<int>(w.c.n);
  return w.is_a ? layout::a_scale_places(w.layout, w.line, w.id).front()
                : layout::b_scale_places(w.layout, w.line, n, w.id).front();
}
ScalePlace lower_half(const Wanted& w, ScalePlace right) {
  if (!w.is_a && w.layout.folds == 2) right.lane %= 64;
  return right;
}
ScalePlace other_half(const Wanted& w, ScalePlace right) {
  if (!w.is_a && w.layout.folds == 2) right.lane ^= 64;
  return right;
}

ScalePlace of_line(const Wanted& w, int line) {
  const int n = static_cast<int>(w.c.n);
  return w.is_a ? layout::a_scale_places(w.layout, line, w.id + w.s).front()
                : layout::b_scale_places(w.layout, line, n, w.id + w.s).front();
}
/// The columns begin again after so many lines.
template <ScalesOf which, int lines>
ScalePlace wraps_after(const Wanted& w, ScalePlace right) {
  const bool is_it = is_of(which, w) && w.layout.folds == 1 && w.line >= lines;
  return is_it ? of_line(w, w.line % lines) : right;
}
/// The last line has what the one before it has, in one scale or (-1) in all.
template <ScalesOf which, int scale>
ScalePlace last_as_before(const Wanted& w, ScalePlace right) {
  const uint32_t lines = w.is_a ? w.c.m / w.c.cta_group : w.c.n;
  const bool is_last = w.line == static_cast<int>(lines) - 1 && (scale < 0 || w.s == scale);
  return is_of(which, w) && is_last ? of_line(w, w.line - 1) : right;
}
/// One id counts as another.
template <int id, int as>
ScalePlace id_as(const Wanted& w, ScalePlace right) {
  if (w.id != id) return right;
  const int n = static_cast<int>(w.c.n), position = as + w.s;
  return w.is_a ? layout::a_scale_places(w.layout, w.line, position).front()
                : layout::b_scale_places(w.layout, w.line, n, position).front();
}

bool is_e8(const Types& types) {
  return types.scale->name == "ue8m0";
}
template <int change>
uint8_t e8_plus(const Types& types, uint8_t code) {
  return is_e8(types) && code != 0xff ? static_cast<uint8_t>(code + change) : code;
}
bool is_block_scaled_type(const Types& t) {
  return t.scale != nullptr;
}
/// kind::mxf8f6f4; the other kinds with scales have twice as many products, or thrice.
bool is_mxf8(const Types& t) {
  return is_block_scaled_type(t) && t.k == 32;
}
bool is_fp4_kind(const Types& t) {
  return is_block_scaled_type(t) && t.k != 32;
}
/// 2^0, where `which` pairs of types.
template <bool (*which)(const Types&)>
uint8_t unscaled(const Types& t, uint8_t code) {
  return which(t) && is_e8(t) ? 127 : code;
}
bool is_mxf8_of_unlike(const Types& t) {
  return is_mxf8(t) && t.a != t.b;
}
/// Bit 7 beside the exponent of ue4m3.
template <int change>
uint8_t scaled_by_bit_7(const Types& t, uint8_t code) {
  if (is_e8(t) || (code & 0x80) == 0) return code;
  const int magnitude = (code & 0x7f) + change;
  return magnitude < 0x78 && magnitude >= 8 ? static_cast<uint8_t>(magnitude) : code;
}
template <int lost>
int without_last_products(const Types& t, bool, int k) {
  return is_fp4_kind(t) && k >= t.k - lost ? -1 : 0;
}
template <int change>
void grouped_bits(const Types&, Arithmetic& a) {
  if (a.scheme == numerics::Scheme::grouped) a.kept_bits += change;
}
template <int terms>
void groups_of(const Types&, Arithmetic& a) {
  if (a.scheme == numerics::Scheme::grouped) a.group_terms = terms;
}
template <int floor>
void grouped_floor(const Types&, Arithmetic& a) {
  if (a.scheme == numerics::Scheme::grouped) a.floor_exponent = floor;
}

constexpr Bend scale_rows[] = {
    as_if("SCALE-R01", "all blocks had the first scale of A", &MmaBend::scale, first_block<ScalesOf::a>),
    as_if("SCALE-R01", "all blocks had the first scale of B", &MmaBend::scale, first_block<ScalesOf::b>),
    as_if("SCALE-R01", "all blocks had the first scale", &MmaBend::scale, first_block<ScalesOf::both>),
    as_if("SCALE-R01", "neighbouring blocks had swapped scales of A", &MmaBend::scale,
          other_block<ScalesOf::a, 1>),
    as_if("SCALE-R01", "neighbouring blocks had swapped scales of B", &MmaBend::scale,
          other_block<ScalesOf::b, 1>),
    as_if("SCALE-R01", "neighbouring blocks had swapped scales", &MmaBend::scale,
          other_block<ScalesOf::both, 1>),
    as_if("SCALE-R02", "the bytes of a cell came in reverse order, in scales of A", &MmaBend::scale,
          other_byte<ScalesOf::a, 3>),
    as_if("SCALE-R02", "the bytes of a cell came in reverse order, in scales of B", &MmaBend::scale,
          other_byte<ScalesOf::b, 3>),
    as_if("SCALE-R02", "the bytes of a cell came in reverse order", &MmaBend::scale,
          other_byte<ScalesOf::both, 3>),
    as_if("SCALE-R03", "all rows of A had scales in the first column", &MmaBend::scale,
          first_column<ScalesOf::a>),
    as_if("SCALE-R03", "all columns of B had scales in the first column", &MmaBend::scale,
          first_column<ScalesOf::b>),
    as_if("SCALE-R03", "neighbouring columns of scales of A were swapped", &MmaBend::scale,
          column_swapped<ScalesOf::a, 1>),
    as_if("SCALE-R03", "neighbouring columns of scales of B were swapped", &MmaBend::scale,
          column_swapped<ScalesOf::b, 1>),
    as_if("SCALE-R03", "neighbouring rows of A had swapped scales", &MmaBend::scale,
          other_lane<ScalesOf::a, 1>),
    as_if("SCALE-R03", "neighbouring columns of B had swapped scales", &MmaBend::scale,
          other_lane<ScalesOf::b, 1>),
    as_if("SCALE-R03", "the upper 16 lanes came first, in scales of A", &MmaBend::scale,
          other_lane<ScalesOf::a, 16>),
    as_if("SCALE-R03", "the upper 16 lanes came first, in scales of B", &MmaBend::scale,
          other_lane<ScalesOf::b, 16>),
    as_if("SCALE-R03", "columns of B from 128 on had the scales of the first 128", &MmaBend::scale,
          wraps_after<ScalesOf::b, 128>),
    as_if("SCALE-R03", "rows of A from 64 on had the scales of the first 64", &MmaBend::scale,
          wraps_after<ScalesOf::a, 64>),
    as_if("SCALE-R03", "the last row of A had the scales of the one before", &MmaBend::scale,
          last_as_before<ScalesOf::a, -1>),
    as_if("SCALE-R03", "the last column of B had the scales of the one before", &MmaBend::scale,
          last_as_before<ScalesOf::b, -1>),
    as_if("SCALE-R03", "the last row of A had the first scale of the one before", &MmaBend::scale,
          last_as_before<ScalesOf::a, 0>),
    as_if("SCALE-R03", "the last row of A had the fourth scale of the one before", &MmaBend::scale,
          last_as_before<ScalesOf::a, 3>),
    as_if("SCALE-R03", "the last column of B had the first scale of the one before", &MmaBend::scale,
          last_as_before<ScalesOf::b, 0>),
    as_if("SCALE-R03", "the last column of B had the fourth scale of the one before", &MmaBend::scale,
          last_as_before<ScalesOf::b, 3>),
    as_if("SCALE-R04", "the scale id of A were ignored", &MmaBend::scale, other_id<ScalesOf::a, 0, 0>),
    as_if("SCALE-R04", "the scale id of B were ignored", &MmaBend::scale, other_id<ScalesOf::b, 0, 0>),
    as_if("SCALE-R04", "no scale id were looked at", &MmaBend::scale, other_id<ScalesOf::both, 0, 0>),
    as_if("SCALE-R04", "the low bit of the scale id of A were dropped", &MmaBend::scale,
          other_id<ScalesOf::a, 2, 0>),
    as_if("SCALE-R04", "the low bit of the scale id of B were dropped", &MmaBend::scale,
          other_id<ScalesOf::b, 2, 0>),
    as_if("SCALE-R04", "the high bit of the scale id of A were dropped", &MmaBend::scale,
          other_id<ScalesOf::a, 1, 0>),
    as_if("SCALE-R04", "the high bit of the scale id of B were dropped", &MmaBend::scale,
          other_id<ScalesOf::b, 1, 0>),
    as_if("SCALE-R04", "the low bit of scale ids were dropped", &MmaBend::scale,
          other_id<ScalesOf::both, 2, 0>),
    as_if("SCALE-R04", "the high bit of scale ids were dropped", &MmaBend::scale,
          other_id<ScalesOf::both, 1, 0>),
    as_if("SCALE-R04", "scale id 1 were 0", &MmaBend::scale, id_as<1, 0>),
    as_if("SCALE-R04", "scale id 2 were 1", &MmaBend::scale, id_as<2, 1>),
    as_if("SCALE-R04", "scale id 3 were 2", &MmaBend::scale, id_as<3, 2>),
    as_if("SCALE-R04", "the scale ids of A and B were swapped", &MmaBend::scale, id_of_other),
    as_if("SCALE-R05", "scales past byte 3 came from the same cell again", &MmaBend::scale, wraps_in_cell),
    as_if("SCALE-R05", "the next group of scales of A were 8 columns on", &MmaBend::scale,
          other_group<ScalesOf::a, 8>),
    as_if("SCALE-R05", "the next group of scales of B were 4 columns on", &MmaBend::scale,
          other_group<ScalesOf::b, 4>),
    as_if("SCALE-R05", "the next group of scales of B were 8 columns on", &MmaBend::scale,
          other_group<ScalesOf::b, 8>),
    as_if("SCALE-R05", "the next group of scales were in the next column", &MmaBend::scale,
          other_group<ScalesOf::both, 1>),
    as_if("SCALE-R06", "both halves of N had the scales of the lower one", &MmaBend::scale, lower_half),
    as_if("SCALE-R06", "the halves of N had swapped scales", &MmaBend::scale, other_half),
    as_if("SCALE-R08", "ue8m0 had a bias of 126", &MmaBend::scale_code, e8_plus<1>),
    as_if("SCALE-R08", "ue8m0 had a bias of 128", &MmaBend::scale_code, e8_plus<-1>),
    as_if("SCALE-R08", "0 of ue8m0 were 2^-126", &MmaBend::scale_code,
          [](const Types& f, uint8_t code) -> uint8_t { return is_e8(f) && code == 0 ? 1 : code; }),
    as_if("SCALE-R08", "subnormal scales of ue4m3 were zero", &MmaBend::scale_code,
          [](const Types& f, uint8_t code) -> uint8_t { return !is_e8(f) && (code & 0x78) == 0 ? 0 : code; }),
    as_if("SCALE-R08", "bit 7 of a scale of ue4m3 made a NaN", &MmaBend::scale_code,
          [](const Types& f, uint8_t code) -> uint8_t {
            return !is_e8(f) && (code & 0x80) != 0 ? 0x7f : code;
          }),
    as_if("SCALE-R08", "the largest scale of ue4m3 were a NaN", &MmaBend::scale_code,
          [](const Types& f, uint8_t code) -> uint8_t {
            return !is_e8(f) && (code & 0x7f) == 0x7e ? 0x7f : code;
          }),
    as_if("SCALE-R08", "bit 7 doubled a scale of ue4m3", &MmaBend::scale_code, scaled_by_bit_7<8>),
    as_if("SCALE-R08", "bit 7 halved a scale of ue4m3", &MmaBend::scale_code, scaled_by_bit_7<-8>),
    as_if("ADD-R24", "a NaN scale were the largest number", &MmaBend::scale_code,
          [](const Types& f, uint8_t code) -> uint8_t {
            return is_e8(f) ? (code == 0xff ? 0xfe : code) : (code & 0x7f) == 0x7f ? 0x7e : code;
          }),
    as_if("ADD-R22", "F were 24 in kind::mxf8f6f4", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) {
            if (is_block_scaled_type(t) && a.scheme == numerics::Scheme::fused) --a.kept_bits;
          }),
    as_if("ADD-R22", "F were 26 in kind::mxf8f6f4", &MmaBend::arithmetic,
          [](const Types& t, Arithmetic& a) { a.kept_bits += is_mxf8(t); }),
    as_if("ADD-R22", "products of kind::mxf8f6f4 were not scaled", &MmaBend::scale_code, unscaled<is_mxf8>),
    as_if("ADD-R22", "products of unlike types were not scaled in kind::mxf8f6f4", &MmaBend::scale_code,
          unscaled<is_mxf8_of_unlike>),
    as_if("ADD-R22", "the lowest bit of a scaled sum were wrong in kind::mxf8f6f4", &MmaBend::result,
          [](const Types& t, uint32_t right) { return is_mxf8(t) ? right ^ 1 : right; }),
    as_if("ADD-R22", "the lowest bit of a scaled sum of unlike types were wrong in kind::mxf8f6f4",
          &MmaBend::result,
          [](const Types& t, uint32_t right) { return is_mxf8_of_unlike(t) ? right ^ 1 : right; }),
    as_if("ADD-R23", "F were 34", &MmaBend::arithmetic, grouped_bits<-1>),
    as_if("ADD-R23", "F were 36", &MmaBend::arithmetic, grouped_bits<1>),
    as_if("ADD-R23", "F were 25", &MmaBend::arithmetic, grouped_bits<-10>),
    as_if("ADD-R23", "F were 33", &MmaBend::arithmetic, grouped_bits<-2>),
    as_if("ADD-R23", "F were 32", &MmaBend::arithmetic, grouped_bits<-3>),
    as_if("ADD-R23", "F were 31", &MmaBend::arithmetic, grouped_bits<-4>),
    as_if("ADD-R23", "F were 30", &MmaBend::arithmetic, grouped_bits<-5>),
    as_if("ADD-R23", "the last group of products were lost", &MmaBend::block, without_last_products<16>),
    as_if("ADD-R23", "the last two groups of products were lost", &MmaBend::block, without_last_products<32>),
    as_if("ADD-R23", "groups of 8 products were cut", &MmaBend::arithmetic, groups_of<8>),
    as_if("ADD-R23", "groups of 4 products were cut", &MmaBend::arithmetic, groups_of<4>),
    as_if("ADD-R23", "each product were cut", &MmaBend::arithmetic, groups_of<1>),
    as_if("ADD-R23", "E were at least -133", &MmaBend::arithmetic, grouped_floor<-133>),
    as_if("ADD-R23", "a group of zeros counted with the exponents of its scales", &MmaBend::arithmetic,
          [](const Types&, Arithmetic& a) { a.zero_group_keeps_scale = true; }),
};

}  // namespace

std::span<const Bend> scale_bends() {
  return scale_rows;
}

}  // namespace assay::model
