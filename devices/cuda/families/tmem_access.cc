// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "devices/cuda/families/tensor_memory.h"
#include "kernels/forms/records.h"
#include "kernels/params/tcgen05.h"

namespace assay::cuda::tmem_access {
namespace {

using params::TmemAccessRecord;
using params::TmemShape;

/// Registers of a thread at count 1 (ptx, tcgen05.ld: .num).
constexpr uint32_t registers_of(TmemShape shape) {
  return shape == TmemShape::s16x128b ? 2 : shape == TmemShape::s16x256b ? 4 : 1;
}

const char* wrong_form(const TmemAccessRecord& r) {
  if (r.is_store > 1 || r.packs > 1) return "is_store and packs must be 0 or 1";
  if (r.shape > TmemShape::s16x32bx2) return "shape must be 0 to 4";
  if (r.count == 0 || (r.count & (r.count - 1)) || r.count * registers_of(r.shape) > params::tmem_registers)
    return "count must be a power of two that takes at most 128 registers";
  if (r.shape == TmemShape::s16x32bx2) {
    const auto& splits = params::tmem_splits;
    if (std::find(std::begin(splits), std::end(splits), r.split) == std::end(splits))
      return "split must be 0 or a power of two up to 256";
  } else if (r.split != 0) {
    return "only 16x32bx2 takes a split";
  }
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the instruction";
  return nullptr;
}

const char* wrong(const TmemAccessRecord& r, const TmemAccessRecord&, const BatchView&) {
  if (const char* form = wrong_form(r)) return form;
  if (!is_allocation(r.alloc_columns)) return "alloc_columns must be 32, 64, 128, 256 or 512";
  if (r.one_address > 4) return "one_address must be 0 to 4";
  if (r.warps != 4 && r.warps != params::most_access_warps) return "warps must be 4 or 8";
  const uint32_t words = r.is_store ? r.alloc_columns : params::tmem_registers;
  if (r.output_bytes != 128 * words * 4)
    return "output_bytes must be 128 * 4 * (alloc_columns of a store, 128 of a load)";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<TmemAccessRecord>(batch, wrong);
}

void run(OpenedDevice& device, Job& job) {
  TensorMemoryGroups groups(device);
  for (const uint32_t index : job.group) {
    const TmemAccessRecord& r = job.record<TmemAccessRecord>(index);
    groups.add(index, r.alloc_columns, forms::launch_of(r));
  }
  run_probes(device, job,
             {sizeof(TmemAccessRecord), false, false, groups.take(), output_slot_of<TmemAccessRecord>});
}

const Family family{"tmem_access", sizeof(TmemAccessRecord), check_batch, declines_tcgen05, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::tmem_access
