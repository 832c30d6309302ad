// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace assay::emulator {

/// What tcgen05.ld.red makes of the registers of a thread (ptx, tcgen05.ld: .red).
struct TmemReduction {
  enum class Type : uint8_t { u32, s32, f32 };
  Type type = Type::u32;
  bool is_max = false;
  bool is_of_magnitudes = false;  ///< .abs, f32
  bool keeps_nan = false;         ///< .NaN, f32: one NaN makes the result NaN; else they are passed over
};

/// One word of as many as there are, at least one. `gives_nan`: a NaN is not passed over even without .NaN
/// (AMB-49).
uint32_t reduce(const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan);

}  // namespace assay::emulator
