// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "devices/emulator/alu/evaluate.h"
#include "devices/emulator/gpu.h"
#include "devices/emulator/vector_text_test.h"

namespace assay::emulator::alu {
namespace {

uint64_t convert_packed_bits(float v) {
  return std::bit_cast<uint32_t>(v);
}

struct Narrow {
  const char *pair, *four;
  int width;
  Codebook values;
  uint32_t nan;  ///< what a NaN becomes: a NaN, or the largest positive value
};
const std::vector<Narrow>& narrow_types() {
  static const std::vector<Narrow> types = {{"e4m3x2", "e4m3x4", 8, Codebook(4, 3, 0x7e), 0x7f},
                                            {"e5m2x2", "e5m2x4", 8, Codebook(5, 2, 0x7b), 0x7f},
                                            {"e3m2x2", "e3m2x4", 8, Codebook(3, 2, 0x1f), 0x1f},
                                            {"e2m3x2", "e2m3x4", 8, Codebook(2, 3, 0x1f), 0x1f},
                                            {"e2m1x2", "e2m1x4", 4, Codebook(2, 1, 0x07), 0x07}};
  return types;
}

uint32_t convert_packed_expected(const Narrow& t, float x, bool relu) {
  if (std::isnan(x)) return t.nan;
  if (relu && std::signbit(x)) return 0;
  const uint32_t sign = std::signbit(x) ? t.values.sign() : 0;
  if (std::isinf(x)) return sign | t.values.largest();
  return sign | std::min(t.values.magnitude(x, std::signbit(x), "rn"), t.values.largest());
}

rc::Gen<float> convert_packed_real() {
  const auto scaled = rc::gen::map(rc::gen::tuple(rc::gen::inRange(-22, 20), rc::gen::inRange(-64, 64)),
                                   [](const std::tuple<int, int>& t) {
                                     return std::ldexp(static_cast<float>(std::get<1>(t)), std::get<0>(t));
                                   });
  const auto nudged = rc::gen::map(scaled, [](float v) { return std::nextafter(v, INFINITY); });
  return rc::gen::weightedOneOf<float>(
      {{4, scaled},
       {2, nudged},
       {1, rc::gen::map(rc::gen::arbitrary<uint32_t>(), [](uint32_t b) { return std::bit_cast<float>(b); })},
       {1, rc::gen::element<float>(0.0f, -0.0f, INFINITY, -INFINITY, NAN)}});
}

TEST(convert_packed, to_narrow_pairs_is_the_nearest_value_or_the_largest) {
  for (const Narrow& t : narrow_types())
    for (bool relu : {false, true}) {
      const std::string text = std::string("cvt.rn.satfinite.") + (relu ? "relu." : "") + t.pair;
      EXPECT_TRUE(rc::check(text, [&] {
        const float a = *convert_packed_real(), b = *convert_packed_real();
        RC_ASSERT(evaluate(text + ".f32", {convert_packed_bits(a), convert_packed_bits(b)}) ==
                  (convert_packed_expected(t, a, relu) << t.width | convert_packed_expected(t, b, relu)));
        if (!find_lane_form(opcode_of(text + ".f16x2"))) return;
        const uint64_t halves =
            evaluate("cvt.rn.f16x2.f32", {convert_packed_bits(a), convert_packed_bits(b)});
        const auto half = [](uint64_t h) {
          return std::bit_cast<float>(static_cast<uint32_t>(evaluate("cvt.f32.f16", {h & 0xffff})));
        };
        RC_ASSERT(evaluate(text + ".f16x2", {halves}) ==
                  (convert_packed_expected(t, half(halves >> 16), relu) << t.width |
                   convert_packed_expected(t, half(halves), relu)));
      })) << text;
    }
}

TEST(convert_packed, from_narrow_pairs_is_exact) {
  for (const Narrow& t : narrow_types())
    for (uint32_t code = 0; code < 2 * t.values.sign(); ++code) {
      const std::string text = std::string("cvt.rn.f16x2.") + t.pair;
      const uint32_t magnitude = code & (t.values.sign() - 1), sign = code & t.values.sign();
      uint64_t want = 0x7fff;
      if (magnitude <= t.values.largest())
        want = evaluate("cvt.rn.f16.f32", {convert_packed_bits(static_cast<float>(t.values.value(code)))}) &
               0x7fff;
      else if (std::string(t.pair) == "e5m2x2" && magnitude == 0x7c)
        want = 0x7c00;
      const bool is_nan = want == 0x7fff;
      if (sign != 0 && !is_nan) want |= 0x8000;
      EXPECT_EQ(evaluate(text, {code << t.width}), want << 16) << text << " " << code;
      EXPECT_EQ(evaluate(text, {code}), want) << text << " " << code;
      const uint64_t rectified = (want & 0x8000) != 0 ? 0 : want;
      EXPECT_EQ(evaluate(std::string("cvt.rn.relu.f16x2.") + t.pair, {code}), rectified)
          << text << " " << code;
    }
}

TEST(convert_packed, pairs_of_halves_are_two_scalar_conversions) {
  for (const char* modifiers : {"rn", "rz", "rn.relu", "rz.satfinite", "rn.relu.satfinite"})
    for (const char* type : {"f16", "bf16"}) {
      const std::string pair = std::string("cvt.") + modifiers + "." + type + "x2.f32";
      const std::string one = std::string("cvt.") + modifiers + "." + type + ".f32";
      EXPECT_TRUE(rc::check(pair, [&] {
        const uint64_t a = convert_packed_bits(*convert_packed_real()),
                       b = convert_packed_bits(*convert_packed_real());
        RC_ASSERT(evaluate(pair, {a, b}) == (evaluate(one, {a}) << 16 | evaluate(one, {b})));
      })) << pair;
    }
}

// Random rounding is between the two neighbours; all zeros never round up, and the document's carry decides.
TEST(convert_packed, random_bits_round_by_their_carry) {
  // bf16 drops 16 bits: 0x3f80'4000 is 1 + a quarter step, so random bits from 0xc000 on carry.
  EXPECT_EQ(evaluate("cvt.rs.bf16x2.f32", {0x3f804000, 0x3f804000, 0xbfff'c000}), 0x3f80'3f81u);
  EXPECT_EQ(evaluate("cvt.rs.bf16x2.f32", {0x3f804000, 0xbf804000, 0xc000'bfff}), 0x3f81'bf80u);
  // f16 drops 13 bits, and takes 13 random ones.
  EXPECT_EQ(evaluate("cvt.rs.f16x2.f32", {0x3f800001, 0x3f801000, 0x1fff'1000}), 0x3c01'3c01u);
  EXPECT_EQ(evaluate("cvt.rs.f16x2.f32", {0x3f800001, 0x3f801000, 0xffff'0fff}), 0x3c01'3c00u);
  EXPECT_EQ(
      evaluate("cvt.rs.relu.satfinite.f16x2.f32", {convert_packed_bits(-1.5f), convert_packed_bits(1e9f), 0}),
      0x0000'7bffu);
  // e4m3 drops 20 bits; its 16 random bits meet the top 16 of them. Halfway needs 0x8000, which the upper
  // value of each pair reads from the last bit on.
  const uint64_t half_step = convert_packed_bits(1.0625f);
  EXPECT_EQ(
      evaluate("cvt.rs.satfinite.e4m3x4.f32", {half_step, half_step, half_step, half_step, 0x8000'7fff}),
      0x38393938u);
  EXPECT_EQ(evaluate("cvt.rs.satfinite.e2m1x4.f32",
                     {convert_packed_bits(1.25f), convert_packed_bits(1.25f), convert_packed_bits(1.25f),
                      convert_packed_bits(1.25f), 0x80'80'7f'7f}),
            0x3232u);
  EXPECT_EQ(
      evaluate("cvt.rs.satfinite.e5m2x4.f32", {convert_packed_bits(1.0f), convert_packed_bits(-2.0f),
                                               convert_packed_bits(0.5f), convert_packed_bits(1e30f), ~0u}),
      0x3cc0387bu);
  for (const Narrow& t : narrow_types())
    EXPECT_TRUE(rc::check(std::string("cvt.rs.") + t.four, [&] {
      const float x = *convert_packed_real();
      RC_PRE(!std::isnan(x) && std::fabs(x) <= t.values.value(t.values.largest()));
      const uint32_t random = *rc::gen::arbitrary<uint32_t>();
      const std::string text = std::string("cvt.rs.satfinite.") + t.four + ".f32";
      const uint64_t all = evaluate(text, {convert_packed_bits(x), convert_packed_bits(x),
                                           convert_packed_bits(x), convert_packed_bits(x), random});
      const uint64_t none = evaluate(text, {convert_packed_bits(x), convert_packed_bits(x),
                                            convert_packed_bits(x), convert_packed_bits(x), 0});
      const uint32_t down = t.values.round(x, std::signbit(x), "rz");
      for (int i = 0; i < 4; ++i) {
        const auto code = static_cast<uint32_t>(all >> (i * t.width) & ((1u << t.width) - 1));
        RC_ASSERT(code == down || code == down + 1);
        if (t.values.value(down) == x) RC_ASSERT(code == down);
        RC_ASSERT((none >> (i * t.width) & ((1u << t.width) - 1)) == down);
      }
    })) << t.four;
}

TEST(convert_packed, ue8m0_is_an_exponent) {
  // Values 2^(code - 127): up to the next power, or down to it.
  EXPECT_EQ(evaluate("cvt.rp.satfinite.ue8m0x2.f32", {convert_packed_bits(1.0f), convert_packed_bits(1.5f)}),
            0x7f80u);
  EXPECT_EQ(evaluate("cvt.rz.satfinite.ue8m0x2.f32", {convert_packed_bits(1.0f), convert_packed_bits(1.5f)}),
            0x7f7fu);
  EXPECT_EQ(evaluate("cvt.rz.ue8m0x2.f32", {0x7f800000, 0x7fffffff}), 0xffffu);
  EXPECT_EQ(evaluate("cvt.rz.satfinite.ue8m0x2.f32", {0x7f800000, 0x7fffffff}), 0xfeffu);
  EXPECT_EQ(evaluate("cvt.rp.satfinite.ue8m0x2.f32", {0x7f7fffff, 0}), 0xfe00u);
  EXPECT_EQ(evaluate("cvt.rp.ue8m0x2.f32", {0x00400000, 0x00400001}), 0x0001u);
  EXPECT_EQ(evaluate("cvt.rp.ue8m0x2.bf16x2", {0x3f80'3fc0}), 0x7f80u);
  EXPECT_EQ(evaluate("cvt.rz.ue8m0x2.bf16x2", {0x4000'3fc0}), 0x807fu);
  EXPECT_EQ(evaluate("cvt.rn.bf16x2.ue8m0x2", {0x7f80}), 0x3f80'4000u);
  EXPECT_EQ(evaluate("cvt.rn.bf16x2.ue8m0x2", {0xff00}), 0x7fff'0040u);
}

TEST(convert_packed, tf32_keeps_ten_fraction_bits) {
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x3f801000}), 0x3f800000u);
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x3f803000}), 0x3f804000u);
  EXPECT_EQ(evaluate("cvt.rna.tf32.f32", {0x3f801000}), 0x3f802000u);
  EXPECT_EQ(evaluate("cvt.rna.tf32.f32", {0xbf801000}), 0xbf802000u);
  EXPECT_EQ(evaluate("cvt.rz.tf32.f32", {0x3f803fff}), 0x3f802000u);
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x00001000}), 0u);
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x00001001}), 0x00002000u);
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x7f7fffff}), 0x7f800000u);
  EXPECT_EQ(evaluate("cvt.rn.satfinite.tf32.f32", {0x7f7fffff}), 0x7f7fe000u);
  EXPECT_EQ(evaluate("cvt.rna.satfinite.tf32.f32", {0xff800000}), 0xff7fe000u);
  EXPECT_EQ(evaluate("cvt.rz.relu.tf32.f32", {0xbf801000}), 0u);
  // NaN, as an H200 converts it: .rna treats the bits as those of a number.
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0xffc00000}), 0x7fffe000u);
  EXPECT_EQ(evaluate("cvt.rna.tf32.f32", {0x7fff4b15}), 0x7fff4000u);
  EXPECT_EQ(evaluate("cvt.rna.satfinite.tf32.f32", {0x7fb59da2}), 0x7fb56000u);
}

// cvt.rs of four packed values against testdata/vectors/vectors_cvt_rs.csv: rows that a program with exact
// fractions made from the rule that was published of sm_100a (e4m3x4, and the others by the one rule of the
// document) and from both answers to CVT-AMB-01 (e2m1x4). No silicon gave them.

struct RandomRow {
  std::string id, form, reading;
  std::array<uint64_t, 5> operands;
  uint64_t result;
};

std::vector<RandomRow> rows() {
  std::vector<RandomRow> made;
  for (const Fields& cells : vector_rows("vectors_cvt_rs.csv")) {
    EXPECT_EQ(cells.at("silicon"), "no silicon here") << cells.at("id");
    RandomRow& row = made.emplace_back(RandomRow{
        cells.at("id"), cells.at("form"), cells.at("reading"), {}, std::stoull(cells.at("d"), nullptr, 16)});
    size_t i = 0;
    for (const char* operand : {"a", "b", "e", "f", "rbits"})
      row.operands.at(i++) = std::stoull(cells.at(operand), nullptr, 16);
  }
  return made;
}

uint64_t result_of(const RandomRow& row) {
  const auto form = find_lane_form(opcode_of(row.form), 0, /*takes_bytes_in_order=*/row.reading == "B");
  if (!form || form->sources != 5) throw std::runtime_error(row.form + " is unknown");
  std::array<std::array<uint64_t, warp_lanes>, 6> columns{};
  LaneArgs args;
  for (size_t i = 0; i < row.operands.size(); ++i) {
    columns[i].fill(row.operands[i]);
    args.s[i] = columns[i].data();
  }
  args.d = columns[5].data();
  args.mask = 1;
  form->op(args);
  return columns[5][0];
}

TEST(ConvertRandomVectors, EveryRowIsAsTheRuleHasIt) {
  std::map<std::string, int> counts;
  for (const RandomRow& row : rows()) {
    ++counts[row.form.substr(row.form.find("satfinite.") + 10, 6) + row.reading];
    EXPECT_EQ(result_of(row), row.result) << row.id << " " << row.form << ", reading " << row.reading;
  }
  EXPECT_EQ(counts, (std::map<std::string, int>{{"e2m1x4A", 28},
                                                {"e2m1x4B", 28},
                                                {"e2m3x4-", 28},
                                                {"e3m2x4-", 28},
                                                {"e4m3x4-", 28},
                                                {"e5m2x4-", 28}}));
}

// The readings are told apart by some rows, or the question were none.
TEST(ConvertRandomVectors, TheAnswersToTheQuestionDiffer) {
  int differ = 0;
  for (RandomRow row : rows()) {
    if (row.reading != "A") continue;
    row.reading = "B";
    differ += result_of(row) != row.result;
  }
  EXPECT_GT(differ, 10);
}

TEST(ConvertRandomVectors, ADeviceTakesTheAnswerThatItIsAskedFor) {
  const std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry kernel(.param .u64 out)\n{\n"
      ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n.reg .f32 %f<2>;\n.reg .b16 %h<2>;\n"
      "ld.param.u64 %rd1, [out];\nmov.f32 %f1, 0f3FA00000;\nmov.b32 %r1, 0x80807f7f;\n"
      "cvt.rs.satfinite.e2m1x4.f32 %h1, {%f1, %f1, %f1, %f1}, %r1;\nst.global.u16 [%rd1], %h1;\nret;\n}\n";
  const auto answer = [&](const char* letter) {
    Settings settings;
    settings.target = Target::sm_100;
    settings.readings.emplace_back("CVT-AMB-01", *letter);
    const auto gpu = Gpu::create(settings);
    auto loaded = gpu->load(text);
    if (const auto* wrong = std::get_if<Diagnostic>(&loaded)) throw std::runtime_error(wrong->message);
    const uint64_t out = gpu->memory().allocate(8);
    std::vector<std::byte> params(8);
    std::memcpy(params.data(), &out, 8);
    Module& module = *std::get<std::unique_ptr<Module>>(loaded);
    EXPECT_FALSE(gpu->launch({module.find_kernel("kernel"), {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, params}));
    uint16_t made = 0;
    std::memcpy(&made, reinterpret_cast<const void*>(out), 2);
    return made;
  };
  // Halfway between 1 and 1.5. A byte of 0x80 is enough, one of 0x7f is not: a 0x80, b 0x7f, e 0x80, f 0x7f;
  // or a and b 0x7f, e and f 0x80.
  EXPECT_EQ(answer("A"), 0x3232);
  EXPECT_EQ(answer("B"), 0x2233);
}

}  // namespace
}  // namespace assay::emulator::alu
