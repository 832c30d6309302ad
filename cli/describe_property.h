#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

namespace assay::cli {

/// Prints the property of that name; false if there is none.
bool describe_property(std::string_view name, std::ostream& out);

/// Names of the properties that exercise a rule.
std::vector<std::string_view> properties_of_rule(std::string_view rule);

}  // namespace assay::cli
