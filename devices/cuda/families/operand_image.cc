// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/operand_image.h"

namespace assay::cuda {

const char* wrong_image(const params::OperandImage& image, uint32_t window_bytes) {
  if (image.row_bytes == 0) return nullptr;
  if (image.row_bytes != 32 && image.row_bytes != 64 && image.row_bytes != 128)
    return "row_bytes of an image must be 32, 64 or 128";
  if (image.swizzle > params::swizzle_128B_atom32B) return "the swizzle of an image must be 0 to 4";
  if (image.box_rows < 1 || image.box_rows > 256) return "box_rows must be 1 to 256";
  if (window_bytes == 0 || window_bytes % 1024 || window_bytes % (image.row_bytes * image.box_rows))
    return "an image is whole boxes and whole KiB";
  return nullptr;
}

bool encode_image(OpenedDevice& device, Job& job, uint32_t index, const params::OperandImage& image,
                  uint64_t offset, uint64_t bytes) {
  constexpr int type_uint8 = 0;  // cuda.h: CUtensorMapDataType
  const uint64_t dims[] = {image.row_bytes, bytes / image.row_bytes}, strides[] = {image.row_bytes};
  const uint32_t box[] = {image.row_bytes, image.box_rows}, steps[] = {1, 1};
  auto* map = reinterpret_cast<TensorMap*>(job.memory.maps + uint64_t{index} * 128);
  job.note_call(index);
  const Result refused = device.driver.encode_tiled(
      map, type_uint8, 2, reinterpret_cast<void*>(device.slot(job.batch).output + offset), dims, strides, box,
      steps, /*interleave=*/0, image.swizzle,
      /*l2_promotion=*/0, /*oob_fill=*/0);
  job.clear_call();
  if (refused) job.memory.ends[index] = {static_cast<int32_t>(Ended::rejected), refused, ~0u, 0};
  return !refused;
}

}  // namespace assay::cuda
