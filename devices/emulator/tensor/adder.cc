// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/adder.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "devices/emulator/readings.h"
#include "devices/emulator/tensor/fragment.h"
#include "devices/emulator/tensor/steps.h"

namespace assay::emulator {
namespace {

using spec::Format;

/// Columns [first, first + count) of a matrix with rows of `stride`, by the given order of the columns.
template <typename Index>
std::vector<uint32_t> columns_of(const uint32_t* codes, uint32_t rows, uint32_t stride, uint32_t count,
                                 Index index) {
  std::vector<uint32_t> made(static_cast<size_t>(rows) * count);
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t i = 0; i < count; ++i)
      made[static_cast<size_t>(row) * count + i] = codes[static_cast<size_t>(row) * stride + index(i)];
  return made;
}

void sum(const Block& block, const AdderRules& rules) {
  if (rules.fits_fast(block.k))
    sum_block_fast(block, rules);
  else
    sum_block(block, rules);
}

/// The sum over the k that `index` picks, `count` of them.
template <typename Index>
void sum_part(Block block, uint32_t count, Index index, const AdderRules& rules) {
  const auto a = columns_of(block.a, block.m, block.k, count, index);
  const auto b = columns_of(block.b, block.n, block.k, count, index);
  block.k = count, block.a = a.data(), block.b = b.data();
  sum(block, rules);
}

/// A block after the first adds to what the one before it gave.
void continue_with(Block& block) {
  block.reads_c = true;
  block.scale_input_d = 0;
}

void sum_chain(Block block, const AdderRules& rules) {
  uint32_t first = 0;
  while (first < block.k) {
    const bool is_alone = first == 0 && rules.adds_c == AdderRules::AddsC::first;
    const uint32_t count = is_alone ? 1 : std::min(rules.fused, block.k - first);
    if (count == block.k)
      sum(block, rules);
    else
      sum_part(
          block, count, [first](uint32_t i) { return first + i; }, rules);
    continue_with(block);
    first += count;
  }
}

/// A code of an 8-bit float as f16, which holds it exactly.
uint32_t widen(const Format& format, uint32_t code) {
  const Element x = read_element(format, code);
  const Format& half = spec::format("f16");
  const auto sign = static_cast<uint32_t>(x.negative ? half.sign_bit() : 0);
  if (x.is_nan()) return sign | static_cast<uint32_t>(half.canonical_nan());
  if (x.is_infinite()) return sign | static_cast<uint32_t>(half.infinity());
  if (x.is_zero()) return sign;
  const int leading = x.lowest + 31 - std::countl_zero(x.significand);
  if (leading < half.emin()) return sign | x.significand << (x.lowest - (half.emin() - half.mantissa_bits));
  const uint32_t mantissa = x.significand << (half.mantissa_bits - (leading - x.lowest));
  return sign | ((static_cast<uint32_t>(leading + half.bias - 1) << half.mantissa_bits) + mantissa);
}

/// (H200, section 5) On targets without 8-bit tensor units for mma.sync.
void sum_widened(Block block, const AdderRules& rules) {
  const auto all = [&](const uint32_t* codes, uint32_t rows, const Format& format) {
    std::vector<uint32_t> made(codes, codes + static_cast<size_t>(rows) * block.k);
    for (uint32_t& code : made) code = widen(format, code);
    return made;
  };
  const auto a = all(block.a, block.m, *block.a_format), b = all(block.b, block.n, *block.b_format);
  block.a = a.data(), block.b = b.data();
  block.a_format = block.b_format = &spec::format("f16");
  for (const uint32_t half : {0u, 2u}) {
    sum_part(
        block, block.k / 2, [half](uint32_t i) { return i / 2 * 4 + half + i % 2; }, rules);
    continue_with(block);
  }
}

/// x + c as IEEE has it, to nearest even, with the canonical NaN.
uint32_t add_nearest(const Format& format, uint32_t x, uint32_t c) {
  const auto canonical = static_cast<uint32_t>(format.canonical_nan());
  if (format.name == "f32") {
    const float total = std::bit_cast<float>(x) + std::bit_cast<float>(c);
    return total != total ? canonical : std::bit_cast<uint32_t>(total);
  }
  const Element p = read_element(format, x), q = read_element(format, c);
  if (p.is_nan() || q.is_nan() || (p.is_infinite() && q.is_infinite() && p.negative != q.negative))
    return canonical;
  if (p.is_infinite()) return x;
  if (q.is_infinite()) return c;
  if (p.is_zero() && q.is_zero()) return x & c;
  // f16 codes are multiples of 2^-24 below 2^16: their sum is exact in 64 bits.
  const auto fixed = [](const Element& e) {
    const int64_t magnitude = int64_t{e.significand} << (e.lowest + 24);
    return e.negative ? -magnitude : magnitude;
  };
  AdderRules rounding{};
  rounding.significant_bits = format.significant_bits();
  rounding.rounds_to_nearest = true;
  return round_sum(format, rounding, fixed(p) + fixed(q), -24);
}

void multiply_floats(const TileProduct& product, const AdderRules& rules) {
  Block block{product.a_format, product.b_format, product.d_format, product.m,       product.n,
              product.k,        product.negate_a, product.negate_b, product.reads_c, product.scale_input_d,
              product.a.data(), product.b.data(), product.d.data()};
  if (!product.met.empty()) block.met = product.met.data(), block.b_k = product.b_k;
  std::vector<uint32_t> c;
  const bool is_last = rules.adds_c == AdderRules::AddsC::last;
  if (is_last) {
    c.assign(product.d.begin(), product.d.end());
    block.reads_c = false;
  }
  if (rules.is_widened)
    sum_widened(block, rules);
  else
    sum_chain(block, rules);
  if (is_last && product.reads_c)
    for (size_t i = 0; i < c.size(); ++i) product.d[i] = add_nearest(*product.d_format, product.d[i], c[i]);
}

/// Exact; one wrap or one clamp an instruction (H200, section 7).
void multiply_integers(const TileProduct& product, const AdderRules& rules) {
  const auto read_all = [](const Format& format, std::span<const uint32_t> codes, size_t count) {
    std::vector<int32_t> made(count);
    for (size_t i = 0; i < count; ++i) made[i] = static_cast<int32_t>(read_integer(format, codes[i]));
    return made;
  };
  const uint32_t k = product.k;
  const auto a = read_all(*product.a_format, product.a, static_cast<size_t>(product.m) * k);
  const auto b = read_all(*product.b_format, product.b, static_cast<size_t>(product.n) * k);
  for (uint32_t row = 0; row < product.m; ++row)
    for (uint32_t column = 0; column < product.n; ++column) {
      uint32_t& d = product.d[static_cast<size_t>(row) * product.n + column];
      const int32_t* x = &a[static_cast<size_t>(row) * k];
      const int32_t* y = &b[static_cast<size_t>(column) * k];
      int32_t products = 0;  // at most 256 of 2^16
      for (uint32_t i = 0; i < k; ++i) products += x[i] * y[i];
      int64_t total = products;
      if (product.reads_c) total += static_cast<int32_t>(d);
      if (product.saturates && rules.saturates_integers)
        total = std::clamp<int64_t>(total, std::numeric_limits<int32_t>::min(),
                                    std::numeric_limits<int32_t>::max());
      d = static_cast<uint32_t>(total);
    }
}

void multiply(const TileProduct& product, const AdderRules& rules) {
  if (product.d_format->is_integer())
    multiply_integers(product, rules);
  else
    multiply_floats(product, rules);
}

/// Whether one block does what every row of a sparse A meets. A fault asks about one row at a time.
bool is_block_of_met(const TileProduct& product, const AdderRules& rules, const TensorSteps& steps) {
  return steps.rules == nullptr && steps.result == nullptr && product.scale_format == nullptr &&
         !product.d_format->is_integer() && !rules.is_widened && rules.adds_c == AdderRules::AddsC::inside &&
         product.k <= std::min(rules.products, rules.fused) && rules.fits_fast(product.k) &&
         product.b_k <= 64;
}

/// Each row of a sparse A as a product of its own, with the B that it meets.
void multiply_rows(const TileProduct& all, const Settings& settings) {
  const uint32_t k = all.k;
  const size_t scales = all.scale_block == 0 ? 0 : k / all.scale_block;
  std::vector<uint32_t> b(size_t{all.n} * k);
  TileProduct one = all;
  one.m = 1, one.b = b, one.met = {};
  for (uint32_t row = 0; row < all.m; ++row) {
    const std::span<const uint16_t> met = all.met.subspan(size_t{row} * k, k);
    for (size_t column = 0; column < all.n; ++column)
      for (uint32_t i = 0; i < k; ++i) b[column * k + i] = all.b[column * all.b_k + met[i]];
    one.a = all.a.subspan(size_t{row} * k, k);
    one.d = all.d.subspan(size_t{row} * all.n, all.n);
    if (scales != 0) one.a_scales = all.a_scales.subspan(row * scales, scales);
    multiply_tile(one, settings);
  }
}

}  // namespace

void multiply_tile(const TileProduct& product, const Settings& settings) {
  const TensorSteps& steps = tensor_steps_for(settings);
  AdderRules rules = adder_rules(product, settings);
  if (!product.met.empty() && !is_block_of_met(product, rules, steps))
    return multiply_rows(product, settings);
  if (steps.rules != nullptr) steps.rules(product, rules);
  if (product.scale_format != nullptr) {
    sum_scaled(product, rules);
  } else if (rules.products < product.k) {
    TileProduct part = product;
    const auto first = [](uint32_t i) { return i; };
    const auto a = columns_of(product.a.data(), product.m, product.k, rules.products, first);
    const auto b = columns_of(product.b.data(), product.n, product.k, rules.products, first);
    part.k = rules.products, part.a = a, part.b = b;
    multiply(part, rules);
  } else {
    multiply(product, rules);
  }
  if (steps.result == nullptr) return;
  for (uint32_t row = 0; row < product.m; ++row)
    for (uint32_t column = 0; column < product.n; ++column) {
      uint32_t& d = product.d[static_cast<size_t>(row) * product.n + column];
      d = steps.result({&product, row, column, d});
    }
}

namespace {

AdderRules::ZeroSign zero_sign(const DeviceReadings& readings) {
  if (readings.is({"NUM-AMB-03", "minus_when_rounded"})) return AdderRules::ZeroSign::minus_when_rounded;
  if (readings.is({"NUM-AMB-03", "minus_when_all_are"})) return AdderRules::ZeroSign::minus_when_all_are;
  return AdderRules::ZeroSign::always_plus;
}

AdderRules::ScalesC scales_c(const DeviceReadings& readings) {
  if (readings.is({"NUM-AMB-17", "rounded"})) return AdderRules::ScalesC::rounded;
  if (readings.is({"NUM-AMB-17", "truncated"})) return AdderRules::ScalesC::truncated;
  return AdderRules::ScalesC::exactly;
}

AdderRules::ScaleBit7 scale_bit_7(const DeviceReadings& readings) {
  if (readings.is({"NUM-AMB-11", "negates"})) return AdderRules::ScaleBit7::negates;
  if (readings.is({"NUM-AMB-11", "makes_nan"})) return AdderRules::ScaleBit7::makes_nan;
  return AdderRules::ScaleBit7::ignored;
}

bool is_small_float(const spec::Format& format) {
  return !format.is_integer() && format.storage_bits <= 8;
}

/// (mma-sim, sections on Blackwell; sf-tensor, MODEL.md)
void add_scaled_rules(const TileProduct& product, const DeviceReadings& readings, AdderRules& rules) {
  rules.scale_bit_7 = scale_bit_7(readings);
  rules.keeps_minus_zero = readings.is({"NUM-AMB-20", "stays"});
  if (!product.adds_groups) return;
  rules.kept_bits = readings.is({"NUM-AMB-07", "bits_34"})   ? 34
                    : readings.is({"NUM-AMB-07", "bits_36"}) ? 36
                    : readings.is({"NUM-AMB-07", "bits_37"}) ? 37
                                                             : 35;
  if (readings.is({"NUM-AMB-01", "minus_133"})) rules.lowest_exponent = -139;
  const bool is_ue4m3 = product.scale_format->name == "ue4m3";
  if (is_ue4m3 && readings.is({"NUM-AMB-18", "adds_4"})) rules.group = 4;
  if (is_ue4m3 && readings.is({"NUM-AMB-18", "cuts_each"})) rules.group = 1;
  if (product.k == 96 && readings.is({"NUM-AMB-19", "rounds_after_64"})) rules.fused = 64;
}

}  // namespace

