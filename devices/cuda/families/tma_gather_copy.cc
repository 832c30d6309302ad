#include <algorithm>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/params/tiled_copy.h"

/// Tensor copies of four rows: the records of tiled copies, run by kernels of their own.
namespace assay::cuda {
namespace {

using params::TiledCopyRecord;
using params::TiledOp;

const char* wrong(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView&) {
  const bool store = r.op == TiledOp::store;
  if (r.op != TiledOp::load && !store) return "the operation is neither load nor store";
  if (r.reduction != 0) return "a copy of four rows does not reduce";
  if (r.window_bytes % 16 || r.window_bytes > params::max_window_bytes)
    return "window_bytes must be a multiple of 16 up to 216 KiB";
  if (r.fill_offset % 16 || r.fill_offset > params::arena_bytes - r.window_bytes)
    return "the window's fill must be 16-byte aligned inside the arena";
  if (r.output_bytes % 16) return "output_bytes must be a multiple of 16";
  if (r.instruction_rank != 2) return "instruction_rank must be 2";
  if (r.cluster_size != 1 && r.cluster_size != 2 && r.cluster_size != 4 && r.cluster_size != 8)
    return "cluster_size must be 1, 2, 4 or 8";
  if (r.cluster_size != first.cluster_size) return "cluster_size must be that of the whole batch";
  if (r.cluster_size > 1 && (store || r.issuer_rank >= r.cluster_size))
    return "a cluster runs loads, issued by one of its CTAs";
  // The hardware ends the whole launch with a failure (H200: K-03), with the records beside this one.
  if (r.cluster_size > 1 && (r.cta_mask >> r.cluster_size) != 0)
    return "cta_mask must name CTAs that the cluster has";
  constexpr uint32_t groups = params::tiled_cta_group_1 | params::tiled_cta_group_2;
  if (r.cluster_size == 1 && (r.flags & (groups | params::tiled_unicast)))
    return "a cta_group is that of a load in a cluster";
  if ((r.flags & params::tiled_unicast) &&
      (!(r.flags & groups) || r.cta_mask == 0 || (r.cta_mask & (r.cta_mask - 1)) != 0))
    return "a load to one CTA has a cta_group and a mask of one bit";
  if (store && (r.slot_fill_offset % 16 || r.output_bytes > params::arena_bytes ||
                r.slot_fill_offset > params::arena_bytes - r.output_bytes))
    return "the slot's fill must be 16-byte aligned inside the arena";
  if (!store && r.output_bytes != r.window_bytes * r.cluster_size)
    return "output_bytes of a load must be window_bytes * cluster_size";
  if (r.flags & params::tiled_replace_swizzle_96B) return "copies of four rows have no 96-byte swizzle here";
  return nullptr;
}

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<TiledCopyRecord>(batch, wrong);
}

std::optional<std::string> declines(const OpenedDriver& opened, bool emulator) {
  if (opened.capability / 10 != 10)
    return but_has(
        opened, "tile::gather4 and tile::scatter4 into shared::cluster need compute capability 10.0 or 10.3");
  if (!emulator && !opened.attribute(attribute_tensor_map_access))
    return "the device has no tensor-map access";
  return std::nullopt;
}

/// Encodes the record's map by the driver under test.
Result encode(const OpenedDevice& device, const Job& job, const Slot& slot, uint32_t index) {
  const TiledCopyRecord& r = job.record<TiledCopyRecord>(index);
  const params::EncodeTiledArgs& a = r.map;
  const DeviceAddress base = r.op == TiledOp::load ? device.arena : slot.output + r.output_offset;
  auto* map = reinterpret_cast<TensorMap*>(job.memory.maps + uint64_t{index} * 128);
  job.note_call(index);
  return device.driver.encode_tiled(
      map, static_cast<int>(a.data_type), a.rank, reinterpret_cast<void*>(base + a.global_address),
      a.global_dim, a.global_stride, a.box_dim, a.element_stride, static_cast<int>(a.interleave),
      static_cast<int>(a.swizzle), static_cast<int>(a.l2_promotion), static_cast<int>(a.oob_fill));
}

void run(OpenedDevice& device, Job& job) {
  const Slot& slot = device.slot(job.batch);
  ProbeGroup loads{}, stores{};
  for (const uint32_t index : job.group) {
    const TiledCopyRecord& r = job.record<TiledCopyRecord>(index);
    if (const Result refused = encode(device, job, slot, index)) {
      job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
      continue;
    }
    ProbeGroup& group = r.op == TiledOp::load ? loads : stores;
    group.records.push_back(index);
    group.cluster_size = r.cluster_size;
    group.dynamic_shared_bytes =
        std::max(group.dynamic_shared_bytes, r.window_bytes + params::window_alignment);
  }
  job.clear_call();
  if (!loads.records.empty())
    loads.function = device.function(
        "tma_gather_copy", loads.cluster_size > 1 ? "tma_gather4_load_multicast" : "tma_gather4_load");
  if (!stores.records.empty()) stores.function = device.function("tma_gather_copy", "tma_scatter4_store");
  ProbePlan plan{sizeof(TiledCopyRecord), true, true, {}, output_slot_of<TiledCopyRecord>};
  plan.groups = {std::move(loads), std::move(stores)};
  run_probes(device, job, std::move(plan));
}

const Family family{"tma_gather_copy", sizeof(TiledCopyRecord), check_batch, declines, run};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda
