// SPDX-License-Identifier: Apache-2.0
#include "suites/run/exercised.h"

#include <optional>

#include "reference/spec/rule.h"

namespace assay::suites {
namespace {

/// Rules of the first cases, architecture by architecture, until `rule` is among them (none: to the end).
spec::RuleSet counted_rules(const Property& property, uint64_t cases, std::optional<size_t> rule) {
  spec::RuleSet found;
  Scratch scratch;
  Expected expected;
  Case c;
  for (const spec::Arch arch : spec::all_archs) {
    if (property.declines != nullptr && property.declines(arch)) continue;
    if (rule && !spec::rules()[*rule].applies[static_cast<size_t>(arch)]) continue;
    const spec::Readings readings(arch);
    for (uint64_t index = 0; index < cases; ++index) {
      property.generate(1, property.name, index, arch, c);
      property.family().predict(c, readings, scratch, expected);
      if (expected.end != model::End::undefined) found |= expected.rules;  // else demands nothing
      if (rule && found[*rule]) return found;
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> rules_exercised_by(const Property& property, uint64_t cases) {
  const spec::RuleSet found = counted_rules(property, cases, std::nullopt);
  std::vector<std::string> rules;
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (found[i]) rules.emplace_back(spec::rules()[i].id);
  return rules;
}

bool exercises(const Property& property, size_t rule) {
  return counted_rules(property, most_counted, rule)[rule];
}

}  // namespace assay::suites
