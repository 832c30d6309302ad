#include "reference/model/map_arguments.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "reference/model/im2col_legality.h"
#include "reference/model/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/wide_map_bits.h"

namespace assay::model {
namespace {

namespace map_fields = spec::tensor_map;

constexpr uint32_t no_enumerator = 255;

/// A map of the wide encoder has bits of its own where that encoder writes maps of its own.
bool is_wide(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  return readings.chosen(spec::question("X-13")) == 'A' && get_raw(bytes, map_fields::mode) != 0 &&
         get_raw(bytes, map_fields::wide) != 0;
}

/// What corners the map has: how many axes, and of which rank their width is.
struct Corners {
  uint32_t axes;
  int rank;
};
Corners corners_of(const spec::TensorMapBytes& bytes, bool wide) {
  const auto rank = static_cast<uint32_t>(get(bytes, map_fields::rank));
  if (wide) return {1, 3};
  return {spatial_axes(rank), static_cast<int>(rank)};
}

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
        spec::find_data_type_by_code(static_cast<uint32_t>(raw), get_raw(bytes, map_fields::tf32) != 0);
    return type == nullptr ? "no type" : std::string(type->name);
  }
  if (field.name == "swizzle_width") {
    const auto* swizzle = spec::find_swizzle_by_code(
        static_cast<uint32_t>(raw), static_cast<uint32_t>(get_raw(bytes, map_fields::swizzle_atomicity)),
        get_raw(bytes, map_fields::swizzle_96B) != 0);
    return swizzle == nullptr ? "no swizzle" : std::string(swizzle->name);
  }
  return {};
}

bool is_used(const spec::TensorMapBytes& bytes, const spec::Field& field) {
  const auto rank = static_cast<int>(get(bytes, map_fields::rank));
  if (field.index < 0 || field.name.ends_with("corner")) return true;
  return field.index < (field.name == "global_stride" ? rank - 1 : rank);
}

