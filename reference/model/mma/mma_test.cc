// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/mma.h"

#include <gtest/gtest.h>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "reference/model/mma/adder_evidence.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/fast.h"
#include "reference/numerics/random_tile.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::Arch;
using spec::question;

/// One CTA with a window and tensor memory that tests write by hand.
struct Rig {
  explicit Rig(const Tcgen05MmaCase& c)
      : window(c.window_bytes, std::byte{0}),
        cells(size_t{c.cta_group} * 128 * c.alloc_columns, 0xdeadbeef),
        defined(cells.size(), ~0u) {}
  void put_half(uint32_t byte, uint16_t code) { std::memcpy(window.data() + byte, &code, 2); }
  Tcgen05MmaPrediction run(const Tcgen05MmaCase& c, const spec::Readings& readings) {
    return predict_mma(c, readings, {window, window}, cells, defined);
  }
  float d(const Tcgen05MmaCase& c, int lane, int column) const {
    float value;
    std::memcpy(&value, &cells[static_cast<size_t>(lane) * c.alloc_columns + column], 4);
    return value;
  }
  std::vector<std::byte> window;
  std::vector<uint32_t> cells, defined;
};

constexpr uint16_t half_one = 0x3c00, half_nan = 0x7e00, half_infinity = 0x7c00;

