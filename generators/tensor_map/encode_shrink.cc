// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_cases.h"

#include <algorithm>
#include <utility>

#include "generators/simpler_cases.h"

namespace assay::gen {
/// Any call can be made, so all fit.
constexpr auto any_call = [](const auto&) { return true; };

std::vector<EncodeTiledCase> simpler(const EncodeTiledCase& c) {
  SimplerCases<EncodeTiledCase> steps(c, any_call);
  const TensorMapArgs& m = c.map;
  // Entries at index >= rank are not read: plain first, so that a report shows what matters.
  steps.offer([](EncodeTiledCase& s) {
    for (uint32_t i = std::min(5u, s.map.rank); i < 5; ++i) {
      s.map.global_dim[i] = 0;
      s.map.box_dim[i] = s.map.element_stride[i] = 0;
      if (i >= 1) s.map.global_stride[i - 1] = 0;
    }
    if (s.map.rank == 0) s.map.global_stride.fill(0);
  });
  if (m.rank > 1 && m.rank <= 5) {
    steps.offer([](EncodeTiledCase& s) { s.map.rank = 1; });
    steps.offer([](EncodeTiledCase& s) { --s.map.rank; });
  }
  for (uint32_t bit = c.null_mask; bit != 0; bit &= bit - 1)
    steps.offer([&](EncodeTiledCase& s) { s.null_mask &= ~(bit & -bit); });
  if (c.replaces) {
    steps.offer([](EncodeTiledCase& s) { s.replaces = false, s.replacement = 0; });
    steps.towards(uint64_t{16}, [](EncodeTiledCase& s) -> uint64_t& { return s.replacement; });
  }
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map_offset; });
  steps.offer([](EncodeTiledCase& s) { s.before = 0xcd; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.l2_promotion; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.oob_fill; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.interleave; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.swizzle; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.data_type; });
  for (uint32_t i = 0; i < std::min(5u, m.rank); ++i) {
    steps.towards(i == 0 ? 16u : 1u, [i](EncodeTiledCase& s) -> uint32_t& { return s.map.box_dim[i]; });
    steps.towards(1u, [i](EncodeTiledCase& s) -> uint32_t& { return s.map.element_stride[i]; });
    steps.towards(uint64_t{256}, [i](EncodeTiledCase& s) -> uint64_t& { return s.map.global_dim[i]; });
    if (i >= 1)
      steps.towards(uint64_t{1024} << (8 * (i - 1)),
                    [i](EncodeTiledCase& s) -> uint64_t& { return s.map.global_stride[i - 1]; });
  }
  steps.towards(uint64_t{0x100000}, [](EncodeTiledCase& s) -> uint64_t& { return s.map.global_address; });
  return std::move(steps.made);
}

using Call = EncodeIm2colCase;

std::vector<EncodeIm2colCase> simpler(const EncodeIm2colCase& c) {
  SimplerCases<Call> steps(c, any_call);
  const uint32_t rank = std::min(5u, c.map.rank);
  // What the rank does not use is not read: plain first, so that a report shows what matters.
  steps.offer([&](Call& s) {
    for (uint32_t i = rank; i < 5; ++i) {
      s.map.global_dim[i] = s.map.element_stride[i] = 0;
      if (i >= 1) s.map.global_stride[i - 1] = 0;
    }
    for (uint32_t k = s.map.wide ? 1 : spatial_axes(s.map.rank); k < 3; ++k)
      s.map.lower[k] = s.map.upper[k] = 0;
  });
  if (rank > 3 && c.map.rank <= 5) {
    steps.offer([](Call& s) { s.map.rank = 3; });
    steps.offer([](Call& s) { --s.map.rank; });
  }
  for (uint32_t bit = c.null_mask; bit != 0; bit &= bit - 1)
    steps.offer([&](Call& s) { s.null_mask &= ~(bit & -bit); });
  steps.offer([](Call& s) { s.map_offset = 0; });
  steps.offer([](Call& s) { s.before = 0xcd; });
  for (uint32_t TensorMapArgs::*code :
       {&TensorMapArgs::l2_promotion, &TensorMapArgs::oob_fill, &TensorMapArgs::interleave,
        &TensorMapArgs::swizzle, &TensorMapArgs::data_type})
    steps.towards(0u, [code](Call& s) -> uint32_t& { return s.map.*code; });
  steps.towards(0u, [](Call& s) -> uint32_t& { return s.map.wide_mode; });
  steps.towards(16u, [](Call& s) -> uint32_t& { return s.map.channels; });
  steps.towards(1u, [](Call& s) -> uint32_t& { return s.map.pixels; });
  for (uint32_t k = 0; k < spatial_axes(c.map.rank); ++k) {
    steps.towards(0, [k](Call& s) -> int32_t& { return s.map.lower[k]; });
    steps.towards(0, [k](Call& s) -> int32_t& { return s.map.upper[k]; });
  }
  for (uint32_t i = 0; i < rank; ++i) {
    steps.towards(1u, [i](Call& s) -> uint32_t& { return s.map.element_stride[i]; });
    steps.towards(uint64_t{256}, [i](Call& s) -> uint64_t& { return s.map.global_dim[i]; });
    if (i >= 1)
      steps.towards(uint64_t{1024} << (8 * (i - 1)),
                    [i](Call& s) -> uint64_t& { return s.map.global_stride[i - 1]; });
  }
  steps.towards(uint64_t{0x100000}, [](Call& s) -> uint64_t& { return s.map.global_address; });
  return std::move(steps.made);
}

}  // namespace assay::gen
