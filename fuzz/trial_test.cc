// SPDX-License-Identifier: Apache-2.0
#include "fuzz/target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "fuzz/text_mutator.h"
#include "reference/spec/smem_desc.h"

/// A target that 'x' and 'y' break, each in its way.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (std::find(data, data + size, 'x') != data + size) assay::fuzz::found("no x", std::to_string(size));
  if (std::find(data, data + size, 'y') != data + size) std::_Exit(3);
  return 0;
}
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t) {
  if (size != 0) data[0] ^= 1;
  return size;
}

namespace assay::fuzz {
namespace {

Bytes bytes(std::string_view text) {
  return {text.begin(), text.end()};
}
constexpr std::chrono::seconds limit{10};

TEST(Trial, AnInputThatEndsWellHasNoSignature) {
  EXPECT_EQ(signature_of(bytes("abc"), limit), std::nullopt);
}

TEST(Trial, SignaturesTellClaimsApartAndForgetDetails) {
  EXPECT_EQ(signature_of(bytes("axb"), limit), "FINDING: no x");
  EXPECT_EQ(signature_of(bytes("x"), limit), signature_of(bytes("a longer x"), limit));
  EXPECT_EQ(signature_of(bytes("y"), limit), "exit code 3");
}

TEST(Trial, MinimisesToWhatBreaksTheSameClaim) {
  const Bytes small = minimise(bytes("aaaaaaaaybbbbbxccccccccccccx"), "FINDING: no x", limit);
  EXPECT_EQ(small, bytes("x"));
}

TEST(Mutate, ChangesOneFieldOfADescriptorAtATime) {
  const uint64_t before = 0x4000'4040'0001'0080;
  int changed = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    uint8_t data[9];
    write_word(data, 8, before);
    data[8] = 7;
    ASSERT_EQ(mutate_descriptor(spec::smem_desc, 1, data, sizeof data, sizeof data, seed), 9u);
    const uint64_t after = read_word(data, 9, 8);
    int fields = data[8] != 7;
    for (const spec::Field& field : spec::smem_desc.fields)
      fields += spec::get_raw(before, field) != spec::get_raw(after, field);
    EXPECT_LE(fields, 1) << "seed " << seed;
    changed += fields;
  }
  EXPECT_GT(changed, 200);
}

TEST(Mutate, CrossesDescriptorsFieldByField) {
  uint8_t one[8], other[8], made[8];
  write_word(one, 8, 0);
  write_word(other, 8, ~uint64_t{0});
  bool mixed = false;
  for (unsigned seed = 0; seed < 50; ++seed) {
    ASSERT_EQ(cross_descriptors(spec::smem_desc, 0, one, 8, other, 8, made, 8, seed), 8u);
    const uint64_t word = read_word(made, 8, 8);
    for (const spec::Field& field : spec::smem_desc.fields) {
      const uint64_t raw = spec::get_raw(word, field);
      EXPECT_TRUE(raw == 0 || raw == spec::low_bits(field.width()));
    }
    mixed |= word != 0 && word != ~uint64_t{0};
  }
  EXPECT_TRUE(mixed);
}

TEST(Mutate, TextsStayInsideTheirBuffer) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Bytes data = bytes("add.u32 %r1, %r2, 7;\nret;\n");
    const size_t size = data.size();
    data.resize(40, 0xee);
    const size_t made = mutate_text(data.data(), size, 30, seed);
    ASSERT_LE(made, 30u);
    ASSERT_TRUE(std::all_of(data.begin() + 30, data.end(), [](uint8_t b) { return b == 0xee; }));
  }
}

}  // namespace
}  // namespace assay::fuzz
