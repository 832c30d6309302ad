// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/fast_work.h"

namespace assay::numerics {

using spec::Rounding;

uint32_t Work::scaled_input(uint32_t code) const {
  const Element c = Decoder(*types_->d, true)(code);
  if (c.special || c.value == 0) return code;
  const double value = c.value * power_of_two(-tile_->scale_input_d);
  const int leading = std::max(std::ilogb(value), types_->d->emin());
  const double unit = power_of_two(leading - types_->d->mantissa_bits);
  const Rounding rounding = arithmetic_->scaled_input == ScaledInput::rounded_toward_zero
                                ? Rounding::toward_zero
                                : Rounding::nearest_even;
  const double rounded = round_to(rounding, value / unit) * unit;
  if (types_->d->storage_bits == 32) return std::bit_cast<uint32_t>(static_cast<float>(rounded));
  const double magnitude = std::abs(rounded);
  uint32_t bits;
  if (magnitude < 0x1p-14) {
    bits = static_cast<uint32_t>(magnitude / 0x1p-24);
  } else {
    const int exponent = std::ilogb(magnitude);
    bits = static_cast<uint32_t>(exponent + 14) * 1024 +
           static_cast<uint32_t>(magnitude * power_of_two(10 - exponent));
  }
  return bits | (std::signbit(rounded) ? 0x8000u : 0u);
}

const double* Work::plain_sums(int row, int first, int count, const uint32_t* c, bool c_is_special) {
  const bool scale_is_nan = any_scale_nan_;
  if (!row_operand_->any_special && !column_operand_->any_special && !c_is_special && !scale_is_nan &&
      !rules_.all_minus_zero_gives_minus_zero)
    return nullptr;
  kernels_->widen(c, rules_.d_is_f16, padded_, plain_.data());
  const size_t row_at = static_cast<size_t>(row) * types_->k + first;
  const bool counts =
      row_operand_->any_special || column_operand_->any_special || rules_.all_minus_zero_gives_minus_zero;
  if (counts && in_float_)
    kernels_->sum_plain_float(row_operand_->plain32.data() + row_at, column_operand_->plain32.data(),
                              &column_at_[first], count, padded_, plain_.data());
  else if (counts)
    kernels_->sum_plain(row_operand_->plain.data() + row_at, column_operand_->plain.data(),
                        &column_at_[first], count, padded_, plain_.data());
  if (scale_is_nan)
    for (int j = 0; j < padded_; ++j)
      if (row_scale_nan_[row] != 0 || column_scale_nan_[j] != 0)
        plain_[j] = std::numeric_limits<double>::quiet_NaN();
  return plain_.data();
}

void Work::run_block(int row, int first, int count, const uint32_t* c, uint32_t* d) {
  const size_t row_at = static_cast<size_t>(row) * types_->k + first;
  const size_t* column_at = &column_at_[first];
  if (grouped_)
    group_exponents(row, first, count);
  else
    kernels_->max_exponents(row_operand_->exponent.data() + row_at, column_operand_->exponent.data(),
                            column_at, count, padded_, product_exponent_.data());
  const bool scale_by_element = scaled_ && !grouped_;
  if (scale_by_element) {
    scale_exponent_.resize(padded_);
    for (int j = 0; j < padded_; ++j)
      scale_exponent_[j] = row_scale_exponent_[row] + column_scale_exponent_[j];
  }
  Row work{padded_,
           product_exponent_.data(),
           scale_by_element ? scale_exponent_.data() : nullptr,
           c,
           c_value_.data(),
           alignment_.data(),
           shift_.data(),
           sum_.data(),
           nullptr,
           d};
  const bool c_is_special = kernels_->prepare(rules_, work);
  if (grouped_)
    sum_groups(row, first, count);
  else if (in_float_)
    kernels_->sum_float(row_operand_->value32.data() + row_at, column_operand_->value32.data(), column_at,
                        count, padded_, shift_.data(), sum_.data());
  else
    kernels_->sum_double(row_operand_->value64.data() + row_at, column_operand_->value64.data(), column_at,
                         count, padded_, shift_.data(), arithmetic_->term_rounding, sum_.data());
  work.plain = plain_sums(row, first, count, c, c_is_special);
  kernels_->finish(rules_, work);
}

void Work::add_accumulator(const uint32_t* c, uint32_t* d) {
  const auto add = types_->d->storage_bits == 32 ? kernels_->add_f32 : kernels_->add_f16;
  add(c, padded_, rules_.nan, d);
}

void Work::run_integer_row(int row, const uint32_t* c, uint32_t* d) {
  kernels_->sum_integers(row_operand_->value32.data() + static_cast<size_t>(row) * types_->k,
                         column_operand_->value32.data(), column_at_.data(), types_->k, padded_, c,
                         arithmetic_->saturates, d);
}

void Work::run_row(int row, const uint32_t* c, uint32_t* d) {
  const bool inside = arithmetic_->accumulator == AccumulatorPlace::inside;
  const uint32_t* running = c;
  rules_.scale_input_d = 0;
  if (!inside) {
    running_.assign(padded_, 0);
    running = running_.data();
  } else if (tile_->scale_input_d != 0 && arithmetic_->scaled_input == ScaledInput::exact) {
    rules_.scale_input_d = tile_->scale_input_d;
  } else if (tile_->scale_input_d != 0) {
    running_.assign(c, c + padded_);
    for (int j = 0; j < columns_; ++j) running_[j] = scaled_input(running_[j]);
    running = running_.data();
  }
  for (int first = 0; first < types_->k; first += block_length_) {
    run_block(row, first, std::min(block_length_, types_->k - first), running, d);
    rules_.scale_input_d = 0;
    if (first + block_length_ >= types_->k) break;
    running_.assign(d, d + padded_);
    running = running_.data();
  }
  if (!inside) add_accumulator(c, d);
}

}  // namespace assay::numerics
