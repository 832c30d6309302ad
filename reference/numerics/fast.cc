// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/fast.h"

#include <numeric>

#include "reference/numerics/fast_work.h"

namespace assay::numerics {

void Work::set_up(std::span<uint32_t> d) {
  d_ = d;
  rows_are_a_ = tile_->n >= tile_->m || !tile_->met.empty();
  rows_ = rows_are_a_ ? tile_->m : tile_->n;
  columns_ = rows_are_a_ ? tile_->n : tile_->m;
  padded_ = (columns_ + column_padding - 1) / column_padding * column_padding;
  grouped_ = arithmetic_->scheme == Scheme::grouped;
  scaled_ = types_->scale != nullptr;
  in_float_ = arithmetic_->scheme == Scheme::fused && fits_float(*arithmetic_, *types_);
  const int k = types_->k;
  order_.resize(k);
  std::iota(order_.begin(), order_.end(), 0);
  if (arithmetic_->split == Split::by_four)
    std::stable_partition(order_.begin(), order_.end(), [](int i) { return i % 4 < 2; });
  if (!tile_->met.empty()) {
    stored_order_.resize(tile_->stored_k);
    std::iota(stored_order_.begin(), stored_order_.end(), 0);
  }
  column_at_.resize(k);
  block_length_ = arithmetic_->fused_terms != 0          ? arithmetic_->fused_terms
                  : arithmetic_->split == Split::by_four ? k / 2
                                                         : k;
  const spec::Format& format = *types_->d;
  rules_ = {arithmetic_->kept_bits,
            arithmetic_->floor_exponent,
            arithmetic_->term_rounding,
            arithmetic_->result_rounding,
            arithmetic_->result_bits,
            format.emin(),
            format.storage_bits == 16,
            arithmetic_->underflow_keeps_sign,
            arithmetic_->all_minus_zero_gives_minus_zero,
            0,
            static_cast<uint32_t>(arithmetic_->nan)};
  const size_t n = padded_;
  if (product_exponent_.size() < n) {
    product_exponent_.resize(n), alignment_.resize(n), shift_.resize(n), c_value_.resize(n);
    sum_.resize(n), plain_.resize(n), d_row_.resize(n);
  }
  c_row_.assign(n, 0);
}

void Work::decode_operands() {
  const std::span<const uint32_t> row_codes = rows_are_a_ ? tile_->a : tile_->b;
  const std::span<const uint32_t> column_codes = rows_are_a_ ? tile_->b : tile_->a;
  const spec::Format& row_format = rows_are_a_ ? *types_->a : *types_->b;
  const spec::Format& column_format = rows_are_a_ ? *types_->b : *types_->a;
  // A subnormal of e4m3 is a normal f16; one of e5m2 is a subnormal f16 too, of the same exponent.
  const auto at_emin = [&](const spec::Format& format) {
    const bool becomes_normal =
        arithmetic_->operands_become_f16 && format.emin() > spec::format("f16").emin();
    return arithmetic_->subnormals_align_at_emin && !becomes_normal &&
           format.storage_bits > arithmetic_->normalised_bits;
  };
  // Sums of groups are exact without cutting: they go through the plain values.
  const bool is_integer = arithmetic_->scheme == Scheme::integer;
  const bool zeros_count = arithmetic_->all_minus_zero_gives_minus_zero;
  Operand::Wanted wanted{in_float_ || is_integer, !in_float_ && !grouped_ && !is_integer,
                         grouped_ || (zeros_count && !in_float_), zeros_count && in_float_};
  // Zeros of some adders take part in the alignment. Special elements would change too, but lines that have
  // one do not look at exponents.
  const int16_t zero_exponent =
      arithmetic_->zeros_have_exponents && arithmetic_->scheme == Scheme::fused ? -126 : no_exponent;
  const OperandSource rows{&row_format, at_emin(row_format), zero_exponent, row_codes, rows_, order_, 0};
  const OperandSource columns{&column_format, at_emin(column_format),
                              zero_exponent,  column_codes,
                              columns_,       tile_->met.empty() ? order_ : stored_order_,
                              padded_};
  const auto decode = [&] {
    row_operand_ = &decoded_rows_.decode(*kernels_, rows, wanted);
    column_operand_ = &decoded_columns_.decode(*kernels_, columns, wanted);
  };
  decode();
  if ((row_operand_->any_special || column_operand_->any_special) && !wanted.plain && !wanted.plain32) {
    (in_float_ ? wanted.plain32 : wanted.plain) = true;
    decode();
  }
}

void Work::place_columns(int row) {
  const size_t k = column_at_.size(), padded = static_cast<size_t>(padded_);
  for (size_t i = 0; i < k; ++i)
    column_at_[i] =
        padded *
        (tile_->met.empty() ? i : tile_->met[static_cast<size_t>(row) * k + static_cast<size_t>(order_[i])]);
}

void Work::decode_scales() {
  any_scale_nan_ = false;
  if (!scaled_) return;
  const Decoder decoder(*types_->scale, true);
  const int blocks = types_->scale_count();
  const auto decode = [&](std::span<const uint8_t> codes, int lines, int stride, bool is_column,
                          std::vector<int32_t>& exponents, std::vector<double>& values,
                          std::vector<uint8_t>& nan) {
    const size_t size = static_cast<size_t>(blocks) * (is_column ? stride : lines);
    exponents.assign(size, 0), values.assign(size, 0), nan.assign(lines, 0);
    for (int line = 0; line < lines; ++line)
      for (int block = 0; block < blocks; ++block) {
        const Element element = decoder(codes[static_cast<size_t>(line) * blocks + block]);
        const size_t at = is_column ? static_cast<size_t>(block) * stride + line
                                    : static_cast<size_t>(line) * blocks + block;
        exponents[at] = element.exponent == no_exponent ? types_->scale->emin() : element.exponent;
        values[at] = element.value * power_of_two(-exponents[at]);
        if (element.special) nan[line] = 1, any_scale_nan_ = true, exponents[at] = 0;
      }
  };
  decode(rows_are_a_ ? tile_->scale_a : tile_->scale_b, rows_, 0, false, row_scale_exponent_, row_scale_,
         row_scale_nan_);
  decode(rows_are_a_ ? tile_->scale_b : tile_->scale_a, columns_, padded_, true, column_scale_exponent_,
         column_scale_, column_scale_nan_);
  column_scale_nan_.resize(padded_, 0);
}

void Work::run(const Arithmetic& arithmetic, const Types& types, const Tile& tile, std::span<uint32_t> d,
               const Kernels& kernels) {
  arithmetic_ = &arithmetic, types_ = &types, tile_ = &tile, kernels_ = &kernels;
  set_up(d);
  decode_operands();
  decode_scales();
  // Rows that need no padding are read and written in place.
  const bool in_place = rows_are_a_ && columns_ == padded_;
  for (int row = 0; row < rows_; ++row) {
    if (row == 0 || !tile.met.empty()) place_columns(row);
    const size_t step = rows_are_a_ ? 1 : tile.n;
    const size_t start = rows_are_a_ ? static_cast<size_t>(row) * tile.n : row;
    if (!in_place)
      for (int j = 0; j < columns_; ++j) c_row_[j] = tile.c[start + j * step];
    const uint32_t* c = in_place ? tile.c.data() + start : c_row_.data();
    uint32_t* to = in_place ? d_.data() + start : d_row_.data();
    if (arithmetic.scheme == Scheme::integer)
      run_integer_row(row, c, to);
    else
      run_row(row, c, to);
    if (!in_place)
      for (int j = 0; j < columns_; ++j) d_[start + j * step] = to[j];
  }
  if (arithmetic.keeps_minus_zero) keep_minus_zeros();
}

/// Where the accumulator is -0 and D +0, which is seldom.
void Work::keep_minus_zeros() {
  const auto sign = static_cast<uint32_t>(types_->d->sign_bit());
  const auto k = static_cast<size_t>(types_->k), blocks = static_cast<size_t>(types_->scale_count());
  const auto is_zero = [](const spec::Format& format, uint32_t code) {
    return (code & format.code_mask() & ~format.sign_bit()) == 0;
  };
  const auto scale_is_zero = [&](uint8_t code) {
    return spec::decode(*types_->scale, code).kind == spec::ValueClass::zero;
  };
  for (size_t at = 0; at < d_.size(); ++at) {
    if (d_[at] != 0 || tile_->c[at] != sign) continue;
    const size_t row = at / static_cast<size_t>(tile_->n), column = at % static_cast<size_t>(tile_->n);
    bool all_zero = true;
    for (size_t i = 0; i < k && all_zero; ++i) {
      all_zero = is_zero(*types_->a, tile_->a[row * k + i]) ||
                 is_zero(*types_->b, tile_->b[tile_->b_at(row, column, i, k)]);
      if (all_zero || blocks == 0) continue;
      const size_t block = i / static_cast<size_t>(types_->scale_block);
      all_zero = scale_is_zero(tile_->scale_a[row * blocks + block]) ||
                 scale_is_zero(tile_->scale_b[column * blocks + block]);
    }
    if (all_zero) d_[at] = sign;
  }
}

bool fast_supports(const Arithmetic& arithmetic, const Types& types) {
  const int terms = types.k + 1;
  const int sum_bits =
      arithmetic.kept_bits + 3 + static_cast<int>(std::bit_width(static_cast<unsigned>(terms)));
  switch (arithmetic.scheme) {
    case Scheme::chain:
      return false;
    case Scheme::integer:
      return types.a->storage_bits <= 8 && types.b->storage_bits <= 8 && types.k <= 4096;
    case Scheme::grouped:
      return arithmetic.kept_bits + 16 <= 53 && types.scale != nullptr &&
             types.k % arithmetic.group_terms == 0 && arithmetic.fused_terms % arithmetic.group_terms == 0 &&
             arithmetic.subnormals_align_at_emin;
    case Scheme::fused:
      break;
  }
  const bool one_scale = types.scale == nullptr || types.scale_count() == 1;
  return sum_bits <= 52 && one_scale && ProductRange(*types.a, *types.b).significant_bits <= 48 &&
         types.d->storage_bits <= 32;
}

void fast_tile_with(const Kernels& kernels, const Arithmetic& arithmetic, const Types& types,
                    const Tile& tile, std::span<uint32_t> d) {
  thread_local Work work;
  work.run(arithmetic, types, tile, d, kernels);
}

void fast_tile(const Arithmetic& arithmetic, const Types& types, const Tile& tile, std::span<uint32_t> d) {
  fast_tile_with(kernels_of_this_processor().front(), arithmetic, types, tile, d);
}

std::string_view fast_target() {
  return kernels_of_this_processor().front().target;
}

}  // namespace assay::numerics