std::string value_of(const spec::TensorMapBytes& bytes, const spec::Field& field) {
  const uint64_t raw = get_raw(bytes, field);
  if (field.name.ends_with("corner"))  // its width says the rank that it is written as
    for (const int rank : {3, 4, 5})
      if (field.width() == map_fields::corner_bits(rank))
        return std::to_string(map_fields::signed_corner(raw, rank));
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

std::string mode_of(const spec::TensorMapBytes& bytes, bool wide) {
  if (!wide) return meaning_of(bytes, map_fields::mode);
  return get_raw(bytes, map_fields::wide_128) != 0 ? "im2col::w::128" : "im2col::w";
}

nlohmann::ordered_json described(const spec::TensorMapBytes& bytes, const spec::Readings& readings,
                                 const spec::RuleSet& broken) {
  nlohmann::ordered_json json;
  json["descriptor"] = "tensor_map";
  json["mode"] = mode_of(bytes, is_wide(bytes, readings));
  if (is_wide(bytes, readings)) json["layout"] = "emulated driver";
  json["fields"] = nlohmann::ordered_json::array();
  for (const spec::Field& field : fields_of(bytes, readings)) {
    const uint64_t raw = get_raw(bytes, field);
    nlohmann::ordered_json row;
    row["name"] = label(field);
    row["lsb"] = field.parts[0].lsb;
    row["width"] = field.width();
    row["raw"] = raw;
    row["value"] = value_of(bytes, field);
    if (const std::string meaning = meaning_of(bytes, field); !meaning.empty()) row["meaning"] = meaning;
    row["legal"] = field.allows(raw);
    json["fields"].push_back(row);
  }
  json["violations"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (broken[i])
      json["violations"].push_back({{"rule", spec::rule_table[i].id}, {"words", spec::rule_table[i].words}});
  return json;
}

}  // namespace

MapArguments arguments_of(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  MapArguments arguments;
  TensorMapArgs& m = arguments.map.base;
  arguments.is_im2col = get_raw(bytes, map_fields::mode) != 0;
  m.rank = static_cast<uint32_t>(get(bytes, map_fields::rank));
  const auto* type = spec::find_data_type_by_code(static_cast<uint32_t>(get_raw(bytes, map_fields::type)),
                                                  get_raw(bytes, map_fields::tf32) != 0);
  m.data_type = type == nullptr ? no_enumerator : type->host;
  const auto* swizzle =
      spec::find_swizzle_by_code(static_cast<uint32_t>(get_raw(bytes, map_fields::swizzle_width)),
                                 static_cast<uint32_t>(get_raw(bytes, map_fields::swizzle_atomicity)),
                                 get_raw(bytes, map_fields::swizzle_96B) != 0);
  m.swizzle = swizzle == nullptr ? no_enumerator : swizzle->host;
  m.interleave = static_cast<uint32_t>(get_raw(bytes, map_fields::interleave));
  m.oob_fill = static_cast<uint32_t>(get_raw(bytes, map_fields::fill));
  m.l2_promotion = static_cast<uint32_t>(get_raw(bytes, map_fields::l2_promotion));
  m.global_address = get(bytes, map_fields::global_address);
  for (uint32_t i = 0; i < 5; ++i) {
    m.global_dim[i] = get(bytes, map_fields::global_dim[i]);
    m.element_stride[i] = static_cast<uint32_t>(get(bytes, map_fields::element_stride[i]));
    if (i < 4) m.global_stride[i] = get(bytes, map_fields::global_stride[i]);
  }
  if (!arguments.is_im2col) {
    for (uint32_t i = 0; i < 5; ++i) m.box_dim[i] = static_cast<uint32_t>(get(bytes, map_fields::box_dim[i]));
    return arguments;
  }
  arguments.map.channels = static_cast<uint32_t>(get(bytes, map_fields::channels));
  arguments.map.pixels = static_cast<uint32_t>(get(bytes, map_fields::pixels));
  const bool wide = is_wide(bytes, readings);
  arguments.map.wide = wide;
  if (wide) arguments.map.wide_mode = static_cast<uint32_t>(get_raw(bytes, map_fields::wide_128));
  const Corners corners = corners_of(bytes, wide);
  for (uint32_t k = 0; k < corners.axes; ++k) {
    const auto corner = [&](bool upper) {
      return map_fields::signed_corner(
          get_raw(bytes, map_fields::corner_at(corners.rank, static_cast<int>(k), upper)), corners.rank);
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
  if (get_raw(bytes, map_fields::mode) == 0) return map_fields::tiled_fields;
  if (is_wide(bytes, readings)) return map_fields::wide_fields;
  const auto rank = static_cast<int>(get(bytes, map_fields::rank));
  return map_fields::im2col_fields_of(rank < 3 || rank > 5 ? 4 : rank);
}

spec::RuleSet broken_rules_of_map(const MapArguments& arguments, const spec::Readings& readings) {
  const TensorMapArgs& m = arguments.map.base;
  spec::RuleSet broken =
      arguments.is_im2col ? broken_map_rules(arguments.map, readings) : broken_map_rules(m, readings);
  for (uint32_t i = 0; i < m.rank && i < 5; ++i)
    if (m.global_dim[i] > spec::max_usable_global_dim) broken.set(spec::rule("TILE-R25"));
  if (m.global_address >= spec::global_address_end) broken.set(spec::rule("V-49"));
  return broken;
}

spec::RuleSet broken_rules_of_map(const spec::TensorMapBytes& bytes, const spec::Readings& readings) {
  return broken_rules_of_map(arguments_of(bytes), readings);
}

std::string describe_map(const spec::TensorMapBytes& bytes, spec::Arch arch, bool json) {
  const spec::Readings readings(arch);
  const bool wide = is_wide(bytes, readings);
  const spec::RuleSet broken = broken_rules_of_map(arguments_of(bytes, readings), readings);
  if (json) return described(bytes, readings, broken).dump(2);
  std::string text = mode_of(bytes, wide) + " tensor map\n";
  if (wide)
    text +=
        "  no document tells how a driver writes a wide map; this is how the emulated driver does (fields "
        "wide, "
        "wide_128, corners)\n";
  for (const spec::Field& field : fields_of(bytes, readings)) {
    const uint64_t raw = get_raw(bytes, field);
    // What is 0 where nothing lies, or belongs to no dimension, is not worth a line.
    if (raw == 0 && (field.kind == spec::FieldKind::reserved || !is_used(bytes, field))) continue;
    const std::string meaning = meaning_of(bytes, field);
    std::string note = meaning.empty() ? "" : "  " + meaning;
    if (!is_used(bytes, field)) note = "  of no dimension of this map";
    char line[200];
    std::snprintf(line, sizeof line, "  %-20s %-20s %-12s%s%s\n", label(field).c_str(),
                  value_of(bytes, field).c_str(), place_of(field).c_str(), note.c_str(),
                  field.allows(raw) ? "" : "  !");
    text += line;
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
