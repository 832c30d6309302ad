// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/arch_option.h"
#include "cli/command.h"
#include "cli/json_line.h"
#include "cli/tools/map_argument.h"
#include "reference/model/tensor_map/describe.h"

namespace assay::cli::command_diff_maps {
namespace {

std::string before_word, after_word, architecture = "sm_100";
bool as_json = false;

/// A field that differs; of maps of different modes a field may stand in one of them alone.
struct Difference {
  std::string name, place;
  std::string before, after;  ///< empty: the map has no such field
  bool is_read;               ///< by the hardware
};

/// "64", or of a code what it means.
std::string value_of(const model::MapFieldWords& field) {
  if (!field.is_used) return "unused, " + field.value;
  return field.meaning.empty() ? field.value : field.meaning;
}

const model::MapFieldWords* find(const std::vector<model::MapFieldWords>& fields, const std::string& name,
                                 const std::string& place) {
  for (const model::MapFieldWords& field : fields)
    if (field.name == name && field.place == place) return &field;
  return nullptr;
}

/// Zero in a dimension that the map has not.
bool is_nothing(const model::MapFieldWords& field) {
  return field.raw == 0 && (!field.is_used || field.field->kind == spec::FieldKind::reserved);
}

bool is_read(const model::MapFieldWords& field) {
  return field.field->hardware == spec::HardwareUse::reads && field.is_used;
}

std::vector<Difference> differences(const spec::TensorMapBytes& before, const spec::TensorMapBytes& after,
                                    const spec::Readings& readings) {
  const auto from = model::map_in_words(before, readings), to = model::map_in_words(after, readings);
  std::vector<Difference> list;
  for (const model::MapFieldWords& field : from) {
    const model::MapFieldWords* const other = find(to, field.name, field.place);
    if (other == nullptr) {
      if (!is_nothing(field)) list.push_back({field.name, field.place, value_of(field), "", is_read(field)});
      continue;
    }
    if (field.raw == other->raw) continue;
    // The codes of types and swizzles have their meaning from other fields too.
    std::string a = value_of(field), b = value_of(*other);
    if (a == b) a = field.value, b = other->value;
    list.push_back({field.name, field.place, a, b, is_read(field) || is_read(*other)});
  }
  for (const model::MapFieldWords& field : to)
    if (find(from, field.name, field.place) == nullptr && !is_nothing(field))
      list.push_back({field.name, field.place, "", value_of(field), is_read(field)});
  return list;
}

void print(const std::vector<Difference>& list) {
  bool any_read = false;
  std::printf("  %-20s %-22s %-22s %s\n", "field", "A", "B", "where");
  for (const Difference& row : list) {
    std::printf("  %-20s %-22s %-22s %s%s\n", row.name.c_str(), row.before.empty() ? "-" : row.before.c_str(),
                row.after.empty() ? "-" : row.after.c_str(), row.place.c_str(),
                row.is_read ? "" : "  (not read by hardware)");
    any_read |= row.is_read;
  }
  std::printf("%zu %s%s\n", list.size(), list.size() == 1 ? "field differs" : "fields differ",
              any_read ? "" : "; hardware treats both maps the same");
}

nlohmann::json or_null(const std::string& text) {
  return text.empty() ? nlohmann::json() : nlohmann::json(text);
}

int diff_maps() {
  const spec::Readings readings(arch_option("--arch", architecture));
  const spec::TensorMapBytes before = map_argument(before_word), after = map_argument(after_word);
  const std::vector<Difference> list = differences(before, after, readings);
  if (as_json) {
    nlohmann::json document = {
        {"format", "assay-map-diff/1"},
        {"same", list.empty()},
        {"modes", {model::mode_of_map(before, readings), model::mode_of_map(after, readings)}},
        {"fields", nlohmann::json::array()}};
    for (const Difference& row : list)
      document["fields"].push_back({{"name", row.name},
                                    {"place", row.place},
                                    {"before", or_null(row.before)},
                                    {"after", or_null(row.after)},
                                    {"hardware_reads", row.is_read}});
    print_json(document);
  } else if (list.empty()) {
    std::printf("the maps are the same in all fields\n");
  } else {
    print(list);
  }
  std::fflush(stdout);
  return list.empty() ? as_expected : violation;
}

const Registered command{
    {.order = 32,
     .name = "diff-maps",
     .help = "compare two tensor maps field by field (exit code 1 if they differ)",
     .group = "Look up",
     .declare =
         [](CommandLine& line) {
           line.option("before", before_word,
                       "first map: hexadecimal, base64, a file, or - for standard input")
               .required();
           line.option("after", after_word, "second map, in any of the same forms").required();
           line.option("--arch", architecture, "architecture whose wide im2col layout is assumed")
               .offers(arch_names())
               .shows_default();
           line.flag("--json", as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = diff_maps}};

}  // namespace
}  // namespace assay::cli::command_diff_maps
