// SPDX-License-Identifier: Apache-2.0
#include "reference/model/warp_mma/mma_sync_kind.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "reference/layout/fragments.h"
#include "reference/model/case_json.h"
#include "reference/model/warp_mma/mma_sync_f64.h"
#include "reference/spec/cases_share_test.h"
#include "reference/spec/formats.h"

namespace assay::model {
namespace {

uint32_t word_at(const OperandPattern& pattern, uint64_t i) {
  uint64_t z = pattern.seed + i * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (static_cast<uint32_t>(z >> 32) & pattern.keep) | pattern.set;
}
const PatternWords words{[](const OperandPattern& p, std::span<const uint32_t> first, uint32_t* to) {
                           for (const uint32_t i : first)
                             for (uint32_t j = 0; j < 4; ++j) *to++ = word_at(p, uint64_t{i} + j);
                         },
                         [](const OperandPattern& p, uint64_t first, std::span<uint32_t> to) {
                           for (uint32_t& word : to) word = word_at(p, first++);
                         },
                         [](const SparseA& sparse, std::span<uint32_t> to) {
                           const OperandPattern draws{.seed = sparse.seed};
                           for (size_t t = 0; t < to.size(); ++t) {
                             const uint32_t draw = word_at(draws, t);
                             to[t] = 0;
                             for (uint32_t i = 0; i < 8; ++i)
                               to[t] |= (sparse.codes >> 4 * (draw >> 4 * i & 7) & 0xf) << 4 * i;
                           }
                         }};

/// Of a scale in ue8m0 (numerics: E8M0): two to the byte less 127.
double power(uint32_t word, uint32_t byte) {
  return std::ldexp(1.0, static_cast<int>(word >> 8 * byte & 0xff) - 127);
}

OperandPattern pattern(uint64_t seed, uint32_t keep, uint32_t set = 0) {
  OperandPattern made;
  made.seed = seed, made.keep = keep, made.set = set;
  return made;
}

MmaSyncKindCase some_case(SyncKind kind, uint64_t seed) {
  MmaSyncKindCase c;
  c.kind = kind;
  const bool packed = kind == SyncKind::mxf4 || kind == SyncKind::mxf4nvf4;
  c.a = packed ? NarrowElement::e2m1 : static_cast<NarrowElement>(seed % 5);
  c.b = packed ? NarrowElement::e2m1 : static_cast<NarrowElement>(seed / 5 % 5);
  c.scale_vector = kind == SyncKind::mxf4nvf4 ? seed % 2 == 0 ? 2 : 4 : 0;
  const uint32_t unit = std::max(1u, scale_count(c));
  c.byte_a = seed % (4 / unit) * unit, c.byte_b = (seed + 1) % (4 / unit) * unit;
  c.thread_a = seed % 2, c.thread_b = seed % 4;
  if (!is_scaled(c)) c.byte_a = c.byte_b = c.thread_a = c.thread_b = 0;
  c.d_is_f16 = kind == SyncKind::f8f6f4 && seed % 3 == 0;
  c.tiles = 1 + seed % 3;
  c.a_fill = pattern(seed, packed ? ~0u : 0x3c3c3c3c),
  c.b_fill = pattern(seed + 1, packed ? ~0u : 0x3c3c3c3c);
  c.c_fill = pattern(seed + 2, c.d_is_f16 ? 0xbfffbfff : 0x83ffffff, c.d_is_f16 ? 0 : 0x3c000000);
  c.a_scale_fill = pattern(seed + 3, 0x07070707, 0x78787878), c.b_scale_fill = pattern(seed + 4, ~0u);
  if (c.scale_vector == 4) c.a_scale_fill = pattern(seed + 3, ~0u);
  return c;
}

/// With metadata of all codes whose places ascend.
MmaSyncKindCase some_sparse_case(SyncKind kind, uint64_t seed) {
  MmaSyncKindCase c = some_case(kind, seed);
  c.sparse = {.present = true, .ordered = true, .seed = seed + 7, .codes = 0x4e49'd8ce};
  return c;
}

TEST(MmaSyncKind, TheFastSumsAreTheExactOnes) {
  const spec::Readings readings(spec::Arch::sm_120);
  for (const SyncKind kind : {SyncKind::f8f6f4, SyncKind::mxf8f6f4, SyncKind::mxf4, SyncKind::mxf4nvf4})
    for (uint64_t seed = 0; seed < 100; seed += 100 / share_of_cases(100)) {
      const MmaSyncKindCase c = seed < 50 ? some_case(kind, seed) : some_sparse_case(kind, seed);
      ASSERT_EQ(wrong_with(c), "");
      std::vector<uint32_t> output(output_bytes(c) / 4);
      predict(c, readings, words, output);
      for (uint32_t word = static_cast<uint32_t>(seed % 7); word < output.size(); word += 61) {
        const ElementSteps steps = steps_of(c, readings, words, word, true);
        const uint32_t got = c.d_is_f16 ? output[word] >> 16 : output[word];
        ASSERT_EQ(steps.instructions.size(), 1u);
        EXPECT_EQ(got, steps.instructions[0].d) << name_of(kind) << " seed " << seed << " word " << word;
      }
    }
}

/// A product that is exact, worked out in double from rows, columns and scales as the sentences of the
/// documents have them.
TEST(MmaSyncKind, ScalesAreThoseOfTheSelectedThreadsAndBytes) {
  const spec::Readings readings(spec::Arch::sm_120);
  MmaSyncKindCase c;
  c.kind = SyncKind::mxf4;
  c.a = c.b = NarrowElement::e2m1;
  c.byte_a = 2, c.thread_a = 1, c.byte_b = 0, c.thread_b = 3;
  c.a_fill.keep = 0, c.a_fill.set = 0x22222222;  // 1
  c.b_fill.keep = 0, c.b_fill.set = 0x44444444;  // 2
  c.c_fill.keep = 0;
  c.a_scale_fill = pattern(5, 0x03030303, 0x7c7c7c7c), c.b_scale_fill = pattern(6, 0x03030303, 0x7c7c7c7c);
  std::vector<uint32_t> output(output_bytes(c) / 4);
  predict(c, readings, words, output);
  for (uint32_t thread = 0; thread < 128; ++thread)
    for (uint32_t r = 0; r < 4; ++r) {
      const layout::MatrixPlace at =
          layout::accumulator_place(static_cast<int>(thread % 32), static_cast<int>(r));
      const auto row = static_cast<uint32_t>(at.row), column = static_cast<uint32_t>(at.column);
      const uint32_t a = word_at(c.a_scale_fill, thread / 32 * 32 + row % 8 * 4 + 2 + row / 8);
      const uint32_t b = word_at(c.b_scale_fill, column * 4 + 3);
      const double sum = 32 * 2 * (power(a, 2) * power(b, 0) + power(a, 3) * power(b, 1));
      EXPECT_EQ(std::bit_cast<float>(output[thread * 4 + r]), sum)
          << "thread " << thread << " register " << r;
    }
}

/// Lane 4 * (row mod 8) + row / 8 has the first eight codes of a row, the lane two further the others.
uint32_t code_of(std::span<const uint32_t> metadata, uint32_t row, uint32_t group) {
  const uint32_t lane = row / 16 * 32 + row % 8 * 4 + row % 16 / 8 + group / 8 * 2;
  return metadata[lane] >> 4 * (group % 8) & 0xf;
}
/// Bytes 16 r + 4 q to 16 r + 4 q + 3 of column g of B are register r of lane 4 g + q.
uint32_t byte_of_b(const MmaSyncKindCase& c, uint32_t column, uint32_t byte) {
  const uint32_t lane = column * 4 + byte % 16 / 4;
  return word_at(c.b_fill, uint64_t{lane} * 4 + byte / 16) >> 8 * (byte % 4) & 0xff;
}

/// Sums of ones by elements of B that are 0.5 or 1, in f8f6f4; of pairs of them in mxf4, whose scales are
/// powers of two: exact, as the sentences of the documents have them.
TEST(MmaSyncKind, KeptElementsMeetWhatTheMetadataName) {
  const spec::Readings readings(spec::Arch::sm_120);
  for (const bool packed : {false, true}) {
    MmaSyncKindCase c = some_sparse_case(packed ? SyncKind::mxf4 : SyncKind::f8f6f4, 4);
    c.a = c.b = packed ? NarrowElement::e2m1 : NarrowElement::e4m3;
    c.d_is_f16 = false, c.tiles = 1, c.byte_a = c.thread_a = c.byte_b = c.thread_b = 0;
    c.a_fill = pattern(0, 0, packed ? 0x22222222 : 0x38383838);
    c.b_fill = packed ? pattern(9, 0x33333333) : pattern(9, 0x08080808, 0x30303030);
    c.c_fill = pattern(0, 0);
    c.a_scale_fill = pattern(5, 0x03030303, 0x7c7c7c7c), c.b_scale_fill = pattern(6, 0x03030303, 0x7c7c7c7c);
    ASSERT_EQ(wrong_with(c), "");
    std::vector<uint32_t> output(output_bytes(c) / 4), metadata(128);
    predict(c, readings, words, output);
    words.metadata(c.sparse, metadata);
    for (uint32_t thread = 0; thread < 128; ++thread)
      for (uint32_t r = 0; r < 4; ++r) {
        const layout::MatrixPlace at =
            layout::accumulator_place(static_cast<int>(thread % 32), static_cast<int>(r));
        const uint32_t row = thread / 32 * 16 + static_cast<uint32_t>(at.row),
                       column = static_cast<uint32_t>(at.column);
        double sum = 0;
        for (uint32_t group = 0; group < 16; ++group)
          for (const uint32_t place :
               {code_of(metadata, row, group) & 3, code_of(metadata, row, group) >> 2}) {
            if (!packed) {
              sum += byte_of_b(c, column, 4 * group + place) == 0x38 ? 1 : 0.5;
              continue;
            }
            constexpr double values[] = {0, 0.5, 1, 1.5};
            const uint32_t pair = byte_of_b(c, column, 4 * group + place);
            const uint32_t scales_a = word_at(c.a_scale_fill, row / 16 * 32 + row % 8 * 4 + row % 16 / 8);
            sum += (values[pair & 3] + values[pair >> 4 & 3]) * power(scales_a, group / 8) *
                   power(word_at(c.b_scale_fill, column * 4), group / 8);
          }
        ASSERT_EQ(std::bit_cast<float>(output[thread * 4 + r]), sum)
            << (packed ? "mxf4" : "f8f6f4") << " row " << row << " column " << column;
      }
  }
}

/// No element of B that a row does not keep matters, NaN as it may be; a code without a meaning opens its
/// row.
TEST(MmaSyncKind, WhatIsNotMetHasNoEffect) {
  const spec::Readings readings(spec::Arch::sm_120);
  MmaSyncKindCase c = some_sparse_case(SyncKind::f8f6f4, 12);
  c.a = c.b = NarrowElement::e4m3, c.d_is_f16 = false, c.tiles = 1;
  c.sparse.codes = 0x44444444;
  c.a_fill = pattern(3, 0xbfbfbfbf), c.c_fill = pattern(4, 0x807fffff, 0x3f800000);
  c.b_fill = pattern(8, 0x0000bfbf);
  std::vector<uint32_t> clean(output_bytes(c) / 4), spoilt(clean.size()), defined(clean.size());
  predict(c, readings, words, clean);
  c.b_fill.set = 0x7fff0000;  // places 2 and 3 of every four
  Openness openness{defined};
  predict(c, readings, words, spoilt, &openness);
  EXPECT_EQ(clean, spoilt);
  EXPECT_FALSE(openness.is_any);
  c.sparse.codes = 0x4444'444f;
  predict(c, readings, words, spoilt, &openness);
  ASSERT_TRUE(openness.is_any);
  std::vector<uint32_t> metadata(128);
  words.metadata(c.sparse, metadata);
  for (uint32_t thread = 0; thread < 128; ++thread)
    for (uint32_t r = 0; r < 4; ++r) {
      const uint32_t row = thread / 32 * 16 + thread % 32 / 4 + r / 2 * 8;
      bool is_open = false;
      for (uint32_t group = 0; group < 16; ++group) is_open |= code_of(metadata, row, group) == 0xf;
      EXPECT_EQ(defined[thread * 4 + r], is_open ? 0 : ~0u) << row;
    }
}

TEST(MmaSyncKind, JsonOfWhatIsNotLegalIsRefused) {
  const auto message = [](const char* json) -> std::string {
    try {
      case_from_json<MmaSyncKindCase>(nlohmann::json::parse(json));
    } catch (const std::runtime_error& wrong) {
      return wrong.what();
    }
    return "none";
  };
  EXPECT_EQ(message(R"({"kind": "mxf4nvf4", "a": "e2m1", "b": "e2m1"})"),
            "the kind does not have this scale vector.");
  EXPECT_EQ(message(R"({"kind": "mxf4"})"), "the kind multiplies e2m1 alone.");
  EXPECT_EQ(message(R"({"kind": "mxf8f6f4", "thread_a": 2})"),
            "field 'thread_a' of the case is 2; expected 0 to 1.");
  EXPECT_EQ(message(R"({"kind": "mxf4", "a": "e2m1", "b": "e2m1", "byte_b": 1})"),
            "a byte-id is 0 to 3 with one scale, 0 or 2 with two, 0 with four.");
  EXPECT_EQ(message(R"({"sparse": {"codes": 1145324612}})"), "an A without sparsity has no metadata.");
  EXPECT_EQ(message(R"({"sparse": {"present": true, "codes": 1145324612}})"),
            "kinds have ordered metadata, and no selector but 0.");
  EXPECT_EQ(message(R"({"sparse": {"present": true, "ordered": true, "codes": 1145324615}})"),
            "a code of the metadata has no meaning.");
  EXPECT_EQ(
      message(R"({"sparse": {"present": true, "ordered": true, "is_known": true, "codes": 1145324612}})"),
      "metadata of kinds are drawn from codes.");
  EXPECT_EQ(message(R"({"kind": "f9"})"),
            "field 'kind' of the case is \"f9\"; expected one of f8f6f4, mxf8f6f4, mxf4, mxf4nvf4.");
}

std::vector<uint64_t> codes(const std::vector<double>& values) {
  std::vector<uint64_t> made;
  for (const double value : values) made.push_back(std::bit_cast<uint64_t>(value));
  return made;
}

/// A row of A and a column of B by which an altered chain is told from the right one.
struct Chain {
  std::string_view words;
  std::vector<uint64_t> a, b;
  double c;
  uint64_t expected;
};
const double near_one = 1 + 0x1p-30, huge = 0x1p53;
const double infinite = std::numeric_limits<double>::infinity();
const Chain chains[] = {
    {"each product were rounded before it is added", codes({near_one}), codes({near_one}), -1,
     std::bit_cast<uint64_t>(0x1p-29)},
    {"each finite product were rounded before it is added", codes({near_one}), codes({near_one}), -1,
     std::bit_cast<uint64_t>(0x1p-29)},
    {"k went down", codes({1, huge, -huge}), codes({1, 1, 1}), 0, std::bit_cast<uint64_t>(1.0)},
    {"C were added last", codes({huge, -huge}), codes({1, 1}), 1, std::bit_cast<uint64_t>(1.0)},
    {"C were not read", codes({2}), codes({3}), 10, std::bit_cast<uint64_t>(6.0)},
    {"subnormal numbers were flushed to zero", codes({0x1p-1060}), codes({0x1p100}), 0, 0},
    {"subnormal results were flushed to zero", codes({0x1p-1000}), codes({0x1p-60}), 0, 0},
    {"every NaN result were 0x7fffffffffffffff", codes({infinite}), codes({0}), 0, 0x7fffffffffffffff},
    {"a NaN of A came before one of C and B",
     {0x7ff8000000000001},
     {0x7ff8000000000002},
     0,
     0x7ff8000000000001},
};

TEST(F64Bends, EachChainIsWhatItsWordsSay) {
  EXPECT_EQ(f64_bends().size(), std::size(chains));
  for (const Chain& one : chains) {
    const auto bend = std::ranges::find(f64_bends(), one.words, &Bend::words);
    ASSERT_NE(bend, f64_bends().end()) << one.words;
    EXPECT_EQ(bend->mma.chain(one.a, one.b, std::bit_cast<uint64_t>(one.c)), one.expected) << one.words;
  }
}

}  // namespace
}  // namespace assay::model
