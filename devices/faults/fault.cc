#include "devices/faults/fault.h"

#include <algorithm>

namespace assay::faults {
namespace {

/// Built on first use: registrations of other files may run before this one's.
std::vector<const Fault*>& registry() {
  static std::vector<const Fault*> rows;
  return rows;
}

}  // namespace

Fault::Fault(std::string_view name, std::string_view wrong, std::string_view clause, void (*replace)(Steps&))
    : name(name), wrong(wrong), clause(clause) {
  // honest_steps is constant initialised, so this is right in any order of start-up.
  steps_ = emulator::honest_steps;
  replace(steps_);
  auto& rows = registry();
  rows.insert(std::lower_bound(rows.begin(), rows.end(), this,
                               [](const Fault* a, const Fault* b) { return a->name < b->name; }),
              this);
}

std::vector<const Fault*> all() {
  return registry();
}

const Fault* find(std::string_view name) {
  for (const Fault* row : registry())
    if (row->name == name) return row;
  return nullptr;
}

std::string unknown(std::string_view name) {
  std::string text = "no fault named '" + std::string(name) + "'; there are:";
  for (const Fault* row : registry())
    text += (row == registry().front() ? " " : ", ") + std::string(row->name);
  return text;
}

}  // namespace assay::faults
