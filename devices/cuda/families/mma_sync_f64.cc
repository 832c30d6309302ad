// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/mma_sync_f64.h"

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"

namespace assay::cuda::mma_sync_f64 {
namespace {

using params::MmaSyncF64Record;

const char* wrong(const MmaSyncF64Record& r, const MmaSyncF64Record&, const BatchView&) {
  if (forms::opcode_of(r) == forms::Forms::none)
    return "mma.sync on f64 has the shapes m8n8k4, m16n8k4, m16n8k8 and m16n8k16";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the shape";
  if (r.tiles < 1 || r.tiles > params::mma_sync_f64_most_tiles) return "tiles must be 1 to 64";
  if (r.output_bytes != 128 * r.tiles * 8 * (r.m / 4))
    return "output_bytes must be those of the registers of D in 128 threads, tile after tile";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<MmaSyncF64Record>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool) {
  if (opened.capability >= 90) return std::nullopt;
  return but_has(opened, "these shapes of mma.sync need compute capability 9.0");
}

void run(OpenedDevice& device, Job& job) {
  run_alike<MmaSyncF64Record>(device, job, /*reads_arena=*/false);
}

const Family family{"mma_sync_f64", sizeof(MmaSyncF64Record), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::mma_sync_f64
