#include <algorithm>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/params/tiled_copy.h"

/// Tiled loads with .cta_group: the records of tiled copies, run by a kernel of its own.
namespace assay::cuda {
namespace {

using params::TiledCopyRecord;

const char* wrong(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView&) {
  if (r.op != params::TiledOp::load || r.reduction != 0) return "a copy with a cta_group is a load";
  if (r.window_bytes % 16 || r.window_bytes > params::max_window_bytes)
    return "window_bytes must be a multiple of 16 up to 216 KiB";
  if (r.fill_offset % 16 || r.fill_offset > params::arena_bytes - r.window_bytes)
    return "the window's fill must be 16-byte aligned inside the arena";
  if (r.instruction_rank < 1 || r.instruction_rank > 5) return "instruction_rank must be 1 to 5";
  if (r.cluster_size != 2 && r.cluster_size != 4 && r.cluster_size != 8)
    return "cluster_size must be 2, 4 or 8";
  if (r.cluster_size != first.cluster_size) return "cluster_size must be that of the whole batch";
  if (r.issuer_rank >= r.cluster_size) return "a load in a cluster is issued by one of its CTAs";
  // The hardware ends the whole launch with a failure (H200: K-03), with the records beside this one.
  if ((r.cta_mask >> r.cluster_size) != 0) return "cta_mask must name CTAs that the cluster has";
  const uint32_t group = r.flags & (params::tiled_cta_group_1 | params::tiled_cta_group_2);
  if (group != params::tiled_cta_group_1 && group != params::tiled_cta_group_2)
    return "the cta_group must be 1 or 2";
  if ((r.flags & params::tiled_unicast) && (r.cta_mask == 0 || (r.cta_mask & (r.cta_mask - 1)) != 0))
    return "a load to one CTA has a mask of one bit";
  if (r.flags & (params::tiled_prefetch_first | params::tiled_destination_cta | params::tiled_cache_hint |
                 params::tiled_replace_swizzle_96B))
    return "a load with a cta_group has no other qualifiers here";
  if (r.output_bytes != r.window_bytes * r.cluster_size)
    return "output_bytes of a load must be window_bytes * cluster_size";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<TiledCopyRecord>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool emulator) {
  if (opened.capability / 10 != 10)
    return but_has(opened, ".cta_group needs compute capability 10.0 or 10.3");
  if (!emulator && !opened.attribute(attribute_tensor_map_access))
    return "the device has no tensor-map access";
  return std::nullopt;
}

/// Encodes the record's map by the driver under test.
Result encode(const OpenedDevice& device, const Job& job, uint32_t index) {
  const params::EncodeTiledArgs& a = job.record<TiledCopyRecord>(index).map;
  auto* map = reinterpret_cast<TensorMap*>(job.memory.maps + uint64_t{index} * 128);
  job.note_call(index);
  return device.driver.encode_tiled(
      map, static_cast<int>(a.data_type), a.rank, reinterpret_cast<void*>(device.arena + a.global_address),
      a.global_dim, a.global_stride, a.box_dim, a.element_stride, static_cast<int>(a.interleave),
      static_cast<int>(a.swizzle), static_cast<int>(a.l2_promotion), static_cast<int>(a.oob_fill));
}

void run(OpenedDevice& device, Job& job) {
  ProbeGroup loads{};
  for (const uint32_t index : job.group) {
    const TiledCopyRecord& r = job.record<TiledCopyRecord>(index);
    if (const Result refused = encode(device, job, index)) {
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
    loads.function = device.function("tma_tiled_cta_group", "tma_tiled_load_cta_group");
  ProbePlan plan{sizeof(TiledCopyRecord), true, true, {}, output_slot_of<TiledCopyRecord>};
  plan.groups = {std::move(loads)};
  run_probes(device, job, std::move(plan));
}

const Family family{"tma_tiled_cta_group", sizeof(TiledCopyRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda
