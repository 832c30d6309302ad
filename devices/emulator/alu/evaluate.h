// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/lane_op.h"

/// For tests: one arithmetic instruction on one lane's operands.
namespace assay::emulator::alu {

inline Opcode opcode_of(const std::string& text) {
  Opcode opcode;
  opcode.text = text;
  std::stringstream words(text);
  std::getline(words, opcode.base, '.');
  for (std::string word; std::getline(words, word, '.');) opcode.qualifiers.push_back(word);
  return opcode;
}

using Column = std::array<uint64_t, warp_lanes>;

inline Column column_of(uint64_t value) {
  Column column;
  column.fill(value);
  return column;
}

struct Results {
  uint64_t d, d2;
  bool operator==(const Results&) const = default;
};

/// Runs the instruction three ways and wants the same of each: alone in one lane (whose neighbours must stay
/// as they were), in all lanes, and in all lanes with the destination being the first source.
inline Results evaluate_both(const std::string& text, const std::vector<uint64_t>& sources,
                             int destination_bits = 0) {
  const auto form = find_lane_form(opcode_of(text), destination_bits);
  EXPECT_TRUE(form.has_value()) << text << " is unknown";
  if (!form) return {};
  const size_t given = sources.size(), wanted = form->sources + (form->reads_carry ? 1 : 0);
  EXPECT_TRUE(given >= wanted && given <= wanted + form->optional_sources) << text << " takes other operands";
  if (given < wanted) return {};

  constexpr uint64_t untouched = 0x5a5a5a5a5a5a5a5a;
  constexpr int lane = 13;
  std::array<Column, 5> columns;
  Column d, d2;
  LaneArgs args;
  for (size_t i = 0; i < given; ++i) {
    columns[i].fill(sources[i]);
    args.s[i] = columns[i].data();
  }
  d.fill(untouched);
  d2.fill(untouched);
  args.d = d.data();
  args.d2 = form->second_destination || form->writes_carry ? d2.data() : nullptr;
  args.mask = 1u << lane;
  form->op(args);
  const Results alone{d[lane], d2[lane]};
  d[lane] = d2[lane] = untouched;
  EXPECT_TRUE(d == d2 && d == column_of(untouched)) << text << " wrote a lane outside its mask";

  args.mask = 0xffffffffu;
  form->op(args);
  EXPECT_EQ(d, column_of(alone.d)) << text << " differs between one lane and all";

  args.d = columns[0].data();
  form->op(args);
  EXPECT_EQ(columns[0], column_of(alone.d)) << text << " differs when it overwrites its source";
  return alone;
}

inline uint64_t evaluate(const std::string& text, const std::vector<uint64_t>& sources,
                         int destination_bits = 0) {
  return evaluate_both(text, sources, destination_bits).d;
}

// For tests: a narrow float format as the list of its values, and rounding as a search in that list. Nothing
// here shares a thought with the bit arithmetic under test.

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
