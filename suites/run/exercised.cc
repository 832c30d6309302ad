// SPDX-License-Identifier: Apache-2.0
#include "suites/run/exercised.h"

#include <charconv>

#include "reference/spec/rule.h"

namespace assay::suites {
namespace {

constexpr ExercisedRow exercised_table[] = {
#include "suites/run/exercised/assembler.inc"
#include "suites/run/exercised/barrier.inc"
#include "suites/run/exercised/bulk.inc"
#include "suites/run/exercised/driver.inc"
#include "suites/run/exercised/mma.inc"
#include "suites/run/exercised/mma_sync.inc"
#include "suites/run/exercised/pipeline.inc"
#include "suites/run/exercised/tma.gather4.inc"
#include "suites/run/exercised/tma.im2col.inc"
#include "suites/run/exercised/tma.im2col_w.inc"
#include "suites/run/exercised/tma.map.inc"
#include "suites/run/exercised/tma.scatter4.inc"
#include "suites/run/exercised/tma.tiled.inc"
#include "suites/run/exercised/tmem.inc"
#include "suites/run/exercised/wgmma.inc"
    {"", "", 0, ""},  // an array has at least one
};

}  // namespace

std::span<const ExercisedRow> exercised_rows() {
  return std::span(exercised_table).first(std::size(exercised_table) - 1);
}

std::vector<ExercisedRule> rules_of(const ExercisedRow& row) {
  std::vector<ExercisedRule> rules;
  for (std::string_view rest = row.counts; !rest.empty();) {
    const size_t end = std::min(rest.find(' '), rest.size()), colon = rest.find(':');
    ExercisedRule& rule = rules.emplace_back(ExercisedRule{rest.substr(0, colon), 0});
    std::from_chars(rest.data() + colon + 1, rest.data() + end, rule.cases);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return rules;
}

std::vector<std::string_view> rules_exercised_by(std::string_view property) {
  spec::RuleSet found;
  for (const ExercisedRow& row : exercised_rows())
    if (row.property == property)
      for (const ExercisedRule& rule : rules_of(row))
        if (const auto index = spec::find_rule(rule.rule)) found.set(*index);
  std::vector<std::string_view> rules;
  for (size_t i = 0; i < spec::rules().size(); ++i)
    if (found[i]) rules.push_back(spec::rules()[i].id);
  return rules;
}

}  // namespace assay::suites
