// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_map/im2col_map_words.h"

#include <algorithm>
#include <span>

#include "reference/model/tensor_copy/fields.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/run/field_coverage.h"
#include "suites/run/words.h"
#include "suites/tensor_map/map_members.h"

namespace assay::suites {
namespace {

std::string corner_words(const std::array<int32_t, 3>& corner, uint32_t axes) {
  return list_words(corner, axes);
}

/// A corner's place in its range: the ends, their neighbours, the signs between.
constexpr const char* corner_classes[] = {"lowest",   "lowest + 1",  "negative", "0",
                                          "positive", "highest - 1", "highest"};
uint64_t class_of_corner(int32_t corner, int bits) {
  const int32_t end = 1 << (bits - 1);
  if (corner < -end || corner >= end) return std::size(corner_classes);
  if (corner <= -end + 1) return static_cast<uint64_t>(corner + end);
  if (corner >= end - 2) return static_cast<uint64_t>(corner - (end - 2) + 5);
  return corner < 0 ? 2 : corner == 0 ? 3 : 4;
}

/// Behind the fields up to the pixels of a column.
constexpr size_t corner_fields = map_address_field + 3;

std::vector<CoveredField> im2col_map_covered() {
  std::vector<CoveredField> fields = covered_members<Im2colMapArgs>("tensor map");
  fields.insert(fields.begin() + map_address_field, covered_line_offset("address mod 128"));
  const std::vector<std::string> classes(std::begin(corner_classes), std::end(corner_classes));
  std::vector<CoveredField> corners;
  for (const char* name : {"lower", "upper"})
    for (size_t k = 0; k < 3; ++k) corners.push_back(covered_codes(indexed_name(name, k), classes));
  fields.insert(fields.begin() + corner_fields, corners.begin(), corners.end());
  return fields;
}

void read_im2col_map(const Im2colMapArgs& map, FieldValues& values) {
  const TensorMapArgs& m = map;
  size_t at = 0;
  read_members(map, "tensor map", values, at);
  insert_map_address(m, values);
  const uint32_t axes = map.wide ? std::min(1u, spatial_axes(m.rank)) : spatial_axes(m.rank);
  const int bits = axes == 0 ? 16 : spec::tensor_map::corner_bits(static_cast<int>(m.rank));
  FieldValues corners;
  for (const auto* corner : {&map.lower, &map.upper})
    for (uint32_t k = 0; k < 3; ++k)
      corners.push_back(k < axes ? std::optional(class_of_corner((*corner)[k], bits)) : std::nullopt);
  values.resize(values.size() - corners.size());
  values.insert(values.begin() + corner_fields, corners.begin(), corners.end());
  limit_to_rank(m.rank, {5, 4, 5}, corner_fields + corners.size(), values);
}

bool read_map(const Case& c, FieldValues& values) {
  const auto* copy = c.get_if<TensorCopyCase>();
  const auto* call = c.get_if<EncodeIm2colCase>();
  if (copy == nullptr ? call == nullptr : !is_column(*copy)) return false;
  read_im2col_map(copy != nullptr ? copy->map : call->map, values);
  return true;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> im2col_map_fields(const Im2colMapArgs& map) {
  auto list = map_fields(map);
  const auto box = std::find_if(list.begin(), list.end(), [](const auto& row) { return row.first == "box"; });
  const uint32_t axes = map.wide ? 1 : std::max(1u, spatial_axes(map.rank));
  *box = {"lower corner", corner_words(map.lower, axes)};
  const std::pair<std::string, std::string> more[] = {{"upper corner", corner_words(map.upper, axes)},
                                                      {"channels", std::to_string(map.channels)},
                                                      {"pixels", std::to_string(map.pixels)}};
  list.insert(box + 1, std::begin(more), std::end(more));
  if (map.wide)
    list.emplace_back("wide mode", map.wide_mode == 0   ? "W"
                                   : map.wide_mode == 1 ? "W128"
                                                        : std::to_string(map.wide_mode));
  return list;
}

std::string im2col_map_brief(const Im2colMapArgs& map) {
  std::string text;
  for (const auto& [name, value] : im2col_map_fields(map)) {
    if (name == "type") text += " " + value;
    if (name == "rank") text += " rank " + value;
    if (name == "lower corner") text += " corners " + value;
    if (name == "upper corner") text += ", " + value;
    if (name == "channels" || name == "pixels") text += " " + name + " " + value;
    if ((name == "interleave" || name == "swizzle") && value != "none") text += " " + name + " " + value;
  }
  return text;
}

std::span<const Descriptor> im2col_map_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("im2col tensor map", im2col_map_covered(), read_map);
    return list;
  }();
  return made;
}

std::string im2col_field_of_bit(const Im2colMapArgs& map, size_t bit) {
  const int rank = spatial_axes(map.rank) == 0 ? 4 : static_cast<int>(map.rank);
  for (const spec::Field& field : spec::tensor_map::im2col_fields_of(rank))
    for (const spec::BitRange& bits : field.parts)
      if (bit >= bits.lsb && bit < size_t{bits.lsb} + bits.width) return std::string(field.name);
  return "none";
}

}  // namespace assay::suites
