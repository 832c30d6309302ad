// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/commands/completion.h"
#include "cli/terminal.h"
#include "cli/tools/encode_call.h"
#include "devices/cuda/images.h"
#include "devices/cuda/ptxas.h"
#include "devices/device.h"
#include "reference/spec/arch.h"
#include "reports/text.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

namespace assay::cli {
namespace {

std::string resources_file;
bool doctor_as_json = false;
nlohmann::json document = {{"format", "assay-doctor/1"}, {"items", nlohmann::json::array()}};

void doctor_show(bool is_there, const std::string& what, const std::string& detail) {
  if (doctor_as_json)
    document["items"].push_back({{"item", what}, {"available", is_there}, {"detail", detail}});
  else
    std::printf("%-3s %-22s %s\n", is_there ? "yes" : "no", what.c_str(), detail.c_str());
}

/// First line of what a command prints that holds `word`, or nothing.
std::string line_with(const std::string& doctor_command, const std::string& word) {
  FILE* pipe = popen((doctor_command + " 2>/dev/null </dev/null").c_str(), "r");
  if (pipe == nullptr) return {};
  std::string found;
  std::array<char, 512> line;
  while (fgets(line.data(), line.size(), pipe) != nullptr)
    if (const std::string text = line.data(); found.empty() && text.find(word) != std::string::npos)
      found = text.substr(0, text.find('\n'));
  pclose(pipe);
  return found;
}

/// Nobody has to have one: it makes cubins for GPUs, and compiles the stand-alone programs of failures.
void show_toolkit() {
  for (const char* compiler : {"nvcc", "/usr/local/cuda/bin/nvcc"})
    if (const std::string line = line_with(std::string(compiler) + " --version", "release"); !line.empty())
      return doctor_show(true, "CUDA Toolkit", std::string(compiler) + ": " + line);
  doctor_show(false, "CUDA Toolkit", "nvcc is neither on the PATH nor in /usr/local/cuda/bin");
}

void show_kernels() {
  std::string targets;
  for (const spec::Arch arch : spec::all_archs) {
    const AssayKernelImage* image =
        cuda::find_image("tensor_copy", spec::capability(arch), /*takes_cubin=*/true);
    if (image != nullptr && std::string_view(image->kind) == "cubin")
      targets += (targets.empty() ? "" : ", ") + std::string(image->target);
  }
  if (targets.empty())
    doctor_show(false, "cubins",
                "this program was built without nvcc 13: a GPU's driver compiles the PTX text");
  else
    doctor_show(true, "cubins", targets);
}

/// Each assembler, with the newest version that it has for any target, and the targets that it lacks.
void show_assemblers() {
  for (const std::string& ptxas : cuda::find_ptxas()) try {
      uint8_t newest = 0;
      std::string lacks;
      for (const spec::Arch arch : spec::all_archs) {
        const uint8_t ptx = cuda::newest_ptx(ptxas, forms::target_of(arch));
        newest = std::max(newest, ptx);
        if (ptx == 0) lacks += (lacks.empty() ? "; without " : ", ") + std::string(spec::row_of(arch).target);
      }
      doctor_show(newest != 0, "assembler", ptxas + ": PTX " + forms::ptx_text(newest) + lacks);
    } catch (const std::runtime_error& wrong) {
      doctor_show(false, "assembler", wrong.what());
    }
}

/// "bulk.*, tma.tiled.load" of some properties among others: an area of which all are there by its name.
std::string by_area(const std::set<std::string_view>& names, const std::set<std::string_view>& among) {
  const auto area_of = [](std::string_view name) { return name.substr(0, name.find('.')); };
  std::map<std::string_view, size_t> all, some;
  for (const std::string_view name : among) ++all[area_of(name)];
  for (const std::string_view name : names) ++some[area_of(name)];
  std::set<std::string> words;
  for (const std::string_view name : names) {
    const std::string_view area = area_of(name);
    words.insert(some[area] == all[area] ? std::string(area) + ".*" : std::string(name));
  }
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// For which properties a driver must be how new, on each architecture.
void show_least_drivers() {
  for (const spec::Arch arch : spec::all_archs) {
    std::map<uint8_t, std::set<std::string_view>> by_version;
    std::set<std::string_view> all;
    for (const suites::Property* property : suites::all_properties()) {
      const char* const module = cuda::module_of(property->family().name());
      if (module == nullptr || (property->declines != nullptr && property->declines(arch))) continue;
      if (const uint8_t ptx = cuda::declared_ptx(module, spec::capability(arch)); ptx != 0)
        by_version[ptx].insert(property->name), all.insert(property->name);
    }
    for (const auto& [ptx, names] : by_version)
      if (const auto release = cuda::release_with(ptx))
        doctor_show(true, "least driver, " + std::string(spec::name(arch)),
                    words(*release) + ": " + by_area(names, all));
  }
}

/// Of the first GPU: all of a machine have one driver. "yes": without the defect.
void show_encoder(const std::vector<DeviceProbe>& probes) {
  for (const DeviceProbe& probe : probes) {
    if (!probe.available || !probe.spec.starts_with("cuda:")) continue;
    const EncoderDefect answer = ask_for_bit_85(probe.spec);
    return doctor_show(answer.is_known && !answer.is_there, "sound encoder, " + probe.spec, answer.words);
  }
}

int run_doctor() {
  const std::vector<DeviceProbe> probes = probe_devices();
  if (!resources_file.empty()) {
    report::write_whole_file(resources_file, ctest_resources(probes));
    return as_expected;
  }
  bool any = false;
  for (const DeviceProbe& probe : probes) {
    doctor_show(probe.available, probe.spec, probe.detail);
    any |= probe.available;
  }
  show_encoder(probes);
  show_toolkit();
  show_kernels();
  show_assemblers();
  show_least_drivers();
  if (doctor_as_json) print_json(document);
  return any ? as_expected : could_not_run;
}

const Registered doctor_command{
    {.order = 60,
     .name = "doctor",
     .help = "show devices, drivers and toolkit, and why any of them is missing",
     .group = "Look up",
     .declare =
         [](CommandLine& line) {
           line.flag("--json", doctor_as_json, "print one line of JSON (docs/machine_readable.md)");
           line.option("--ctest-resources", resources_file,
                       "write the GPUs as CTest's resource spec: ctest --resource-spec-file FILE");
         },
     .run = run_doctor}};

}  // namespace
}  // namespace assay::cli
