// SPDX-License-Identifier: Apache-2.0

#include "devices/cuda/families/operand_image.h"
#include "devices/cuda/families/tensor_memory.h"
#include "kernels/forms/records.h"
#include "kernels/params/tcgen05.h"

namespace assay::cuda::tcgen05_mma {
namespace {

using params::Collector;
using params::MmaKind;
using params::Tcgen05MmaRecord;

uint32_t copied_bytes(const Tcgen05MmaRecord& r, const params::TensorScales& scales) {
  return (scales.columns + params::scale_copy_columns - 1) / params::scale_copy_columns *
         params::scale_copy_bytes * (r.flags & params::mma_scales_refilled ? 2 : 1);
}

/// What is wrong with the scale factors, or null.
const char* wrong_scales(const Tcgen05MmaRecord& r) {
  const bool scaled = params::is_scaled(r.kind);
  if (scaled != (r.scale_count != 0) || r.scale_count > 6)
    return "scale_count must be 1 to 6 for block-scaled kinds, and 0 for others";
  if (scaled && (r.flags & (params::mma_ws | params::mma_disable_output_lane | params::mma_scale_input_d)))
    return "a block-scaled kind takes neither ws nor disable-output-lane nor scale-input-d";
  if (!scaled && (r.scale_vector != 0 || r.a_scales.columns != 0 || r.b_scales.columns != 0))
    return "only block-scaled kinds have scales";
  for (const params::TensorScales& scales : {r.a_scales, r.b_scales})
    if (scales.column > r.alloc_columns || scales.columns > r.alloc_columns - scales.column)
      return "the columns of scales must be allocated";
  if (r.a_scales.source < r.split || r.a_scales.source > r.b_scales.source ||
      r.b_scales.source > r.window_bytes || (r.a_scales.source | r.b_scales.source) % 16)
    return "sources of scales must be multiples of 16 from split to window_bytes, that of A first";
  if (scaled && r.a_scales.source < r.window_bytes &&
      (r.a_scales.source + copied_bytes(r, r.a_scales) > r.b_scales.source ||
       r.b_scales.source + copied_bytes(r, r.b_scales) > r.window_bytes))
    return "the rows that scales are copied from must lie in the window";
  if ((r.flags & params::mma_scales_refilled) && (!scaled || r.a_scales.source >= r.window_bytes))
    return "only scales that are copied can be copied again";
  return nullptr;
}

/// What is wrong with the choice of an instruction, or null.
const char* wrong_form(const Tcgen05MmaRecord& r, std::string_view architecture) {
  const bool ws = r.flags & params::mma_ws;
  if (r.kind > MmaKind::mxf4nvf4) return "kind must be 0 to 6";
  if (r.kind == MmaKind::i8 && architecture == "sm_103") return "kind i8 does not exist on sm_103";
  if (const char* scales = wrong_scales(r)) return scales;
  if (r.flags & ~params::mma_all_flags) return "flags has bits that mean nothing";
  if (r.collector > Collector::discard) return "collector must be 0 to 4";
  if ((r.flags & params::mma_collector_filled) && r.collector != Collector::use &&
      r.collector != Collector::lastuse)
    return "only use and lastuse need a filled collector";
  if (r.collector_buffer > (ws ? 3 : 0)) return "collector_buffer must be 0 to 3, and 0 without ws";
  if (ws && (r.flags & (params::mma_disable_output_lane | params::mma_scale_input_d)))
    return "ws takes neither disable-output-lane nor scale-input-d";
  if (!ws && (r.flags & params::mma_zero_column_mask)) return "only ws takes a zero-column mask";
  if (r.flags & params::mma_scale_input_d) {
    if (r.kind != MmaKind::f16 && r.kind != MmaKind::tf32)
      return "scale-input-d goes with kinds f16 and tf32 only";
    if (r.scale_input_d > 15) return "scale_input_d must be 0 to 15";
    if (r.collector != Collector::none)
      return "the probe has no instruction with both scale-input-d and a collector";
  }
  if (ws && r.cta_group != 1) return "ws runs with cta_group 1";
  if ((r.flags & params::mma_odd_cta_issues) && r.cta_group != 2) return "only a pair has an odd CTA";
  if (r.steps < 1 || r.steps > 64) return "steps must be 1 to 64";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the instruction";
  if ((r.flags & params::mma_collector_filled) && r.filling_opcode != forms::filling_opcode_of(r))
    return "filling_opcode must be that of the instruction with fill";
  return nullptr;
}

const char* wrong(const Tcgen05MmaRecord& r, const Tcgen05MmaRecord& first, const BatchView& batch) {
  if (r.cta_group != 1 && r.cta_group != 2) return "cta_group must be 1 or 2";
  if (r.cta_group != first.cta_group) return "cta_group must be the same in a batch";
  if (const char* form = wrong_form(r, batch.architecture)) return form;
  if (!is_allocation(r.alloc_columns)) return "alloc_columns must be 32, 64, 128, 256 or 512";
  if (r.tmem_split > r.alloc_columns) return "tmem_split must be at most alloc_columns";
  if (r.window_bytes % 16 ||
      r.window_bytes + params::copied_metadata_bytes(r) > params::max_operand_window_bytes)
    return "window_bytes must be a multiple of 16 up to 226 KiB, with the rows of metadata behind it";
  if ((r.flags & params::mma_metadata_copied) &&
      (!(r.flags & params::mma_sparse) || r.metadata.columns % params::metadata_copy_columns))
    return "metadata that are copied are of a sparse A, and whole copies";
  if (r.split % 16 || r.split > r.window_bytes) return "split must be a multiple of 16 up to window_bytes";
  if (const char* image = wrong_image(r.image, r.window_bytes)) return image;
  const uint32_t image_bytes = r.image.row_bytes ? r.window_bytes : 0;
  if (r.output_bytes != r.cta_group * (128 * r.alloc_columns * 4 + image_bytes))
    return "output_bytes must be cta_group * (128 * alloc_columns * 4 + window_bytes if TMA brings it)";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<Tcgen05MmaRecord>(batch, wrong);
}

void run(OpenedDevice& device, Job& job) {
  TensorMemoryGroups groups(device);
  uint32_t map_bytes = 0;
  for (const uint32_t index : job.group) {
    const Tcgen05MmaRecord& r = job.record<Tcgen05MmaRecord>(index);
    if (r.image.row_bytes != 0) {
      map_bytes = 128;
      const uint64_t cells = uint64_t{r.cta_group} * 128 * r.alloc_columns * 4;
      if (!encode_image(device, job, index, r.image, r.output_offset + cells,
                        uint64_t{r.cta_group} * r.window_bytes))
        continue;
    }
    groups.add(index, r.alloc_columns, forms::launch_of(r));
  }
  run_probes(device, job,
             {sizeof(Tcgen05MmaRecord), map_bytes, false, groups.take(), output_slot_of<Tcgen05MmaRecord>});
}

const Family family{"tcgen05_mma", sizeof(Tcgen05MmaRecord), check_batch, declines_tcgen05, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::tcgen05_mma
