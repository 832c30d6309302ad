// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/launch.h"

#include <algorithm>

namespace assay::forms {
namespace {

template <typename Record>
KernelLaunch copy_launch(const Record& r) {
  const bool is_store = r.op == params::CopyOp::store;
  return {.module = "tensor_copy",
          .kernel = is_store             ? "tensor_store"
                    : r.cluster_size > 1 ? "tensor_load_cluster"
                                         : "tensor_load",
          .cluster_size = r.cluster_size,
          .shared_bytes = with_window(params::shared_bytes_of(r))};
}

/// More than half of what a multiprocessor has: one CTA each, so that programs of two CTAs never wait for
/// each other's columns.
constexpr uint32_t alone_on_multiprocessor = 120 << 10;
static_assert(with_window(params::tmem_sequence_operand_bytes) <= alone_on_multiprocessor);

}  // namespace

KernelLaunch launch_of(const params::BulkCopyRecord& r) {
  return {.module = "bulk_copy",
          .kernel = "bulk_copy",
          .cluster_size = r.cluster_size,
          .shared_bytes = with_window(r.window_bytes)};
}

KernelLaunch launch_of(const params::GemmRecord& r) {
  return {.module = "gemm_pipeline",
          .kernel = r.cta_group == 2 ? "gemm_pipeline_pair" : "gemm_pipeline",
          .cluster_size = params::gemm_cluster(r.cta_group),
          .threads = params::gemm_threads,
          .shared_bytes = with_window(params::gemm_all_shared_bytes)};
}

KernelLaunch launch_of(const params::Im2colCopyRecord& r) {
  return copy_launch(r);
}

KernelLaunch launch_of(const params::MapProgramRecord& r) {
  return {.module = "map_program",
          .kernel = "map_program",
          .shared_bytes = with_window(params::map_program_shared_bytes(r))};
}

KernelLaunch launch_of(const params::MmaSyncRecord&) {
  return {.module = "mma_sync", .kernel = "mma_sync"};
}
KernelLaunch launch_of(const params::MmaSyncF64Record&) {
  return {.module = "mma_sync_f64", .kernel = "mma_sync_f64"};
}
KernelLaunch launch_of(const params::MmaSyncKindRecord&) {
  return {.module = "mma_sync_kind", .kernel = "mma_sync_kind"};
}

KernelLaunch launch_of(const params::ScreenRecord&) {
  return {.module = "screen_chains",
          .kernel = "screen_chains",
          .threads = params::screen_warpgroups * params::probe_threads,
          .shared_bytes = std::max(alone_on_multiprocessor, with_window(params::screen_window_bytes))};
}

KernelLaunch launch_of(const params::ScreenTilesRecord&) {
  return {.module = "screen_tiles",
          .kernel = "screen_tiles",
          .shared_bytes = with_window(params::screen_tiles_window)};
}

KernelLaunch launch_of(const params::ScreenBothRecord&) {
  return {.module = "screen_both",
          .kernel = "screen_both",
          .threads = params::screen_both_threads,
          .shared_bytes = with_window(params::screen_window_bytes + params::screen_tiles_window)};
}

KernelLaunch launch_of(const params::SequenceRecord& r) {
  if (r.is_tmem)
    return {.module = "tmem_sequence",
            .kernel = "tmem_sequence",
            .threads = 32u * r.warps,
            .shared_bytes = alone_on_multiprocessor};
  return {.module = "sequence",
          .kernel = "barrier_sequence",
          .cluster_size = r.cluster_size,
          .threads = 32,
          .shared_bytes = with_window(params::barrier_shared_bytes(r))};
}

KernelLaunch launch_of(const params::Tcgen05MmaRecord& r) {
  return {.module = "tcgen05_mma",
          .kernel = r.cta_group == 2 ? "tcgen05_mma_pair" : "tcgen05_mma",
          .cluster_size = r.cta_group,
          .shared_bytes = with_window(r.window_bytes + params::copied_metadata_bytes(r))};
}

KernelLaunch launch_of(const params::TiledCopyRecord& r) {
  return copy_launch(r);
}

KernelLaunch launch_of(const params::TmemAccessRecord& r) {
  // The registers of a store come from shared memory.
  return {.module = "tmem_ld_st",
          .kernel = r.is_store ? "tmem_st" : "tmem_ld",
          .threads = 32u * r.warps,
          .shared_bytes = with_window(r.is_store ? params::probe_threads * params::tmem_registers * 4 : 0)};
}

KernelLaunch launch_of(const params::TmemCopyRecord& r) {
  return {.module = "tmem_copy",
          .kernel = r.cta_group == 2 ? "tmem_copy_pair" : "tmem_copy",
          .cluster_size = r.cta_group,
          .shared_bytes = with_window(r.window_bytes)};
}

KernelLaunch launch_of(const params::TmemLdRedRecord&) {
  return {.module = "tmem_ld_red", .kernel = "tmem_ld_red", .shared_bytes = with_window(0)};
}

KernelLaunch launch_of(const params::WgmmaRecord& r) {
  return {.module = "wgmma",
          .kernel = "wgmma",
          .threads = params::probe_threads * (r.warpgroup + 1),
          .shared_bytes = with_window(r.window_bytes)};
}

KernelLaunch commit_launch_of(const params::TiledCopyRecord& r) {
  KernelLaunch launch = copy_launch(r);
  launch.kernel = "tensor_load_cluster";
  return launch;
}

}  // namespace assay::forms
