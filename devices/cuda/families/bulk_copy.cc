// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/bulk_copy.h"

#include <algorithm>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"

namespace assay::cuda {
namespace {

using params::BulkCopyRecord;
using params::BulkOp;

template <uint32_t most_ctas>
const char* wrong_bulk_copy(const BulkCopyRecord& r, const BulkCopyRecord& first, const BatchView& batch) {
  if (r.op > BulkOp::reduce_cluster) return "unknown bulk copy operation";
  if (r.window_bytes % 16 || r.window_bytes > params::max_window_bytes)
    return "window_bytes must be a multiple of 16 up to 216 KiB";
  if (!is_cluster_size(r.cluster_size, most_ctas)) return "cluster_size must be one that the family has";
  if (r.cluster_size != first.cluster_size) return "cluster_size must be the same in a batch";
  // The hardware ends the whole launch with a failure (H200: BC-07), with the records beside this one, but
  // takes a multicast of no bytes to any CTA (H200: BC-03); a size counts in units of 16 bytes, 16 bits of
  // them.
  const bool moves_nothing = r.op == BulkOp::multicast && r.size / 16 % 65536 == 0;
  const uint32_t named = r.issuers | r.receivers | (moves_nothing ? 0 : r.cta_mask);
  if (named >> r.cluster_size != 0 || r.target_rank >= r.cluster_size)
    return "masks and target_rank must name CTAs that the cluster has";
  if (r.fill_offset % 16 || r.slot_fill_offset % 16 || r.fill_offset > params::arena_bytes ||
      r.slot_fill_offset > params::arena_bytes - std::min<uint64_t>(r.slot_bytes, params::arena_bytes) ||
      uint64_t{r.window_bytes} * r.cluster_size > params::arena_bytes - r.fill_offset)
    return "what windows and slot are filled with must be 16-byte aligned inside the arena";
  if (r.slot_bytes % 16 ||
      r.output_bytes != uint64_t{r.slot_bytes} + uint64_t{r.window_bytes} * r.cluster_size)
    return "output_bytes must be those of the slot and of a window a CTA, multiples of 16";
  if (r.issuer_thread >= params::probe_threads || r.issuer_thread % 32 + r.lanes > 32)
    return "the lanes that issue must be of one of four warps";
  if (r.pieces == 0 || r.pieces > params::most_bulk_pieces || r.lanes == 0 || r.lanes > r.pieces ||
      r.pending > params::most_bulk_pending)
    return "a copy has 1 to 16 pieces, each lane one of them, and a wait leaves 15 groups at most";
  if (r.early_waits >> r.pieces) return "early_waits must name pieces of the copy";
  if (r.barrier > 1 || r.barrier_shift > 7) return "a CTA has two barriers, of 8 bytes";
  if ((r.flags & params::bulk_masks_bytes) && batch.is_before_sm_100())
    return ".cp_mask does not exist on sm_90";
  if (r.opcode == forms::Forms::none || r.opcode != forms::opcode_of(r))
    return "opcode must be that of the record's instruction";
  return nullptr;
}

const RegisterFamily bulk_copy(family_of<BulkCopyRecord, wrong_bulk_copy<params::portable_cluster>>(
    "bulk_copy", declines_before_9_0, run_alike<BulkCopyRecord, true>));
const RegisterFamily in_large_clusters(family_of<BulkCopyRecord, wrong_bulk_copy<params::largest_cluster>>(
    "bulk_copy_non_portable", declines_in_largest_cluster<declines_before_9_0>,
    run_alike<BulkCopyRecord, true>));

}  // namespace
}  // namespace assay::cuda
