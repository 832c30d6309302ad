// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "generators/mma/cases.h"
#include "kernels/params/tcgen05.h"
#include "reference/model/mma/mma.h"
#include "suites/mma/coverage.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family.h"

namespace assay::suites {
namespace {

/// K of 96 is flipped into the word of mxf4nvf4 with K of 64.
constexpr const char* with_k_of_96 =
    R"({"a_fill": {"seed": 33455514822368}, "a_in_tmem": false, "a_scales": {"column": 320, "columns": 4,
"fill": {"keep": 505290270, "seed": 192150269972803, "set": 538976288}}, "a_step": 16, "a_type": 1,
"alloc_columns": 512, "b": {"leading_offset": 128, "stride_offset": 768, "start": 16384}, "b_fill":
{"seed": 274008741981130}, "b_scales": {"column": 384, "columns": 3, "fill": {"keep": 505290270,
"seed": 135291296676833, "set": 538976288}}, "b_step": 16, "b_type": 1, "collector": 0, "d_fill":
{"keep": 2153775104, "seed": 81727195100802, "set": 1065353216}, "idesc_flip": 2147483648, "kind":
6, "n": 64, "scale_type": 0, "scale_vector": 16, "tmem_split": 512, "window_bytes": 32768, "a":
{"leading_offset": 128, "stride_offset": 768, "start": 0}, "split": 16384, "steps": 1})";

model::End end_of(const Tcgen05MmaCase& c, spec::Arch arch) {
  Scratch scratch;
  Expected expected;
  tcgen05_mma_family().predict(Case(c), spec::Readings(arch), scratch, expected);
  return expected.end;
}

// A word with K of 96 breaks a rule of sm_100, and may break none of sm_103.
TEST(Tcgen05MmaFiles, OfAWordThatIsWrongSomewhereAreRead) {
  const Family& family = tcgen05_mma_family();
  const Case any = family.from_json(nlohmann::json::parse(with_k_of_96));
  const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
  EXPECT_TRUE(model::broken_mma_rules(c, spec::Readings(spec::Arch::sm_100)).any());
  ASSERT_TRUE(model::broken_mma_rules(c, spec::Readings(spec::Arch::sm_103)).none());
  EXPECT_EQ(end_of(c, spec::Arch::sm_100), model::End::undefined);
  // There it is another instruction than the fields tell of: what comes of it is not predicted.
  EXPECT_EQ(end_of(c, spec::Arch::sm_103), model::End::undefined);
}

TEST(Tcgen05MmaFiles, OfAWordThatIsLegalEverywhereAreRefused) {
  Tcgen05MmaCase c;
  gen::make_mma_scaled_broken({1, "mma.scaled.one_field_wrong", 1, spec::Arch::sm_100}, c);
  const Family& family = tcgen05_mma_family();
  EXPECT_EQ(family.from_json(family.to_json(Case(c))).as<Tcgen05MmaCase>(), c);
  c.idesc_flip = 1u << 13;  // negate A
  EXPECT_THROW(family.from_json(family.to_json(Case(c))), std::runtime_error);
}

uint32_t flags_of_record(const Tcgen05MmaCase& c) {
  params::Tcgen05MmaRecord record;
  tcgen05_mma_family().write_record(Case(c), 0, spec::Readings(spec::Arch::sm_100),
                                    reinterpret_cast<std::byte*>(&record));
  return record.flags;
}

// A name that no boolean of the case has would leave its flag out of every record.
TEST(Tcgen05MmaRecords, EachNamedFlagIsABooleanOfTheCase) {
  ASSERT_EQ(flags_of_record({}), 0u);
  for (const params::NamedFlag& row : params::mma_flags) {
    Tcgen05MmaCase c;
    visit_fields(c, [&](const model::fields::Field& field, auto& value) {
      if constexpr (std::is_same_v<decltype(value), bool&>) value = field.name == row.field;
    });
    EXPECT_EQ(flags_of_record(c), row.flag) << row.field;
  }
  EXPECT_EQ(flags_of_record({.issuing_thread = 127}), 127u * params::mma_issuing_thread);
}

/// Each part of a fill is there or not; narrow masks, so that words of all kinds come up.
params::OperandFill some_fill(std::mt19937_64& random) {
  constexpr uint32_t widths[] = {0, 8, 16, 32};
  const auto word = [&] { return static_cast<uint32_t>(random()); };
  return {.seed = random(),
          .keep = word(),
          .set = word() & word(),
          .mirror_bits = widths[random() % 4],
          .mirror_flip = word(),
          .special_bits = widths[random() % 4],
          .special_rate = static_cast<uint32_t>(random() % 257),
          .special = {word(), word(), word(), word()}};
}

TEST(PatternKernels, MakeTheWordsOfTheProbesOnEveryInstructionSetAndLength) {
  std::mt19937_64 random(38);
  for (size_t count = 0; count < 200; ++count) {
    const params::OperandFill fill = some_fill(random);
    const uint64_t first = count % 3 == 0 ? random() : random() % 4096;
    std::vector<uint32_t> cells(count), expected, expected_quads;
    for (uint32_t& cell : cells) cell = static_cast<uint32_t>(random());
    for (size_t i = 0; i < count; ++i) expected.push_back(params::operand_word(fill, first + i));
    for (const uint32_t cell : cells)
      for (uint64_t j = 0; j < 4; ++j) expected_quads.push_back(params::operand_word(fill, cell + j));
    for (const PatternKernels& kernels : pattern_kernels_of_this_processor()) {
      std::vector<uint32_t> words(count), quads(4 * count);
      kernels.range(fill, first, words);
      kernels.quads(fill, cells, quads.data());
      EXPECT_EQ(words, expected) << kernels.target << ' ' << count;
      EXPECT_EQ(quads, expected_quads) << kernels.target << ' ' << count;
    }
  }
}

TEST(PatternKernels, MakeTheElementsOfF64) {
  std::mt19937_64 random(64);
  for (size_t count = 0; count < 100; ++count) {
    const params::DoubleFill fill{.seed = random(),
                                  .keep = random(),
                                  .set = random() & random(),
                                  .special_rate = static_cast<uint32_t>(count % 2 * (random() % 257)),
                                  .special = {random(), random(), random(), random()}};
    const uint64_t first = random();
    std::vector<uint64_t> expected;
    for (size_t i = 0; i < count; ++i) expected.push_back(params::double_element(fill, first + i));
    for (const PatternKernels& kernels : pattern_kernels_of_this_processor()) {
      std::vector<uint64_t> elements(count);
      kernels.doubles(fill, first, elements);
      EXPECT_EQ(elements, expected) << kernels.target << ' ' << count;
    }
  }
}

TEST(PatternKernels, MakeTheMetadata) {
  std::mt19937_64 random(24);
  for (size_t count = 0; count < 140; ++count) {
    const params::MetadataFill fill{.seed = random() >> 16,
                                    .codes = static_cast<uint32_t>(random()),
                                    .strange_codes = static_cast<uint32_t>(random()),
                                    .strange_rate = static_cast<uint32_t>(count % 3 * (random() % 129))};
    std::vector<uint32_t> expected;
    for (uint32_t t = 0; t < count; ++t) expected.push_back(params::metadata_word(fill, t, 0));
    for (const PatternKernels& kernels : pattern_kernels_of_this_processor()) {
      std::vector<uint32_t> words(count);
      kernels.metadata(fill, words);
      EXPECT_EQ(words, expected) << kernels.target << ' ' << count;
    }
  }
}

}  // namespace
}  // namespace assay::suites
