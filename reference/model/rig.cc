// SPDX-License-Identifier: Apache-2.0
#include "reference/model/rig.h"

#include <vector>

namespace assay::model {
namespace {

/// splitmix64 of i.
uint64_t mixed(uint64_t i) {
  constexpr uint64_t step = 0x9e3779b97f4a7c15;
  uint64_t z = (i + 1) * step;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// 2^k or 2^k - 1, or its complement.
uint64_t border_of(uint64_t random) {
  uint64_t border = uint64_t{1} << random % 64;
  if ((random >> 6 & 1) != 0) --border;
  return (random >> 7 & 1) != 0 ? ~border : border;
}

/// Exponents of zeros and subnormals, of infinities and NaN, next to overflow, and any; mantissas of zero, of
/// a tie when 13 bits are dropped, of ones above those, and any.
uint32_t float_of(uint32_t random) {
  uint32_t exponent = random >> 23 & 0xff, mantissa = random >> 3 & 0x7fffff;
  if (random % 8 == 0) exponent = 0;
  if (random % 8 == 1) exponent = 0xff;
  if (random % 8 == 2) exponent = 0xfe;
  switch (random >> 28 & 7) {
    case 0:
      mantissa = 0;
      break;
    case 1:
      mantissa = (mantissa >> 13 << 13) | 0x1000;
      break;
    case 2:
      mantissa |= 0x7fe000;
      break;
  }
  return (random & 0x80000000) | exponent << 23 | mantissa;
}

std::vector<uint64_t> image() {
  std::vector<uint64_t> words(rig::arena_bytes / 8);
  for (uint64_t i = 0; i < words.size(); ++i) {
    const uint64_t random = mixed(i);
    if (i < rig::arena_integers / 8)
      words[i] = random;
    else if (i < rig::arena_floats / 8)
      words[i] = border_of(random);
    else
      words[i] = uint64_t{float_of(static_cast<uint32_t>(random >> 32))} << 32 |
                 float_of(static_cast<uint32_t>(random));
  }
  return words;
}

}  // namespace

std::span<const std::byte> arena() {
  static const std::vector<uint64_t> words = image();
  return std::as_bytes(std::span(words));
}

}  // namespace assay::model
