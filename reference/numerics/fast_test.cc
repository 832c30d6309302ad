// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/fast.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <algorithm>
#include <bit>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/dyadic.h"
#include "reference/numerics/exact.h"
#include "reference/numerics/fast_kernels.h"
#include "reference/numerics/random_tile.h"
#include "reference/spec/cases_share_test.h"

namespace assay::numerics {
namespace {

Types types_of(const Instruction& row, TileMaker& maker) {
  const auto pick = [&](std::string_view words) {
    std::vector<const spec::Format*> formats;
    std::istringstream in{std::string(words)};
    for (std::string word; in >> word;) formats.push_back(spec::find_format(word));
    return formats[maker.below(formats.size())];
  };
  Types types{pick(row.types), nullptr, spec::find_format(row.d), row.k[maker.below(row.k[1] != 0 ? 2 : 1)]};
  types.b = row.mixes ? pick(row.types) : types.a;
  if (!row.scale.empty()) types.scale = spec::find_format(row.scale), types.scale_block = row.scale_block;
  return types;
}

/// The first element where the two versions differ, in words; empty when they agree.
std::string difference(const Kernels& kernels, const Arithmetic& arithmetic, const Types& types,
                       const RandomTile& random, int m, int n) {
  std::vector<uint32_t> d(static_cast<size_t>(m) * n);
  fast_tile_with(kernels, arithmetic, types, random.tile(m, n), d);
  const int scales = types.scale_count();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const auto line = [](const auto& codes, int index, int length) {
        return std::vector<uint64_t>(codes.begin() + index * length, codes.begin() + (index + 1) * length);
      };
      const auto a = line(random.a, i, types.k), b = line(random.b, j, types.k);
      const auto scale_a = line(random.scale_a, i, scales), scale_b = line(random.scale_b, j, scales);
      const uint64_t c = random.c[i * n + j];
      const uint64_t want = exact_dot(arithmetic, types, {a, b, c, scale_a, scale_b, random.scale_input_d});
      if (want == d[i * n + j]) continue;
      std::ostringstream text;
      text << kernels.target << " row " << i << " column " << j << std::hex << ": exact " << want << ", fast "
           << d[i * n + j] << ", c " << c << ", a";
      for (const uint64_t code : a) text << ' ' << code;
      text << ", b";
      for (const uint64_t code : b) text << ' ' << code;
      for (const uint64_t code : scale_a) text << " sa " << code;
      for (const uint64_t code : scale_b) text << " sb " << code;
      return text.str();
    }
  return {};
}

std::string name_of(const Instruction& row, const Types& types) {
  return std::string(row.family) + " " + std::string(types.a->name) + " " + std::string(types.b->name) + " " +
         std::string(types.d->name) + " k" + std::to_string(types.k);
}

// Every instruction, every mix, tiles that are wide and tiles that are tall.
TEST(Fast, AgreesWithExactOnEveryInstructionAndMix) {
  TileMaker maker(20240131);
  for (const Instruction& row : instructions()) {
    if (row.arithmetic.scheme == Scheme::chain) continue;
    for (int mix = 0; mix < mix_count; ++mix) {
      const Types types = types_of(row, maker);
      ASSERT_TRUE(fast_supports(row.arithmetic, types)) << name_of(row, types);
      const int m = 1 + static_cast<int>(maker.below(5)),
                n = 1 + static_cast<int>(maker.below(share_of_cases(40)));
      const RandomTile tile = maker.make(types, m, n, static_cast<Mix>(mix));
      for (const Kernels& kernels : kernels_of_this_processor())
        ASSERT_EQ(difference(kernels, row.arithmetic, types, tile, m, n), "")
            << name_of(row, types) << " mix " << mix;
      const RandomTile tall = maker.make(types, n, m, static_cast<Mix>(mix));
      ASSERT_EQ(difference(kernels_of_this_processor().front(), row.arithmetic, types, tall, n, m), "")
          << name_of(row, types) << " mix " << mix << ", tall";
    }
  }
}

// Scaled groups in every rounding of their terms, with scales of zero in rows and in columns among them,
// which align as their scales say or not at all.
TEST(Fast, GroupsAgreeWithExactInEveryRounding) {
  TileMaker maker(20261127);
  int grouped = 0;
  for (const Instruction& row : instructions()) {
    if (row.arithmetic.scheme != Scheme::grouped) continue;
    ++grouped;
    for (int rounding = 0; rounding < 5; ++rounding)
      for (const bool zero_group_keeps_scale : {false, true})
        for (int mix = 0; mix < mix_count; ++mix) {
          const Types types = types_of(row, maker);
          Arithmetic arithmetic = row.arithmetic;
          arithmetic.term_rounding = static_cast<spec::Rounding>(rounding);
          arithmetic.zero_group_keeps_scale = zero_group_keeps_scale;
          const RandomTile tile = maker.make(types, 4, 9, static_cast<Mix>(mix));
          for (const Kernels& kernels : kernels_of_this_processor())
            ASSERT_EQ(difference(kernels, arithmetic, types, tile, 4, 9), "")
                << name_of(row, types) << " mix " << mix << " rounding " << rounding;
        }
  }
  EXPECT_GT(grouped, 0);
}

RC_GTEST_PROP(FastProperty, AgreesWithExactOnEveryInstruction, (uint64_t seed)) {
  TileMaker maker(seed);
  const auto rows = instructions();
  const Instruction& row = rows[*rc::gen::inRange<size_t>(0, rows.size())];
  if (row.arithmetic.scheme == Scheme::chain) return;
  const Types types = types_of(row, maker);
  const int m = *rc::gen::inRange(1, 6), n = *rc::gen::inRange(1, 40);
  const auto mix = static_cast<Mix>(*rc::gen::inRange(0, mix_count));
  RandomTile tile = maker.make(types, m, n, mix);
  tile.scale_input_d =
      row.family == "tcgen05" && (row.kind == "f16" || row.kind == "tf32") ? *rc::gen::inRange(0, 16) : 0;
  RC_ASSERT(difference(kernels_of_this_processor().front(), row.arithmetic, types, tile, m, n) == "");
}

// Of a sparse A each row meets elements of B of its own: as if it multiplied those alone.
RC_GTEST_PROP(FastProperty, ARowMultipliesWhatItMeets, (uint64_t seed)) {
  TileMaker maker(seed);
  const auto rows = instructions();
  const Instruction& row = rows[*rc::gen::inRange<size_t>(0, rows.size())];
  if (row.arithmetic.scheme == Scheme::chain) return;
  const Types types = types_of(row, maker);
  Types stored = types;
  stored.k *= 2;
  const int m = *rc::gen::inRange(1, 6), n = *rc::gen::inRange(1, 40);
  const auto mix = static_cast<Mix>(*rc::gen::inRange(0, mix_count));
  RandomTile tile = maker.make(types, m, n, mix);
  tile.b = maker.make(stored, 1, n, mix).b;
  const auto k = static_cast<size_t>(types.k), columns = static_cast<size_t>(n);
  std::vector<uint16_t> met(static_cast<size_t>(m) * k);
  for (uint16_t& place : met) place = static_cast<uint16_t>(maker.below(2 * k));
  Tile whole = tile.tile(m, n);
  whole.met = met, whole.stored_k = stored.k;
  std::vector<uint32_t> d(static_cast<size_t>(m) * columns), of_row(columns), b(columns * k);
  fast_tile(row.arithmetic, types, whole, d);
  const auto scales = static_cast<size_t>(types.scale_count());
  for (size_t at = 0; at < static_cast<size_t>(m); ++at) {
    for (size_t i = 0; i < b.size(); ++i) b[i] = tile.b[i / k * 2 * k + met[at * k + i % k]];
    Tile one = tile.tile(1, n);
    one.a = one.a.subspan(at * k, k), one.b = b, one.c = one.c.subspan(at * columns, columns);
    if (scales != 0) one.scale_a = one.scale_a.subspan(at * scales, scales);
    fast_tile(row.arithmetic, types, one, of_row);
    RC_ASSERT(std::equal(of_row.begin(), of_row.end(), d.begin() + static_cast<ptrdiff_t>(at * columns)));
  }
}

// The free choices are data: both versions must read every one of them the same way.
RC_GTEST_PROP(FastProperty, AgreesWithExactOnAnyChoices, (uint64_t seed)) {
  TileMaker maker(seed);
  const auto rows = instructions();
  const Instruction& row = rows[*rc::gen::inRange<size_t>(0, rows.size())];
  if (row.arithmetic.scheme == Scheme::chain || row.arithmetic.scheme == Scheme::integer) return;
  const Types types = types_of(row, maker);
  Arithmetic arithmetic = row.arithmetic;
  const auto rounding = [] { return static_cast<spec::Rounding>(*rc::gen::inRange(0, 5)); };
  arithmetic.kept_bits = *rc::gen::inRange(5, arithmetic.scheme == Scheme::grouped ? 38 : 36);
  arithmetic.floor_exponent = *rc::gen::inRange(-170, -10);
  arithmetic.term_rounding = rounding();
  arithmetic.result_rounding = rounding();
  arithmetic.result_bits = *rc::gen::inRange(4, types.d->significant_bits() + 1);
  arithmetic.underflow_keeps_sign = *rc::gen::arbitrary<bool>();
  arithmetic.all_minus_zero_gives_minus_zero = *rc::gen::arbitrary<bool>();
  arithmetic.zero_group_keeps_scale = *rc::gen::arbitrary<bool>();
  arithmetic.group_terms = *rc::gen::element(16, 16, 4, 1);
  arithmetic.keeps_minus_zero =
      types.scale != nullptr && !arithmetic.underflow_keeps_sign && *rc::gen::arbitrary<bool>();
  arithmetic.scaled_input = static_cast<ScaledInput>(*rc::gen::inRange(0, 3));
  arithmetic.normalised_bits = *rc::gen::element(0, 0, 6);
  arithmetic.zeros_have_exponents = arithmetic.scheme == Scheme::fused && *rc::gen::arbitrary<bool>();
  arithmetic.subnormals_align_at_emin = arithmetic.scheme == Scheme::grouped || *rc::gen::arbitrary<bool>();
  if (types.a->storage_bits == 8 && types.b->storage_bits == 8 && !types.a->is_integer())
    arithmetic.operands_become_f16 = *rc::gen::arbitrary<bool>();
  if (arithmetic.split == Split::consecutive)
    arithmetic.fused_terms = arithmetic.scheme == Scheme::grouped ? 16 * *rc::gen::inRange(0, 4)
                                                                  : *rc::gen::element(0, 4, 8, 16, 24);
  RC_PRE(fast_supports(arithmetic, types));
  const int m = *rc::gen::inRange(1, 4), n = *rc::gen::inRange(1, 40);
  RandomTile tile = maker.make(types, m, n, static_cast<Mix>(*rc::gen::inRange(0, mix_count)));
  tile.scale_input_d = *rc::gen::element(0, 0, 1, 7, 15);
  RC_ASSERT(difference(kernels_of_this_processor().front(), arithmetic, types, tile, m, n) == "");
}

// fp8 mma.sync multiplies f16 numbers: 2^-7 as e4m3 is subnormal, as f16 it is not, so 2^7 - 2^7 - 2^-18
// keeps its last term, 25 bits below 2^7. With the exponent of subnormal e4m3 it would be cut.
TEST(Fast, Fp8OfMmaSyncAlignsAsF16) {
  const Types types{&spec::format("e4m3"), &spec::format("e5m2"), &spec::format("f32"), 16};
  const Instruction* row = find_instruction("mma_sm90", types, false);
  ASSERT_NE(row, nullptr);
  std::vector<uint32_t> a(16, 0), b(16, 0), c{0}, d{1};
  a[0] = a[1] = a[4] = 0x04;                                    // 2^-7
  b[0] = 29 << 2, b[1] = 0x80 | 29 << 2, b[4] = 0x80 | 4 << 2;  // 2^14, -2^14, -2^-11
  fast_tile(row->arithmetic, types, {1, 1, a, b, c, {}, {}, 0}, d);
  EXPECT_EQ(d[0], 0xb6800000u);  // -2^-18
  const std::vector<uint64_t> wide_a(a.begin(), a.end()), wide_b(b.begin(), b.end());
  EXPECT_EQ(exact_dot(row->arithmetic, types, {wide_a, wide_b, 0, {}, {}, 0}), 0xb6800000u);
}

RC_GTEST_PROP(FastProperty, ChainAgreesWithExact, (uint64_t seed)) {
  TileMaker maker(seed);
  const spec::Format& f64 = spec::format("f64");
  const Types types{&f64, &f64, &f64, *rc::gen::inRange(1, 17)};
  const Arithmetic arithmetic{.scheme = Scheme::chain, .nan = 0xfff8000000000000};
  const auto interesting = spec::interesting_codes(f64);
  std::mt19937_64 random(seed);
  const auto code = [&] {
    switch (random() % 4) {
      case 0:
        return interesting[random() % interesting.size()];
      case 1:
        return uint64_t{random()};
      default:
        return (random() & 0x801fffffffffffff) | (uint64_t{0x3f0} + random() % 32) << 52;
    }
  };
  std::vector<uint64_t> a, b;
  for (int k = 0; k < types.k; ++k) a.push_back(code()), b.push_back(code());
  const uint64_t c = code();
  RC_ASSERT(fast_chain(arithmetic, a, b, c) == exact_dot(arithmetic, types, {a, b, c, {}, {}}));
  // And a row of as many columns, each with its own B and C.
  const auto k = static_cast<size_t>(types.k), columns = static_cast<size_t>(chain_columns) * 3;
  std::vector<uint64_t> rows(k * columns), old(columns), d(columns), column(k);
  for (uint64_t& one : rows) one = code();
  for (uint64_t& one : old) one = code();
  for (const Kernels& kernels : kernels_of_this_processor()) {
    fast_chain_row(kernels, arithmetic, a, rows, old, d);
    for (size_t n = 0; n < columns; ++n) {
      for (size_t i = 0; i < k; ++i) column[i] = rows[i * columns + n];
      RC_ASSERT(d[n] == exact_dot(arithmetic, types, {a, column, old[n], {}, {}}));
    }
  }
}

/// Codes whose products, sums or own values lie about the least normal number, in four ways.
struct SmallNumbers {
  std::mt19937_64 random;
  uint64_t around(int exponent) {
    const auto field = static_cast<uint64_t>(std::clamp(exponent + 1023, 0, 2046));
    return (random() & 0x800fffffffffffff) | field << 52;
  }
  /// A usual number, or one in four times the last bit alone, or a zero.
  uint64_t strewn() {
    return random() % 4 == 0 ? random() & 0x8000000000000001 : around(static_cast<int>(random() % 8) - 4);
  }
  /// A, B of k rows of columns, and C.
  void fill(int way, std::vector<uint64_t>& a, std::vector<uint64_t>& b, std::vector<uint64_t>& c) {
    const int sum = -1110 + static_cast<int>(random() % 130);
    const int ea = sum / 2 - 200 + static_cast<int>(random() % 400);
    const int large = static_cast<int>(random() % 1040) - 20;
    for (uint64_t& code : a) code = way == 0 ? around(-1023) : way == 1 ? around(large) : around(ea);
    for (uint64_t& code : b) code = way == 0 ? around(large) : way == 1 ? around(-1023) : around(sum - ea);
    for (uint64_t& code : c) code = around(-1023);
    if (way != 3) return;
    for (std::vector<uint64_t>* codes : {&a, &b, &c})
      for (uint64_t& code : *codes) code = strewn();
  }
};

TEST(Fast, ChainsAboutTheLeastNormalNumberAreExact) {
  const spec::Format& f64 = spec::format("f64");
  const Arithmetic arithmetic{.scheme = Scheme::chain, .nan = 0xfff8000000000000};
  SmallNumbers numbers{std::mt19937_64(7)};
  for (int round = 0; round < 3000; ++round) {
    const Types types{&f64, &f64, &f64, 1 + round % 16};
    const auto k = static_cast<size_t>(types.k), columns = static_cast<size_t>(chain_columns);
    std::vector<uint64_t> a(k), b(k * columns), c(columns), d(columns), column(k);
    numbers.fill(round / 16 % 4, a, b, c);
    // Zeros, ones of the last bit, what cancels, and what is too large to be scaled.
    if (round % 5 == 0) a[numbers.random() % k] &= 0x8000000000000001;
    if (round % 7 == 0) b[numbers.random() % b.size()] &= 0x8000000000000001;
    if (round % 11 == 0)
      c[1] = std::bit_cast<uint64_t>(-std::bit_cast<double>(a[0]) * std::bit_cast<double>(b[1]));
    if (round % 13 == 0) c[2] = numbers.random();
    if (round % 17 == 0) b[3] = numbers.around(1023);
    for (const Kernels& kernels : kernels_of_this_processor()) {
      fast_chain_row(kernels, arithmetic, a, b, c, d);
      for (size_t n = 0; n < columns; ++n) {
        for (size_t i = 0; i < k; ++i) column[i] = b[i * columns + n];
        ASSERT_EQ(d[n], exact_dot(arithmetic, types, {a, column, c[n], {}, {}}))
            << kernels.target << ", round " << round << ", column " << n;
      }
    }
  }
}

/// On Intel's processors the multiply-add of a subnormal number takes thirty times as long; on all it leaves
/// a flag.
TEST(Fast, ChainsMultiplyNoSubnormalNumbers) {
#if defined(__x86_64__)
  const Kernels& kernels = kernels_of_this_processor().front();
  if (!kernels.target.starts_with("AVX")) GTEST_SKIP() << "no vector has a multiply-add here";
  const Arithmetic arithmetic{.scheme = Scheme::chain, .nan = 0xfff8000000000000};
  constexpr uint32_t quiet = 0x1f80, met_or_made_subnormal = 0x12;
  SmallNumbers numbers{std::mt19937_64(1)};
  for (int round = 0; round < 200; ++round) {
    std::vector<uint64_t> a(16), b(16 * chain_columns), c(chain_columns), d(chain_columns);
    numbers.fill(round % 3 == 2 ? 3 : round % 3, a, b, c);
    if (round % 3 == 2) {
      a[0] = 1;
      for (uint64_t& code : c) code = numbers.around(0);  // the least product alone is no number of any scale
    }
    __builtin_ia32_ldmxcsr(quiet);
    fast_chain_row(kernels, arithmetic, a, b, c, d);
    ASSERT_EQ(__builtin_ia32_stmxcsr() & met_or_made_subnormal, 0u) << round;
  }
#endif
}

TEST(Fast, RefusesWhatItCannotKeepExact) {
  const Types types{&spec::format("f16"), &spec::format("f16"), &spec::format("f32"), 16};
  EXPECT_TRUE(fast_supports({}, types));
  EXPECT_FALSE(fast_supports({.kept_bits = 50}, types));
  EXPECT_FALSE(fast_supports({.scheme = Scheme::chain}, types));
  EXPECT_FALSE(fast_supports({.scheme = Scheme::grouped}, types));
}

/// Code after code, from what a code is decoded to.
CodeSurvey slow_survey(const spec::Format& format, const std::vector<uint32_t>& codes) {
  CodeSurvey seen;
  for (const uint32_t code : codes) {
    seen.all |= code;
    const spec::ValueClass kind = spec::classify(format, code);
    seen.has_infinity |= kind == spec::ValueClass::infinity;
    if (kind != spec::ValueClass::normal && kind != spec::ValueClass::subnormal) continue;
    const auto size = static_cast<uint32_t>((code & ~format.sign_bit()) >> format.ignored_bits);
    seen.counted |= size;
    seen.highest = std::max(seen.highest, size), seen.lowest = std::min(seen.lowest, size);
  }
  return seen;
}

std::string words(const CodeSurvey& s) {
  std::string text;
  for (const uint32_t part : {s.all, s.counted, s.highest, s.lowest}) text += std::to_string(part) + ' ';
  return text + (s.has_infinity ? "infinity" : "");
}

TEST(FastSurvey, IsThatOfEachCodeOnEveryInstructionSetAndLength) {
  for (const spec::Format* one :
       {&spec::format("f16"), &spec::format("bf16"), &spec::format("tf32"), &spec::format("f32"),
        &spec::format("e5m2"), &spec::format("e2m3"), &spec::format("e3m2"), &spec::format("e2m1")}) {
    const spec::Format& format = *one;
    const auto top = static_cast<uint32_t>(format.exponent_mask());
    const CodeFields fields{static_cast<uint32_t>(format.mantissa_mask()), top,
                            format.has_infinity() ? top : top + 1, format.ignored_bits,
                            format.ignored_bits + format.mantissa_bits};
    std::mt19937_64 random(7);
    for (size_t count = 0; count < 70; ++count) {
      std::vector<uint32_t> codes(count);
      // Few different bits now and then, so that zeros, subnormals and infinities come up in wide types too.
      const uint64_t kept = count % 3 == 0 ? format.code_mask() : random() & random();
      for (uint32_t& code : codes) code = static_cast<uint32_t>(random() & kept & format.code_mask());
      if (count % 5 == 1) codes.back() = top << fields.to_exponent;
      for (const Kernels& kernels : kernels_of_this_processor())
        EXPECT_EQ(words(kernels.survey(fields, codes)), words(slow_survey(format, codes)))
            << kernels.target << ' ' << format.name << ' ' << count;
    }
  }
}

TEST(FastSurvey, FindsTheOneZeroInfinityOrNaNAnywhere) {
  struct Kind {
    uint32_t half, whole;
    CodeKinds expected;
  };
  const Kind kinds[] = {{0x8000, 0x80000000, {.zero = true}},
                        {0x0000, 0x00000000, {.zero = true}},
                        {0xfc00, 0xff800000, {.infinity = true}},
                        {0x7c00, 0x7f800000, {.infinity = true}},
                        {0x7c01, 0x7f800001, {.nan = true}},
                        {0xffff, 0xffffffff, {.nan = true}},
                        {0x0001, 0x00000001, {}},
                        {0xfbff, 0xff7fffff, {}}};
  for (const Kernels& kernels : kernels_of_this_processor())
    for (const Kind& kind : kinds)
      for (const size_t count : {1, 15, 16, 33})
        for (size_t at = 0; at < count; ++at)
          for (const bool is_half : {false, true}) {
            std::vector<uint32_t> codes(count, is_half ? 0x3c00 : 0x3f800000);
            codes[at] = is_half ? kind.half : kind.whole;
            const CodeKinds seen =
                kernels.kinds(is_half ? 0x7fff : 0x7fffffff, is_half ? 0x7c00 : 0x7f800000, codes);
            EXPECT_EQ(std::tie(seen.zero, seen.infinity, seen.nan),
                      std::tie(kind.expected.zero, kind.expected.infinity, kind.expected.nan))
                << kernels.target << ' ' << codes[at] << " at " << at << " of " << count;
          }
}

/// The first combination of formats of a row.
Types types_of(const Instruction& row) {
  const std::string_view first = row.types.substr(0, row.types.find(' '));
  Types types{spec::find_format(first), spec::find_format(first), spec::find_format(row.d), row.k[0]};
  if (!row.scale.empty()) types.scale = spec::find_format(row.scale), types.scale_block = row.scale_block;
  return types;
}

template <typename Codes>
std::vector<uint64_t> wide(const Codes& codes) {
  return {codes.begin(), codes.end()};
}

// The steps are worked out from one another here, so that none of them is only decoration.
TEST(DotSteps, LeadToTheResultOfEveryInstruction) {
  TileMaker maker(7);
  int sums = 0;
  for (const Instruction& row : instructions()) {
    if (row.arithmetic.scheme == Scheme::chain) continue;
    for (int mix = 0; mix < mix_count; ++mix) {
      const Types types = types_of(row);
      const RandomTile tile = maker.make(types, 1, 1, static_cast<Mix>(mix));
      std::vector<uint32_t> fast(1);
      fast_tile(row.arithmetic, types, tile.tile(1, 1), fast);
      const auto a = wide(tile.a), b = wide(tile.b);
      const auto scale_a = wide(tile.scale_a), scale_b = wide(tile.scale_b);
      const DotSteps steps = exact_steps(row.arithmetic, types, {a, b, tile.c[0], scale_a, scale_b});
      EXPECT_EQ(steps.result, fast[0]) << row.family << " " << row.types << " mix " << mix;
      ASSERT_FALSE(steps.blocks.empty());
      const bool is_last = row.arithmetic.accumulator == AccumulatorPlace::inside;
      EXPECT_TRUE(!is_last || steps.blocks.back().result == steps.result);
      for (const BlockSteps& block : steps.blocks) {
        if (block.is_special) continue;
        ++sums;
        Dyadic sum{BigInt(0), block.unit};
        for (const TermStep& term : block.terms) {
          sum = sum + term.aligned;
          EXPECT_TRUE(term.exact.is_zero() || term.exponent <= block.largest);
          EXPECT_TRUE(term.aligned.is_zero() || term.aligned.exponent == block.unit);
        }
        EXPECT_TRUE((sum + Dyadic{-block.sum.significand, block.sum.exponent}).is_zero());
      }
    }
  }
  EXPECT_GT(sums, 100);
}

TEST(DotSteps, OfASumWorkedOutByHand) {
  const Types types{&spec::format("f16"), &spec::format("f16"), &spec::format("f32"), 16};
  const Instruction* row = find_instruction("wgmma", types, false);
  ASSERT_NE(row, nullptr);
  std::vector<uint64_t> a(16), b(16);
  a[0] = 0x3e00, b[0] = 0xc000;                                                            // 1.5 * -2
  a[5] = 0x0001, b[5] = 0x1400;                                                            // 2^-24 * 2^-10
  const DotSteps steps = exact_steps(row->arithmetic, types, {a, b, 0x3e800000, {}, {}});  // 0.25
  ASSERT_EQ(steps.blocks.size(), 1u);
  const BlockSteps& block = steps.blocks[0];
  EXPECT_EQ(block.largest, 1) << "factors of exponents 0 and 1";
  EXPECT_EQ(block.unit, 1 - row->arithmetic.kept_bits);
  ASSERT_EQ(block.terms.size(), 17u);
  EXPECT_EQ(block.terms[0].k, -1);
  EXPECT_EQ(block.terms[0].exponent, -2);
  EXPECT_EQ(block.terms[1].k, 0);
  EXPECT_TRUE(block.terms[1].aligned.is_negative());
  EXPECT_EQ(block.terms[1].aligned.significand.low_word(), uint64_t{3} << -block.unit);
  EXPECT_FALSE(block.terms[1].is_cut());
  EXPECT_TRUE(block.terms[6].aligned.is_zero());
  EXPECT_TRUE(block.terms[6].is_cut());
  EXPECT_EQ(steps.result, 0xc0300000u) << "-2.75";
}

}  // namespace
}  // namespace assay::numerics
