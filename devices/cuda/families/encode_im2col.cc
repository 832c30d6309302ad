// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/encode_im2col.h"

#include <cstring>

#include "devices/cuda/families/family.h"
#include "devices/cuda/families/im2col_call.h"

namespace assay::cuda {
namespace {

using params::EncodeIm2colRecord;

constexpr uint32_t map_bytes = 128;
/// Bytes around the output map that a call must leave alone.
constexpr uint32_t guard_bytes = 64;

std::optional<WrongBatch> check_batch(const BatchView& batch) {
  if (uint64_t{batch.count} * map_bytes > batch.output_bytes)
    return WrongBatch{"the batch's output must hold 128 bytes a record", {}};
  const auto* records = reinterpret_cast<const EncodeIm2colRecord*>(batch.records);
  for (uint32_t i = 0; i < batch.count; ++i)
    if (records[i].map_offset > 63) return WrongBatch{"map_offset must be 0 to 63", i};
  return std::nullopt;
}

std::optional<WrongBatch> check_plain(const BatchView& batch) {
  const auto* records = reinterpret_cast<const EncodeIm2colRecord*>(batch.records);
  for (uint32_t i = 0; i < batch.count; ++i)
    if (records[i].args.wide != 0) return WrongBatch{"calls of the wide encoder are of another family", i};
  return check_batch(batch);
}

std::optional<std::string> declines_nothing(const OpenedDriver&, bool) {
  return std::nullopt;
}
std::optional<std::string> declines_wide(const OpenedDriver& opened, bool) {
  if (opened.driver.encode_im2col_wide == nullptr)
    return "this driver is older than cuTensorMapEncodeIm2colWide";
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
    const EncodeIm2colRecord& r = job.record<EncodeIm2colRecord>(index);
    std::memset(frame.bytes, r.before, sizeof frame.bytes);
    std::byte* map = frame.bytes + guard_bytes + r.map_offset;
    job.note_call(index);
    const Result result = encode_im2col(device.driver, r.args, map, 0, r.null_mask);
    uint32_t strayed = 0;
    for (const std::byte* at = frame.bytes; at < frame.bytes + sizeof frame.bytes; ++at)
      strayed += (at < map || at >= map + map_bytes) && *at != std::byte{r.before};
    std::memcpy(job.memory.output + uint64_t{index} * map_bytes, map, map_bytes);
    job.memory.ends[index] = {static_cast<int32_t>(result ? Ended::rejected : Ended::done), result, ~0u,
                              strayed};
  }
  job.clear_call();
}

const Family plain{.name = "encode_im2col",
                   .record_bytes = sizeof(EncodeIm2colRecord),
                   .check = check_plain,
                   .declines = declines_nothing,
                   .run = run,
                   .is_calls = true};
const Family wide{.name = "encode_im2col_wide",
                  .record_bytes = sizeof(EncodeIm2colRecord),
                  .check = check_batch,
                  .declines = declines_wide,
                  .run = run,
                  .is_calls = true};
const RegisterFamily registered_plain(plain), registered_wide(wide);

}  // namespace
}  // namespace assay::cuda
