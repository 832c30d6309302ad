#include "reference/numerics/fast.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "reference/numerics/fast_kernels.h"
#include "reference/numerics/fast_operands.h"

namespace assay::numerics {
namespace {

using spec::Rounding;

/// Lowest and highest exponent that a product of two codes can have, as bounds.
struct ProductRange {
  int significant_bits, lowest_unit, highest;
  ProductRange(const spec::Format& a, const spec::Format& b)
      : significant_bits(a.significant_bits() + b.significant_bits()),
        lowest_unit(a.emin() - a.mantissa_bits + b.emin() - b.mantissa_bits),
        highest(static_cast<int>(a.exponent_mask() + b.exponent_mask()) - a.bias - b.bias + 2) {}
};

/// Products are exact in float, and sixteen of them, cut, fit in 32 bits.
bool fits_float(const Arithmetic& arithmetic, const Types& types) {
  const ProductRange range(*types.a, *types.b);
  return range.significant_bits <= 22 && range.lowest_unit >= -60 && range.highest <= 40 &&
         arithmetic.kept_bits <= 25 && arithmetic.term_rounding == Rounding::toward_zero &&
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
  void run_integer_row(int row, const uint32_t* c, uint32_t* d);
  void run_row(int row, const uint32_t* c, uint32_t* d);
  void run_block(int row, int first, int count, const uint32_t* c, uint32_t* d);
  void sum_groups(int row, int first, int count);
  void group_exponents(int row, int first, int count);
  const double* plain_sums(int row, int first, int count, const uint32_t* c, bool c_is_special);
  void add_accumulator(const uint32_t* c, uint32_t* d);
  uint32_t scaled_input(uint32_t code) const;
  double plain_value_of_d(uint32_t code) const;

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
  Operand row_operand_, column_operand_;
  RowRules rules_{};
  // Scales: exponents and significands, [line][block] for rows, [block][padded] for columns.
  std::vector<int32_t> row_scale_exponent_, column_scale_exponent_;
  std::vector<double> row_scale_, column_scale_;
  std::vector<uint8_t> row_scale_nan_, column_scale_nan_;
  bool any_scale_nan_ = false;
  // One row of D.
  std::vector<int16_t> product_exponent_;
  std::vector<int32_t> scale_exponent_, alignment_, shift_;
  std::vector<float> c_value_, addend_;
  std::vector<double> sum_, plain_, group_sum_;
  std::vector<int16_t> group_exponent_;
  std::vector<uint32_t> c_row_, d_row_, running_;
};

double power_of_two(int x) {
  return std::bit_cast<double>(static_cast<uint64_t>(std::max(x, -1000) + 1023) << 52);
}

double round_to(Rounding rounding, double x) {
  switch (rounding) {
    case Rounding::toward_zero:
      return std::trunc(x);
    case Rounding::nearest_even:
      return std::nearbyint(x);
    case Rounding::nearest_away:
      return std::round(x);
    case Rounding::up:
      return std::ceil(x);
    case Rounding::down:
      break;
  }
  return std::floor(x);
}

void Work::set_up(std::span<uint32_t> d) {
  d_ = d;
  rows_are_a_ = tile_->n >= tile_->m;
  rows_ = std::min(tile_->m, tile_->n);
  columns_ = std::max(tile_->m, tile_->n);
  padded_ = (columns_ + column_padding - 1) / column_padding * column_padding;
  grouped_ = arithmetic_->scheme == Scheme::grouped;
  scaled_ = types_->scale != nullptr;
  in_float_ = arithmetic_->scheme == Scheme::fused && fits_float(*arithmetic_, *types_);
  const int k = types_->k;
  order_.resize(k);
  std::iota(order_.begin(), order_.end(), 0);
  if (arithmetic_->split == Split::by_four)
    std::stable_partition(order_.begin(), order_.end(), [](int i) { return i % 4 < 2; });
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
  product_exponent_.resize(n), alignment_.resize(n), shift_.resize(n), c_value_.resize(n);
  sum_.resize(n), plain_.resize(n);
  c_row_.assign(n, 0), d_row_.resize(n);
}

void Work::decode_operands() {
  const std::span<const uint32_t> row_codes = rows_are_a_ ? tile_->a : tile_->b;
  const std::span<const uint32_t> column_codes = rows_are_a_ ? tile_->b : tile_->a;
  const spec::Format& row_format = rows_are_a_ ? *types_->a : *types_->b;
  const spec::Format& column_format = rows_are_a_ ? *types_->b : *types_->a;
  const bool at_emin = arithmetic_->subnormals_align_at_emin;
  // Group and integer sums are exact without cutting: they go through the plain values.
  const bool plain_only = grouped_ || arithmetic_->scheme == Scheme::integer;
  Operand::Wanted wanted{in_float_, !in_float_ && !plain_only,
                         plain_only || arithmetic_->all_minus_zero_gives_minus_zero};
  row_operand_.decode(row_format, at_emin, row_codes, rows_, order_, 0, wanted);
  column_operand_.decode(column_format, at_emin, column_codes, columns_, order_, padded_, wanted);
  if ((row_operand_.any_special || column_operand_.any_special) && !wanted.plain) {
    wanted = {false, false, true};
    row_operand_.decode(row_format, at_emin, row_codes, rows_, order_, 0, wanted);
    column_operand_.decode(column_format, at_emin, column_codes, columns_, order_, padded_, wanted);
  }
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

double Work::plain_value_of_d(uint32_t code) const {
  return Decoder(*types_->d, true)(code).plain;
}

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
  const auto in_units = static_cast<uint32_t>(magnitude / 0x1p-24);
  uint32_t bits = in_units;
  if (magnitude >= 0x1p-14) {
    const int exponent = std::ilogb(magnitude);
    bits = static_cast<uint32_t>(exponent + 14) * 1024 +
           static_cast<uint32_t>(magnitude * power_of_two(10 - exponent));
  }
  return bits | (std::signbit(rounded) ? 0x8000u : 0u);
}

const double* Work::plain_sums(int row, int first, int count, const uint32_t* c, bool c_is_special) {
  const bool scale_is_nan = any_scale_nan_;
  if (!row_operand_.any_special && !column_operand_.any_special && !c_is_special && !scale_is_nan &&
      !rules_.all_minus_zero_gives_minus_zero)
    return nullptr;
  for (int j = 0; j < padded_; ++j) plain_[j] = c_value_[j];
  if (c_is_special) {
    const auto infinity = static_cast<uint32_t>(types_->d->infinity());
    for (int j = 0; j < padded_; ++j)
      if ((c[j] & infinity) == infinity) plain_[j] = plain_value_of_d(c[j]);
  }
  if (!row_operand_.plain.empty() &&
      (row_operand_.any_special || column_operand_.any_special || rules_.all_minus_zero_gives_minus_zero))
    kernels_->sum_plain(row_operand_.plain.data() + static_cast<size_t>(row) * types_->k + first,
                        column_operand_.plain.data() + static_cast<size_t>(first) * padded_, count, padded_,
                        plain_.data());
  if (scale_is_nan)
    for (int j = 0; j < padded_; ++j)
      if (row_scale_nan_[row] != 0 || column_scale_nan_[j] != 0)
        plain_[j] = std::numeric_limits<double>::quiet_NaN();
  return plain_.data();
}

/// The largest scale exponent among the groups that count, as if it were that of a product.
void Work::group_exponents(int row, int first, int count) {
  const int groups = count / group_size, blocks = types_->scale_count();
  group_exponent_.resize(static_cast<size_t>(groups) * padded_);
  group_sum_.assign(static_cast<size_t>(groups) * padded_, 0);
  std::fill(product_exponent_.begin(), product_exponent_.end(), no_exponent);
  for (int group = 0; group < groups; ++group) {
    const int k = first + group * group_size, block = k / types_->scale_block;
    const size_t row_at = static_cast<size_t>(row) * types_->k + k,
                 column_at = static_cast<size_t>(k) * padded_;
    int16_t* exponent = group_exponent_.data() + static_cast<size_t>(group) * padded_;
    kernels_->max_exponents(row_operand_.exponent.data() + row_at,
                            column_operand_.exponent.data() + column_at, group_size, padded_, exponent);
    kernels_->sum_plain(row_operand_.plain.data() + row_at, column_operand_.plain.data() + column_at,
                        group_size, padded_, group_sum_.data() + static_cast<size_t>(group) * padded_);
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
  const int groups = count / group_size, blocks = types_->scale_count();
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int group = 0; group < groups; ++group) {
    const int block = (first + group * group_size) / types_->scale_block;
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

void Work::run_block(int row, int first, int count, const uint32_t* c, uint32_t* d) {
  const size_t row_at = static_cast<size_t>(row) * types_->k + first;
  const size_t column_at = static_cast<size_t>(first) * padded_;
  if (grouped_)
    group_exponents(row, first, count);
  else
    kernels_->max_exponents(row_operand_.exponent.data() + row_at,
                            column_operand_.exponent.data() + column_at, count, padded_,
                            product_exponent_.data());
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
    kernels_->sum_float(row_operand_.value32.data() + row_at, column_operand_.value32.data() + column_at,
                        count, padded_, shift_.data(), sum_.data());
  else
    kernels_->sum_double(row_operand_.value64.data() + row_at, column_operand_.value64.data() + column_at,
                         count, padded_, shift_.data(), arithmetic_->term_rounding, sum_.data());
  work.plain = plain_sums(row, first, count, c, c_is_special);
  kernels_->finish(rules_, work);
}

/// d = d + c in the type of D, to nearest even, as IEEE says.
void Work::add_accumulator(const uint32_t* c, uint32_t* d) {
  if (types_->d->storage_bits == 32) {
    for (int j = 0; j < columns_; ++j) {
      const float sum = std::bit_cast<float>(d[j]) + std::bit_cast<float>(c[j]);
      d[j] = std::isnan(sum) ? rules_.nan : std::bit_cast<uint32_t>(sum);
    }
    return;
  }
  // The sum of two f16 is exact in double: let the row finisher round it, with nothing but the sum in it.
  RowRules rules = rules_;
  rules.kept_bits = 0, rules.result_bits = 11, rules.result_rounding = Rounding::nearest_even;
  rules.underflow_keeps_sign = false, rules.all_minus_zero_gives_minus_zero = true;
  std::fill(alignment_.begin(), alignment_.end(), 0);
  addend_.resize(padded_);
  kernels_->widen_f16(d, padded_, c_value_.data());
  kernels_->widen_f16(c, padded_, addend_.data());
  for (int j = 0; j < padded_; ++j) {
    sum_[j] = static_cast<double>(c_value_[j]) + addend_[j];
    plain_[j] = sum_[j];
    c_value_[j] = 0;
  }
  kernels_->finish(rules, {padded_, nullptr, nullptr, nullptr, c_value_.data(), alignment_.data(), nullptr,
                           sum_.data(), plain_.data(), d});
}

void Work::run_integer_row(int row, const uint32_t* c, uint32_t* d) {
  std::fill(sum_.begin(), sum_.end(), 0.0);
  kernels_->sum_plain(row_operand_.plain.data() + static_cast<size_t>(row) * types_->k,
                      column_operand_.plain.data(), types_->k, padded_, sum_.data());
  for (int j = 0; j < columns_; ++j) {
    int64_t sum = static_cast<int64_t>(sum_[j]) + static_cast<int32_t>(c[j]);
    if (arithmetic_->saturates) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
    d[j] = static_cast<uint32_t>(sum);
  }
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

void Work::run(const Arithmetic& arithmetic, const Types& types, const Tile& tile, std::span<uint32_t> d,
               const Kernels& kernels) {
  arithmetic_ = &arithmetic, types_ = &types, tile_ = &tile, kernels_ = &kernels;
  set_up(d);
  decode_operands();
  decode_scales();
  // Rows that need no padding are read and written in place.
  const bool in_place = rows_are_a_ && columns_ == padded_;
  for (int row = 0; row < rows_; ++row) {
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
}

}  // namespace

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
      return arithmetic.kept_bits + 16 <= 52 && types.scale != nullptr && types.k % group_size == 0 &&
             arithmetic.fused_terms % group_size == 0 && arithmetic.subnormals_align_at_emin;
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
