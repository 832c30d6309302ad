// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/im2col_call.h"

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

}  // namespace assay::cuda
