// SPDX-License-Identifier: Apache-2.0

#include "devices/cuda/families/tensor_memory.h"
#include "kernels/forms/records.h"
#include "kernels/params/arena.h"
#include "kernels/params/tensor_copy.h"

namespace assay::cuda::tcgen05_commit {
namespace {

using params::TiledCopyRecord;

template <uint32_t most_ctas>
const char* wrong(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView&) {
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

template <uint32_t most_ctas>
std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<TiledCopyRecord>(batch, wrong<most_ctas>);
}

void run(OpenedDevice& device, Job& job) {
  run_alike<TiledCopyRecord>(device, job, /*reads_arena=*/true, forms::commit_launch_of);
}

const Family family{"tcgen05_commit", sizeof(TiledCopyRecord), check_batch<params::portable_cluster>,
                    declines_tcgen05, run};
const Family in_large_clusters{"tcgen05_commit_non_portable", sizeof(TiledCopyRecord),
                               check_batch<params::largest_cluster>,
                               declines_in_largest_cluster<declines_tcgen05>, run};
const RegisterFamily registered[] = {RegisterFamily(family), RegisterFamily(in_large_clusters)};

}  // namespace
}  // namespace assay::cuda::tcgen05_commit
