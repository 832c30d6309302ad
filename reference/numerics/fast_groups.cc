#include "reference/numerics/fast_work.h"

namespace assay::numerics {

using spec::Rounding;

/// The largest scale exponent among the groups that count, as if it were that of a product.
void Work::group_exponents(int row, int first, int count) {
  const int size = arithmetic_->group_terms, groups = count / size, blocks = types_->scale_count();
  group_exponent_.resize(static_cast<size_t>(groups) * padded_);
  group_sum_.assign(static_cast<size_t>(groups) * padded_, 0);
  std::fill(product_exponent_.begin(), product_exponent_.end(), no_exponent);
  for (int group = 0; group < groups; ++group) {
    const int k = first + group * size, block = k / types_->scale_block;
    const size_t row_at = static_cast<size_t>(row) * types_->k + k;
    const size_t* column_at = &column_at_[k];
    int16_t* exponent = group_exponent_.data() + static_cast<size_t>(group) * padded_;
    kernels_->max_exponents(row_operand_->exponent.data() + row_at, column_operand_->exponent.data(),
                            column_at, size, padded_, exponent);
    kernels_->sum_plain(row_operand_->plain.data() + row_at, column_operand_->plain.data(), column_at, size,
                        padded_, group_sum_.data() + static_cast<size_t>(group) * padded_);
    const size_t row_scale = static_cast<size_t>(row) * blocks + block;
    for (int j = 0; j < padded_; ++j) {
      const size_t column_scale = static_cast<size_t>(block) * padded_ + j;
      const bool live =
          exponent[j] > live_limit && row_scale_[row_scale] != 0 && column_scale_[column_scale] != 0;
      const int scale = row_scale_exponent_[row_scale] + column_scale_exponent_[column_scale];
      if (live || (arithmetic_->zero_group_keeps_scale && j < columns_))
        product_exponent_[j] = std::max(product_exponent_[j], static_cast<int16_t>(scale));
    }
  }
}

void Work::sum_groups(int row, int first, int count) {
  const int size = arithmetic_->group_terms, groups = count / size, blocks = types_->scale_count();
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int group = 0; group < groups; ++group) {
    const int block = (first + group * size) / types_->scale_block;
    const size_t row_scale = static_cast<size_t>(row) * blocks + block;
    const double* products = group_sum_.data() + static_cast<size_t>(group) * padded_;
    const double* scales = column_scale_.data() + static_cast<size_t>(block) * padded_;
    const int32_t* exponents = column_scale_exponent_.data() + static_cast<size_t>(block) * padded_;
    for (int j = 0; j < padded_; ++j) {
      const double term = products[j] * (row_scale_[row_scale] * scales[j]) *
                          power_of_two(shift_[j] + row_scale_exponent_[row_scale] + exponents[j]);
      sum_[j] += arithmetic_->term_rounding == Rounding::toward_zero
                     ? static_cast<double>(static_cast<int64_t>(term))
                     : round_to(arithmetic_->term_rounding, term);
    }
  }
}

}  // namespace assay::numerics
