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

uint64_t fast_chain(const Arithmetic& arithmetic, std::span<const uint64_t> a, std::span<const uint64_t> b,
                    uint64_t c) {
  constexpr uint64_t quiet = uint64_t{1} << 51;
  const auto is_nan = [](uint64_t bits) { return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000; };
  uint64_t d = c;
  for (size_t k = 0; k < a.size(); ++k) {
    if (is_nan(b[k]) || is_nan(d) || is_nan(a[k])) {
      d = (is_nan(b[k]) ? b[k] : is_nan(d) ? d : a[k]) | quiet;
      continue;
    }
    const double sum =
        std::fma(std::bit_cast<double>(b[k]), std::bit_cast<double>(a[k]), std::bit_cast<double>(d));
    d = std::isnan(sum) ? arithmetic.nan : std::bit_cast<uint64_t>(sum);
  }
  return d;
}

void fast_chain_row(const Kernels& kernels, const Arithmetic& arithmetic, std::span<const uint64_t> a,
                    std::span<const uint64_t> b, std::span<const uint64_t> c, std::span<uint64_t> d) {
  const auto doubles = [](auto codes) { return reinterpret_cast<const double*>(codes.data()); };
  kernels.chain(doubles(a), doubles(b), doubles(c), static_cast<int>(a.size()), static_cast<int>(d.size()),
                std::bit_cast<double>(arithmetic.nan), reinterpret_cast<double*>(d.data()));
}

namespace {

DecodeRules rules_of(const OperandSource& source) {
  const spec::Format& f = *source.format;
  return {.is_integer = f.is_integer(),
          .is_signed = f.is_signed(),
          .storage_bits = f.storage_bits,
          .to_mantissa = f.ignored_bits,
          .mantissa_bits = f.mantissa_bits,
          .mantissa_mask = static_cast<uint32_t>(f.mantissa_mask()),
          .exponent_mask = static_cast<uint32_t>(f.exponent_mask()),
          .sign_bit = static_cast<uint32_t>(f.sign_bit()),
          .bias = f.bias,
          .zero_exponent_is_subnormal = f.zero_exponent_is_subnormal,
          .has_specials = f.top != spec::TopExponent::number,
          .has_infinity = f.has_infinity(),
          .subnormals_align_at_emin = source.subnormals_align_at_emin,
          .zero_exponent = source.zero_exponent};
}

/// The codes by position. What is padding is 0.
void arrange(const OperandSource& source, uint32_t* to) {
  const size_t k = source.order.size(), lines = static_cast<size_t>(source.lines);
  const uint32_t* const codes = source.codes.data();
  if (source.padded == 0) {
    for (size_t line = 0; line < lines; ++line)
      for (size_t i = 0; i < k; ++i)
        to[line * k + i] = codes[line * k + static_cast<size_t>(source.order[i])];
    return;
  }
  for (size_t i = 0; i < k; ++i, to += source.padded) {
    const uint32_t* from = codes + source.order[i];
    for (size_t line = 0; line < lines; ++line, from += k) to[line] = *from;
    std::fill(to + lines, to + source.padded, 0);
  }
}

}  // namespace

void Operand::decode(const Kernels& kernels, const OperandSource& source, Wanted wanted) {
  const size_t size =
      source.order.size() * static_cast<size_t>(source.padded != 0 ? source.padded : source.lines);
  const size_t padded = (size + column_padding - 1) / column_padding * column_padding;
  if (arranged_.size() < padded) arranged_.resize(padded);
  std::fill(arranged_.begin() + static_cast<ptrdiff_t>(size),
            arranged_.begin() + static_cast<ptrdiff_t>(padded), 0);
  arrange(source, arranged_.data());
  const auto take = [padded](auto& values, bool is_wanted) {
    if (is_wanted && values.size() < padded) values.resize(padded);
    return is_wanted ? values.data() : nullptr;
  };
  any_special =
      kernels.decode(rules_of(source), arranged_.data(), static_cast<int>(padded),
                     {take(value32, wanted.value32), take(value64, wanted.value64), take(plain, wanted.plain),
                      take(plain32, wanted.plain32), take(exponent, true)});
}

const Operand& DecodedOperands::decode(const Kernels& kernels, const OperandSource& source,
                                       Operand::Wanted wanted) {
  for (const Entry& entry : entries_) {
    const OperandSource& made = entry.source;
    if (made.format == source.format && made.subnormals_align_at_emin == source.subnormals_align_at_emin &&
        made.zero_exponent == source.zero_exponent && made.lines == source.lines &&
        made.padded == source.padded && entry.wanted == wanted &&
        std::ranges::equal(entry.order, source.order) && std::ranges::equal(entry.codes, source.codes))
      return entry.operand;
  }
  Entry& entry = entries_[next_];
  next_ = (next_ + 1) % kept;
  entry.codes.assign(source.codes.begin(), source.codes.end());
  entry.order.assign(source.order.begin(), source.order.end());
  entry.source = source;
  entry.source.codes = entry.codes;
  entry.source.order = entry.order;
  entry.wanted = wanted;
  entry.operand.decode(kernels, source, wanted);
  return entry.operand;
}

}  // namespace assay::numerics
