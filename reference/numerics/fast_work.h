// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "reference/numerics/fast.h"
#include "reference/numerics/fast_kernels.h"
#include "reference/numerics/fast_operands.h"

namespace assay::numerics {

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
