#include "devices/faults/fault.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::faults {
namespace {

/// Built on first use: registrations of other files may run before this one's.
std::vector<const Fault*>& registry() {
  static std::vector<const Fault*> rows;
  return rows;
}

}  // namespace

Fault::Fault(std::string_view name, std::string_view wrong, std::string_view clause, void (*replace)(Steps&),
             const Notes& notes)
    : name(name), wrong(wrong), clause(clause), notes(notes), seam(Seam::tma) {
  // honest_steps is constant initialised, so this is right in any order of start-up.
  steps_ = emulator::honest_steps;
  replace(steps_);
  join();
}

Fault::Fault(std::string_view name, std::string_view wrong, std::string_view clause,
             void (*replace)(TensorSteps&), const Notes& notes)
    : name(name),
      wrong(wrong),
      clause(clause),
      notes(notes),
      seam(Seam::matrix),
      steps_(emulator::honest_steps) {
  replace(tensor_steps_);
  join();
}

Fault::Fault(std::string_view name, std::string_view wrong, std::string_view clause,
             void (*replace)(Tcgen05Steps&), const Notes& notes)
    : name(name),
      wrong(wrong),
      clause(clause),
      notes(notes),
      seam(Seam::tcgen05),
      steps_(emulator::honest_steps) {
  replace(tcgen05_steps_);
  join();
}

Fault::Fault(std::string_view name, std::string_view wrong, std::string_view clause,
             std::string (*spoil)(std::string_view ptx), const Notes& notes)
    : name(name), wrong(wrong), clause(clause), notes(notes), steps_(emulator::honest_steps), spoil_(spoil) {
  join();
}

void Fault::join() {
  auto& rows = registry();
  rows.insert(std::lower_bound(rows.begin(), rows.end(), this,
                               [](const Fault* a, const Fault* b) { return a->name < b->name; }),
              this);
}

std::string_view Fault::device() const {
  if (!notes.device.empty()) return notes.device;
  return seam == Seam::tma || seam == Seam::matrix ? "sm_90a" : "sm_100a";
}

std::vector<const Fault*> all() {
  return registry();
}

const Fault* find(std::string_view name) {
  for (const Fault* row : registry())
    if (row->name == name) return row;
  return nullptr;
}

std::string described() {
  std::string text;
  for (const Fault* row : registry()) {
    const nlohmann::json line = {{"name", row->name},       {"wrong", row->wrong},
                                 {"clause", row->clause},   {"device", row->device()},
                                 {"rare", row->notes.rare}, {"unobservable", row->notes.unobservable}};
    text += line.dump() + "\n";
  }
  return text;
}

std::string unknown(std::string_view name) {
  std::string text = "no fault named '" + std::string(name) + "'; there are:";
  for (const Fault* row : registry())
    text += (row == registry().front() ? " " : ", ") + std::string(row->name);
  return text;
}

}  // namespace assay::faults
