// SPDX-License-Identifier: Apache-2.0

#include "reference/model/bend.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map_bits.h"

/// Bends of the im2col encoders: each rule on their arguments left out or made stricter at its border, each
/// field of the map written as something else.
namespace assay::model {
namespace {

using spec::rule;
using Map = Im2colMapArgs;

int32_t corner_end(const Map& map) {
  return 1 << (spec::tensor_map::corner_bits(static_cast<int>(map.rank)) - 1);
}
/// Corners that the encoder has: all of a wide one but W's are none.
bool any_corner(const Map& map, const auto& holds) {
  for (uint32_t k = 0; k < (map.wide ? 1 : spatial_axes(map.rank)); ++k)
    if (holds(map.lower[k]) || holds(map.upper[k])) return true;
  return false;
}
/// The lowest or the highest corner of a rank; 0: of any.
template <uint32_t rank>
bool has_lowest(const Map& map) {
  return (rank == 0 || map.rank == rank) &&
         any_corner(map, [&](int32_t corner) { return corner == -corner_end(map); });
}
template <uint32_t rank>
bool has_highest(const Map& map) {
  return (rank == 0 || map.rank == rank) &&
         any_corner(map, [&](int32_t corner) { return corner == corner_end(map) - 1; });
}
bool has_negative_corner(const Map& map) {
  return any_corner(map, [](int32_t corner) { return corner < 0; });
}
/// A bounding box of one pixel in a dimension.
bool has_box_of_one(const Map& map) {
  for (uint32_t k = 0; k < (map.wide ? 1 : spatial_axes(map.rank)); ++k)
    if (static_cast<int64_t>(map.global_dim[dimension_of_axis(map, k)]) + map.upper[k] - map.lower[k] == 1)
      return true;
  return false;
}

struct Im2colStrictness {
  spec::RuleIndex rule;
  std::string_view words;
  bool (*refuses)(const Map&);
};
constexpr Im2colStrictness im2col_strict[] = {
    {rule("V-31"), "the lowest corner were refused", has_lowest<0>},
    {rule("V-31"), "the lowest corner of rank 3 were refused", has_lowest<3>},
    {rule("V-31"), "the lowest corner of rank 4 were refused", has_lowest<4>},
    {rule("V-31"), "the lowest corner of rank 5 were refused", has_lowest<5>},
    {rule("V-31"), "the highest corner were refused", has_highest<0>},
    {rule("V-31"), "negative corners were refused", has_negative_corner},
    {rule("V-32"), "256 channels were refused", [](const Map& map) { return map.channels == 256; }},
    {rule("V-32"), "channels had to be below 128", [](const Map& map) { return map.channels >= 128; }},
    {rule("V-33"), "1024 pixels were refused", [](const Map& map) { return map.pixels == 1024; }},
    {rule("V-33"), "pixels had to be below 256", [](const Map& map) { return map.pixels >= 256; }},
    {rule("V-33"), "one pixel were refused", [](const Map& map) { return map.pixels == 1; }},
    {rule("V-34"), "a pixel box of one were refused", has_box_of_one},
    {rule("V-40"), "the second mode of a wide map were refused",
     [](const Map& map) { return map.wide && map.wide_mode == 1; }},
};

constexpr FieldOfMap im2col_bent_fields[] = {
    {"global_address", rule("MAP-R01")}, {"mode", rule("MAP-R14")},
    {"rank", rule("MAP-R14")},           {"type", rule("MAP-R03")},
    {"tf32", rule("MAP-R03")},           {"interleave", rule("MAP-R04")},
    {"swizzle_width", rule("MAP-R05")},  {"swizzle_atomicity", rule("MAP-R05")},
    {"fill", rule("MAP-R06")},           {"l2_promotion", rule("MAP-R07")},
    {"global_stride", rule("MAP-R08")},  {"global_dim", rule("MAP-R09")},
    {"element_stride", rule("MAP-R10")}, {"channels", rule("MAP-R15")},
    {"lower_corner", rule("MAP-R16")},   {"upper_corner", rule("MAP-R16")},
    {"corners", rule("MAP-R16")},        {"pixels", rule("MAP-R17")},
    {"box_bytes", rule("MAP-R12")},      {"swizzle_period", rule("MAP-R12")},
    {"reserved", rule("MAP-R13")},
};

std::vector<Bend> im2col_bends() {
  std::vector<Bend> bends;
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (spec::rule_table[i].id.starts_with("V-"))
      bends.push_back(
          {.rule = static_cast<spec::RuleIndex>(i), .words = "it were not checked", .is_left_out = true});
  for (const Im2colStrictness& row : im2col_strict)
    bends.push_back({.rule = row.rule, .words = row.words, .encode = {.refuses_im2col = row.refuses}});
  for (const FieldOfMap& row : im2col_bent_fields) add_field_bends(row.rule, row.field, bends);
  add_refused_map_bends(bends);
  return bends;
}

}  // namespace

std::span<const Bend> encode_im2col_bends() {
  static const std::vector<Bend> bends = im2col_bends();
  return bends;
}

}  // namespace assay::model
