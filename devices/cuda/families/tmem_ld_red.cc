// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/tmem_ld_red.h"

#include "devices/cuda/families/tensor_memory.h"
#include "kernels/forms/records.h"

namespace assay::cuda::tmem_ld_red {
namespace {

using params::TmemLdRedRecord;

const char* wrong(const TmemLdRedRecord& r, const TmemLdRedRecord&, const BatchView&) {
  if (r.is_split > 1) return "is_split must be 0 or 1";
  if (r.count < 2 || r.count > 128 || (r.count & (r.count - 1)) != 0)
    return "count must be a power of two from 2 to 128";
  if (r.operation >= params::tmem_red_operations) return "operation must be 0 to 11";
  if (!is_allocation(r.alloc_columns)) return "alloc_columns must be 32, 64, 128, 256 or 512";
  if (r.output_bytes != 128 * params::tmem_red_words * 4) return "output_bytes must be 128 * 132 * 4";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of shape, count and operation";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<TmemLdRedRecord>(batch, wrong);
}

/// (ptxas) the target that has the instruction.
std::optional<std::string> declines(const OpenedDriver& opened, bool) {
  if (opened.capability == 103) return std::nullopt;
  return but_has(opened, "tcgen05.ld.red needs compute capability 10.3");
}

void run(OpenedDevice& device, Job& job) {
  TensorMemoryGroups groups(device);
  for (const uint32_t index : job.group) {
    const TmemLdRedRecord& r = job.record<TmemLdRedRecord>(index);
    groups.add(index, r.alloc_columns, forms::launch_of(r));
  }
  run_probes(device, job,
             {sizeof(TmemLdRedRecord), false, false, groups.take(), output_slot_of<TmemLdRedRecord>});
}

const Family family{"tmem_ld_red", sizeof(TmemLdRedRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::tmem_ld_red
