// SPDX-License-Identifier: Apache-2.0
#include "cli/device_option.h"

#include <algorithm>
#include <set>
#include <vector>

#include "reference/spec/near_names.h"
#include "reference/spec/question.h"

namespace assay::cli {
namespace {

void check_fault(const std::string& spec, std::string_view name) {
  const std::vector<FaultRow> faults = emulator_faults();
  if (std::none_of(faults.begin(), faults.end(), [&](const FaultRow& fault) { return fault.name == name; }))
    throw DeviceSpecError("device '" + spec + "': " + unknown_fault(faults, name));
}

void check_reading(const std::string& spec, std::string_view text) {
  const std::string_view id = text.substr(0, text.rfind(':'));
  const char letter = text.back();
  const auto index = spec::find_question(id);
  if (!index) {
    std::vector<std::string_view> ids;
    for (const spec::Question& question : spec::questions()) ids.push_back(question.id);
    throw DeviceSpecError("device '" + spec + "': unknown open question '" + std::string(id) + "'" +
                          spec::did_you_mean(id, ids));
  }
  const spec::Question& question = spec::questions()[*index];
  std::string letters;
  for (int i = 0; i < question.reading_count(); ++i) {
    if (question.readings[i].letter == letter) return;
    letters += (i == 0 ? "" : ", ") + std::string(1, question.readings[i].letter);
  }
  throw DeviceSpecError("device '" + spec + "': " + std::string(id) + " has no reading '" +
                        std::string(1, letter) + "'; its readings are " + letters);
}

/// Of an emulated device.
void check_names(const std::string& device) {
  constexpr std::string_view fault = "fault=", reading = "reading=";
  std::string_view rest = device;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    if (word.starts_with(fault)) check_fault(device, word.substr(fault.size()));
    if (word.starts_with(reading)) check_reading(device, word.substr(reading.size()));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

}  // namespace

std::string unknown_fault(std::span<const FaultRow> faults, std::string_view name) {
  std::set<std::string_view> names;  // a fault has a row for each architecture
  for (const FaultRow& fault : faults) names.insert(fault.name);
  const std::string near = spec::did_you_mean(name, std::vector(names.begin(), names.end()));
  return "unknown fault '" + std::string(name) + "'" +
         (near.empty() ? "; 'assay faults --list' lists the faults" : near);
}

std::vector<std::string> devices_named(const std::vector<std::string>& selections) {
  std::vector<std::string> devices;
  for (const std::string& selection : selections)
    for (std::string& device : resolve_devices(selection)) {
      if (device.starts_with("emulator")) check_names(device);
      if (std::find(devices.begin(), devices.end(), device) == devices.end())
        devices.push_back(std::move(device));
    }
  return devices;
}

}  // namespace assay::cli
