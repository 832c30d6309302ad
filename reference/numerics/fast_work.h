// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "reference/numerics/fast.h"
#include "reference/numerics/fast_kernels.h"
#include "reference/spec/formats.h"

namespace assay::numerics {

/// One code as Kernels::decode has them. Both are written apart from spec::decode, which the exact version
/// uses.
struct Element {
  double value = 0;            ///< 0 for infinities and NaN
  double plain = 0;            ///< the same, specials included
  int exponent = no_exponent;  ///< that it aligns with; no_exponent for zero
  bool special = false;
};

/// The columns of a spec::Format of at most 32 bits, worked out for one operand.
class Decoder {
 public:
  Decoder(const spec::Format& format, bool subnormals_align_at_emin)
      : format_(format),
        at_emin_(subnormals_align_at_emin),
        exponent_shift_(format.ignored_bits + format.mantissa_bits),
        exponent_mask_(static_cast<uint32_t>(format.exponent_mask())),
        mantissa_mask_(static_cast<uint32_t>(format.mantissa_mask())),
        sign_bit_(static_cast<uint32_t>(format.sign_bit())) {}

  Element operator()(uint32_t code) const {
    Element element;
    if (format_.is_integer()) {
      const int unused = 32 - format_.storage_bits;
      const uint32_t top = code << unused;
      element.value =
          format_.is_signed() ? static_cast<double>(static_cast<int32_t>(top) >> unused) : top >> unused;
      element.plain = element.value;
      element.exponent = element.value == 0 ? no_exponent : 0;
      return element;
    }
    const uint32_t exponent = code >> exponent_shift_ & exponent_mask_;
    const uint32_t mantissa = code >> format_.ignored_bits & mantissa_mask_;
    const uint64_t sign = (code & sign_bit_) != 0 ? uint64_t{1} << 63 : 0;
    if (exponent == exponent_mask_ && format_.top != spec::TopExponent::number) {
      const bool ieee = format_.top == spec::TopExponent::ieee;
      if (ieee || mantissa == mantissa_mask_) {
        element.special = true;
        element.plain = ieee && mantissa == 0 ? std::numeric_limits<double>::infinity()
                                              : std::numeric_limits<double>::quiet_NaN();
        element.plain = sign != 0 ? -element.plain : element.plain;
        return element;
      }
    }
    const bool is_subnormal = exponent == 0 && format_.zero_exponent_is_subnormal;
    const uint32_t significand = mantissa | (is_subnormal ? 0 : mantissa_mask_ + 1);
    const int leading = static_cast<int>(is_subnormal ? 1 : exponent) - format_.bias;
    const double unit =
        std::bit_cast<double>(static_cast<uint64_t>(leading - format_.mantissa_bits + 1023) << 52);
    element.value = static_cast<double>(static_cast<int32_t>(significand)) * unit;
    element.value = std::bit_cast<double>(std::bit_cast<uint64_t>(element.value) | sign);
    element.plain = element.value;
    element.exponent = significand == 0 ? no_exponent : leading;
    if (is_subnormal && !at_emin_ && significand != 0)
      element.exponent = leading - format_.mantissa_bits + static_cast<int>(std::bit_width(significand)) - 1;
    return element;
  }

 private:
  const spec::Format& format_;
  bool at_emin_;
  int exponent_shift_;
  uint32_t exponent_mask_, mantissa_mask_, sign_bit_;
};

/// What an operand is decoded from. codes: [line][k]. order: position -> k. padded: lines of the column form,
/// 0 for the row form. zero_exponent: that zeros align with.
struct OperandSource {
  const spec::Format* format;
  bool subnormals_align_at_emin;
  int16_t zero_exponent;
  std::span<const uint32_t> codes;
  int lines;
  std::span<const int> order;
  int padded;
};

/// One operand of a tile, decoded. As rows: [line][k]; as columns: [k][line], lines padded with zeros. Lines
/// are rows of A or columns of B; k is in the order of the fused blocks.
struct Operand {
  std::vector<float> value32;
  std::vector<float> plain32;  ///< as `plain`, when asked for
  std::vector<double> value64;
  std::vector<double> plain;  ///< filled when some element is special, or when asked for
  std::vector<int16_t> exponent;
  bool any_special = false;

  struct Wanted {
    bool value32, value64, plain, plain32;
    bool operator==(const Wanted&) const = default;
  };
  void decode(const Kernels& kernels, const OperandSource&, Wanted);

 private:
  std::vector<uint32_t> arranged_;
};

/// The operands decoded last: one case is predicted under every reading and every altered rule, with the same
/// operands in most of them. What is returned stays until `kept` more were decoded.
class DecodedOperands {
 public:
  const Operand& decode(const Kernels& kernels, const OperandSource&, Operand::Wanted);

