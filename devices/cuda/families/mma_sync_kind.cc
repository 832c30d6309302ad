// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/mma_sync_kind.h"

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"

namespace assay::cuda::mma_sync_kind {
namespace {

using params::MmaSyncKindRecord;

const char* wrong(const MmaSyncKindRecord& r, const MmaSyncKindRecord&, const BatchView&) {
  if (forms::opcode_of(r) == forms::Forms::none)
    return "mma.sync and mma.sp have no such kind with these elements and this scale vector";
  if (r.opcode != forms::opcode_of(r))
    return "opcode must be that of kind, elements, scale vector and sparsity";
  if (r.tiles < 1 || r.tiles > params::mma_sync_kind_most_tiles) return "tiles must be 1 to 256";
  if (r.output_bytes != 128 * r.tiles * (r.d_is_f16 != 0 ? 8 : 16))
    return "output_bytes must be those of the registers of D in 128 threads, tile after tile";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<MmaSyncKindRecord>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool) {
  if (opened.capability / 10 == 12) return std::nullopt;
  return but_has(opened, "kinds of mma.sync need compute capability 12.0");
}

void run(OpenedDevice& device, Job& job) {
  run_alike<MmaSyncKindRecord>(device, job, /*reads_arena=*/false);
}

const Family family{"mma_sync_kind", sizeof(MmaSyncKindRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::mma_sync_kind