/// f16 small whole numbers as codes.
uint16_t half(int value) {
  if (value == 0) return 0;
  const int magnitude = value < 0 ? -value : value;
  int exponent = 0;
  while (magnitude >> (exponent + 1) != 0) ++exponent;
  return static_cast<uint16_t>((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 |
                               ((magnitude << 10 >> exponent) & 0x3ff));
}

/// K-major without swizzle: 8 rows of 16 bytes are adjacent, the next 8 rows 128 bytes on, the second 16
/// bytes of K behind all rows.
Tcgen05MmaCase plain_case(uint32_t m, uint32_t n, bool ws) {
  Tcgen05MmaCase c;
  c.m = m, c.n = n, c.ws = ws;
  c.a = {.start = 0, .leading_offset = m * 16, .stride_offset = 128};
  c.b = {.start = m * 32, .leading_offset = (n + 8) * 16, .stride_offset = 128};
  c.window_bytes = c.split = m * 32 + (n + 8) * 32;
  c.alloc_columns = 256;
  return c;
}
uint32_t k_major(uint32_t start, uint32_t rows, uint32_t row, uint32_t k) {
  return start + row / 8 * 128 + row % 8 * 16 + k % 8 * 2 + k / 8 * rows * 16;
}

TEST(MmaModel, MultipliesSmallNumbersAndLeavesTheRestAlone) {
  Tcgen05MmaCase c = plain_case(128, 24, false);
  c.d_column = 5, c.tmem_split = c.alloc_columns;
  Rig rig(c);
  const auto a = [](int m, int k) { return (m * 7 + k * 3) % 11 - 5; };
  const auto b = [](int n, int k) { return (n * 5 + k * 2) % 9 - 4; };
  for (uint32_t k = 0; k < 16; ++k) {
    for (uint32_t m = 0; m < 128; ++m)
      rig.put_half(k_major(0, 128, m, k), half(a(static_cast<int>(m), static_cast<int>(k))));
    for (uint32_t n = 0; n < 24; ++n)
      rig.put_half(k_major(128 * 32, 32, n, k), half(b(static_cast<int>(n), static_cast<int>(k))));
  }
  const Tcgen05MmaPrediction prediction = rig.run(c, spec::Readings(Arch::sm_100));
  EXPECT_EQ(prediction.end, End::done);
  EXPECT_TRUE(prediction.all_defined);
  for (int m = 0; m < 128; ++m)
    for (int column = 0; column < 256; ++column) {
      const int n = column - 5;
      if (n < 0 || n >= 24) {
        ASSERT_EQ(rig.cells[static_cast<size_t>(m) * 256 + static_cast<size_t>(column)], 0xdeadbeef);
        continue;
      }
      int sum = 0;
      for (int k = 0; k < 16; ++k) sum += a(m, k) * b(n, k);
      ASSERT_EQ(rig.d(c, m, column), static_cast<float>(sum)) << m << ' ' << n;
    }
}

/// The masks of the four examples, lowest column last, as the document prints their ends.
struct Example {
  const char* name;
  uint32_t m;
  uint64_t word;
  std::vector<std::string> masks;  ///< bits of the sub-masks' first columns, most significant first
};

TEST(MmaModel, TheFourDocumentedMasksZeroTheirColumns) {
  const Example examples[] = {
      {"1", 128, 0x0003'0400'0000'0000, {"00000000000000"}},
      {"2", 128, 0x0003'0280'0000'0000, {"11100001110000"}},
      {"3",
       64,
       0x0003'0281'0000'0000,
       {"11100001110000111",
        "00001110000111"
        "0000"}},
      {"4", 32, 0x0203'0283'0102'0100, {"00001110000111", "0000111000011", "111000011100", "1110000111000"}},
  };
  for (const Example& example : examples) {
    Tcgen05MmaCase c = plain_case(example.m, 128, true);
    const spec::ZeroColumnMask mask = spec::decode_zero_column_mask(example.word);
    c.has_mask = true;
    c.mask = {mask.start_count, mask.first_is_zeroed, mask.generate,
              mask.skip_span,   mask.use_span,        mask.column_shift};
    c.max_shift = 8;
    ASSERT_EQ(mask_word(c), example.word);
    Rig rig(c);
    // Row m of A picks k = 0; column n of B holds n + 1 there, so that D shows which column it used.
    for (uint32_t m = 0; m < example.m; ++m) rig.put_half(k_major(0, example.m, m, 0), half_one);
    for (uint32_t n = 0; n < 136; ++n)
      rig.put_half(k_major(example.m * 32, 136, n, 0), half(static_cast<int>(n) + 1));
    ASSERT_EQ(rig.run(c, spec::Readings(Arch::sm_100)).end, End::done) << example.name;
    const size_t count = example.masks.size(), columns = 128 / count;
    for (size_t i = 0; i < count; ++i) {
      const std::string& bits = example.masks[i];
      for (size_t j = 0; j < bits.size(); ++j) {
        const bool zeroed = bits[bits.size() - 1 - j] == '1';
        const size_t n = i * columns + j, shift = c.mask.column_shift;
        // D folds over groups of lanes as often as there are sub-masks.
        ASSERT_EQ(rig.d(c, static_cast<int>(i * example.m), static_cast<int>(j)),
                  zeroed ? 0.0f : static_cast<float>(n + shift + 1))
            << example.name << " mask " << i << " column " << j;
      }
    }
  }
}

TEST(MmaModel, AMaskedColumnHidesWhatBHoldsAndNotWhatAHolds) {
  Tcgen05MmaCase c = plain_case(128, 64, true);
  c.has_mask = true;
  c.mask = {.generate = true, .skip_span = 1, .use_span = 1};
  Rig rig(c);
  rig.put_half(k_major(0, 128, 3, 0), half_infinity);
  for (uint32_t n = 0; n < 64; ++n) rig.put_half(k_major(128 * 32, 72, n, 0), half_nan);
  spec::Readings readings(Arch::sm_100);
  rig.run(c, readings);
  const auto cell = [&](int lane, int column) {
    return rig.cells[static_cast<size_t>(lane) * 256 + static_cast<size_t>(column)];
  };
  EXPECT_EQ(cell(0, 0), 0x7fffffffu) << "used: NaN times zero";
  EXPECT_EQ(cell(0, 1), 0u) << "masked";
  EXPECT_EQ(cell(3, 1), 0x7fffffffu) << "infinity times the zero of the mask";
  EXPECT_TRUE(readings.consulted().test(question("NUM-AMB-16")));
  rig.run(c, readings.choose({"NUM-AMB-16", "skipped"}));
  EXPECT_EQ(cell(3, 1), 0u) << "skipped under the rival";
  EXPECT_EQ(cell(3, 0), 0x7fffffffu);
}

TEST(MmaModel, TheFoldsOfAInTensorMemoryAreReadApart) {
  Tcgen05MmaCase c = plain_case(64, 64, true);
  c.a_in_tmem = true;
  c.b.start = 0, c.a_column = 128;
  Rig rig(c);
  for (uint32_t n = 0; n < 64; ++n) rig.put_half(k_major(0, 72, n, 0), half_one);
  // Different copies of row 5 in its two groups of lanes give different halves of the columns.
  for (int lane = 0; lane < 128; ++lane)
    for (int column = 0; column < 8; ++column)
      rig.cells[static_cast<size_t>(lane) * 256 + 128 + static_cast<size_t>(column)] = 0;
  rig.cells[5 * 256 + 128] = half(2);
  rig.cells[(64 + 5) * 256 + 128] = half(3);
  ASSERT_EQ(rig.run(c, spec::Readings(Arch::sm_100)).end, End::done);
  EXPECT_EQ(rig.d(c, 5, 0), 2.0f);
  EXPECT_EQ(rig.d(c, 5, 31), 2.0f);
  EXPECT_EQ(rig.d(c, 64 + 5, 0), 3.0f);
  EXPECT_EQ(rig.d(c, 6, 0), 0.0f);
}

TEST(MmaModel, DisabledLanesKeepTheirCells) {
  Tcgen05MmaCase c = plain_case(64, 8, false);
  c.has_disabled_lanes = true;
  c.disabled_lanes[0] = 0x10, c.lane = 16;  // lane 4 holds nothing of D; lane 20 does
  c.disabled_lanes[1] = 1u << 17;
  Rig rig(c);
  rig.run(c, spec::Readings(Arch::sm_100));
  const auto cell = [&](int lane) { return rig.cells[static_cast<size_t>(lane) * 256]; };
  EXPECT_EQ(cell(4), 0xdeadbeef) << "not in the layout";
  EXPECT_EQ(cell(20), 0u);
  EXPECT_EQ(cell(32 + 16), 0u);
  EXPECT_EQ(cell(32 + 17), 0xdeadbeef) << "disabled";
}

TEST(MmaModel, HalfAccumulatorsAndTheReadingsOfTheirUpperHalf) {
  Tcgen05MmaCase c = plain_case(128, 8, false);
  c.d_type = 0, c.enable_input_d = true;
  for (const auto& [reading, want] : {std::pair{spec::NamedReading("AMB-24", "zero"), 0x3c00u},
                                      {{"AMB-24", "unchanged"}, 0xabcd3c00u},
                                      {{"AMB-24", "anything"}, 0x3c00u}}) {
    Rig rig(c);
    rig.cells[0] = 0xabcd3c00;
    spec::Readings readings(Arch::sm_100);
    const Tcgen05MmaPrediction prediction = rig.run(c, readings.choose(reading));
    const bool is_open = readings.is({"AMB-24", "anything"});
    EXPECT_EQ(prediction.all_defined, !is_open);
    EXPECT_EQ(rig.cells[0] & rig.defined[0], want & rig.defined[0]) << reading.letter();
    EXPECT_EQ(rig.defined[0], is_open ? 0xffffu : ~0u);
    EXPECT_EQ(rig.defined[8], ~0u) << "outside D";
  }
}

TEST(MmaModel, ABrokenWordLeavesOnlyDOpen) {
  Tcgen05MmaCase c = plain_case(128, 16, false);
  c.d_column = 32;
  c.b_flip = uint64_t{1} << 53;
  Rig rig(c);
  const Tcgen05MmaPrediction prediction = rig.run(c, spec::Readings(Arch::sm_100));
  EXPECT_EQ(prediction.end, End::undefined);
  EXPECT_TRUE(prediction.rules.test(spec::rule("SMEM-R02")));
  for (size_t column = 0; column < 256; ++column)
    EXPECT_EQ(rig.defined[column], column >= 32 && column < 48 ? 0u : ~0u) << column;
}

TEST(MmaModel, IntegersClampOnceWhereAsked) {
  Tcgen05MmaCase c = plain_case(128, 16, false);
  c.kind = spec::MmaKind::i8, c.a_type = c.b_type = spec::type_code::s8, c.d_type = spec::type_code::d_s32,
  c.enable_input_d = true;
  for (const bool saturate : {false, true}) {
    c.saturate = saturate;
    Rig rig(c);
    for (uint32_t i = 0; i < c.window_bytes; ++i) rig.window[i] = std::byte{0x7f};
    rig.cells[0] = 0x7fffffff;
    rig.run(c, spec::Readings(Arch::sm_100));
    EXPECT_EQ(rig.cells[0], saturate ? 0x7fffffffu : 0x7fffffffu + 32u * 127 * 127);
  }
}

/// M 128, N 8, K 64 of kind::mxf4nvf4 with scale_vec::4X and ue4m3: the case that people pack by hand first.
Tcgen05MmaCase small_nvf4() {
  Tcgen05MmaCase c;
  c.kind = spec::MmaKind::mxf4nvf4, c.a_type = c.b_type = spec::type_code::packed_e2m1;
  c.m = 128, c.n = 8;
  c.scale_vector = 4, c.scale_type = 0;
  c.a = {.start = 0, .leading_offset = 2048, .stride_offset = 128};
  c.b = {.start = 4096, .leading_offset = 128, .stride_offset = 128};
  c.split = 4096, c.window_bytes = 4096 + 256;
  c.a_scales.column = 8, c.a_scales.columns = 4;
  c.b_scales.column = 12, c.b_scales.columns = 4;
  return c;
}

// Word by word, from the tables of the instruction descriptor (kinds mxf4 and mxf4nvf4) and of the matrix
// descriptor.
TEST(MmaScale, TheSmallestNvf4CaseHasTheWordsOfTheTables) {
  Tcgen05MmaCase c = small_nvf4();
  EXPECT_TRUE(fits_rig(c));
  EXPECT_TRUE(broken_mma_rules(c, spec::Readings(Arch::sm_100)).none());
  const uint32_t idesc = 1u << 7      // A is e2m1
                         | 1u << 10   // B is e2m1
                         | 1u << 17   // N / 8
                         | 0u << 23   // ue4m3
                         | 1u << 27   // M / 128
                         | 0u << 31;  // K 64
  EXPECT_EQ(idesc_word(c), idesc);
  EXPECT_EQ(idesc, 0x08020480u);
  // Start, leading offset and stride in units of 16 bytes, the constant 1 in bit 46, no swizzle.
  EXPECT_EQ(a_word(c), uint64_t{0x80} << 16 | uint64_t{8} << 32 | uint64_t{1} << 46);
  EXPECT_EQ(b_word(c), uint64_t{4096 / 16} | uint64_t{8} << 16 | uint64_t{8} << 32 | uint64_t{1} << 46);
  // The fields that the case leaves at 0.
  c.scale_type = 1, c.negate_a = c.negate_b = true;
  EXPECT_EQ(idesc_word(c), idesc | 1u << 23 | 1u << 13 | 1u << 14);
  c.k96 = true, c.scale_vector = 32, c.a_scales.id = 3, c.b_scales.id = 1;
  EXPECT_EQ(idesc_word(c), idesc | 1u << 23 | 3u << 13 | 1u << 31 | 3u << 29 | 1u << 4);
}

// One number of A and B each, and scales that tell row, column and block.
TEST(MmaScale, EachBlockHasTheScaleOfItsPlace) {
  const Tcgen05MmaCase c = small_nvf4();
  std::vector<std::byte> window(c.window_bytes, std::byte{0});
  std::vector<uint32_t> cells(128 * c.alloc_columns, 0), defined(cells.size());
  constexpr auto one = std::byte{2};  // e2m1: 1.0 in the low nibble, 0 above
  // Row m has its 1 in block m mod 4, column n everywhere: k of block j is 16 j.
  const auto byte = [](uint32_t start, uint32_t rows, uint32_t row, uint32_t k) {
    return start + row / 8 * 128 + row % 8 * 16 + k / 2 % 16 + k / 32 * rows * 16;
  };
  for (uint32_t m = 0; m < 128; ++m) window[byte(0, 128, m, m % 4 * 16)] = one;
  for (uint32_t n = 0; n < 8; ++n)
    for (uint32_t block = 0; block < 4; ++block) window[byte(4096, 8, n, block * 16)] = one;
  // ue4m3: exponent field in bits 6 to 3, so that code 8 e is 2^(e - 7).
  const auto a_scale = [](uint32_t m, uint32_t s) { return 1 + (m / 32 * 4 + m % 32 + s) % 8; };
  const auto b_scale = [](uint32_t n, uint32_t s) { return 1 + (n * 3 + s * 2) % 7; };
  for (uint32_t lane = 0; lane < 128; ++lane) {
    for (uint32_t column = 0; column < 4; ++column)
      for (uint32_t s = 0; s < 4; ++s)
        cells[lane * c.alloc_columns + 8 + column] |= 8 * a_scale(column * 32 + lane % 32, s) << 8 * s;
    for (uint32_t s = 0; s < 4 && lane % 32 < 8; ++s)
      cells[lane * c.alloc_columns + 12] |= 8 * b_scale(lane % 32, s) << 8 * s;
  }
  const Tcgen05MmaPrediction prediction =
      predict_mma(c, spec::Readings(Arch::sm_100), {window, window}, cells, defined);
  ASSERT_EQ(prediction.end, End::done);
  EXPECT_TRUE(prediction.rules.test(spec::rule("SCALE-R04")));
  for (uint32_t m = 0; m < 128; ++m)
    for (uint32_t n = 0; n < 8; ++n) {
      const uint32_t block = m % 4;
      const int exponent = static_cast<int>(a_scale(m, block) + b_scale(n, block)) - 14;
      ASSERT_EQ(cells[m * c.alloc_columns + n], static_cast<uint32_t>(exponent + 127) << 23) << m << ' ' << n;
    }
}

TEST(MmaScale, IdsOfLaterStepsRunOn) {
  Tcgen05MmaCase c = small_nvf4();
  c.scale_vector = 16, c.k96 = true, c.a_scales.id = 2, c.n = 144, c.steps = 3;
  EXPECT_EQ(scale_count(c), 6);
  EXPECT_EQ(scale_start(c, true, 1).id, 0u);  // 2 + 6 scales: two groups of four
  EXPECT_EQ(scale_start(c, true, 1).column, 8u + 8);
  EXPECT_EQ(scale_start(c, false, 1).id, 2u);
  EXPECT_EQ(scale_start(c, false, 1).column, 12u + 8);
  EXPECT_EQ(scale_group(c, false), 8u);
}

// (sm_100) K of 96 and the absolute leading address are there on sm_103 alone.
TEST(MmaScale, K96IsOfSm103) {
  Tcgen05MmaCase c = small_nvf4();
  c.k96 = true, c.n = 16;
  c.a = {
      .start = 32, .leading_offset = 32768, .stride_offset = 1024, .swizzle = 2, .leading_is_absolute = true};
  EXPECT_TRUE(broken_mma_rules(c, spec::Readings(Arch::sm_103)).none());
  const spec::RuleSet broken = broken_mma_rules(c, spec::Readings(Arch::sm_100));
  EXPECT_TRUE(broken.test(spec::rule("IDESC-R17")));
  c.k96 = false, c.n = 8;
  EXPECT_TRUE(broken_mma_rules(c, spec::Readings(Arch::sm_100)).any());
}

using numerics::Arithmetic;
using numerics::Types;

std::string names(const spec::RuleSet& rules) {
  std::string text;
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (rules.test(i)) text += (text.empty() ? "" : " ") + std::string(spec::rule_table[i].id);
  return text;
}

/// One row by one column of f16 into f32 on tcgen05; the rest of K is zeros.
std::string of_f16(std::vector<uint32_t> a, std::vector<uint32_t> b, uint32_t c, bool goes_on = false) {
  const Types types{&spec::format("f16"), &spec::format("f16"), &spec::format("f32"), 16};
  const Arithmetic& arithmetic = numerics::find_instruction("tcgen05", types, false)->arithmetic;
  a.resize(16), b.resize(16);
  const std::array<uint32_t, 1> of_c{c};
  std::array<uint32_t, 1> d{};
  numerics::fast_tile(arithmetic, types, {1, 1, a, b, of_c, {}, {}, 0}, d);
  spec::RuleSet rules;
  note_adder_rules({types, arithmetic, a, b, of_c, d, goes_on}, rules);
  return names(rules);
}

TEST(AdderEvidence, OnesShowNothingOfRoundingNanOrInfinity) {
  EXPECT_EQ(of_f16({0x3c00, 0xbc00, 0x3c00}, {0x3c00, 0x3c00, 0x3c00}, 0x3f800000), "");
  EXPECT_EQ(of_f16({0x3c00, 0xbc00}, {0x3c00, 0x3c00}, 0), "ADD-R12") << "a sum of zero";
}

TEST(AdderEvidence, WhatAnOperandIsShowsItsRule) {
  EXPECT_EQ(of_f16({0x7e00}, {0x3c00}, 0), "ADD-R13") << "NaN";
  EXPECT_EQ(of_f16({0x7c00}, {0x3c00}, 0), "ADD-R14") << "infinity";
  EXPECT_EQ(of_f16({0x7c00, 0xfc00}, {0x3c00, 0x3c00}, 0), "ADD-R13") << "both infinities";
  EXPECT_EQ(of_f16({0x3c00}, {0x3c00}, 0x7f800000), "ADD-R14") << "an infinite C";
  EXPECT_EQ(of_f16({0x0001}, {0x3c00}, 0), "ADD-R03") << "a subnormal";
}

TEST(AdderEvidence, WhatIsLostShowsHowManyBitsAreKept) {
  // 2^15 * 2^15 and 2^-14 * 2^-9: bits 53 places apart.
  EXPECT_EQ(of_f16({0x7800, 0x0400}, {0x7800, 0x1800}, 0), "ADD-R01 ADD-R02 ADD-R04 ADD-R07 ADD-R10");
  EXPECT_EQ(of_f16({0x7800, 0x0400}, {0x7800, 0x1800}, 0, true),
            "ADD-R01 ADD-R02 ADD-R04 ADD-R07 ADD-R10 ADD-R16")
      << "and goes on with what is left";
}

// 2^-25 + 2^-46 into f16: the second is kept and decides the tie, with a floor one higher it is lost.
TEST(AdderEvidence, WhatLiesAtTheFloorShowsIt) {
  const Types types{&spec::format("f16"), &spec::format("f16"), &spec::format("f16"), 16};
  Arithmetic arithmetic = numerics::find_instruction("tcgen05", types, false)->arithmetic;
  std::vector<uint32_t> a(16), b(16);
  a[0] = 0x0c00, b[0] = 0x0800, a[1] = b[1] = 0x0002;
  const std::array<uint32_t, 1> c{};
  std::array<uint32_t, 1> d{};
  const auto multiply = [&] { numerics::fast_tile(arithmetic, types, {1, 1, a, b, c, {}, {}, 0}, d); };
  multiply();
  EXPECT_EQ(d[0], 1u);
  spec::RuleSet rules;
  note_adder_rules({types, arithmetic, a, b, c, d}, rules);
  EXPECT_TRUE(rules.test(spec::rule("ADD-R09"))) << names(rules);
  ++arithmetic.floor_exponent;
  multiply();
  EXPECT_EQ(d[0], 0u);
  // From 2^-45 on there is nothing that the floor could cut.
  b[1] = 0x0004;
  rules.reset();
  --arithmetic.floor_exponent;
  note_adder_rules({types, arithmetic, a, b, c, d}, rules);
  EXPECT_FALSE(rules.test(spec::rule("ADD-R09"))) << names(rules);
}

/// A machine that breaks one rule, and the rules of which one must have been noted where it shows.
struct Rival {
  const char* what;
  void (*change)(Arithmetic&, const Types&);
  std::vector<const char*> rules;
};

// Whatever a device that is wrong in one rule gives differently, that rule was noted: no case that could
// refute a rule goes uncounted.
TEST(AdderEvidence, WhereAWrongAdderShowsItsRuleIsNoted) {
  const Rival rivals[] = {
      {"one bit less", [](Arithmetic& a, const Types&) { --a.kept_bits; }, {"ADD-R04", "ADD-R05", "ADD-R06"}},
      {"terms rounded",
       [](Arithmetic& a, const Types&) { a.term_rounding = spec::Rounding::nearest_even; },
       {"ADD-R01"}},
      {"a result of one bit less",
       [](Arithmetic& a, const Types&) { --a.result_bits; },
       {"ADD-R10", "ADD-R11"}},
      {"two blocks", [](Arithmetic& a, const Types& t) { a.fused_terms = t.k / 2; }, {"ADD-R07"}},
      {"C last",
       [](Arithmetic& a, const Types&) { a.accumulator = numerics::AccumulatorPlace::added_last; },
       {"ADD-R07"}},
      {"subnormals aligned by their own bit",
       [](Arithmetic& a, const Types&) { a.subnormals_align_at_emin = false; },
       {"ADD-R03"}},
      {"another NaN", [](Arithmetic& a, const Types&) { a.nan ^= 1; }, {"ADD-R13"}},
      {"minus zero", [](Arithmetic& a, const Types&) { a.underflow_keeps_sign = true; }, {"ADD-R12"}},
  };
  numerics::TileMaker maker(77);
  std::array<int, std::size(rivals)> shown{};
  for (const numerics::Instruction& row : numerics::instructions()) {
    const auto& arithmetic = row.arithmetic;
    const bool plain = (row.family == "tcgen05" || row.family == "wgmma") && row.scale.empty() &&
                       arithmetic.scheme == numerics::Scheme::fused;
    if (!plain) continue;
    const std::string_view type = row.types.substr(0, row.types.find(' '));
    const spec::Format* format = spec::find_format(type);
    const Types types{format, format, spec::find_format(row.d), row.k[0]};
    for (int round = 0; round < 40 * numerics::mix_count; ++round) {
      const numerics::RandomTile made =
          maker.make(types, 1, 1, static_cast<numerics::Mix>(round % numerics::mix_count));
      const numerics::Tile tile = made.tile(1, 1);
      std::array<uint32_t, 1> d{}, wrong{};
      numerics::fast_tile(arithmetic, types, tile, d);
      spec::RuleSet rules;
      note_adder_rules({types, arithmetic, made.a, made.b, made.c, d, false, tile.scale_input_d}, rules);
      for (size_t i = 0; i < std::size(rivals); ++i) {
        Arithmetic changed = arithmetic;
        rivals[i].change(changed, types);
        numerics::fast_tile(changed, types, tile, wrong);
        if (wrong == d) continue;
        ++shown[i];
        bool noted = false;
        for (const char* id : rivals[i].rules) noted |= rules.test(*spec::find_rule(id));
        EXPECT_TRUE(noted) << rivals[i].what << ", " << row.family << " " << row.kind << ": " << names(rules);
      }
    }
  }
  for (size_t i = 0; i < std::size(rivals); ++i) EXPECT_GT(shown[i], 0) << rivals[i].what << " never shows";
}

}  // namespace
}  // namespace assay::model
