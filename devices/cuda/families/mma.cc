// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/family.h"
#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"
#include "kernels/params/arena.h"
#include "kernels/params/operand_image.h"
#include "kernels/params/tcgen05.h"
#include "kernels/params/tensor_copy.h"
#include "reference/spec/mma_kinds.h"

/// Operands that TMA brings to shared memory, from an image in the record's output slot.
namespace assay::cuda {

/// What is wrong with the image of a window, or null.
const char* wrong_image(const params::OperandImage&, uint32_t window_bytes);

/// Encodes the record's tensor map: `bytes` of image at that offset of the batch's output. Where the driver
/// refuses, the record ends as rejected, and the answer is false.
bool encode_image(OpenedDevice&, Job&, uint32_t index, const params::OperandImage&, uint64_t offset,
                  uint64_t bytes);

const char* wrong_image(const params::OperandImage& image, uint32_t window_bytes) {
  if (image.row_bytes == 0) return nullptr;
  if (image.row_bytes != 32 && image.row_bytes != 64 && image.row_bytes != 128)
    return "row_bytes of an image must be 32, 64 or 128";
  if (image.swizzle > params::swizzle_128B_atom32B) return "the swizzle of an image must be 0 to 4";
  if (image.box_rows < 1 || image.box_rows > 256) return "box_rows must be 1 to 256";
  if (window_bytes == 0 || window_bytes % 1024 || window_bytes % (image.row_bytes * image.box_rows))
    return "an image is whole boxes and whole KiB";
  return nullptr;
}

bool encode_image(OpenedDevice& device, Job& job, uint32_t index, const params::OperandImage& image,
                  uint64_t offset, uint64_t bytes) {
  constexpr int type_uint8 = 0;  // cuda.h: CUtensorMapDataType
  const uint64_t dims[] = {image.row_bytes, bytes / image.row_bytes}, strides[] = {image.row_bytes};
  const uint32_t box[] = {image.row_bytes, image.box_rows}, steps[] = {1, 1};
  auto* map = reinterpret_cast<TensorMap*>(job.memory.maps + uint64_t{index} * 128);
  job.note_call(index);
  const Result refused = device.driver.encode_tiled(
      map, type_uint8, 2, reinterpret_cast<void*>(device.slot(job.batch).output + offset), dims, strides, box,
      steps, /*interleave=*/0, image.swizzle,
      /*l2_promotion=*/0, /*oob_fill=*/0);
  job.clear_call();
  if (refused) job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
  return !refused;
}

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
  const bool scaled = spec::is_scaled(r.kind);
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
const char* wrong_tcgen05_mma_form(const Tcgen05MmaRecord& r, const BatchView& batch) {
  const bool ws = r.flags & params::mma_ws;
  if (number_of(r.kind) >= spec::mma_kinds.size()) return "kind must be one of the table";
  if (batch.lacks(spec::row_of(r.kind).mechanism)) return "the device has no such kind";
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
    if (!spec::row_of(r.kind).scales_d) return "scale-input-d goes with kinds f16 and tf32 only";
    if (batch.lacks(&spec::Architecture::has_scale_d)) return "the device has no scale-input-d";
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

const char* wrong_tcgen05_mma(const Tcgen05MmaRecord& r, const Tcgen05MmaRecord& first,
                              const BatchView& batch) {
  if (r.cta_group != 1 && r.cta_group != 2) return "cta_group must be 1 or 2";
  if (r.cta_group != first.cta_group) return "cta_group must be the same in a batch";
  if (const char* form = wrong_tcgen05_mma_form(r, batch)) return form;
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

void run_tcgen05_mma(OpenedDevice& device, Job& job) {
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

const RegisterFamily tcgen05_mma(family_of<Tcgen05MmaRecord, wrong_tcgen05_mma>("tcgen05_mma",
                                                                                declines_tcgen05,
                                                                                run_tcgen05_mma));

using params::TiledCopyRecord;

template <uint32_t most_ctas>
const char* wrong_tcgen05_commit(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView&) {
  if ((r.flags & ~(params::copy_far_barrier | params::copy_unicast)) != params::copy_commits)
    return "a commit has no other flags";
  if (r.cluster_size == 1 || !is_cluster_size(r.cluster_size, most_ctas))
    return "cluster_size must be one that the family has";
  if (r.cluster_size != first.cluster_size) return "cluster_size must be the same in a batch";
  if (r.cta_mask == 0 || (r.cta_mask >> r.cluster_size) != 0 || r.issuer_rank >= r.cluster_size)
    return "cta_mask and issuer_rank must name CTAs that the cluster has";
  if (r.issuer_thread >= params::probe_threads || r.more_lanes != 0) return "one thread of a CTA commits";
  if (r.window_bytes % 16 || r.window_bytes > params::max_window_bytes || r.fill_offset % 16 ||
      r.fill_offset > params::arena_bytes - r.window_bytes)
    return "windows and their fill must be multiples of 16, up to 216 KiB and inside the arena";
  if ((r.flags & params::copy_far_barrier) && (r.barrier_offset % 8 || r.barrier_offset < r.window_bytes ||
                                               r.barrier_offset > params::max_window_bytes))
    return "the barriers must lie on 8 bytes behind the window, within 216 KiB";
  if (r.output_bytes != r.window_bytes * r.cluster_size)
    return "output_bytes must be window_bytes * cluster_size";
  const bool is_unicast = r.flags & params::copy_unicast;
  if (is_unicast && (r.cta_mask & (r.cta_mask - 1)) != 0) return "a commit without a mask tells one CTA";
  if (r.opcode != forms::commit_opcode(!is_unicast, false) &&
      r.opcode != forms::commit_opcode(!is_unicast, true))
    return "opcode must be that of the commit";
  if (r.expect_tx >= 1u << 20) return "a barrier tracks less than 1 MiB";
  return nullptr;
}

constexpr auto run_tcgen05_commit = run_alike<TiledCopyRecord, true, forms::commit_launch_of>;
const RegisterFamily tcgen05_commit(
    family_of<TiledCopyRecord, wrong_tcgen05_commit<params::portable_cluster>>("tcgen05_commit",
                                                                               declines_tcgen05,
                                                                               run_tcgen05_commit));
const RegisterFamily commit_in_large_clusters(
    family_of<TiledCopyRecord, wrong_tcgen05_commit<params::largest_cluster>>(
        "tcgen05_commit_non_portable", declines_in_largest_cluster<declines_tcgen05>, run_tcgen05_commit));

}  // namespace
}  // namespace assay::cuda
