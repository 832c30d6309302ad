// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <array>
#include <bit>

#include "generators/simpler_cases.h"
#include "generators/warp_mma/forms.h"

namespace assay::gen {
namespace f64 {
namespace {

constexpr uint64_t sign = uint64_t{1} << 63, mantissa = (uint64_t{1} << 52) - 1;
constexpr uint64_t infinity = uint64_t{0x7ff} << 52, quiet = uint64_t{1} << 51;

struct Shape {
  uint32_t m, k;
};
constexpr std::array<Shape, 4> shapes{{{8, 4}, {16, 4}, {16, 8}, {16, 16}}};

/// What shows a chain of fused multiply-adds that is not one.
enum class Mix : uint8_t {
  bits,        ///< any, NaN and infinities as often as they come
  narrow,      ///< exponents within a factor of 16: every step rounds
  spread,      ///< exponents 2^-32 to 2^31 apart
  cancelling,  ///< C is the rounded first product with the other sign: what is left was below its last bit
  small,       ///< products around the smallest number
  subnormal,   ///< operands
  large,       ///< sums around the largest number
  specials,    ///< NaN with payloads, quiet and signalling, infinities, zeros
  zeros,       ///< of both signs
  few_bits     ///< short mantissas: exact sums and ties
};
constexpr std::array<std::string_view, 10> mix_names{
    "bits", "narrow", "spread", "cancelling", "small", "subnormal", "large", "specials", "zeros", "few bits"};
constexpr uint32_t cell_count = shapes.size() * mix_names.size();

/// Any sign and mantissa, exponents in an aligned block of 2^free_bits around e.
DoublePattern around(int e, int free_bits, Random& random) {
  const uint64_t free = (uint64_t{1} << free_bits) - 1;
  const auto field = static_cast<uint64_t>(e + 1023) & 0x7ff & ~free;
  return {.seed = random.next(), .keep = sign | mantissa | free << 52, .set = field << 52};
}

void strew(DoublePattern& p, uint32_t rate, std::array<uint64_t, 4> codes) {
  p.special_rate = rate, p.special = codes;
}

uint64_t some_nan(Random& random) {
  return (random.one_in(2) ? sign : 0) | infinity | (random.one_in(2) ? quiet : 0) |
         (random.next() & (quiet - 1)) | 1;
}

void strew_specials(MmaSyncF64Case& c, Random& random) {
  const auto strew_some = [&](DoublePattern& fill, uint32_t most, uint64_t last) {
    const uint64_t nan = some_nan(random), other = some_nan(random);
    strew(fill, random.between(1, most), {nan, other, infinity, last});
  };
  strew_some(c.a_fill, 24, sign | infinity);
  strew_some(c.b_fill, 24, 0);
  strew_some(c.c_fill, 64, sign | infinity);
}

void fill(Mix mix, MmaSyncF64Case& c, Random& random) {
  const int scale = between(random, -3, 3);
  const auto around_one = [&](int free_bits) {
    c.a_fill = around(scale, free_bits, random);
    c.b_fill = around(between(random, -3, 3), free_bits, random);
    c.c_fill = around(between(random, -4, 8), free_bits, random);
  };
  /// Exponents of factors whose product is around 2^sum.
  const auto products_around = [&](int sum) {
    const int ea = between(random, sum / 2 - 200, sum / 2 + 200);
    c.a_fill = around(ea, 2, random);
    c.b_fill = around(sum - ea, 2, random);
    c.c_fill = around(sum + between(random, -2, 2), 2, random);
  };
  switch (mix) {
    case Mix::bits:
      c.a_fill.seed = random.next(), c.b_fill.seed = random.next(), c.c_fill.seed = random.next();
      break;
    case Mix::narrow:
      around_one(static_cast<int>(random.between(0, 2)));
      break;
    case Mix::spread:
      around_one(6);
      break;
    case Mix::cancelling: {
      around_one(0);
      // One number throughout, of either sign: the product is rounded once here, as C.
      const uint64_t a = c.a_fill.set | (random.next() & mantissa),
                     b = c.b_fill.set | (random.next() & mantissa);
      const double product = std::bit_cast<double>(a) * std::bit_cast<double>(b);
      c.a_fill = {.seed = random.next(), .keep = sign, .set = a};
      c.b_fill = {.seed = random.next(), .keep = sign, .set = b};
      c.c_fill = {.seed = random.next(), .keep = sign, .set = std::bit_cast<uint64_t>(product)};
      break;
    }
    case Mix::small:
      products_around(between(random, -1080, -1015));
      break;
    case Mix::subnormal:
      c.a_fill = {.seed = random.next(), .keep = sign | mantissa >> random.below(40)};
      c.b_fill = around(between(random, -20, 1020), 2, random);
      c.c_fill = {.seed = random.next(), .keep = sign | mantissa};
      if (random.one_in(2)) std::swap(c.a_fill, c.b_fill);
      break;
    case Mix::large:
      products_around(between(random, 1016, 1023));
      break;
    case Mix::specials:
      around_one(2);
      strew_specials(c, random);
      break;
    case Mix::zeros:
      around_one(1);
      strew(c.a_fill, random.between(32, 256), {0, sign, 0, 1});
      strew(c.b_fill, random.between(0, 256), {0, sign, sign, sign | 1});
      if (random.one_in(2)) strew(c.c_fill, random.between(32, 256), {0, sign, sign, 1});
      break;
    case Mix::few_bits: {
      around_one(static_cast<int>(random.between(1, 4)));
      const uint64_t dropped = mantissa >> random.between(0, 27);
      c.a_fill.keep &= ~dropped, c.b_fill.keep &= ~dropped;
      if (random.one_in(2)) c.c_fill = around(between(random, 45, 56), 2, random);
      break;
    }
  }
}

}  // namespace
}  // namespace f64

uint32_t f64_cells() {
  return f64::cell_count;
}

std::string f64_cell_name(uint32_t cell) {
  const f64::Shape& shape = f64::shapes[cell / f64::mix_names.size()];
  return "m" + std::to_string(shape.m) + "n8k" + std::to_string(shape.k) + ", " +
         std::string(f64::mix_names[cell % f64::mix_names.size()]);
}

uint32_t f64_cell(uint64_t index) {
  constexpr uint64_t stride_of_walk = 7919;  // prime to the number of cells
  if (index < f64::cell_count) return static_cast<uint32_t>(index * stride_of_walk % f64::cell_count);
  return Random(index).below(f64::cell_count);
}

void make_mma_sync_f64(const CaseId& id, MmaSyncF64Case& c) {
  Random random = id.random();
  c = {};
  const uint32_t cell = f64_cell(id.index);
  const f64::Shape& shape = f64::shapes[cell / f64::mix_names.size()];
  c.m = shape.m, c.k = shape.k;
  c.tiles = has_few_tiles(id.index < f64::cell_count, id.index, random) ? random.between(1, 4) : 16;
  f64::fill(static_cast<f64::Mix>(cell % f64::mix_names.size()), c, random);
}

std::vector<MmaSyncF64Case> simpler(const MmaSyncF64Case& c) {
  SimplerCases<MmaSyncF64Case> steps(c, [](const auto& s) { return is_legal(s); });
  steps.offer([](auto& s) { s.tiles = 1; });
  steps.offer([](auto& s) { s.tiles /= 2; });
  steps.offer([](auto& s) { s.tiles -= 1; });
  steps.offer([](auto& s) { s.m = 8, s.k = 4; });
  steps.offer([](auto& s) { s.k /= 2; });
  for (DoublePattern MmaSyncF64Case::*which :
       {&MmaSyncF64Case::c_fill, &MmaSyncF64Case::a_fill, &MmaSyncF64Case::b_fill}) {
    steps.offer([&](auto& s) { s.*which = {.keep = 0}; });
    steps.offer([&](auto& s) { (s.*which).special_rate = 0, (s.*which).special = {}; });
    steps.offer([&](auto& s) { (s.*which).keep = 0; });
    steps.offer([&](auto& s) { (s.*which).keep &= ~f64::mantissa; });
    steps.offer([&](auto& s) { (s.*which).keep &= ~(f64::mantissa >> 26); });
    steps.offer([&](auto& s) { (s.*which).seed &= 0xff; });
    steps.offer([&](auto& s) { (s.*which).keep &= (s.*which).keep - 1; });
  }
  return std::move(steps.made);
}

}  // namespace assay::gen
