// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"
#include "kernels/params/arena.h"
#include "kernels/params/tensor_copy.h"

/// The families of tensor copies: their records are run by the kernels of kernels/tensor_copy/tensor_copy.cu.
namespace assay::cuda {
namespace {

using params::CopyMode;
using params::Im2colCopyRecord;
using params::TiledCopyRecord;

constexpr uint32_t groups = params::copy_cta_group_1 | params::copy_cta_group_2;

/// What would break the rig in any mode.
template <typename Record>
const char* wrong_copy(const Record& r, const Record& first, uint32_t most_ctas = params::portable_cluster) {
  const bool store = r.op == params::CopyOp::store;
  if (r.op != params::CopyOp::load && !store) return "the operation is neither load nor store";
  if (r.reduction > 8 || (r.reduction != 0 && !store)) return "a reduction is a store by one of 8 operations";
  if (r.window_bytes % 16 || r.window_bytes > params::max_window_bytes)
    return "window_bytes must be a multiple of 16 up to 216 KiB";
  if ((r.flags & params::copy_far_barrier) &&
      (store || r.barrier_offset % 8 || r.barrier_offset < r.window_bytes ||
       r.barrier_offset > params::max_window_bytes))
    return "the barrier of a load must lie on 8 bytes behind the window, within 216 KiB";
  if (r.issuer_thread >= params::probe_threads || r.issuer_thread % 32 + uint64_t{r.more_lanes} >= 32)
    return "the threads that issue must be of one warp of four";
  if (r.more_lanes != 0 && (r.flags & params::copy_replace_swizzle_96B))
    return "one lane has its map changed";
  if (uint64_t{r.other_lanes} >> (r.more_lanes + 1) != 0) return "other_lanes are of those that issue";
  if (r.other_lanes == 0 && (r.other_address | r.other_less) != 0) return "the other map has no lane";
  if (r.other_lanes != 0 && (r.map.rank < 1 || r.map.rank > 5))
    return "the other map has no outermost dimension";
  if ((r.flags & params::copy_prefetch_alone) && (store || r.cluster_size > 1))
    return "a prefetch alone takes the place of a load of one CTA";
  if (r.fill_offset % 16 || r.fill_offset > params::arena_bytes - r.window_bytes)
    return "the window's fill must be 16-byte aligned inside the arena";
  if (r.output_bytes % 16) return "output_bytes must be a multiple of 16";
  if (r.instruction_rank < 1 || r.instruction_rank > 5) return "instruction_rank must be 1 to 5";
  if (!is_cluster_size(r.cluster_size, most_ctas)) return "cluster_size must be one that the family has";
  if (r.cluster_size != first.cluster_size) return "cluster_size must be the same in a batch";
  if (r.cluster_size > 1 && (store || r.issuer_rank >= r.cluster_size))
    return "a cluster may only run loads, issued by one of its CTAs";
  // The hardware ends the whole launch with a failure (H200: K-03), with the records beside this one.
  if (r.cluster_size > 1 && (r.cta_mask >> r.cluster_size) != 0)
    return "cta_mask must name CTAs that the cluster has";
  const bool has_group = (r.flags & (params::copy_cta_group_1 | params::copy_cta_group_2)) != 0;
  if (r.cluster_size == 1 && (has_group || (r.flags & params::copy_unicast)))
    return "a cta_group is that of a load in a cluster";
  if ((r.flags & params::copy_unicast) && (r.cta_mask == 0 || (r.cta_mask & (r.cta_mask - 1)) != 0))
    return "a load to one CTA of a cluster has a mask of one bit";
  if (store && (r.slot_fill_offset % 16 || r.output_bytes > params::arena_bytes ||
                r.slot_fill_offset > params::arena_bytes - r.output_bytes))
    return "the slot's fill must be 16-byte aligned inside the arena";
  if (!store && r.output_bytes != r.window_bytes * r.cluster_size)
    return "output_bytes of a load must be window_bytes * cluster_size";
  const forms::TensorCopyForm form = forms::form_of(r);
  if (r.opcode != forms::opcode_of(form) || r.prefetch_opcode != forms::prefetch_opcode_of(form))
    return "opcode and prefetch_opcode must be those of the record's instructions";
  if (r.opcode == forms::Forms::none) return "there is no such form of the instruction";
  return nullptr;
}

/// What all copies of tensors need of a device.
std::optional<std::string> declines_copies(const OpenedDriver& opened, bool emulator) {
  if (opened.capability < 90) return but_has(opened, "requires compute capability 9.0");
  if (!emulator && !opened.attribute(attribute_tensor_map_access))
    return "the device has no tensor-map access";
  return std::nullopt;
}

/// Encodes a map by the driver under test; `base` is added to its address.
Result encode_copy_map(const Driver& driver, const params::EncodeTiledArgs& a, std::byte* map,
                       DeviceAddress base) {
  return encode_tiled(driver, a, map, base);
}
Result encode_copy_map(const Driver& driver, const params::EncodeIm2colArgs& a, std::byte* map,
                       DeviceAddress base) {
  return encode_im2col(driver, a, map, base);
}

/// Family::run of copies.
template <typename Record>
void run_copies(OpenedDevice& device, Job& job) {
  const Slot& slot = device.slot(job.batch);
  ProbeGroup loads{}, stores{};
  for (const uint32_t index : job.group) {
    const Record& r = job.record<Record>(index);
    const bool store = r.op == params::CopyOp::store;
    job.note_call(index);
    std::byte* const maps = job.memory.maps + uint64_t{index} * params::copy_maps_bytes;
    const DeviceAddress base = store ? slot.output + r.output_offset : device.arena;
    Result refused = encode_copy_map(device.driver, r.map, maps, base);
    if (refused == 0 && r.other_lanes != 0)
      refused = encode_copy_map(device.driver, params::other_map_of(r), maps + 128, base);
    if (refused != 0) {
      job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
      continue;
    }
    add_record(device, store ? stores : loads, index, forms::launch_of(r));
  }
  job.clear_call();
  ProbePlan plan{sizeof(Record), params::copy_maps_bytes, true, {}, output_slot_of<Record>};
  plan.groups = {std::move(loads), std::move(stores)};
  run_probes(device, job, std::move(plan));
}

template <uint32_t most_ctas>
const char* wrong_tile(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView& batch) {
  if (const char* what = wrong_copy(r, first, most_ctas)) return what;
  if (r.mode != CopyMode::tile) return "the mode must be tile";
  if ((r.flags & params::copy_replace_swizzle_96B) && batch.lacks(&spec::Architecture::has_swizzle_96B))
    return "the device has no 96-byte swizzle";
  return nullptr;
}

const char* wrong_with_group(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView& batch) {
  if (const char* what = wrong_tile<params::portable_cluster>(r, first, batch)) return what;
  if (!std::has_single_bit(r.flags & groups)) return "the cta_group must be 1 or 2";
  if (r.flags & (params::copy_all_qualifiers | params::copy_replace_swizzle_96B))
    return "a load with a cta_group has no other qualifiers here";
  return nullptr;
}

template <uint32_t most_ctas>
const char* wrong_rows(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView&) {
  if (const char* what = wrong_copy(r, first, most_ctas)) return what;
  if (r.mode != CopyMode::gather4) return "the mode must be gather4";
  if (r.flags & params::copy_replace_swizzle_96B) return "copies of four rows have no 96-byte swizzle here";
  return nullptr;
}

template <uint32_t most_ctas>
const char* wrong_column(const Im2colCopyRecord& r, const Im2colCopyRecord& first, const BatchView&) {
  if (const char* what = wrong_copy(r, first, most_ctas)) return what;
  if (r.instruction_rank < 3) return "instruction_rank must be 3 to 5";
  if (r.map.wide != 0 || r.mode == CopyMode::w || r.mode == CopyMode::w_128)
    return "the map of a copy must come from the plain im2col encoder";
  if (r.cluster_size > 1 && (r.mode != CopyMode::im2col || (r.flags & groups)))
    return "a multicast load is one of im2col mode, without .cta_group";
  return nullptr;
}

const char* wrong_wide(const Im2colCopyRecord& r, const Im2colCopyRecord& first, const BatchView&) {
  if (const char* what = wrong_copy(r, first)) return what;
  if (r.op != params::CopyOp::load) return "a wide copy is a load";
  if (r.instruction_rank < 3) return "instruction_rank must be 3 to 5";
  if (r.cluster_size == 1) return nullptr;
  if (r.mode == CopyMode::tile) return "a load in a cluster is through a map of its own mode";
  if (r.mode == CopyMode::im2col && (r.map.wide != 0 || !(r.flags & groups)))
    return "a load in a cluster is one along W, or has a cta_group and a plain map";
  return nullptr;
}

std::optional<std::string> declines_rows(const OpenedDriver& opened, bool emulator) {
  if (auto why = declines_without(opened, &spec::Architecture::has_tcgen05)) return why;
  return declines_copies(opened, emulator);
}
std::optional<std::string> declines_group(const OpenedDriver& opened, bool emulator) {
  const auto why = declines_without(opened, &spec::Architecture::has_tcgen05);
  return why ? ".cta_group " + *why : declines_copies(opened, emulator);
}
std::optional<std::string> declines_wide_copies(const OpenedDriver& opened, bool emulator) {
  const auto why = declines_rows(opened, emulator);
  if (why || opened.driver.encode_im2col_wide != nullptr) return why;
  return "the driver has no cuTensorMapEncodeIm2colWide";
}

constexpr uint32_t portable = params::portable_cluster, largest = params::largest_cluster;
const RegisterFamily copies[] = {
    RegisterFamily(family_of<TiledCopyRecord, wrong_tile<portable>>("tma_tiled_copy", declines_copies,
                                                                    run_copies<TiledCopyRecord>)),
    RegisterFamily(family_of<TiledCopyRecord, wrong_tile<largest>>(
        "tma_tiled_copy_non_portable", declines_in_largest_cluster<declines_copies>,
        run_copies<TiledCopyRecord>)),
    RegisterFamily(family_of<TiledCopyRecord, wrong_with_group>("tma_tiled_cta_group", declines_group,
                                                                run_copies<TiledCopyRecord>)),
    RegisterFamily(family_of<TiledCopyRecord, wrong_rows<portable>>("tma_gather_copy", declines_rows,
                                                                    run_copies<TiledCopyRecord>)),
    RegisterFamily(family_of<TiledCopyRecord, wrong_rows<largest>>("tma_gather_copy_non_portable",
                                                                   declines_in_largest_cluster<declines_rows>,
                                                                   run_copies<TiledCopyRecord>)),
    RegisterFamily(family_of<Im2colCopyRecord, wrong_column<portable>>("tma_im2col_copy", declines_copies,
                                                                       run_copies<Im2colCopyRecord>)),
    RegisterFamily(family_of<Im2colCopyRecord, wrong_column<largest>>(
        "tma_im2col_copy_non_portable", declines_in_largest_cluster<declines_copies>,
        run_copies<Im2colCopyRecord>)),
    RegisterFamily(family_of<Im2colCopyRecord, wrong_wide>("tma_im2col_wide_copy", declines_wide_copies,
                                                           run_copies<Im2colCopyRecord>))};

}  // namespace
}  // namespace assay::cuda
