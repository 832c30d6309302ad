#include <algorithm>

#include "devices/cuda/families/im2col_call.h"
#include "devices/cuda/families/probe_launch.h"
#include "kernels/params/im2col_copy.h"
#include "kernels/params/tiled_copy.h"

/// Loads in modes im2col::w and im2col::w::128, those of mode im2col with .cta_group, and what other
/// instructions do through a wide map.
namespace assay::cuda {
namespace {

using params::Im2colCopyRecord;

const char* wrong(const Im2colCopyRecord& r, const Im2colCopyRecord& first, const BatchView&) {
  if (r.op != params::Im2colOp::load || r.reduction != 0) return "a wide copy is a load";
  if (r.mode > params::im2col_mode_w_128) return "the mode is none of im2col, im2col::w, im2col::w::128";
  if (r.window_bytes % 16 || r.window_bytes > params::max_window_bytes)
    return "window_bytes must be a multiple of 16 up to 216 KiB";
  if (r.fill_offset % 16 || r.fill_offset > params::arena_bytes - r.window_bytes)
    return "the window's fill must be 16-byte aligned inside the arena";
  if (r.instruction_rank < 3 || r.instruction_rank > 5) return "instruction_rank must be 3 to 5";
  if (r.cluster_size != 1 && r.cluster_size != 2 && r.cluster_size != 4 && r.cluster_size != 8)
    return "cluster_size must be 1, 2, 4 or 8";
  if (r.cluster_size != first.cluster_size) return "cluster_size must be that of the whole batch";
  constexpr uint32_t of_clusters = params::im2col_cta_group_1 | params::im2col_cta_group_2;
  constexpr uint32_t of_one = params::im2col_as_tile | params::im2col_as_plain;
  if (r.cluster_size == 1 && (r.flags & (of_clusters | params::im2col_unicast)))
    return "a cta_group is that of a load in a cluster";
  if (r.cluster_size > 1 && (r.issuer_rank >= r.cluster_size || (r.flags & of_one)))
    return "a load in a cluster is issued by one of its CTAs, through a map of its own mode";
  if (r.cluster_size > 1 && r.mode == params::im2col_mode_plain && !(r.flags & of_clusters))
    return "a multicast load is one along W or has a cta_group";
  if ((r.flags & params::im2col_unicast) &&
      (!(r.flags & of_clusters) || r.cta_mask == 0 || (r.cta_mask & (r.cta_mask - 1)) != 0))
    return "a load to one CTA has a cta_group and a mask of one bit";
  // The hardware ends the whole launch with a failure (H200: K-03), with the records beside this one.
  if (r.cluster_size > 1 && (r.cta_mask >> r.cluster_size) != 0)
    return "cta_mask must name CTAs that the cluster has";
  if (r.output_bytes != r.window_bytes * r.cluster_size)
    return "output_bytes of a load must be window_bytes * cluster_size";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<Im2colCopyRecord>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool emulator) {
  if (opened.capability / 10 != 10)
    return but_has(opened,
                   "im2col::w and im2col::w::128 into shared::cluster need compute capability 10.0 or 10.3");
  if (opened.driver.encode_im2col_wide == nullptr) return "the driver has no cuTensorMapEncodeIm2colWide";
  if (!emulator && !opened.attribute(attribute_tensor_map_access))
    return "the device has no tensor-map access";
  return std::nullopt;
}

void run(OpenedDevice& device, Job& job) {
  ProbeGroup loads{};
  for (const uint32_t index : job.group) {
    const Im2colCopyRecord& r = job.record<Im2colCopyRecord>(index);
    job.note_call(index);
    if (const Result refused =
            encode_im2col(device.driver, r.map, job.memory.maps + uint64_t{index} * 128, device.arena)) {
      job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
      continue;
    }
    loads.records.push_back(index);
    loads.cluster_size = r.cluster_size;
    loads.dynamic_shared_bytes =
        std::max(loads.dynamic_shared_bytes, r.window_bytes + params::window_alignment);
  }
  job.clear_call();
  if (!loads.records.empty())
    loads.function =
        device.function("tma_im2col_wide_copy",
                        loads.cluster_size > 1 ? "tma_im2col_wide_load_multicast" : "tma_im2col_wide_load");
  ProbePlan plan{sizeof(Im2colCopyRecord), true, true, {}, output_slot_of<Im2colCopyRecord>};
  plan.groups = {std::move(loads)};
  run_probes(device, job, std::move(plan));
}

const Family family{"tma_im2col_wide_copy", sizeof(Im2colCopyRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda
