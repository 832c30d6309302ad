// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/mma_sync.h"

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"

namespace assay::cuda::mma_sync {
namespace {

using params::MmaSyncRecord;

const char* wrong(const MmaSyncRecord& r, const MmaSyncRecord&, const BatchView&) {
  if (forms::opcode_of(r) == forms::Forms::none) return "the probes have no such form of mma.sync";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the form";
  if (r.b_words != params::mma_sync_b_words(r.form)) return "b_words must be those of the form";
  if (r.tiles < 1 || r.tiles > params::mma_sync_most_tiles) return "tiles must be 1 to 256";
  if (r.output_bytes != 128 * r.tiles * 4 * params::mma_sync_d_registers(r.form))
    return "output_bytes must be those of the registers of D in 128 threads, tile after tile";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<MmaSyncRecord>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool) {
  if (opened.capability >= 90) return std::nullopt;
  return but_has(opened, "these forms of mma.sync need compute capability 9.0");
}

void run(OpenedDevice& device, Job& job) {
  run_alike<MmaSyncRecord>(device, job, /*reads_arena=*/false);
}

const Family family{"mma_sync", sizeof(MmaSyncRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::mma_sync
