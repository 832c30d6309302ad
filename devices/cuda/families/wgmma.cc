#include "kernels/params/wgmma.h"

#include <algorithm>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/params/tiled_copy.h"

namespace assay::cuda {
namespace {

using params::MmaTypes;
using params::WgmmaRecord;

constexpr const char* kernels[] = {"wgmma_f32_f16",  "wgmma_f16_f16", "wgmma_f32_bf16",
                                   "wgmma_f32_tf32", "wgmma_fp8",     "wgmma_i8"};

size_t kernel_of(uint32_t form) {
  const MmaTypes types = params::wgmma_form_types(form);
  if (types <= MmaTypes::f32_tf32_tf32) return static_cast<size_t>(types);
  return types <= MmaTypes::f16_e5m2_e5m2 ? 4 : 5;
}

const char* wrong(const WgmmaRecord& r, const WgmmaRecord&, const BatchView&) {
  if (!params::is_wgmma_form(r.form)) return "the probes have no such form of wgmma";
  if (r.window_bytes % 16 || r.window_bytes > params::max_operand_window_bytes)
    return "window_bytes must be a multiple of 16 up to 226 KiB";
  if (r.split % 16 || r.split > r.window_bytes) return "split must be a multiple of 16 inside the window";
  if (r.output_bytes != 128 * 4 * params::wgmma_d_registers(r.form))
    return "output_bytes must be those of the registers of D in 128 threads";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<WgmmaRecord>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool) {
  if (opened.capability == 90) return std::nullopt;
  return but_has(opened, "wgmma exists on compute capability 9.0 alone");
}

void run(OpenedDevice& device, Job& job) {
  ProbePlan plan{sizeof(WgmmaRecord), false, false, {}, output_slot_of<WgmmaRecord>};
  plan.groups.resize(std::size(kernels));
  for (const uint32_t index : job.group) {
    const WgmmaRecord& r = job.record<WgmmaRecord>(index);
    ProbeGroup& group = plan.groups[kernel_of(r.form)];
    group.records.push_back(index);
    group.dynamic_shared_bytes =
        std::max(group.dynamic_shared_bytes, r.window_bytes + params::window_alignment);
  }
  for (size_t k = 0; k < std::size(kernels); ++k)
    if (!plan.groups[k].records.empty()) plan.groups[k].function = device.function("wgmma", kernels[k]);
  run_probes(device, job, std::move(plan));
}

const Family family{"wgmma", sizeof(WgmmaRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda
