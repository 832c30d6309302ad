// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// For tests: a narrow float format as the list of its values, and rounding as a search in that list. Nothing
/// here shares a thought with the bit arithmetic under test.
namespace assay::emulator::alu {

using Exact =
    __float128;  ///< holds sums and products of 16-bit floats without rounding unless they are far apart

class Codebook {
 public:
  /// Magnitudes for the codes 0 to `largest`; the next step would be `beyond`, where overflow begins to round
  /// up.
  Codebook(int exponent_bits, int fraction_bits, uint32_t largest) : bits_(exponent_bits + fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    for (uint32_t code = 0; code <= largest + 1; ++code) {
      const auto exponent = static_cast<int>(code >> fraction_bits);
      const double fraction = std::ldexp(code & ((1u << fraction_bits) - 1), -fraction_bits);
      const double value =
          exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
      (code <= largest ? values_ : next_).push_back(value);
    }
  }

  uint32_t largest() const { return static_cast<uint32_t>(values_.size() - 1); }
  uint32_t sign() const { return 1u << bits_; }
  double value(uint32_t code) const { return values_[code & (sign() - 1)] * ((code & sign()) != 0 ? -1 : 1); }

  /// The code nearest to x in the manner of "rn", "rna", "rz", "rm" or "rp"; largest() + 1 in magnitude for
  /// overflow.
  uint32_t round(Exact x, bool negative_zero, const std::string& how) const {
    const bool negative = x < 0 || (x == 0 && negative_zero);
    return (negative ? sign() : 0) | magnitude(x, negative, how);
  }
  uint32_t magnitude(Exact x, bool negative, const std::string& how) const {
    const Exact size = x < 0 ? -x : x;
    const auto above = std::upper_bound(values_.begin(), values_.end(), size,
                                        [](Exact m, double v) { return m < Exact{v}; });
    const auto low = static_cast<uint32_t>(above - values_.begin() - 1);
    const Exact under = size - Exact{values_[low]};
    const Exact over = Exact{low == largest() ? next_[0] : values_[low + 1]} - size;
    bool up = false;
    if (under != 0) {
      if (how == "rn") up = over < under || (over == under && low % 2 == 1);
      if (how == "rna") up = over <= under;
      if (how == "rm") up = negative;
      if (how == "rp") up = !negative;
    }
    // Anything at or above the step after the largest has overflowed, unless the direction says stay.
    if (over <= 0 && (how == "rn" || how == "rna")) up = true;
    return low + (up ? 1 : 0);
  }

 private:
  int bits_;
  std::vector<double> values_, next_;
};

}  // namespace assay::emulator::alu
