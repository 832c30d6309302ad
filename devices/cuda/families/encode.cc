// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "devices/cuda/families/family.h"
#include "devices/cuda/families/probe_launch.h"
#include "kernels/params/encode_im2col.h"
#include "kernels/params/encode_tiled.h"

namespace assay::cuda {

Result encode_im2col(const Driver& driver, const params::EncodeIm2colArgs& a, std::byte* map,
                     DeviceAddress base, uint32_t null_mask) {
  const auto unless = [&](uint32_t bit, auto* pointer) { return null_mask & bit ? nullptr : pointer; };
  auto* const to = unless(params::im2col_null_tensor_map, reinterpret_cast<TensorMap*>(map));
  void* const address = reinterpret_cast<void*>(base + a.global_address);
  const uint64_t* const dim = unless(params::im2col_null_global_dim, a.global_dim);
  const uint64_t* const stride = unless(params::im2col_null_global_stride, a.global_stride);
  const uint32_t* const traversal = unless(params::im2col_null_element_stride, a.element_stride);
  const auto type = static_cast<int>(a.data_type), interleave = static_cast<int>(a.interleave),
             swizzle = static_cast<int>(a.swizzle), promotion = static_cast<int>(a.l2_promotion),
             fill = static_cast<int>(a.oob_fill);
  if (a.wide != 0)
    return driver.encode_im2col_wide(to, type, a.rank, address, dim, stride, a.lower[0], a.upper[0],
                                     a.channels, a.pixels, traversal, interleave, static_cast<int>(a.mode),
                                     swizzle, promotion, fill);
  return driver.encode_im2col(to, type, a.rank, address, dim, stride,
                              unless(params::im2col_null_lower_corner, a.lower),
                              unless(params::im2col_null_upper_corner, a.upper), a.channels, a.pixels,
                              traversal, interleave, swizzle, promotion, fill);
}

Result encode_tiled(const Driver& driver, const params::EncodeTiledArgs& a, std::byte* map,
                    DeviceAddress base, uint32_t null_mask) {
  const auto unless = [&](uint32_t bit, auto* pointer) { return null_mask & bit ? nullptr : pointer; };
  return driver.encode_tiled(
      unless(params::null_tensor_map, reinterpret_cast<TensorMap*>(map)), static_cast<int>(a.data_type),
      a.rank, reinterpret_cast<void*>(base + a.global_address), unless(params::null_global_dim, a.global_dim),
      unless(params::null_global_stride, a.global_stride), unless(params::null_box_dim, a.box_dim),
      unless(params::null_element_stride, a.element_stride), static_cast<int>(a.interleave),
      static_cast<int>(a.swizzle), static_cast<int>(a.l2_promotion), static_cast<int>(a.oob_fill));
}

namespace {

using params::EncodeIm2colRecord, params::EncodeTiledRecord;

constexpr uint32_t map_bytes = 128;
/// Bytes around the output map that a call must leave alone.
constexpr uint32_t guard_bytes = 64;

template <typename Record>
std::optional<WrongBatch> check_calls(const BatchView& batch) {
  if (uint64_t{batch.count} * map_bytes > batch.output_bytes)
    return WrongBatch{"the batch's output must hold 128 bytes a record", {}};
  const auto* records = reinterpret_cast<const Record*>(batch.records);
  for (uint32_t i = 0; i < batch.count; ++i)
    if (records[i].map_offset > 63) return WrongBatch{"map_offset must be 0 to 63", i};
  return std::nullopt;
}

std::optional<WrongBatch> check_plain(const BatchView& batch) {
  const auto* records = reinterpret_cast<const EncodeIm2colRecord*>(batch.records);
  for (uint32_t i = 0; i < batch.count; ++i)
    if (records[i].args.wide != 0) return WrongBatch{"calls of the wide encoder are of another family", i};
  return check_calls<EncodeIm2colRecord>(batch);
}

std::optional<std::string> declines_nothing(const OpenedDriver&, bool) {
  return std::nullopt;
}
std::optional<std::string> declines_wide(const OpenedDriver& opened, bool) {
  if (opened.driver.encode_im2col_wide == nullptr)
    return "this driver is older than cuTensorMapEncodeIm2colWide";
  return std::nullopt;
}

Result call(const Driver& driver, const EncodeIm2colRecord& r, std::byte* map) {
  return encode_im2col(driver, r.args, map, 0, r.null_mask);
}

Result call(const Driver& driver, const EncodeTiledRecord& r, std::byte* map) {
  const Result result = encode_tiled(driver, r.args, map, 0, r.null_mask);
  if (result != 0 || r.replaces == 0) return result;
  return driver.replace_address(reinterpret_cast<TensorMap*>(map), reinterpret_cast<void*>(r.replacement));
}

/// A call's output map between two guard zones.
struct alignas(64) Frame {
  std::byte bytes[guard_bytes + 64 + map_bytes + guard_bytes];
};

/// RecordEnd::note is the number of bytes outside the output map that the call changed.
template <typename Record>
void run_calls(OpenedDevice& device, Job& job) {
  Frame frame;
  for (const uint32_t index : job.group) {
    const Record& r = job.record<Record>(index);
    std::memset(frame.bytes, r.before, sizeof frame.bytes);
    std::byte* map = frame.bytes + guard_bytes + r.map_offset;
    job.note_call(index);
    const Result result = call(device.driver, r, map);
    uint32_t strayed = 0;
    for (const std::byte* at = frame.bytes; at < frame.bytes + sizeof frame.bytes; ++at)
      strayed += (at < map || at >= map + map_bytes) && *at != std::byte{r.before};
    std::memcpy(job.memory.output + uint64_t{index} * map_bytes, map, map_bytes);
    job.memory.ends[index] = {static_cast<int32_t>(result ? Ended::rejected : Ended::done), result, ~0u,
                              strayed};
  }
  job.clear_call();
}

const RegisterFamily plain({.name = "encode_im2col",
                            .record_bytes = sizeof(EncodeIm2colRecord),
                            .check = check_plain,
                            .declines = declines_nothing,
                            .run = run_calls<EncodeIm2colRecord>,
                            .is_calls = true});
const RegisterFamily wide({.name = "encode_im2col_wide",
                           .record_bytes = sizeof(EncodeIm2colRecord),
                           .check = check_calls<EncodeIm2colRecord>,
                           .declines = declines_wide,
                           .run = run_calls<EncodeIm2colRecord>,
                           .is_calls = true});
const RegisterFamily tiled({.name = "encode_tiled",
                            .record_bytes = sizeof(EncodeTiledRecord),
                            .check = check_calls<EncodeTiledRecord>,
                            .declines = declines_nothing,
                            .run = run_calls<EncodeTiledRecord>,
                            .is_calls = true});

}  // namespace
}  // namespace assay::cuda
