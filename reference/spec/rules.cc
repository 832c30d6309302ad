#include "reference/spec/rules.h"

namespace assay::spec {

std::span<const Rule> rules() {
  return rule_table;
}

std::optional<RuleIndex> find_rule(std::string_view id) {
  for (size_t i = 0; i < rule_table.size(); ++i)
    if (rule_table[i].id == id) return static_cast<RuleIndex>(i);
  return std::nullopt;
}

}  // namespace assay::spec
