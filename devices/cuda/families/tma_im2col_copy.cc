#include <algorithm>

#include "devices/cuda/families/im2col_call.h"
#include "devices/cuda/families/probe_launch.h"
#include "kernels/params/im2col_copy.h"
#include "kernels/params/tiled_copy.h"

namespace assay::cuda {
namespace {

using params::Im2colCopyRecord;
using params::Im2colOp;

const char* wrong(const Im2colCopyRecord& r, const Im2colCopyRecord& first, const BatchView&) {
  const bool store = r.op == Im2colOp::store;
  if (r.op != Im2colOp::load && !store) return "the operation is neither load nor store";
  if (r.map.wide != 0 || r.mode != params::im2col_mode_plain)
    return "the map of a copy must come from the plain im2col encoder";
  if (r.reduction > 8 || (r.reduction != 0 && !store)) return "a reduction is a store by one of 8 operations";
  if (r.window_bytes % 16 || r.window_bytes > params::max_window_bytes)
    return "window_bytes must be a multiple of 16 up to 216 KiB";
  if (r.fill_offset % 16 || r.fill_offset > params::arena_bytes - r.window_bytes)
    return "the window's fill must be 16-byte aligned inside the arena";
  if (r.output_bytes % 16) return "output_bytes must be a multiple of 16";
  if (r.instruction_rank < 3 || r.instruction_rank > 5) return "instruction_rank must be 3 to 5";
  if (r.cluster_size != 1 && r.cluster_size != 2 && r.cluster_size != 4 && r.cluster_size != 8)
    return "cluster_size must be 1, 2, 4 or 8";
  if (r.cluster_size != first.cluster_size) return "cluster_size must be that of the whole batch";
  if (r.cluster_size > 1 && (store || r.issuer_rank >= r.cluster_size))
    return "a cluster may only run loads, issued by one of its CTAs";
  if (r.cluster_size > 1 && (r.flags & params::im2col_as_tile))
    return "a multicast load is one of im2col mode";
  // The hardware ends the whole launch with a failure (H200: K-03), with the records beside this one.
  if (r.cluster_size > 1 && (r.cta_mask >> r.cluster_size) != 0)
    return "cta_mask must name CTAs that the cluster has";
  if (store && (r.slot_fill_offset % 16 || r.output_bytes > params::arena_bytes ||
                r.slot_fill_offset > params::arena_bytes - r.output_bytes))
    return "the slot's fill must be 16-byte aligned inside the arena";
  if (!store && r.output_bytes != r.window_bytes * r.cluster_size)
    return "output_bytes of a load must be window_bytes * cluster_size";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<Im2colCopyRecord>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool emulator) {
  if (opened.capability < 90) return but_has(opened, "tensor copies need compute capability 9.0");
  if (!emulator && !opened.attribute(attribute_tensor_map_access))
    return "the device has no tensor-map access";
  return std::nullopt;
}

void run(OpenedDevice& device, Job& job) {
  const Slot& slot = device.slot(job.batch);
  ProbeGroup loads{}, stores{}, reductions{};
  for (const uint32_t index : job.group) {
    const Im2colCopyRecord& r = job.record<Im2colCopyRecord>(index);
    const bool load = r.op == Im2colOp::load;
    job.note_call(index);
    if (const Result refused = encode_im2col(device.driver, r.map, job.memory.maps + uint64_t{index} * 128,
                                             load ? device.arena : slot.output + r.output_offset)) {
      job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
      continue;
    }
    ProbeGroup& group = load ? loads : r.reduction != 0 ? reductions : stores;
    group.records.push_back(index);
    group.cluster_size = r.cluster_size;
    group.dynamic_shared_bytes =
        std::max(group.dynamic_shared_bytes, r.window_bytes + params::window_alignment);
  }
  job.clear_call();
  if (!loads.records.empty())
    loads.function = device.function(
        "tma_im2col_copy", loads.cluster_size > 1 ? "tma_im2col_load_multicast" : "tma_im2col_load");
  if (!stores.records.empty()) stores.function = device.function("tma_im2col_copy", "tma_im2col_store");
  if (!reductions.records.empty())
    reductions.function = device.function("tma_im2col_reduce", "tma_im2col_reduce");
  ProbePlan plan{sizeof(Im2colCopyRecord), true, true, {}, output_slot_of<Im2colCopyRecord>};
  plan.groups = {std::move(loads), std::move(stores), std::move(reductions)};
  run_probes(device, job, std::move(plan));
}

const Family family{"tma_im2col_copy", sizeof(Im2colCopyRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda
