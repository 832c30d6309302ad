// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/bends.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/rules.h"

/// Bends of block scaling: where scale factors lie, what they are worth, and how what they scale is added.
namespace assay::model {
namespace {

using layout::ScalePlace;
using numerics::Arithmetic;
using numerics::Types;
using spec::rule;
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

// clang-format off
constexpr Bend scale_rows[] = {
    {.rule = rule("SCALE-R01"), .words = "all blocks had the first scale of A",
     .mma = {.scale = first_block<ScalesOf::a>}},
    {.rule = rule("SCALE-R01"), .words = "all blocks had the first scale of B",
     .mma = {.scale = first_block<ScalesOf::b>}},
    {.rule = rule("SCALE-R01"), .words = "all blocks had the first scale",
     .mma = {.scale = first_block<ScalesOf::both>}},
    {.rule = rule("SCALE-R01"), .words = "neighbouring blocks had swapped scales of A",
     .mma = {.scale = other_block<ScalesOf::a, 1>}},
    {.rule = rule("SCALE-R01"), .words = "neighbouring blocks had swapped scales of B",
     .mma = {.scale = other_block<ScalesOf::b, 1>}},
    {.rule = rule("SCALE-R01"), .words = "neighbouring blocks had swapped scales",
     .mma = {.scale = other_block<ScalesOf::both, 1>}},
    {.rule = rule("SCALE-R02"), .words = "the bytes of a cell came in reverse order, in scales of A",
     .mma = {.scale = other_byte<ScalesOf::a, 3>}},
    {.rule = rule("SCALE-R02"), .words = "the bytes of a cell came in reverse order, in scales of B",
     .mma = {.scale = other_byte<ScalesOf::b, 3>}},
    {.rule = rule("SCALE-R02"), .words = "the bytes of a cell came in reverse order",
     .mma = {.scale = other_byte<ScalesOf::both, 3>}},
    {.rule = rule("SCALE-R03"), .words = "all rows of A had scales in the first column",
     .mma = {.scale = first_column<ScalesOf::a>}},
    {.rule = rule("SCALE-R03"), .words = "all columns of B had scales in the first column",
     .mma = {.scale = first_column<ScalesOf::b>}},
    {.rule = rule("SCALE-R03"), .words = "neighbouring columns of scales of A were swapped",
     .mma = {.scale = column_swapped<ScalesOf::a, 1>}},
    {.rule = rule("SCALE-R03"), .words = "neighbouring columns of scales of B were swapped",
     .mma = {.scale = column_swapped<ScalesOf::b, 1>}},
    {.rule = rule("SCALE-R03"), .words = "neighbouring rows of A had swapped scales",
     .mma = {.scale = other_lane<ScalesOf::a, 1>}},
    {.rule = rule("SCALE-R03"), .words = "neighbouring columns of B had swapped scales",
     .mma = {.scale = other_lane<ScalesOf::b, 1>}},
    {.rule = rule("SCALE-R03"), .words = "the upper 16 lanes came first, in scales of A",
     .mma = {.scale = other_lane<ScalesOf::a, 16>}},
    {.rule = rule("SCALE-R03"), .words = "the upper 16 lanes came first, in scales of B",
     .mma = {.scale = other_lane<ScalesOf::b, 16>}},
    {.rule = rule("SCALE-R03"), .words = "columns of B from 128 on had the scales of the first 128",
     .mma = {.scale = wraps_after<ScalesOf::b, 128>}},
    {.rule = rule("SCALE-R03"), .words = "rows of A from 64 on had the scales of the first 64",
     .mma = {.scale = wraps_after<ScalesOf::a, 64>}},
    {.rule = rule("SCALE-R03"), .words = "the last row of A had the scales of the one before",
     .mma = {.scale = last_as_before<ScalesOf::a, -1>}},
    {.rule = rule("SCALE-R03"), .words = "the last column of B had the scales of the one before",
     .mma = {.scale = last_as_before<ScalesOf::b, -1>}},
    {.rule = rule("SCALE-R03"), .words = "the last row of A had the first scale of the one before",
     .mma = {.scale = last_as_before<ScalesOf::a, 0>}},
    {.rule = rule("SCALE-R03"), .words = "the last row of A had the fourth scale of the one before",
     .mma = {.scale = last_as_before<ScalesOf::a, 3>}},
    {.rule = rule("SCALE-R03"), .words = "the last column of B had the first scale of the one before",
     .mma = {.scale = last_as_before<ScalesOf::b, 0>}},
    {.rule = rule("SCALE-R03"), .words = "the last column of B had the fourth scale of the one before",
     .mma = {.scale = last_as_before<ScalesOf::b, 3>}},
    {.rule = rule("SCALE-R04"), .words = "the scale id of A were ignored",
     .mma = {.scale = other_id<ScalesOf::a, 0, 0>}},
    {.rule = rule("SCALE-R04"), .words = "the scale id of B were ignored",
     .mma = {.scale = other_id<ScalesOf::b, 0, 0>}},
    {.rule = rule("SCALE-R04"), .words = "no scale id were looked at",
     .mma = {.scale = other_id<ScalesOf::both, 0, 0>}},
    {.rule = rule("SCALE-R04"), .words = "the low bit of the scale id of A were dropped",
     .mma = {.scale = other_id<ScalesOf::a, 2, 0>}},
    {.rule = rule("SCALE-R04"), .words = "the low bit of the scale id of B were dropped",
     .mma = {.scale = other_id<ScalesOf::b, 2, 0>}},
    {.rule = rule("SCALE-R04"), .words = "the high bit of the scale id of A were dropped",
     .mma = {.scale = other_id<ScalesOf::a, 1, 0>}},
    {.rule = rule("SCALE-R04"), .words = "the high bit of the scale id of B were dropped",
     .mma = {.scale = other_id<ScalesOf::b, 1, 0>}},
    {.rule = rule("SCALE-R04"), .words = "the low bit of scale ids were dropped",
     .mma = {.scale = other_id<ScalesOf::both, 2, 0>}},
    {.rule = rule("SCALE-R04"), .words = "the high bit of scale ids were dropped",
     .mma = {.scale = other_id<ScalesOf::both, 1, 0>}},
    {.rule = rule("SCALE-R04"), .words = "scale id 1 were 0", .mma = {.scale = id_as<1, 0>}},
    {.rule = rule("SCALE-R04"), .words = "scale id 2 were 1", .mma = {.scale = id_as<2, 1>}},
    {.rule = rule("SCALE-R04"), .words = "scale id 3 were 2", .mma = {.scale = id_as<3, 2>}},
    {.rule = rule("SCALE-R04"), .words = "the scale ids of A and B were swapped",
     .mma = {.scale = id_of_other}},
    {.rule = rule("SCALE-R05"), .words = "scales past byte 3 came from the same cell again",
     .mma = {.scale = wraps_in_cell}},
    {.rule = rule("SCALE-R05"), .words = "the next group of scales of A were 8 columns on",
     .mma = {.scale = other_group<ScalesOf::a, 8>}},
    {.rule = rule("SCALE-R05"), .words = "the next group of scales of B were 4 columns on",
     .mma = {.scale = other_group<ScalesOf::b, 4>}},
    {.rule = rule("SCALE-R05"), .words = "the next group of scales of B were 8 columns on",
     .mma = {.scale = other_group<ScalesOf::b, 8>}},
    {.rule = rule("SCALE-R05"), .words = "the next group of scales were in the next column",
     .mma = {.scale = other_group<ScalesOf::both, 1>}},
    {.rule = rule("SCALE-R06"), .words = "both halves of N had the scales of the lower one",
     .mma = {.scale = lower_half}},
    {.rule = rule("SCALE-R06"), .words = "the halves of N had swapped scales",
     .mma = {.scale = other_half}},
    {.rule = rule("SCALE-R08"), .words = "ue8m0 had a bias of 126", .mma = {.scale_code = e8_plus<1>}},
    {.rule = rule("SCALE-R08"), .words = "ue8m0 had a bias of 128", .mma = {.scale_code = e8_plus<-1>}},
    {.rule = rule("SCALE-R08"), .words = "0 of ue8m0 were 2^-126",
     .mma = {.scale_code = [](const Types& f, uint8_t code) -> uint8_t { return is_e8(f) && code == 0 ? 1
         : code; }}},
    {.rule = rule("SCALE-R08"), .words = "subnormal scales of ue4m3 were zero",
     .mma = {.scale_code = [](const Types& f, uint8_t code) -> uint8_t { return !is_e8(f)
         && (code & 0x78) == 0 ? 0 : code; }}},
    {.rule = rule("SCALE-R08"), .words = "bit 7 of a scale of ue4m3 made a NaN",
     .mma = {.scale_code = [](const Types& f, uint8_t code) -> uint8_t { return !is_e8(f)
         && (code & 0x80) != 0 ? 0x7f : code; }}},
    {.rule = rule("SCALE-R08"), .words = "the largest scale of ue4m3 were a NaN",
     .mma = {.scale_code = [](const Types& f, uint8_t code) -> uint8_t { return !is_e8(f)
         && (code & 0x7f) == 0x7e ? 0x7f : code; }}},
    {.rule = rule("SCALE-R08"), .words = "bit 7 doubled a scale of ue4m3",
     .mma = {.scale_code = scaled_by_bit_7<8>}},
    {.rule = rule("SCALE-R08"), .words = "bit 7 halved a scale of ue4m3",
     .mma = {.scale_code = scaled_by_bit_7<-8>}},
    {.rule = rule("ADD-R24"), .words = "a NaN scale were the largest number",
     .mma = {.scale_code = [](const Types& f, uint8_t code) -> uint8_t { return is_e8(f)
         ? (code == 0xff ? 0xfe : code) : (code & 0x7f) == 0x7f ? 0x7e : code; }}},
    {.rule = rule("ADD-R22"), .words = "F were 24 in kind::mxf8f6f4",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) {
         if (is_block_scaled_type(t) && a.scheme == numerics::Scheme::fused) --a.kept_bits; }}},
    {.rule = rule("ADD-R22"), .words = "F were 26 in kind::mxf8f6f4",
     .mma = {.arithmetic = [](const Types& t, Arithmetic& a) { a.kept_bits += is_mxf8(t); }}},
    {.rule = rule("ADD-R22"), .words = "products of kind::mxf8f6f4 were not scaled",
     .mma = {.scale_code = unscaled<is_mxf8>}},
    {.rule = rule("ADD-R22"), .words = "products of unlike types were not scaled in kind::mxf8f6f4",
     .mma = {.scale_code = unscaled<is_mxf8_of_unlike>}},
    {.rule = rule("ADD-R22"), .words = "the lowest bit of a scaled sum were wrong in kind::mxf8f6f4",
     .mma = {.result = [](const Types& t, uint32_t right) { return is_mxf8(t) ? right ^ 1 : right; }}},
    {.rule = rule("ADD-R22"),
     .words = "the lowest bit of a scaled sum of unlike types were wrong in kind::mxf8f6f4",
     .mma = {.result = [](const Types& t, uint32_t right) { return is_mxf8_of_unlike(t) ? right ^ 1
         : right; }}},
    {.rule = rule("ADD-R23"), .words = "F were 34", .mma = {.arithmetic = grouped_bits<-1>}},
    {.rule = rule("ADD-R23"), .words = "F were 36", .mma = {.arithmetic = grouped_bits<1>}},
    {.rule = rule("ADD-R23"), .words = "F were 25", .mma = {.arithmetic = grouped_bits<-10>}},
    {.rule = rule("ADD-R23"), .words = "F were 33", .mma = {.arithmetic = grouped_bits<-2>}},
    {.rule = rule("ADD-R23"), .words = "F were 32", .mma = {.arithmetic = grouped_bits<-3>}},
    {.rule = rule("ADD-R23"), .words = "F were 31", .mma = {.arithmetic = grouped_bits<-4>}},
    {.rule = rule("ADD-R23"), .words = "F were 30", .mma = {.arithmetic = grouped_bits<-5>}},
    {.rule = rule("ADD-R23"), .words = "the last group of products were lost",
     .mma = {.block = without_last_products<16>}},
    {.rule = rule("ADD-R23"), .words = "the last two groups of products were lost",
     .mma = {.block = without_last_products<32>}},
    {.rule = rule("ADD-R23"), .words = "groups of 8 products were cut", .mma = {.arithmetic = groups_of<8>}},
    {.rule = rule("ADD-R23"), .words = "groups of 4 products were cut", .mma = {.arithmetic = groups_of<4>}},
    {.rule = rule("ADD-R23"), .words = "each product were cut", .mma = {.arithmetic = groups_of<1>}},
    {.rule = rule("ADD-R23"), .words = "E were at least -133", .mma = {.arithmetic = grouped_floor<-133>}},
    {.rule = rule("ADD-R23"), .words = "a group of zeros counted with the exponents of its scales",
     .mma = {.arithmetic = [](const Types&, Arithmetic& a) { a.zero_group_keeps_scale = true; }}},
};
// clang-format on

}  // namespace

std::span<const Bend> scale_bends() {
  return scale_rows;
}

}  // namespace assay::model
