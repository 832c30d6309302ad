// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "reference/numerics/fast_kernels.h"

namespace assay::numerics {
namespace {

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

}  // namespace
}  // namespace assay::numerics
