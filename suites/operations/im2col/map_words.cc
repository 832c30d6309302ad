#include "suites/operations/im2col/map_words.h"

#include <algorithm>

#include "reference/spec/im2col_map_bits.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

std::string corner_words(const std::array<int32_t, 3>& corner, uint32_t axes) {
  return list_words(corner, axes);
}

CoveredField numbered(std::string name, uint64_t lowest, uint64_t highest, uint64_t unit = 1) {
  return {std::move(name), lowest, highest, unit, {}};
}
CoveredField named(std::string name, std::vector<std::string> values) {
  return {std::move(name), 0, 0, 1, std::move(values)};
}
std::string indexed(std::string_view name, size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
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

}  // namespace

std::vector<std::pair<std::string, std::string>> im2col_map_fields(const Im2colMapArgs& map) {
  auto list = map_fields(map.base);
  const auto box = std::find_if(list.begin(), list.end(), [](const auto& row) { return row.first == "box"; });
  const uint32_t axes = map.wide ? 1 : std::max(1u, spatial_axes(map.base.rank));
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

std::vector<CoveredField> im2col_map_covered() {
  std::vector<std::string> types, traversals;
  for (const spec::DataType& type : spec::data_types) types.emplace_back(type.name);
  for (int i = 1; i <= 8; ++i) traversals.push_back(std::to_string(i));
  std::vector<CoveredField> fields{named("type", types),
                                   named("rank", {"3", "4", "5"}),
                                   named("interleave", {"none", "16B", "32B"}),
                                   named("swizzle", {"none", "32B", "64B", "128B", "128B_atom_32B",
                                                     "128B_atom_32B_flip_8B", "128B_atom_64B"}),
                                   named("l2_promotion", {"0", "1", "2", "3"}),
                                   named("fill", {"0", "1"}),
                                   named("address mod 128", {"0", "16", "32", "48", "64", "80", "96", "112"}),
                                   numbered("channels", 1, 256),
                                   numbered("pixels", 1, 1024)};
  const std::vector<std::string> corners(std::begin(corner_classes), std::end(corner_classes));
  for (const char* name : {"lower", "upper"})
    for (size_t k = 0; k < 3; ++k) fields.push_back(named(indexed(name, k), corners));
  for (size_t i = 0; i < 5; ++i) fields.push_back(numbered(indexed("dim", i), 1, uint64_t{1} << 32));
  for (size_t i = 0; i < 4; ++i)
    fields.push_back(numbered(indexed("stride", i), 0, (uint64_t{1} << 40) - 16, 16));
  for (size_t i = 0; i < 5; ++i) fields.push_back(named(indexed("traversal", i), traversals));
  return fields;
}

void read_im2col_map(const Im2colMapArgs& map, FieldValues& values) {
  const TensorMapArgs& m = map.base;
  size_t f = 0;
  values[f++] = m.data_type;
  values[f++] = uint64_t{m.rank} - 3;
  values[f++] = m.interleave;
  values[f++] = m.swizzle;
  values[f++] = m.l2_promotion;
  values[f++] = m.oob_fill;
  values[f++] = m.global_address % 16 != 0 ? 8 : m.global_address % 128 / 16;
  values[f++] = map.channels;
  values[f++] = map.pixels;
  const uint32_t axes = map.wide ? std::min(1u, spatial_axes(m.rank)) : spatial_axes(m.rank);
  const int bits = axes == 0 ? 16 : spec::tensor_map::corner_bits(static_cast<int>(m.rank));
  for (const auto* corner : {&map.lower, &map.upper})
    for (uint32_t k = 0; k < 3; ++k, ++f)
      if (k < axes) values[f] = class_of_corner((*corner)[k], bits);
  for (uint32_t i = 0; i < 5; ++i, ++f)
    if (i < m.rank) values[f] = m.global_dim[i];
  for (uint32_t i = 0; i < 4; ++i, ++f)
    if (i + 1 < m.rank) values[f] = m.global_stride[i];
  for (uint32_t i = 0; i < 5; ++i, ++f)
    if (i < m.rank) values[f] = uint64_t{m.element_stride[i]} - 1;
}

std::string im2col_field_of_bit(const Im2colMapArgs& map, size_t bit) {
  const int rank = spatial_axes(map.base.rank) == 0 ? 4 : static_cast<int>(map.base.rank);
  for (const spec::Field& field : spec::tensor_map::im2col_fields_of(rank))
    for (const spec::BitRange& bits : field.parts)
      if (bit >= bits.lsb && bit < size_t{bits.lsb} + bits.width) return std::string(field.name);
  return "none";
}

}  // namespace assay::suites
