// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/pattern_words.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace assay::suites {
namespace {

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
