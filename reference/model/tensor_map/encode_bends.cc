// SPDX-License-Identifier: Apache-2.0

#include "reference/model/as_if.h"
#include "reference/spec/rules.h"

/// Bends of the encoder: each rule on its arguments left out or made stricter at its border, each field of
/// the map written as something else.
namespace assay::model {
namespace {

using spec::rule;
using Call = EncodeTiledCase;

bool any_below(uint32_t end, const auto& holds) {
  for (uint32_t i = 0; i < end && i < 5; ++i)
    if (holds(i)) return true;
  return false;
}
bool swizzles(const Call& c) {
  return c.map.swizzle != 0;
}
uint64_t inner_bytes(const Call& c) {
  const spec::DataType* type = spec::find_data_type(c.map.data_type);
  return type == nullptr ? 0 : uint64_t{c.map.box_dim[0]} * type->bits / 8;
}
template <uint64_t extent>
bool has_extent(const Call& c) {
  return any_below(c.map.rank, [&](uint32_t i) { return c.map.global_dim[i] == extent; });
}
template <uint32_t extent>
bool has_box(const Call& c) {
  return any_below(c.map.rank, [&](uint32_t i) { return c.map.box_dim[i] == extent; });
}
template <uint32_t stride>
bool has_traversal(const Call& c) {
  return any_below(c.map.rank, [&](uint32_t i) { return c.map.element_stride[i] == stride; });
}
template <uint32_t step>
bool has_traversal_from(const Call& c) {
  return any_below(c.map.rank, [&](uint32_t i) { return c.map.element_stride[i] >= step; });
}
bool has_stride(const Call& c, const auto& holds) {
  return any_below(c.map.rank == 0 ? 0 : c.map.rank - 1,
                   [&](uint32_t i) { return holds(c.map.global_stride[i]); });
}

/// In one dimension alone.
template <uint32_t dimension, uint64_t extent>
bool has_extent_in(const Call& c) {
  return dimension < c.map.rank && c.map.global_dim[dimension] == extent;
}
template <uint32_t dimension, uint32_t extent>
bool has_box_in(const Call& c) {
  return dimension < c.map.rank && c.map.box_dim[dimension] == extent;
}
template <uint32_t dimension, uint32_t stride>
bool has_traversal_in(const Call& c) {
  return dimension < c.map.rank && c.map.element_stride[dimension] == stride;
}

struct Strictness {
  spec::RuleIndex rule;
  std::string_view words;
  bool (*refuses)(const Call&);
};
constexpr Strictness strict[] = {
    {rule("V-02"), "packed types were refused",
     [](const Call& c) { return c.map.data_type >= spec::host_type::first_packed; }},
    {rule("V-02"), "the largest type of sm_90 were refused",
     [](const Call& c) { return c.map.data_type == spec::host_type::tf32_ftz; }},
    {rule("V-03"), "rank 5 were refused", [](const Call& c) { return c.map.rank == 5; }},
    {rule("V-03"), "rank 1 were refused", [](const Call& c) { return c.map.rank == 1; }},
    {rule("V-04"), "an interleaved map had to have rank 4 or more",
     [](const Call& c) { return c.map.interleave != 0 && c.map.rank < 4; }},
    {rule("V-04"), "no rank were enough for an interleaved map",
     [](const Call& c) { return c.map.interleave != 0; }},
    {rule("V-05"), "the address had to be a multiple of 32",
     [](const Call& c) { return c.map.global_address % 32 != 0; }},
    {rule("V-05"), "the address had to be a multiple of 128",
     [](const Call& c) { return c.map.global_address % 128 != 0; }},
    {rule("V-09"), "an extent of 1 were refused", has_extent<1>},
    {rule("V-09"), "an extent of 2^32 were refused", has_extent<uint64_t{1} << 32>},
    {rule("V-12"), "a stride of 0 were refused",
     [](const Call& c) { return has_stride(c, [](uint64_t s) { return s == 0; }); }},
    {rule("V-12"), "strides had to be multiples of 32",
     [](const Call& c) { return has_stride(c, [](uint64_t s) { return s % 32 != 0; }); }},
    {rule("V-13"), "the largest stride were refused",
     [](const Call& c) { return has_stride(c, [](uint64_t s) { return s == (uint64_t{1} << 40) - 16; }); }},
    {rule("V-13"), "strides had to be below 2^39",
     [](const Call& c) { return has_stride(c, [](uint64_t s) { return s >> 39 != 0; }); }},
    {rule("V-15"), "a box extent of 256 were refused", has_box<256>},
    {rule("V-15"), "a box extent of 1 were refused", has_box<1>},
    {rule("V-16"), "the inner box extent had to be a multiple of 32 bytes",
     [](const Call& c) { return inner_bytes(c) % 32 != 0; }},
    {rule("V-18"), "a traversal stride of 8 were refused", has_traversal<8>},
    {rule("V-18"), "a traversal stride above 1 were refused", has_traversal_from<2>},
    {rule("V-20"), "a stride had to cover what it steps over",
     [](const Call& c) { return has_stride(c, [&](uint64_t s) { return s < c.map.global_dim[0]; }); }},
    {rule("V-21"), "every interleave were refused", [](const Call& c) { return c.map.interleave != 0; }},
    {rule("V-22"), "swizzles with other atoms were refused",
     [](const Call& c) { return c.map.swizzle >= spec::host_swizzle::by_128B_atom32B; }},
    {rule("V-23"), "the inner box extent had to be below the span",
     [](const Call& c) {
       const spec::Swizzle* swizzle = spec::find_swizzle(c.map.swizzle);
       return swizzles(c) && swizzle != nullptr && c.map.interleave == 0 &&
              inner_bytes(c) == swizzle->span_bytes;
     }},
    {rule("V-24"), "16B interleave went with 32B swizzle alone too",
     [](const Call& c) {
       return c.map.interleave == spec::host_interleave::by_16B && c.map.swizzle > spec::host_swizzle::by_32B;
     }},
    {rule("V-24"), "interleave went with no 128B swizzle",
     [](const Call& c) { return c.map.interleave != 0 && c.map.swizzle == spec::host_swizzle::by_128B; }},
    {rule("V-24"), "interleave went with no swizzle",
     [](const Call& c) { return c.map.interleave != 0 && swizzles(c); }},
    {rule("V-27"), "NaN fill was refused for every type", [](const Call& c) { return c.map.oob_fill == 1; }},
    {rule("V-28"), "the largest L2 promotion were refused",
     [](const Call& c) { return c.map.l2_promotion == 3; }},
    {rule("V-47"), "a box larger than the tensor were refused",
     [](const Call& c) {
       return any_below(c.map.rank, [&](uint32_t i) { return c.map.box_dim[i] > c.map.global_dim[i]; });
     }},
    {rule("V-09"), "an extent of 2^32 in dimension 0 were refused", has_extent_in<0, uint64_t{1} << 32>},
    {rule("V-15"), "a box extent of 256 in dimension 0 were refused", has_box_in<0, 256>},
    {rule("V-15"), "a box extent of 1 in dimension 0 were refused", has_box_in<0, 1>},
    {rule("V-18"), "a traversal stride of 8 in dimension 0 were refused", has_traversal_in<0, 8>},
    {rule("V-09"), "an extent of 2^32 in dimension 1 were refused", has_extent_in<1, uint64_t{1} << 32>},
    {rule("V-15"), "a box extent of 256 in dimension 1 were refused", has_box_in<1, 256>},
    {rule("V-15"), "a box extent of 1 in dimension 1 were refused", has_box_in<1, 1>},
    {rule("V-18"), "a traversal stride of 8 in dimension 1 were refused", has_traversal_in<1, 8>},
    {rule("V-09"), "an extent of 2^32 in dimension 2 were refused", has_extent_in<2, uint64_t{1} << 32>},
    {rule("V-15"), "a box extent of 256 in dimension 2 were refused", has_box_in<2, 256>},
    {rule("V-15"), "a box extent of 1 in dimension 2 were refused", has_box_in<2, 1>},
    {rule("V-18"), "a traversal stride of 8 in dimension 2 were refused", has_traversal_in<2, 8>},
    {rule("V-09"), "an extent of 2^32 in dimension 3 were refused", has_extent_in<3, uint64_t{1} << 32>},
    {rule("V-15"), "a box extent of 256 in dimension 3 were refused", has_box_in<3, 256>},
    {rule("V-15"), "a box extent of 1 in dimension 3 were refused", has_box_in<3, 1>},
    {rule("V-18"), "a traversal stride of 8 in dimension 3 were refused", has_traversal_in<3, 8>},
    {rule("V-09"), "an extent of 2^32 in dimension 4 were refused", has_extent_in<4, uint64_t{1} << 32>},
    {rule("V-15"), "a box extent of 256 in dimension 4 were refused", has_box_in<4, 256>},
    {rule("V-15"), "a box extent of 1 in dimension 4 were refused", has_box_in<4, 1>},
    {rule("V-18"), "a traversal stride of 8 in dimension 4 were refused", has_traversal_in<4, 8>},
    {rule("V-49"), "addresses of 2^56 and above were refused",
     [](const Call& c) { return c.map.global_address >> 56 != 0; }},
};

constexpr FieldOfMap fields[] = {
    {"global_address", rule("MAP-R01")}, {"mode", rule("MAP-R02")},
    {"rank", rule("MAP-R02")},           {"type", rule("MAP-R03")},
    {"tf32", rule("MAP-R03")},           {"interleave", rule("MAP-R04")},
    {"swizzle_width", rule("MAP-R05")},  {"swizzle_atomicity", rule("MAP-R05")},
    {"swizzle_96B", rule("MAP-R05")},    {"fill", rule("MAP-R06")},
    {"l2_promotion", rule("MAP-R07")},   {"global_stride", rule("MAP-R08")},
    {"global_dim", rule("MAP-R09")},     {"element_stride", rule("MAP-R10")},
    {"box_dim", rule("MAP-R11")},        {"box_bytes", rule("MAP-R12")},
    {"swizzle_period", rule("MAP-R12")}, {"reserved", rule("MAP-R13")},
};

std::vector<Bend> made() {
  std::vector<Bend> bends;
  for (size_t i = 0; i < spec::tensor_map_rules.size(); ++i)
    bends.push_back(
        {.rule = static_cast<spec::RuleIndex>(i), .words = "it were not checked", .is_left_out = true});
  for (const Strictness& row : strict)
    bends.push_back({.rule = row.rule, .words = row.words, .encode = {.refuses = row.refuses}});
  for (const FieldOfMap& row : fields) add_field_bends(row.rule, row.field, bends);
  bends.push_back(as_if("V-42", "replacing the address changed what is beside it",
                        &EncodeBend::opens_beside_replaced, true));
  add_refused_map_bends(bends);
  return bends;
}

}  // namespace

std::span<const Bend> encode_bends() {
  static const std::vector<Bend> bends = made();
  return bends;
}

void add_refused_map_bends(std::vector<Bend>& bends) {
  bends.push_back(
      as_if("V-50", "a refused call left the map as it was", &EncodeBend::keeps_refused_map, true));
  bends.push_back(
      as_if("V-50", "a refused call left something else in the map", &EncodeBend::opens_refused_map, true));
}

void add_field_bends(spec::RuleIndex rule, std::string_view field, std::vector<Bend>& bends) {
  const auto add = [&](std::string_view words, int index, int added) {
    bends.push_back({.rule = rule,
                     .words = words,
                     .encode = {.open_field = field, .field_index = index, .added = added}});
  };
  add("the field held something else", -1, 0);
  const bool is_stride = field == "global_stride";
  if (!is_stride && field != "global_dim" && field != "box_dim" && field != "element_stride") return;
  for (int i = -1; i < (is_stride ? 4 : 5); ++i) {
    if (i >= 0) add("the field of one dimension held something else", i, 0);
    add("the field were one too large", i, 1);
    add("the field were one too small", i, -1);
  }
}

void bend_field(const EncodeBend& bend, const spec::Field& field, spec::TensorMapBytes& map,
                spec::TensorMapBytes& defined) {
  if (!bend.changes(field)) return;
  if (bend.added == 0)
    put_raw(defined, field, 0);
  else
    put_raw(map, field,
            (get_raw(map, field) + static_cast<uint64_t>(bend.added)) & spec::low_bits(field.width()));
}

bool is_left_out(const spec::Readings& readings, spec::RuleIndex rule) {
  const Bend* const bend = readings.bend();
  return bend != nullptr && bend->is_left_out && bend->rule == rule;
}

bool keeps_refused_map(const spec::Readings& readings) {
  return readings.bend() != nullptr && readings.bend()->encode.keeps_refused_map;
}
bool opens_refused_map(const spec::Readings& readings) {
  return readings.bend() != nullptr && readings.bend()->encode.opens_refused_map;
}

}  // namespace assay::model
