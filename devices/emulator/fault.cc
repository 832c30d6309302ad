// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/fault.h"

#include <algorithm>

namespace assay::emulator {
namespace {

/// Built on first use: registrations of other files may run before this one's.
std::vector<const Fault*>& registry() {
  static std::vector<const Fault*> rows;
  return rows;
}

/// The table of the fault that the settings name, or the honest one.
template <typename Table>
const Table& table_for(const Settings& settings, const Table& honest, const Table& (Fault::*table)() const) {
  const Fault* fault = settings.fault.empty() ? nullptr : find_fault(settings.fault);
  return fault == nullptr ? honest : (fault->*table)();
}

}  // namespace

Fault::Fault(std::string_view name, std::string_view wrong, std::string_view clause,
             std::string_view caught_by, Seam seam, const FaultNotes& notes)
    : name(name), wrong(wrong), clause(clause), caught_by(caught_by), notes(notes), seam(seam) {
  add_fault(*this);
}

std::string_view Fault::device() const {
  if (!notes.device.empty()) return notes.device;
  for (const Target target : spec::all_archs)
    if (notes.mechanism != nullptr && facts_of(target).*notes.mechanism) return target_name(target);
  return seam == Seam::tma || seam == Seam::matrix ? "sm_90a" : "sm_100a";
}

std::vector<std::string> Fault::devices() const {
  const std::string_view first = device().substr(0, device().find(','));
  const std::string settings(device().substr(first.size()));
  // wgmma is Hopper's; of all else, what one architecture has, the later ones of its line have too. Those
  // without tensor memory are of another line, on which what the rows name is met.
  const bool is_of_wgmma =
      seam == Seam::matrix && (tensor_steps_.wgmma != nullptr || tensor_steps_.descriptor != nullptr);
  std::vector<std::string> devices;
  bool has_come = false;
  for (const Target target : spec::all_archs) {
    const std::string_view architecture = target_name(target);
    has_come |= architecture == first;
    if (notes.mechanism != nullptr) {
      if (facts_of(target).*notes.mechanism) devices.push_back(std::string(architecture) + settings);
      continue;
    }
    if (!has_tensor_memory(target) && architecture != first) continue;
    if (has_come && (architecture == first || !(notes.alone || is_of_wgmma)))
      devices.push_back(std::string(architecture) + settings);
  }
  return devices;
}

void add_fault(const Fault& fault) {
  auto& rows = registry();
  rows.insert(std::lower_bound(rows.begin(), rows.end(), &fault,
                               [](const Fault* a, const Fault* b) { return a->name < b->name; }),
              &fault);
}

const std::vector<const Fault*>& all_faults() {
  return registry();
}

const Fault* find_fault(std::string_view name) {
  for (const Fault* row : registry())
    if (row->name == name) return row;
  return nullptr;
}

const Steps& steps_for(const Settings& settings) {
  return table_for(settings, honest_steps, &Fault::steps);
}
const TensorSteps& tensor_steps_for(const Settings& settings) {
  return table_for(settings, honest_tensor_steps, &Fault::tensor_steps);
}
const Tcgen05Steps& tcgen05_steps_for(const Settings& settings) {
  return table_for(settings, honest_tcgen05_steps, &Fault::tcgen05_steps);
}

}  // namespace assay::emulator