AdderRules adder_rules(const TileProduct& product, const Settings& settings) {
  const DeviceReadings readings(settings);
  const bool is_half = product.d_format->name == "f16";
  const bool is_small = is_small_float(*product.a_format);
  AdderRules rules{};
  rules.fused = rules.products = product.k;
  // (H200) wgmma keeps 13 bits of 8-bit floats, also in its f32 result.
  const bool is_narrow = product.adder == Adder::wgmma && is_small;
  rules.kept_bits = is_narrow ? 13 : 25;
  rules.significant_bits = is_half ? 11 : is_narrow ? 14 : 24;
  rules.rounds_to_nearest = is_half;
  rules.lowest_exponent = is_half ? -21 : -133;
  rules.is_widened = product.adder == Adder::mma_sync && is_small;
  if (rules.is_widened) rules.adds_c = AdderRules::AddsC::last;

  if (is_half) {
    if (readings.is({"NUM-AMB-02", "minus_22"})) rules.lowest_exponent = -22;
    if (readings.is({"NUM-AMB-02", "minus_20"})) rules.lowest_exponent = -20;
    if (readings.is({"NUM-AMB-02", "minus_133"})) rules.lowest_exponent = -133;
  } else {
    if (readings.is({"NUM-AMB-01", "minus_132"})) rules.lowest_exponent = -132;
    if (readings.is({"NUM-AMB-01", "minus_126"}))
      rules.lowest_exponent = -126, rules.zeros_have_exponents = true;
  }
  if (product.scale_format != nullptr) add_scaled_rules(product, readings, rules);
  if (product.is_sparse && readings.is({"NUM-AMB-21", "rounds_after_half"})) rules.fused = product.k / 2;
  rules.zero_sign = zero_sign(readings);
  rules.scales_c = scales_c(readings);
  if (readings.is({"NUM-AMB-08", "leading_bit"}) &&
      std::min(product.a_format->storage_bits, product.b_format->storage_bits) <= 6)
    rules.normalised_bits = 6;
  return rules;
}

}  // namespace assay::emulator
