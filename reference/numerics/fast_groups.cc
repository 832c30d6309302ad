// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/fast_work.h"

namespace assay::numerics {

GroupScales Work::scales_of(int row, int block) const {
  const size_t of_row = static_cast<size_t>(row) * types_->scale_count() + block;
  const size_t of_columns = static_cast<size_t>(block) * padded_;
  return {padded_, row_scale_[of_row], row_scale_exponent_[of_row], column_scale_.data() + of_columns,
          column_scale_exponent_.data() + of_columns};
}

/// The largest scale exponent among the groups that count, as if it were that of a product.
void Work::group_exponents(int row, int first, int count) {
  const int size = arithmetic_->group_terms, groups = count / size;
  group_exponent_.resize(padded_);
  group_sum_.assign(static_cast<size_t>(groups) * padded_, 0);
  std::fill(product_exponent_.begin(), product_exponent_.end(), no_exponent);
  for (int group = 0; group < groups; ++group) {
    const int k = first + group * size;
    const size_t row_at = static_cast<size_t>(row) * types_->k + k;
    const size_t* column_at = &column_at_[k];
    kernels_->max_exponents(row_operand_->exponent.data() + row_at, column_operand_->exponent.data(),
                            column_at, size, padded_, group_exponent_.data());
    kernels_->sum_plain(row_operand_->plain.data() + row_at, column_operand_->plain.data(), column_at, size,
                        padded_, group_sum_.data() + static_cast<size_t>(group) * padded_);
    kernels_->group_exponents(scales_of(row, k / types_->scale_block), group_exponent_.data(),
                              arithmetic_->zero_group_keeps_scale ? columns_ : 0, product_exponent_.data());
  }
}

void Work::sum_groups(int row, int first, int count) {
  const int size = arithmetic_->group_terms, groups = count / size;
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int group = 0; group < groups; ++group)
    kernels_->add_group(scales_of(row, (first + group * size) / types_->scale_block),
                        group_sum_.data() + static_cast<size_t>(group) * padded_, shift_.data(),
                        arithmetic_->term_rounding, sum_.data());
}

}  // namespace assay::numerics
