// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/tools/map_argument.h"
#include "reference/model/tensor_map/arguments.h"
#include "reference/model/tensor_map/uses.h"
#include "reference/spec/rules.h"

namespace assay::cli {
namespace {

using model::MapUse;

std::string name_of(const MapUse& use) {
  return std::string(use.copy) + (use.reduction.empty() ? "" : " ." + std::string(use.reduction));
}

std::string why_not(const MapUse& use, std::string_view arch) {
  if (use.is_missing) return "not on " + std::string(arch);
  if (!use.rule) return "undefined";
  const spec::Rule& rule = spec::rule_table[*use.rule];
  return std::string(rule.id);
}

nlohmann::json json_of(const std::vector<MapUse>& uses) {
  nlohmann::json list = nlohmann::json::array();
  for (const MapUse& use : uses) {
    nlohmann::json row = {{"copy", name_of(use)}, {"serves", use.serves}};
    if (use.transaction_bytes != 0) row["transaction_bytes"] = use.transaction_bytes;
    if (use.rule) row["rule"] = spec::rule_table[*use.rule].id;
    if (use.is_missing) row["missing"] = true;
    list.push_back(row);
  }
  return list;
}

/// A line for what it serves; then a line for each reason, and of rules their sentences.
void print_uses(const std::vector<MapUse>& uses, std::string_view arch) {
  std::string served, reductions;
  std::vector<std::string> reasons;
  std::map<std::string, std::string> of_reason;
  std::map<std::string, spec::RuleIndex> rules;
  for (const MapUse& use : uses) {
    if (use.serves && !use.reduction.empty()) {
      reductions += (reductions.empty() ? std::string(use.copy) + " ." : " .") + std::string(use.reduction);
      continue;
    }
    if (use.serves) {
      served += (served.empty() ? "" : ", ") + name_of(use);
      if (use.transaction_bytes != 0)
        served += " (" + std::to_string(use.transaction_bytes) + " transaction bytes)";
      continue;
    }
    const std::string reason = why_not(use, arch);
    std::string& names = of_reason[reason];
    if (names.empty()) reasons.push_back(reason);
    // All reductions of a copy are one name.
    const bool goes_on =
        !use.reduction.empty() && names.find(std::string(use.copy) + " .") != std::string::npos;
    names += goes_on ? " ." + std::string(use.reduction) : (names.empty() ? "" : ", ") + name_of(use);
    if (use.rule) rules[reason] = *use.rule;
  }
  if (!reductions.empty()) served += (served.empty() ? "" : ", ") + reductions;
  std::cout << "serves: " << (served.empty() ? "no copy" : served) << "\n";
  for (const std::string& reason : reasons) {
    std::cout << "does not serve: " << of_reason[reason];
    if (const auto rule = rules.find(reason); rule != rules.end())
      std::cout << "\n    " << reason << ": " << spec::rule_table[rule->second].words << "\n";
    else
      std::cout << ": " << reason << "\n";
  }
}

}  // namespace

int describe_map(const std::string& word, const std::string& target, bool as_json) {
  const spec::Arch arch = arch_option("--arch", target);
  const spec::TensorMapBytes map = map_argument(word);
  const spec::Readings readings(arch);
  const model::MapArguments arguments = model::arguments_of(map, readings);
  const bool is_whole = model::broken_rules_of_map(arguments, readings).none();
  const std::string text = model::describe_map(map, arch, as_json);
  const std::vector<MapUse> uses = is_whole ? model::uses_of_map(arguments, readings) : std::vector<MapUse>();
  if (as_json) {
    nlohmann::json document = nlohmann::json::parse(text);
    document["copies"] = json_of(uses);
    print_json(document);
    return as_expected;
  }
  std::cout << text;
  if (!is_whole) {
    std::cout << "no picture: the driver refuses these arguments, and what copies do with such a map is not "
                 "defined\n";
    return as_expected;
  }
  std::cout << picture_of_map(arguments, readings);
  print_uses(uses, spec::name(arch));
  return as_expected;
}

namespace {

std::string before_word, after_word, target = "sm_100";
bool differences_as_json = false;

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

const model::MapFieldWords* find_diff_maps(const std::vector<model::MapFieldWords>& fields,
                                           const std::string& name, const std::string& place) {
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
    const model::MapFieldWords* const other = find_diff_maps(to, field.name, field.place);
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
    if (find_diff_maps(from, field.name, field.place) == nullptr && !is_nothing(field))
      list.push_back({field.name, field.place, "", value_of(field), is_read(field)});
  return list;
}

void print_differences(const std::vector<Difference>& list) {
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

int command_diff_maps() {
  const spec::Readings readings(arch_option("--arch", target));
  const spec::TensorMapBytes before = map_argument(before_word), after = map_argument(after_word);
  const std::vector<Difference> list = differences(before, after, readings);
  if (differences_as_json) {
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
    print_differences(list);
  }
  std::fflush(stdout);
  return list.empty() ? as_expected : violation;
}

const Registered registered_diff_maps{
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
           line.option("--arch", target, "architecture whose wide im2col layout is assumed")
               .offers(arch_names())
               .shows_default();
           line.flag("--json", differences_as_json, "print one line of JSON (docs/machine_readable.md)");
         },
     .run = command_diff_maps}};

}  // namespace
}  // namespace assay::cli
