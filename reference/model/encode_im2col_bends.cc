#include <algorithm>
#include <utility>
#include <vector>

#include "reference/model/bend.h"
#include "reference/model/encode_im2col.h"
#include "reference/spec/im2col_map_bits.h"
#include "reference/spec/rules.h"

/// Bends of the im2col encoders: each rule on their arguments left out or made stricter at its border, each
/// field of the map written as something else.
namespace assay::model {
namespace {
namespace encode_im2col_bent {

using spec::rule;
using Call = EncodeIm2colCase;
namespace map_bits = spec::tensor_map;

struct FieldRule {
  std::string_view field;
  spec::RuleIndex rule;
};
constexpr FieldRule fields[] = {
    {"global_address", rule("MAP-R01")}, {"mode", rule("MAP-R14")},
    {"rank", rule("MAP-R14")},           {"type", rule("MAP-R03")},
    {"tf32", rule("MAP-R03")},           {"interleave", rule("MAP-R04")},
    {"swizzle_width", rule("MAP-R05")},  {"swizzle_atomicity", rule("MAP-R05")},
    {"fill", rule("MAP-R06")},           {"l2_promotion", rule("MAP-R07")},
    {"global_stride", rule("MAP-R08")},  {"global_dim", rule("MAP-R09")},
    {"element_stride", rule("MAP-R10")}, {"channels", rule("MAP-R15")},
    {"lower_corner", rule("MAP-R16")},   {"upper_corner", rule("MAP-R16")},
    {"pixels", rule("MAP-R17")},         {"box_bytes", rule("MAP-R12")},
    {"swizzle_period", rule("MAP-R12")}, {"reserved", rule("MAP-R13")},
};

constexpr int32_t lowest_of_rank(uint32_t rank) {
  return rank == 3 ? -32768 : rank == 4 ? -128 : -16;
}
/// A corner at the end of its range, at one rank (0: at all). The wide encoder has corners of W alone.
template <uint32_t rank, bool highest, bool lower, bool upper>
bool has_corner_at_end(const Call& c) {
  if (rank != 0 && c.map.base.rank != rank) return false;
  const int32_t low = lowest_of_rank(c.map.base.rank), end = highest ? -1 - low : low;
  const uint32_t axes = c.map.wide ? 1 : spatial_axes(c.map.base.rank);
  for (uint32_t k = 0; k < axes; ++k)
    if ((lower && c.map.lower[k] == end) || (upper && c.map.upper[k] == end)) return true;
  return false;
}
template <int64_t width>
bool has_box_of_width(const Call& c) {
  const uint32_t axes = c.map.wide ? 1 : spatial_axes(c.map.base.rank);
  for (uint32_t k = 0; k < axes; ++k) {
    const auto extent = static_cast<int64_t>(c.map.base.global_dim[dimension_of_axis(c.map.base, k)]);
    if (extent + c.map.upper[k] - c.map.lower[k] == width) return true;
  }
  return false;
}

struct Strictness {
  spec::RuleIndex rule;
  std::string_view words;
  bool (*refuses)(const Call&);
};
constexpr Strictness strict[] = {
    {rule("V-32"), "256 channels were refused", [](const Call& c) { return c.map.channels == 256; }},
    {rule("V-32"), "more than 128 channels were refused", [](const Call& c) { return c.map.channels > 128; }},
    {rule("V-33"), "1024 pixels were refused", [](const Call& c) { return c.map.pixels == 1024; }},
    {rule("V-33"), "more than 512 pixels were refused", [](const Call& c) { return c.map.pixels > 512; }},
    {rule("V-33"), "1 pixel were refused", [](const Call& c) { return c.map.pixels == 1; }},
    {rule("V-31"), "the lowest corner were refused", has_corner_at_end<0, false, true, true>},
    {rule("V-31"), "the lowest lower corner of rank 3 were refused",
     has_corner_at_end<3, false, true, false>},
    {rule("V-31"), "the lowest lower corner of rank 4 were refused",
     has_corner_at_end<4, false, true, false>},
    {rule("V-31"), "the lowest lower corner of rank 5 were refused",
     has_corner_at_end<5, false, true, false>},
    {rule("V-31"), "the lowest upper corner of rank 3 were refused",
     has_corner_at_end<3, false, false, true>},
    {rule("V-31"), "the lowest upper corner of rank 4 were refused",
     has_corner_at_end<4, false, false, true>},
    {rule("V-31"), "the lowest upper corner of rank 5 were refused",
     has_corner_at_end<5, false, false, true>},
    {rule("V-31"), "the highest corner were refused", has_corner_at_end<0, true, true, true>},
    {rule("V-34"), "a box of one position were refused", has_box_of_width<1>},
    {rule("V-35"), "pixels had to be multiples of 32 bytes",
     [](const Call& c) {
       const spec::DataType* type = spec::find_data_type(c.map.base.data_type);
       return type != nullptr && uint64_t{c.map.channels} * type->bits % 256 != 0;
     }},
    {rule("V-40"), "mode W128 were refused",
     [](const Call& c) { return c.map.wide && c.map.wide_mode == 1; }},
};

template <bool lower, bool upper>
void exchange_width_and_height(const Call& c, spec::TensorMapBytes& map) {
  const auto rank = static_cast<int>(c.map.base.rank);
  if (rank < 4 || c.map.wide) return;
  for (const bool side : {false, true}) {
    if (side ? !upper : !lower) continue;
    const uint64_t w = get_raw(map, map_bits::corner_at(rank, 0, side)),
                   h = get_raw(map, map_bits::corner_at(rank, 1, side));
    put_raw(map, map_bits::corner_at(rank, 0, side), h);
    put_raw(map, map_bits::corner_at(rank, 1, side), w);
  }
}
void exchange_at_rank_4(const Call& c, spec::TensorMapBytes& map) {
  if (c.map.base.rank == 4) exchange_width_and_height<true, true>(c, map);
}
template <bool to_upper>
void one_side_for_both(const Call& c, spec::TensorMapBytes& map) {
  const auto rank = static_cast<int>(c.map.base.rank);
  for (uint32_t k = 0; k < spatial_axes(c.map.base.rank); ++k)
    put_raw(map, map_bits::corner_at(rank, static_cast<int>(k), to_upper),
            get_raw(map, map_bits::corner_at(rank, static_cast<int>(k), !to_upper)));
}

struct Written {
  std::string_view words;
  void (*map)(const Call&, spec::TensorMapBytes&);
};
constexpr Written corners[] = {
    {"corners of W and H had changed places", exchange_width_and_height<true, true>},
    {"corners of W and H had changed places at rank 4", exchange_at_rank_4},
    {"lower corners of W and H had changed places", exchange_width_and_height<true, false>},
    {"upper corners of W and H had changed places", exchange_width_and_height<false, true>},
    {"the upper corners were written for the lower ones too", one_side_for_both<false>},
    {"the lower corners were written for the upper ones too", one_side_for_both<true>},
};

/// What the encoders of both modes refuse by the same rules, as far as it does not look at the box.
bool is_shared(const Bend& bend) {
  if (bend.encode.refuses == nullptr) return false;
  for (const std::string_view id : {"V-03", "V-04", "V-15", "V-16", "V-23", "V-42", "V-47", "V-48"})
    if (spec::rule_table[bend.rule].id == id) return false;
  return true;
}

std::vector<Bend> made() {
  std::vector<Bend> bends;
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (spec::rule_table[i].id.starts_with("V-"))
      bends.push_back(
          {.rule = static_cast<spec::RuleIndex>(i), .words = "it were not checked", .is_left_out = true});
  for (const Bend& bend : encode_bends())
    if (is_shared(bend) || bend.encode.keeps_refused || bend.encode.empties_refused) bends.push_back(bend);
  for (const Strictness& row : strict)
    bends.push_back({.rule = row.rule, .words = row.words, .encode = {.refuses_im2col = row.refuses}});
  for (const FieldRule& row : fields)
    bends.push_back(
        {.rule = row.rule, .words = "the field held something else", .encode = {.open_field = row.field}});
  for (const Written& row : corners)
    bends.push_back({.rule = rule("MAP-R16"), .words = row.words, .encode = {.im2col_map = row.map}});
  return bends;
}

}  // namespace encode_im2col_bent
}  // namespace

std::span<const Bend> encode_im2col_bends() {
  static const std::vector<Bend> bends = encode_im2col_bent::made();
  return bends;
}

}  // namespace assay::model
