#include "cli/describe_property.h"

#include <algorithm>
#include <ostream>

#include "suites/run/property.h"

namespace assay::cli {

bool describe_property(std::string_view name, std::ostream& out) {
  const suites::Property* property = suites::find_property(name);
  if (property == nullptr) return false;
  out << property->name << "\n  claim     " << property->claim << "\n  rules    ";
  for (std::string_view rule : property->rules) out << ' ' << rule;
  if (property->rules.empty()) out << " none known to be exercised";
  out << '\n';
  for (const suites::CellSpace& space : property->spaces)
    out << "  coverage  " << space.dimension << ", " << space.count << " cells\n";
  if (property->most_on_silicon != 0)
    out << "  limit     with --cases at most " << property->most_on_silicon << " cases on silicon, "
        << property->most_on_emulator
        << " on the emulator: " << (property->is_sacrificial() ? "each costs a process" : "they are slow")
        << "; by time, no limit\n";
  return true;
}

std::vector<std::string_view> properties_of_rule(std::string_view rule) {
  std::vector<std::string_view> names;
  for (const suites::Property* property : suites::all_properties())
    if (std::find(property->rules.begin(), property->rules.end(), rule) != property->rules.end())
      names.push_back(property->name);
  return names;
}

}  // namespace assay::cli
