// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/arguments.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

namespace bits = spec::tensor_map;

constexpr uint32_t no_enumerator = 255;

/// What corners the map has: how many axes, and of which rank their width is.
struct Corners {
  uint32_t axes;
  int rank;
};
Corners corners_of(const spec::TensorMapBytes& bytes, bool wide) {
  const auto rank = static_cast<uint32_t>(get(bytes, bits::rank));
  if (wide) return {1, 3};
  return {spatial_axes(rank), static_cast<int>(rank)};
}

}  // namespace

bool is_wide_map(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  return readings.is({"X-13", "as_written"}) && get_raw(bytes, bits::mode) != 0 &&
         get_raw(bytes, bits::wide) != 0;
}

MapArguments arguments_of(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  MapArguments arguments;
  TensorMapArgs& m = arguments.map;
  arguments.is_im2col = get_raw(bytes, bits::mode) != 0;
  m.rank = static_cast<uint32_t>(get(bytes, bits::rank));
  const auto* type = spec::find_data_type_by_code(static_cast<uint32_t>(get_raw(bytes, bits::type)),
                                                  get_raw(bytes, bits::tf32) != 0);
  m.data_type = type == nullptr ? no_enumerator : type->host;
  const auto* swizzle = spec::find_swizzle_by_code(
      static_cast<uint32_t>(get_raw(bytes, bits::swizzle_width)),
      static_cast<uint32_t>(get_raw(bytes, bits::swizzle_atomicity)), get_raw(bytes, bits::swizzle_96B) != 0);
  m.swizzle = swizzle == nullptr ? no_enumerator : swizzle->host;
  m.interleave = static_cast<uint32_t>(get_raw(bytes, bits::interleave));
  m.oob_fill = static_cast<uint32_t>(get_raw(bytes, bits::fill));
  m.l2_promotion = static_cast<uint32_t>(get_raw(bytes, bits::l2_promotion));
  m.global_address = get(bytes, bits::global_address);
  for (uint32_t i = 0; i < 5; ++i) {
    m.global_dim[i] = get(bytes, bits::global_dim[i]);
    m.element_stride[i] = static_cast<uint32_t>(get(bytes, bits::element_stride[i]));
    if (i < 4) m.global_stride[i] = get(bytes, bits::global_stride[i]);
  }
  if (!arguments.is_im2col) {
    for (uint32_t i = 0; i < 5; ++i) m.box_dim[i] = static_cast<uint32_t>(get(bytes, bits::box_dim[i]));
    return arguments;
  }
  arguments.map.channels = static_cast<uint32_t>(get(bytes, bits::channels));
  arguments.map.pixels = static_cast<uint32_t>(get(bytes, bits::pixels));
  const bool wide = is_wide_map(bytes, readings);
  arguments.map.wide = wide;
  if (wide) arguments.map.wide_mode = static_cast<uint32_t>(get_raw(bytes, bits::wide_128));
  const Corners corners = corners_of(bytes, wide);
  for (uint32_t k = 0; k < corners.axes; ++k) {
    const auto corner = [&](bool upper) {
      return bits::signed_corner(get_raw(bytes, bits::corner_at(corners.rank, static_cast<int>(k), upper)),
                                 corners.rank);
    };
    arguments.map.lower[k] = corner(false);
    arguments.map.upper[k] = corner(true);
  }
  return arguments;
}

MapArguments arguments_of(const spec::TensorMapBytes& bytes) {
  return arguments_of(bytes, spec::Readings(spec::Arch::sm_90));
}

std::span<const spec::Field> fields_of(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  if (get_raw(bytes, bits::mode) == 0) return bits::tiled_fields;
  if (is_wide_map(bytes, readings)) return bits::wide_fields;
  const auto rank = static_cast<int>(get(bytes, bits::rank));
  return bits::im2col_fields_of(rank < 3 || rank > 5 ? 4 : rank);
}

spec::RuleSet broken_rules_of_map(const MapArguments& arguments, const spec::Readings& readings,
                                  CopyDirection direction) {
  const TensorMapArgs& m = arguments.map;
  spec::RuleSet broken = arguments.is_im2col ? broken_column_map_rules(arguments.map, readings)
                                             : broken_map_rules(m, readings, direction);
  for (uint32_t i = 0; i < m.rank && i < 5; ++i)
    if (m.global_dim[i] > spec::max_usable_global_dim) broken.set(spec::rule("TILE-R25"));
  if (m.global_address >= spec::global_address_end) broken.set(spec::rule("V-49"));
  return broken;
}

spec::RuleSet broken_rules_of_map(const spec::TensorMapBytes& bytes, const spec::Readings& readings,
                                  CopyDirection direction) {
  return broken_rules_of_map(arguments_of(bytes), readings, direction);
}

