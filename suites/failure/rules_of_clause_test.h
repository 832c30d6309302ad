// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "reference/spec/rules.h"

namespace assay::suites {

/// Rules that a clause of a fault means: a rule's id, or the measurements that rules cite.
inline std::set<std::string> rules_of_clause(const std::string& clause) {
  if (spec::find_rule(clause)) return {clause};
  std::set<std::string> rules;
  for (const spec::Rule& rule : spec::rules())
    for (const spec::Cite& cite : rule.cites) {
      const std::string place(cite.place);
      for (size_t at = place.find(clause); at != place.npos; at = place.find(clause, at + 1)) {
        const size_t end = at + clause.size();
        if (end == place.size() || place[end] == ',' || place[end] == ';') rules.emplace(rule.id);
      }
    }
  return rules;
}

}  // namespace assay::suites