 private:
  static constexpr size_t kept = 8;  ///< more than the instructions of most cases
  struct Entry {
    Operand operand;
    OperandSource source{};  ///< its spans are of the two below
    Operand::Wanted wanted{};
    std::vector<uint32_t> codes;
    std::vector<int> order;
  };
  std::array<Entry, kept> entries_;
  size_t next_ = 0;
};

/// Lowest and highest exponent that a product of two codes can have, as bounds.
struct ProductRange {
  int significant_bits, lowest_unit, highest;
  ProductRange(const spec::Format& a, const spec::Format& b)
      : significant_bits(a.significant_bits() + b.significant_bits()),
        lowest_unit(a.emin() - a.mantissa_bits + b.emin() - b.mantissa_bits),
        highest(static_cast<int>(a.exponent_mask() + b.exponent_mask()) - a.bias - b.bias + 2) {}
};

/// Products are exact in float, and sixteen of them, cut, fit in 32 bits.
inline bool fits_float(const Arithmetic& arithmetic, const Types& types) {
  const ProductRange range(*types.a, *types.b);
  return range.significant_bits <= 22 && range.lowest_unit >= -60 && range.highest <= 40 &&
         arithmetic.kept_bits <= 25 && arithmetic.term_rounding == spec::Rounding::toward_zero &&
         arithmetic.subnormals_align_at_emin;
}

/// Everything about one tile; its vectors are kept from call to call.
class Work {
 public:
  void run(const Arithmetic& arithmetic, const Types& types, const Tile& tile, std::span<uint32_t> d,
           const Kernels& kernels);

 private:
  void set_up(std::span<uint32_t> d);
  void decode_operands();
  void decode_scales();
  void place_columns(int row);
  void run_integer_row(int row, const uint32_t* c, uint32_t* d);
  void run_row(int row, const uint32_t* c, uint32_t* d);
  void run_block(int row, int first, int count, const uint32_t* c, uint32_t* d);
  GroupScales scales_of(int row, int block) const;
  void sum_groups(int row, int first, int count);
  void group_exponents(int row, int first, int count);
  const double* plain_sums(int row, int first, int count, const uint32_t* c, bool c_is_special);
  void keep_minus_zeros();
  void add_accumulator(const uint32_t* c, uint32_t* d);
  uint32_t scaled_input(uint32_t code) const;

  const Arithmetic* arithmetic_ = nullptr;
  const Types* types_ = nullptr;
  const Tile* tile_ = nullptr;
  const Kernels* kernels_ = nullptr;
  std::span<uint32_t> d_;
  // Vector lanes run along the longer side of D: `columns_` is n, or m when m is longer.
  bool rows_are_a_ = true;
  int rows_ = 0, columns_ = 0, padded_ = 0, block_length_ = 0;
  bool in_float_ = false, scaled_ = false, grouped_ = false;
  std::vector<int> order_;
  std::vector<int> stored_order_;  ///< of the columns of B where rows of A meet elements of their own
  std::vector<size_t> column_at_;  ///< for each position of a row, where the column operand has what it meets
  DecodedOperands decoded_rows_, decoded_columns_;
  const Operand *row_operand_ = nullptr, *column_operand_ = nullptr;
  RowRules rules_{};
  // Scales: exponents and significands, [line][block] for rows, [block][padded] for columns.
  std::vector<int32_t> row_scale_exponent_, column_scale_exponent_;
  std::vector<double> row_scale_, column_scale_;
  std::vector<uint8_t> row_scale_nan_, column_scale_nan_;
  bool any_scale_nan_ = false;
  // One row of D.
  std::vector<int16_t> product_exponent_;
  std::vector<int32_t> scale_exponent_, alignment_, shift_;
  std::vector<float> c_value_;
  std::vector<double> sum_, plain_, group_sum_;
  std::vector<int16_t> group_exponent_;
  std::vector<uint32_t> c_row_, d_row_, running_;
};

inline double power_of_two(int x) {
  return std::bit_cast<double>(static_cast<uint64_t>(std::max(x, -1000) + 1023) << 52);
}

inline double round_to(spec::Rounding rounding, double x) {
  switch (rounding) {
    case spec::Rounding::toward_zero:
      return std::trunc(x);
    case spec::Rounding::nearest_even:
      return std::nearbyint(x);
    case spec::Rounding::nearest_away:
      return std::round(x);
    case spec::Rounding::up:
      return std::ceil(x);
    case spec::Rounding::down:
      break;
  }
  return std::floor(x);
}

}  // namespace assay::numerics