namespace {

/// What the code of a field means, or nothing.
std::string meaning_of(const spec::TensorMapBytes& bytes, const spec::Field& field) {
  const uint64_t raw = get_raw(bytes, field);
  if (field.name == "mode") return raw == 0 ? "tiled" : "im2col";
  if (field.name == "interleave" && raw < spec::interleaves.size())
    return std::string(spec::interleaves[raw].name);
  if (field.name == "fill") return std::string(spec::oob_fills[raw].name);
  if (field.name == "l2_promotion") return std::string(spec::l2_promotions[raw].name);
  if (field.name == "type") {
    const auto* type =
        spec::find_data_type_by_code(static_cast<uint32_t>(raw), get_raw(bytes, bits::tf32) != 0);
    return type == nullptr ? "no type" : std::string(type->name);
  }
  if (field.name == "swizzle_width") {
    const auto* swizzle = spec::find_swizzle_by_code(
        static_cast<uint32_t>(raw), static_cast<uint32_t>(get_raw(bytes, bits::swizzle_atomicity)),
        get_raw(bytes, bits::swizzle_96B) != 0);
    return swizzle == nullptr ? "no swizzle" : std::string(swizzle->name);
  }
  return {};
}

bool is_used(const spec::TensorMapBytes& bytes, const spec::Field& field) {
  const auto rank = static_cast<int>(get(bytes, bits::rank));
  if (field.index < 0 || field.name.ends_with("corner")) return true;
  return field.index < (field.name == "global_stride" ? rank - 1 : rank);
}

std::string value_of(const spec::TensorMapBytes& bytes, const spec::Field& field) {
  const uint64_t raw = get_raw(bytes, field);
  if (field.name.ends_with("corner"))  // its width says the rank that it is written as
    for (const int rank : {3, 4, 5})
      if (field.width() == bits::corner_bits(rank)) return std::to_string(bits::signed_corner(raw, rank));
  if (field.kind != spec::FieldKind::number) return std::to_string(raw);
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(field.value_of(raw)));
  return field.name == "global_address" ? text : std::to_string(field.value_of(raw));
}

/// "0x34 31:24"; of two parts the lower one.
std::string place_of(const spec::Field& field) {
  const int word = field.parts[0].lsb / 32 * 4, low = field.parts[0].lsb % 32,
            high = low + field.parts[0].width - 1;
  char text[24];
  std::snprintf(text, sizeof text, "0x%02x %d:%d", word, high, low);
  return text;
}

nlohmann::ordered_json described(const spec::TensorMapBytes& bytes, const spec::Readings& readings,
                                 const spec::RuleSet& broken) {
  nlohmann::ordered_json json;
  json["descriptor"] = "tensor_map";
  json["mode"] = mode_of_map(bytes, readings);
  if (is_wide_map(bytes, readings)) json["layout"] = "emulated driver";
  json["fields"] = nlohmann::ordered_json::array();
  for (const MapFieldWords& field : map_in_words(bytes, readings)) {
    nlohmann::ordered_json row;
    row["name"] = field.name;
    row["lsb"] = field.field->parts[0].lsb;
    row["width"] = field.field->width();
    row["raw"] = field.raw;
    row["value"] = field.value;
    if (!field.meaning.empty()) row["meaning"] = field.meaning;
    row["legal"] = field.field->allows(field.raw);
    json["fields"].push_back(row);
  }
  json["violations"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (broken[i])
      json["violations"].push_back({{"rule", spec::rule_table[i].id}, {"words", spec::rule_table[i].words}});
  return json;
}

}  // namespace

std::string mode_of_map(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  if (!is_wide_map(bytes, readings)) return meaning_of(bytes, bits::mode);
  return get_raw(bytes, bits::wide_128) != 0 ? "im2col::w::128" : "im2col::w";
}

std::vector<MapFieldWords> map_in_words(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  std::vector<MapFieldWords> rows;
  for (const spec::Field& field : fields_of(bytes, readings))
    rows.push_back({&field, get_raw(bytes, field), label(field), value_of(bytes, field),
                    meaning_of(bytes, field), place_of(field), is_used(bytes, field)});
  return rows;
}

std::string describe_map(const spec::TensorMapBytes& bytes, spec::Arch arch, bool json) {
  const spec::Readings readings(arch);
  const spec::RuleSet broken = broken_rules_of_map(arguments_of(bytes, readings), readings);
  if (json) return described(bytes, readings, broken).dump(2);
  std::string text = mode_of_map(bytes, readings) + " tensor map\n";
  if (is_wide_map(bytes, readings))
    text +=
        "  no document tells how a driver writes a wide map; this is how the emulated driver does (fields "
        "wide, "
        "wide_128, corners)\n";
  for (const MapFieldWords& field : map_in_words(bytes, readings)) {
    // What is 0 where nothing lies, or belongs to no dimension, is not worth a line.
    if (field.raw == 0 && (field.field->kind == spec::FieldKind::reserved || !field.is_used)) continue;
    std::string note = field.meaning.empty() ? "" : "  " + field.meaning;
    if (!field.is_used) note = "  of no dimension of this map";
    if (!field.field->allows(field.raw)) note += "  !";
    char line[200];
    std::snprintf(line, sizeof line, note.empty() ? "  %-20s %-20s %s" : "  %-20s %-20s %-12s%s",
                  field.name.c_str(), field.value.c_str(), field.place.c_str(), note.c_str());
    text += line;
    text += '\n';
  }
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    if (!broken[i]) continue;
    const spec::Rule& rule = spec::rule_table[i];
    text += "violates " + std::string(rule.id) + ": " + std::string(rule.words) + " [" +
            std::string(rule.cites[0].document) + ", " + std::string(rule.cites[0].place) + "]\n";
  }
  return broken.none() ? text + "no violation on " + std::string(spec::name(arch)) + "\n" : text;
}

}  // namespace assay::model
