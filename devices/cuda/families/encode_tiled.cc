// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/encode_tiled.h"

#include <cstring>

#include "devices/cuda/families/family.h"

namespace assay::cuda::encode_tiled {
namespace {

using params::EncodeTiledRecord;

constexpr uint32_t map_bytes = 128;
/// Bytes around the output map that a call must leave alone.
constexpr uint32_t guard_bytes = 64;

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  if (uint64_t{batch.count} * map_bytes > batch.output_bytes)
    return WrongBatch{"the batch's output must hold 128 bytes a record", {}};
  const auto* records = reinterpret_cast<const EncodeTiledRecord*>(batch.records);
  for (uint32_t i = 0; i < batch.count; ++i)
    if (records[i].map_offset > 63) return WrongBatch{"map_offset must be 0 to 63", i};
  return std::nullopt;
}

std::optional<std::string> declines(const OpenedDriver&, bool) {
  return std::nullopt;
}

/// A call's output map between two guard zones.
struct alignas(64) Frame {
  std::byte bytes[guard_bytes + 64 + map_bytes + guard_bytes];
};

/// RecordEnd::note is the number of bytes outside the output map that the call changed.
void run(OpenedDevice& device, Job& job) {
  Frame frame;
  for (const uint32_t index : job.group) {
    const EncodeTiledRecord& r = job.record<EncodeTiledRecord>(index);
    const params::EncodeTiledArgs& a = r.args;
    std::memset(frame.bytes, r.before, sizeof frame.bytes);
    std::byte* map = frame.bytes + guard_bytes + r.map_offset;
    const auto unless = [&](uint32_t bit, auto* pointer) { return r.null_mask & bit ? nullptr : pointer; };
    job.note_call(index);
    Result result = device.driver.encode_tiled(
        unless(params::null_tensor_map, reinterpret_cast<TensorMap*>(map)), static_cast<int>(a.data_type),
        a.rank, reinterpret_cast<void*>(a.global_address), unless(params::null_global_dim, a.global_dim),
        unless(params::null_global_stride, a.global_stride), unless(params::null_box_dim, a.box_dim),
        unless(params::null_element_stride, a.element_stride), static_cast<int>(a.interleave),
        static_cast<int>(a.swizzle), static_cast<int>(a.l2_promotion), static_cast<int>(a.oob_fill));
    if (result == 0 && r.replaces != 0)
      result = device.driver.replace_address(reinterpret_cast<TensorMap*>(map),
                                             reinterpret_cast<void*>(r.replacement));
    uint32_t strayed = 0;
    for (const std::byte* at = frame.bytes; at < frame.bytes + sizeof frame.bytes; ++at)
      strayed += (at < map || at >= map + map_bytes) && *at != std::byte{r.before};
    std::memcpy(job.memory.output + uint64_t{index} * map_bytes, map, map_bytes);
    job.memory.ends[index] = {static_cast<int32_t>(result ? Ended::rejected : Ended::done), result, ~0u,
                              strayed};
  }
  job.clear_call();
}

const Family family{.name = "encode_tiled",
                    .record_bytes = sizeof(EncodeTiledRecord),
                    .check = check_batch,
                    .declines = declines,
                    .run = run,
                    .is_calls = true};
const RegisterFamily registered(family);

}  // namespace
}  // namespace assay::cuda::encode_tiled
