// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/wgmma.h"

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"
#include "kernels/params/arena.h"

namespace assay::cuda::wgmma {
namespace {

using params::WgmmaRecord;

const char* wrong(const WgmmaRecord& r, const WgmmaRecord&, const BatchView&) {
  if (forms::opcode_of(r) == forms::Forms::none) return "the probes have no such form of wgmma";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the form";
  if (r.warpgroup > 1) return "warpgroup must be 0 or 1";
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
  run_alike<WgmmaRecord>(device, job, /*reads_arena=*/false);
}

const Family family{"wgmma", sizeof(WgmmaRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::wgmma
