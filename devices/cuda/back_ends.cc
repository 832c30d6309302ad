// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "devices/cuda/facts.h"
#include "devices/cuda/sandbox.h"
#include "reference/spec/arch.h"

namespace assay::cuda {
namespace {

std::string canonical_spec(std::string_view spec) {
  return parse_device_spec(spec).text;
}
std::unique_ptr<Device> open_sandbox(std::string_view spec, const DeviceLimits& limits) {
  return std::make_unique<Sandbox>(parse_device_spec(spec), limits);
}

std::string gpu_grammar() {
  return "cuda:N";
}
std::vector<DeviceProbe> probe_gpus() {
  std::vector<DeviceProbe> gpus = probe("cuda");
  DeviceProbe& first = gpus.front();
  if (!first.available)
    first = {"cuda:0", false, first.detail.empty() ? "the driver shows no GPU" : first.detail};
  return gpus;
}

std::string emulator_grammar() {
  return "emulator[:" + spec::listed(spec::target_text, spec::from(0), "|", "|") +
         "][,schedule=eager|lazy|random:SEED][,tmem_base=lowest|random][,strict][,reading=ID:LETTER]"
         "[,fault=NAME]";
}
std::vector<DeviceProbe> probe_emulator() {
  DeviceProbe found = probe("emulator").front();
  found.spec = "emulator";
  if (!found.available && found.detail.empty()) found.detail = "the emulator shows no GPU";
  return {found};
}

constexpr BackEnd back_end_rows[] = {
    {"cuda", gpu_grammar, true, canonical_spec, probe_gpus, open_sandbox},
    {"emulator", emulator_grammar, false, canonical_spec, probe_emulator, open_sandbox},
};

}  // namespace
}  // namespace assay::cuda

namespace assay {

std::span<const BackEnd> back_ends() {
  return cuda::back_end_rows;
}

const BackEnd* find_back_end(std::string_view spec) {
  for (const BackEnd& row : back_ends())
    if (spec.substr(0, spec.find(':')) == row.prefix) return &row;
  return nullptr;
}

std::string device_grammar() {
  std::string list;
  for (const BackEnd& row : back_ends())
    list += (list.empty() ? "" : &row == &back_ends().back() ? " or " : ", ") + row.grammar();
  return list;
}

namespace {

const BackEnd& back_end_of(std::string_view spec) {
  if (const BackEnd* row = find_back_end(spec)) return *row;
  const std::string name(spec);
  throw DeviceSpecError("device '" + name + "': '" + name + "' is not " + device_grammar());
}

}  // namespace

std::vector<DeviceProbe> probe_devices() {
  std::vector<DeviceProbe> all;
  for (const BackEnd& row : back_ends())
    for (DeviceProbe& probe : row.probe()) all.push_back(std::move(probe));
  return all;
}

std::vector<std::string> resolve_devices(std::string_view selection) {
  if (selection != "auto" && selection != "all") return {back_end_of(selection).canonical(selection)};
  std::vector<DeviceProbe> found;
  std::string why;
  for (const BackEnd& row : back_ends()) {
    if (!row.is_silicon) continue;
    for (DeviceProbe& probe : row.probe())
      if (probe.available)
        found.push_back(std::move(probe));
      else
        why += (why.empty() ? "" : "; ") + probe.detail;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const DeviceProbe& a, const DeviceProbe& b) { return a.rank > b.rank; });
  std::vector<std::string> specs;
  for (const DeviceProbe& probe : found) specs.push_back(probe.spec);
  if (selection == "all") {
    if (specs.empty()) throw DeviceError("device 'all' means every GPU, and there is none: " + why);
    return specs;
  }
  if (!found.empty() && found.front().rank > 0) return {specs.front()};
  return {back_end_of("emulator").canonical("emulator")};
}

std::unique_ptr<Device> open_device(std::string_view spec, const DeviceLimits& limits) {
  const std::string named = spec == "auto" ? resolve_devices(spec).front() : std::string(spec);
  return back_end_of(named).open(named, limits);
}

}  // namespace assay
