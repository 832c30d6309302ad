// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/tmem_copy.h"

#include "devices/cuda/families/tensor_memory.h"
#include "kernels/forms/records.h"
#include "kernels/forms/tensor_ways.h"
#include "kernels/params/tcgen05.h"

namespace assay::cuda::tmem_copy {
namespace {

using params::TmemCopyRecord;

const char* wrong_move(const params::TmemMoveCommand& move) {
  if (move.is_shift > 1 || move.waits > 1) return "is_shift and waits must be 0 or 1";
  if (static_cast<uint32_t>(move.shape) >= params::copy_shapes) return "shape must be 0 to 5";
  if (static_cast<uint32_t>(move.format) >= params::copy_formats) return "format must be 0 to 2";
  if (move.count < 1 || move.count > 64) return "count must be 1 to 64";
  bool is_of_form = false;
  for (uint32_t spelling = 0; spelling < forms::tensor_way_count; ++spelling)
    is_of_form |= move.opcode == forms::opcode_of(move, spelling);
  if (!is_of_form) return "opcode must be that of the shape and the format";
  return nullptr;
}

const char* wrong(const TmemCopyRecord& r, const TmemCopyRecord& first, const BatchView&) {
  if (r.cta_group != 1 && r.cta_group != 2) return "cta_group must be 1 or 2";
  if (r.cta_group != first.cta_group) return "cta_group must be the same in a batch";
  if (r.odd_cta_issues >= r.cta_group) return "only a pair has an odd CTA";
  if (r.move_count < 1 || r.move_count > params::most_moves) return "move_count must be 1 to 3";
  for (uint32_t i = 0; i < r.move_count; ++i)
    if (const char* what = wrong_move(r.moves[i])) return what;
  if (!is_allocation(r.alloc_columns)) return "alloc_columns must be 32, 64, 128, 256 or 512";
  if (r.window_bytes % 16 || r.window_bytes > params::max_operand_window_bytes)
    return "window_bytes must be a multiple of 16 up to 225 KiB";
  if (r.output_bytes != r.cta_group * 128u * r.alloc_columns * 4)
    return "output_bytes must be cta_group * 128 * alloc_columns * 4";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<TmemCopyRecord>(batch, wrong);
}

void run(OpenedDevice& device, Job& job) {
  TensorMemoryGroups groups(device);
  for (const uint32_t index : job.group) {
    const TmemCopyRecord& r = job.record<TmemCopyRecord>(index);
    groups.add(index, r.alloc_columns, forms::launch_of(r));
  }
  run_probes(device, job,
             {sizeof(TmemCopyRecord), false, false, groups.take(), output_slot_of<TmemCopyRecord>});
}

const Family family{"tmem_copy", sizeof(TmemCopyRecord), check_batch, declines_tcgen05, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::tmem_copy
