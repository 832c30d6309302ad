// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/formats.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <set>

namespace assay::spec {
namespace {

// Copied by hand from the definitions: e2m1 has sixteen values in all.
TEST(Formats, E2m1HasTheDocumentedValues) {
  const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (uint64_t code = 0; code < 16; ++code) {
    EXPECT_EQ(to_double(format("e2m1"), code), code < 8 ? magnitudes[code] : -magnitudes[code - 8]);
    EXPECT_EQ(std::signbit(to_double(format("e2m1"), code)), code >= 8);
  }
}

struct Golden {
  const Format& format;
  uint64_t code;
  double value;
};
TEST(Formats, GoldenCodes) {
  const Golden rows[] = {{format("f16"), 0x7bff, 65504},
                         {format("f16"), 0x0400, 0x1p-14},
                         {format("f16"), 0x0001, 0x1p-24},
                         {format("bf16"), 0x0080, 0x1p-126},
                         {format("bf16"), 0x0001, 0x1p-133},
                         {format("bf16"), 0xc040, -3},
                         {format("tf32"), 0x00002000, 0x1p-136},
                         {format("tf32"), 0x3f801fff, 1},
                         {format("e5m2"), 0x7b, 57344},
                         {format("e5m2"), 0x04, 0x1p-14},
                         {format("e5m2"), 0x01, 0x1p-16},
                         {format("e4m3"), 0x7e, 448},
                         {format("e4m3"), 0x08, 0x1p-6},
                         {format("e4m3"), 0x01, 0x1p-9},
                         {format("e3m2"), 0x1f, 28},
                         {format("e3m2"), 0x04, 0x1p-2},
                         {format("e3m2"), 0x21, -0x1p-4},
                         {format("e2m3"), 0x1f, 7.5},
                         {format("e2m3"), 0x08, 1},
                         {format("e2m3"), 0x01, 0x1p-3},
                         {format("ue8m0"), 0xfe, 0x1p127},
                         {format("ue8m0"), 0x00, 0x1p-127},
                         {format("ue4m3"), 0x7e, 448},
                         {format("ue4m3"), 0xb8, 1},
                         {format("ue4m3"), 0x01, 0x1p-9},
                         {format("s8"), 0x80, -128},
                         {format("u8"), 0xff, 255},
                         {format("s4"), 0x8, -8},
                         {format("s32"), 0x80000000, -0x1p31}};
  for (const Golden& row : rows) {
    EXPECT_EQ(to_double(row.format, row.code), row.value) << row.format.name << " " << std::hex << row.code;
  }
  EXPECT_EQ(format("f16").max_finite(), 0x7bffu);
  EXPECT_EQ(format("bf16").max_finite(), 0x7f7fu);
  EXPECT_EQ(format("tf32").max_finite(), 0x7f7fe000u);
  EXPECT_EQ(format("e4m3").max_finite(), 0x7eu);
  EXPECT_EQ(format("e5m2").max_finite(), 0x7bu);
  EXPECT_EQ(format("ue8m0").max_finite(), 0xfeu);
  EXPECT_EQ(format("e2m1").max_finite(), 0x7u);
  EXPECT_EQ(format("e3m2").emin(), -2);
  EXPECT_EQ(format("e2m3").emin(), 0);
}

TEST(Formats, ClassesOfSpecialCodes) {
  EXPECT_EQ(classify(format("e4m3"), 0x7f), ValueClass::nan);
  EXPECT_EQ(classify(format("e4m3"), 0xff), ValueClass::nan);
  EXPECT_EQ(classify(format("e4m3"), 0x78), ValueClass::normal);
  EXPECT_EQ(classify(format("e5m2"), 0xfc), ValueClass::infinity);
  for (uint64_t code : {0x7d, 0x7e, 0x7f, 0xfd}) EXPECT_EQ(classify(format("e5m2"), code), ValueClass::nan);
  EXPECT_EQ(classify(format("ue8m0"), 0xff), ValueClass::nan);
  EXPECT_EQ(classify(format("ue8m0"), 0x00), ValueClass::normal);
  EXPECT_EQ(classify(format("ue4m3"), 0x7f), ValueClass::nan);
  EXPECT_EQ(classify(format("ue4m3"), 0x00), ValueClass::zero);
  EXPECT_EQ(classify(format("e2m1"), 0x7), ValueClass::normal);
  // A payload that lies only in the dropped bits (h200: tf32 reads it as infinity).
  EXPECT_EQ(classify(format("tf32"), 0x7f800001), ValueClass::infinity);
  EXPECT_EQ(classify(format("tf32"), 0x7f802000), ValueClass::nan);
  EXPECT_EQ(classify(format("tf32"), 0x00001fff), ValueClass::zero);
}

TEST(Formats, EveryCodeOfASmallFormatSurvivesDecodeAndEncode) {
  for (const Format& row : formats) {
    if (row.storage_bits > 16) continue;
    for (uint64_t code = 0; code <= row.code_mask(); ++code) {
      const Value value = decode(row, code);
      if (!value.is_finite()) continue;
      const uint64_t meant = row.name == "ue4m3" ? code & 0x7f : code;
      for (const Rounding rounding :
           {Rounding::nearest_even, Rounding::toward_zero, Rounding::up, Rounding::down})
        ASSERT_EQ(encode(row, {value.negative, value.significand, value.exponent}, rounding, Overflow::leave),
                  meant)
            << row.name << " " << code;
    }
  }
}

RC_GTEST_PROP(FormatsProperty, F64ToF32RoundsAsTheProcessorDoes, (uint64_t bits)) {
  const auto narrow = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  if (std::isnan(std::bit_cast<double>(bits))) return;
  RC_ASSERT(convert(format("f64"), bits, format("f32"), Rounding::nearest_even, Overflow::leave) == narrow);
}

// Random doubles rarely fall inside the range of a float: aim there, subnormals and overflow included.
RC_GTEST_PROP(FormatsProperty, F64ToF32RoundsAsTheProcessorDoesNearTheRange,
              (uint64_t mantissa, bool negative)) {
  const auto exponent = *rc::gen::inRange(1023 - 152, 1023 + 130);
  const double value = std::bit_cast<double>(
      (uint64_t{negative} << 63) | static_cast<uint64_t>(exponent) << 52 | (mantissa & 0xfffffffffffff));
  const auto bits = std::bit_cast<uint64_t>(value);
  RC_ASSERT(convert(format("f64"), bits, format("f32"), Rounding::nearest_even, Overflow::leave) ==
            std::bit_cast<uint32_t>(static_cast<float>(value)));
}

// Directed roundings bracket the value; the nearest one is one of the two, and the closer.
RC_GTEST_PROP(FormatsProperty, DirectedRoundingsBracketTheValue, ()) {
  const Format& to = formats[*rc::gen::inRange<size_t>(1, formats.size())];
  const auto significand = *rc::gen::arbitrary<uint32_t>();
  const auto exponent = *rc::gen::inRange(to.emin() - 40, to.is_integer() ? 4 : 12 - to.emin());
  const bool negative = to.is_signed() && *rc::gen::arbitrary<bool>();
  const Exact exact{negative, significand, exponent};
  const double value = std::ldexp(significand, exponent) * (negative ? -1 : 1);
  if (std::abs(value) > to_double(to, to.max_finite()) || (significand == 0 && to.name == "ue8m0")) return;
  const auto rounded = [&](Rounding rounding) {
    return to_double(to, encode(to, exact, rounding, Overflow::leave));
  };
  const double low = rounded(Rounding::down), high = rounded(Rounding::up);
  if (to.name == "ue8m0" && value < 0x1p-127) return;
  RC_ASSERT(low <= value);
  RC_ASSERT(value <= high);
  RC_ASSERT(std::abs(rounded(Rounding::toward_zero)) <= std::abs(value));
  for (const Rounding rounding : {Rounding::nearest_even, Rounding::nearest_away}) {
    const double nearest = rounded(rounding);
    RC_ASSERT(nearest == low || nearest == high);
    RC_ASSERT(std::abs(nearest - value) <= std::min(high - value, value - low));
  }
}

TEST(Formats, TiesAndSticky) {
  const Format& f16 = format("f16");
  const auto of = [&](unsigned significand, int exponent, bool sticky, Rounding rounding) {
    return encode(f16, {false, significand, exponent, sticky}, rounding, Overflow::leave);
  };
  EXPECT_EQ(of(0x1001, -12, false, Rounding::nearest_even), 0x3c00u);  // 1 + 2^-12
  EXPECT_EQ(of(0x0801, -11, false, Rounding::nearest_even), 0x3c00u);  // tie, even is below
  EXPECT_EQ(of(0x0803, -11, false, Rounding::nearest_even), 0x3c02u);  // tie, even is above
  EXPECT_EQ(of(0x0801, -11, true, Rounding::nearest_even), 0x3c01u);
  EXPECT_EQ(of(0x0801, -11, false, Rounding::nearest_away), 0x3c01u);
  EXPECT_EQ(of(1, -25, false, Rounding::nearest_even), 0x0000u);
  EXPECT_EQ(of(1, -25, true, Rounding::nearest_even), 0x0001u);
  EXPECT_EQ(of(3, -25, false, Rounding::nearest_even), 0x0002u);
  EXPECT_EQ(of(65520, 0, false, Rounding::nearest_even), 0x7c00u);
  EXPECT_EQ(of(65519, 0, true, Rounding::nearest_even), 0x7bffu);
  EXPECT_EQ(of(65535, 0, false, Rounding::toward_zero), 0x7bffu);
  EXPECT_EQ(of(65536, 0, false, Rounding::toward_zero), 0x7c00u) << "Overflow::leave never saturates";
}

// h200, conversions used to prepare operands: satfinite, NaN loses its sign.
TEST(Formats, ConversionsToFp8AsMeasured) {
  const auto to = [](const Format& format, uint32_t code) {
    return convert(spec::format("f32"), code, format, Rounding::nearest_even, Overflow::saturate);
  };
  EXPECT_EQ(to(format("e4m3"), 0x7f800000), 0x7eu);
  EXPECT_EQ(to(format("e4m3"), 0xff800000), 0xfeu);
  EXPECT_EQ(to(format("e5m2"), 0xff800000), 0xfbu);
  EXPECT_EQ(to(format("e4m3"), 0xffc00001), 0x7fu);
  EXPECT_EQ(to(format("e5m2"), 0xffc00001), 0x7fu);
  EXPECT_EQ(to(format("e4m3"), std::bit_cast<uint32_t>(464.0f)), 0x7eu);
  EXPECT_EQ(to(format("e3m2"), 0xffc00001), 0x1fu);
  EXPECT_EQ(to(format("e2m1"), 0x7fc00001), 0x07u);
  const auto leave = [](const Format& format, float value) {
    return convert(spec::format("f32"), std::bit_cast<uint32_t>(value), format, Rounding::nearest_even,
                   Overflow::leave);
  };
  EXPECT_EQ(leave(format("e4m3"), 464.0f), 0x7eu);
  EXPECT_EQ(leave(format("e4m3"), 465.0f), 0x7fu);
  EXPECT_EQ(leave(format("e5m2"), 61440.0f), 0x7cu);
  EXPECT_EQ(leave(format("ue8m0"), 3.0f), 0x81u);
}

TEST(Formats, InterestingCodesCoverEveryClassAndAreDistinct) {
  for (const Format& row : formats) {
    const auto codes = interesting_codes(row);
    EXPECT_EQ(std::set<uint64_t>(codes.begin(), codes.end()).size(), codes.size()) << row.name;
    std::set<ValueClass> classes;
    for (const uint64_t code : codes) {
      EXPECT_LE(code, row.code_mask()) << row.name;
      classes.insert(classify(row, code));
    }
    EXPECT_EQ(classes.count(ValueClass::infinity), row.has_infinity() ? 1u : 0u) << row.name;
    EXPECT_EQ(classes.count(ValueClass::nan), row.has_nan() ? 1u : 0u) << row.name;
    EXPECT_EQ(classes.count(ValueClass::subnormal),
              !row.is_integer() && row.zero_exponent_is_subnormal ? 1u : 0u)
        << row.name;
    EXPECT_TRUE(std::set<uint64_t>(codes.begin(), codes.end()).contains(row.max_finite())) << row.name;
  }
}

TEST(Formats, ShowWritesTheShortestFormThatReadsBack) {
  EXPECT_EQ(show_value(format("f16"), 0x3e00), "1.5");
  EXPECT_EQ(show_value(format("f16"), 0x8000), "-0");
  EXPECT_EQ(show_value(format("e5m2"), 0xfc), "-inf");
  EXPECT_EQ(show_value(format("e4m3"), 0x7f), "nan");
  EXPECT_EQ(show_value(format("s8"), 0x80), "-128");
}

}  // namespace
}  // namespace assay::spec
