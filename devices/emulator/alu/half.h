// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cfenv>
#include <cstdint>

/// The 16-bit floats as single precision values, always exact, and back, rounded to nearest even. A NaN
/// becomes the canonical 0x7fff.
namespace assay::emulator::alu {

inline float f16_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00)  // infinity, or a NaN with its payload at the top of the significand
    return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x400)  // 112 = 127 - 15, the difference of the biases
    return std::bit_cast<float>(sign | ((magnitude << 13) + (112u << 23)));
  // A subnormal is magnitude * 2^-24: build 2^-14 + that, which is normal, and take the 2^-14 off again.
  const float scaled =
      std::bit_cast<float>((113u << 23) + (magnitude << 13)) - std::bit_cast<float>(113u << 23);
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(scaled));
}

inline float bf16_to_float(uint16_t brain) {
  return std::bit_cast<float>(static_cast<uint32_t>(brain) << 16);
}

inline uint16_t float_to_f16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00);  // 2^16 and above
  if (magnitude < 0x38800000u) {
    // Below 2^-14: the last place of 0.5 is 2^-24, so adding 0.5 rounds where a subnormal ends.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t rebased = magnitude - (112u << 23);
  return static_cast<uint16_t>(sign | (rebased + 0xfff + (rebased >> 13 & 1)) >> 13);
}

inline uint16_t float_to_bf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (value != value) return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// A subnormal becomes the zero of its sign.
inline float flushed(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : value;
}
inline uint16_t flushed_f16(uint16_t half) {
  return (half & 0x7c00) == 0 ? half & 0x8000 : half;
}

}  // namespace assay::emulator::alu

namespace assay::emulator {

/// While it lives, the host thread rounds to nearest, traps nothing and flushes no subnormals, whatever the
/// program that loaded the emulator has set (fast-math start-up code sets flush-to-zero). Whoever calls lane
/// operations holds one.
class HostFloat {
 public:
  HostFloat() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~HostFloat() { std::fesetenv(&saved_); }
  HostFloat(const HostFloat&) = delete;
  HostFloat& operator=(const HostFloat&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace assay::emulator
