// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/assembler.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>

#include "devices/cuda/families/family.h"
#include "devices/cuda/ptxas.h"
#include "kernels/forms/assembler/spellings.h"
#include "kernels/forms/expand.h"

/// Two families of the same records: what ptxas takes, and what the driver's own compiler takes when it loads
/// a module.
namespace assay::cuda {
namespace {

using params::AssemblerRecord;

constexpr Result invalid_ptx = 218;  // CUDA_ERROR_INVALID_PTX

const char* wrong_assembler(const AssemblerRecord& r, const AssemblerRecord&, const BatchView& batch) {
  if (r.table >= forms::spelling_tables().size()) return "table must be that of a table of spellings";
  if (r.number >= forms::spellings(r.table).forms().size())
    return "number must be that of a spelling of the table";
  const std::string_view target = forms::name_of(static_cast<forms::Targets>(r.target));
  if (target.empty() || target.substr(0, target.size() - 1) != batch.architecture)
    return "target must be that of the device";
  if (r.output_bytes != params::assembler_answer_bytes) return "output_bytes must be 4";
  return nullptr;
}

/// The target of a device, which each record has too.
forms::Targets target_of(std::string_view architecture) {
  const std::optional<spec::Arch> arch = spec::parse_arch(architecture);
  return arch ? forms::target_of(*arch) : forms::Targets{};
}
forms::Targets target_of(const OpenedDriver& opened) {
  return target_of("sm_" + std::to_string(opened.capability));
}

void answer(Job& job, uint32_t index, uint32_t word) {
  std::memcpy(job.memory.output + job.record<AssemblerRecord>(index).output_offset, &word, sizeof word);
  job.memory.ends[index] = {static_cast<int32_t>(Ended::done), 0, ~0u, 0};
}

// ---- the driver

std::optional<std::string> driver_declines(const OpenedDriver& opened, bool) {
  if (target_of(opened) == forms::Targets{})
    return "there are no tables of spellings for compute capability " +
           std::to_string(opened.capability / 10) + "." + std::to_string(opened.capability % 10);
  return std::nullopt;
}

void run_driver(OpenedDevice& device, Job& job) {
  device.enter();
  for (const uint32_t index : job.group) {
    const AssemblerRecord& r = job.record<AssemblerRecord>(index);
    const auto target = static_cast<forms::Targets>(r.target);
    const forms::Spellings& all = forms::spellings(r.table);
    const std::string text =
        forms::module_head(target, all.ptx(r.number, target)) + all.entry(r.number, "assembled_form");
    ModuleHandle module = nullptr;
    job.note_call(index);
    const Result result = device.driver.module_load(&module, text.c_str());
    if (result != 0 && result != invalid_ptx && result != unsupported_ptx_version)
      check(device.driver, result, "cuModuleLoadData");
    if (result == 0) check(device.driver, device.driver.module_unload(module), "cuModuleUnload");
    answer(job, index, result == unsupported_ptx_version ? params::not_assembled : uint32_t{result == 0});
  }
  job.clear_call();
}

// ---- ptxas

std::optional<std::string> ptxas_family_declines(const OpenedDriver& opened, bool emulator) {
  return target_of(opened) == forms::Targets{} ? driver_declines(opened, emulator) : std::nullopt;
}

std::optional<std::string> ptxas_host_declines(std::string_view architecture) {
  return ptxas_declines(find_ptxas(), target_of(architecture));
}

void run_ptxas_family(OpenedDevice& device, Job& job) {
  const std::vector<std::string> all = find_ptxas();
  const forms::Targets target = target_of(device);
  std::vector<AskedSpelling> asked;
  for (const uint32_t index : job.group) {
    const AssemblerRecord& r = job.record<AssemblerRecord>(index);
    asked.push_back({r.table, r.number});
  }
  // Modules of some hundred spellings, on several cores at a time.
  constexpr size_t least_each = 128;
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const size_t parts = std::clamp<size_t>(asked.size() / least_each, 1, cores);
  std::vector<std::vector<std::vector<Taken>>> taken(parts);
  std::vector<std::exception_ptr> failures(parts);
  std::vector<std::thread> threads;
  const auto first_of = [&](size_t part) { return part * asked.size() / parts; };
  for (size_t part = 0; part < parts; ++part)
    threads.emplace_back([&, part] {
      try {
        for (const std::string& ptxas : all)
          taken[part].push_back(assembled_by(
              ptxas, target, std::span(asked).subspan(first_of(part), first_of(part + 1) - first_of(part))));
      } catch (...) {
        failures[part] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  size_t at = 0;
  for (const std::vector<std::vector<Taken>>& part : taken)
    for (size_t i = 0; i < part.front().size(); ++i) {
      std::vector<Taken> said;
      for (const std::vector<Taken>& one : part) said.push_back(one[i]);
      answer(job, job.group[at++], combined(said));
    }
}

const RegisterFamily driver(family_of<AssemblerRecord, wrong_assembler>("assembler_driver", driver_declines,
                                                                        run_driver));
const RegisterFamily ptxas([] {
  Family made =
      family_of<AssemblerRecord, wrong_assembler>("assembler_ptxas", ptxas_family_declines, run_ptxas_family);
  made.host_declines = ptxas_host_declines;
  return made;
}());

}  // namespace
}  // namespace assay::cuda
