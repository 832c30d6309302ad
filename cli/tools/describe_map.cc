// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/describe_map.h"

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/arch_option.h"
#include "cli/command.h"
#include "cli/json_line.h"
#include "cli/tools/map_argument.h"
#include "cli/tools/map_picture.h"
#include "reference/model/tensor_map/describe.h"
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

int describe_map(const std::string& word, const std::string& architecture, bool as_json) {
  const spec::Arch arch = arch_option("--arch", architecture);
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

}  // namespace assay::cli
