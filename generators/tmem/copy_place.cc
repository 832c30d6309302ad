// SPDX-License-Identifier: Apache-2.0
#include "generators/tmem/copy_place.h"

#include <algorithm>

#include "reference/layout/tmem_copy.h"
#include "reference/spec/smem_desc.h"

namespace assay::suites {
namespace {

constexpr uint32_t unit = 16, field = 0x4000 * unit;

/// Bytes that a matrix may stretch over. What lies before its end is filled at a price: few are large.
uint32_t room(gen::Random& random) {
  return random.one_in(32) ? 220u << 10 : static_cast<uint32_t>(random.log_uniform(4 << 10, 48 << 10));
}

/// A live stride: that of rows which lie side by side, one that lays blocks on each other, or any.
uint32_t stride(gen::Random& random, uint32_t dense, uint32_t most) {
  most = std::min(most, field - unit);
  switch (random.below(4)) {
    case 0:
      return std::min(dense, most / unit * unit);
    case 1:
      return std::min(random.below(9) * unit, most / unit * unit);
    default:
      return random.below(most / unit + 1) * unit;
  }
}

}  // namespace

LiveStrides live_strides(const TmemMove& m) {
  const layout::TmemCopyShapeRow& shape = layout::tmem_copy_shapes[m.shape];
  return {m.source.swizzle == 0 && shape.words > 4, shape.rows > 8};
}

void place_source(gen::Random& random, TmemMove& m) {
  const layout::TmemCopyShapeRow& shape = layout::tmem_copy_shapes[m.shape];
  const auto groups = static_cast<uint32_t>(shape.rows + 7) / 8;
  m.source = {};
  m.source.swizzle = spec::smem_swizzles[random.below(4)].tcgen05_code;  // not in 32-byte atoms
  const uint32_t width = spec::find_smem_swizzle(uint64_t{m.source.swizzle})->width;
  const uint32_t all = room(random), fixed = 8 * width + (m.count - 1) * m.source_step * unit + 128;
  uint32_t left = all > fixed ? all - fixed : 0;
  const LiveStrides live = live_strides(m);
  const auto any = [&] { return random.one_in(2) ? 0 : random.below(0x4000) * unit; };
  m.source.leading_offset = live.leading ? stride(random, 8 * width, left / 2) : any();
  if (live.leading) left -= m.source.leading_offset;
  m.source.stride_offset = live.stride ? stride(random, 8 * width, left / groups) : any();
  if (live.stride) left -= m.source.stride_offset * (groups - 1);
  m.source.start = random.one_in(4) ? 0 : random.below(std::min(left, all / 2) / unit + 1) * unit;
  if (m.source.swizzle != 0 && random.one_in(2)) m.source.base_offset = random.below(8);
}

}  // namespace assay::suites
