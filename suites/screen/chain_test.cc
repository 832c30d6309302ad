// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/chain.h"

#include <gtest/gtest.h>

#include <cstring>

#include "devices/device.h"
#include "generators/screen/chains.h"
#include "kernels/params/screen.h"
#include "reference/numerics/exact.h"
#include "suites/failure/failure.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/case_file.h"
#include "suites/run/property.h"

/// Chains of a screen, and what counts as one that every multiprocessor computed right.
namespace assay::suites {
namespace {

using params::ScreenOutput;

ScreenCase short_chain(ScreenKind kind, uint64_t index) {
  ScreenCase c;
  gen::make_chain({7, "chain", index, spec::Arch::sm_90}, kind, c);
  c.blocks = 2, c.rounds = 5;
  return c;
}

/// Byte `at` of a line of a block: chunks of 16 bytes are exchanged by the exclusive-or with the line.
uint32_t byte_in_shared(uint32_t block, uint32_t line, uint32_t at) {
  return block + line * 128 + ((at / 16) ^ (line % 8)) * 16 + at % 16;
}

uint64_t code_at(const ScreenCase& c, uint32_t byte, uint32_t bits) {
  const OperandPattern& fill = byte < model::screen_split ? c.a_fill : c.b_fill;
  const uint32_t word = params::operand_word(operand_fill(fill), byte / 4);
  return bits == 32 ? word : word >> (byte % 4 * 8) & ((1u << bits) - 1);
}

/// Element (row, column) of D of a tile, one instruction of exact arithmetic after the other.
uint32_t exact_element(const ScreenCase& c, const MmaTypes& types, uint32_t tile, uint32_t row,
                       uint32_t column) {
  const numerics::Types numeric = model::numeric_types(types, model::wgmma_k(types));
  const numerics::Arithmetic& arithmetic = numerics::find_instruction("wgmma", numeric, false)->arithmetic;
  const uint32_t bits = element_bits(types.a);
  uint64_t d = c.c;
  for (uint32_t step = 0; step < c.blocks; ++step)
    for (uint32_t at = 0; at < 128; at += 32) {
      std::vector<uint64_t> a, b;
      for (uint32_t i = 0; i < 32; i += bits / 8) {
        a.push_back(code_at(c, byte_in_shared((tile + step) % 3 * 8192, row, at + i), bits));
        b.push_back(code_at(
            c, byte_in_shared(model::screen_split + (tile + step) % 2 * 32768, column, at + i), bits));
      }
      d = numerics::exact_dot(arithmetic, numeric, {a, b, d, {}, {}, 0});
    }
  return static_cast<uint32_t>(d);
}

TEST(Screen, AChainIsOneInstructionAfterTheOther) {
  const MmaTypes all[] = {{MmaElement::bf16, MmaElement::bf16, MmaAccumulator::f32},
                          {MmaElement::f16, MmaElement::f16, MmaAccumulator::f32},
                          {MmaElement::tf32, MmaElement::tf32, MmaAccumulator::f32},
                          {MmaElement::e4m3, MmaElement::e4m3, MmaAccumulator::f32},
                          {MmaElement::s8, MmaElement::s8, MmaAccumulator::s32}};
  gen::Random random(5);
  std::vector<uint32_t> d(size_t{128} * 128);
  for (uint32_t kind = 0; kind < count_of_screen_kinds; ++kind)
    for (uint64_t index = 2; index < 66; index += 16) {
      const ScreenCase c = short_chain(static_cast<ScreenKind>(kind), index);
      const uint32_t tile = random.below(model::screen_tiles);
      model::predict_chain(c, tile, false, pattern_words, d);
      for (int sample = 0; sample < 8; ++sample) {
        const uint32_t row = random.below(64), column = random.below(256);
        const uint32_t thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2,
                       reg = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
        ASSERT_EQ(d[thread * 128 + reg], exact_element(c, all[kind], tile, row, column))
            << screen_kind_names[kind] << " tile " << tile << " row " << row << " column " << column;
      }
    }
}

/// What three multiprocessors give of a case whose planted result they find.
std::vector<std::byte> right_output(const ScreenCase& c) {
  std::vector<std::byte> bytes(sizeof(ScreenOutput));
  auto& output = *reinterpret_cast<ScreenOutput*>(bytes.data());
  output.ctas = 3, output.rounds = c.rounds, output.planted = 1;
  for (uint32_t i = 0; i < output.ctas; ++i) output.entries[i] = {40 + i, 2 * c.rounds, 0, 9};
  params::ScreenMismatch& found = output.of_planted;
  found.warpgroup = c.planted_warpgroup, found.thread = c.planted_thread;
  found.round = c.planted_round % c.rounds;
  found.tile = (found.round + 3 * found.warpgroup) % 6;
  std::vector<uint32_t> d(size_t{128} * 128);
  model::predict_chain(c, found.tile, false, pattern_words, d);
  std::memcpy(found.d, &d[size_t{found.thread} * 128], sizeof found.d);
  found.d[c.planted_register] ^= c.planted_bits;
  return bytes;
}

bool is_right(const ScreenCase& screened, const std::vector<std::byte>& output) {
  const Family& family = find_property("screen.wgmma.bf16")->family();
  const Case c(screened);
  const spec::Readings readings(spec::Arch::sm_90);
  Scratch scratch;
  Expected expected;
  family.predict(c, readings, scratch, expected);
  return family.same(c, readings, expected, output);
}

TEST(Screen, IsPassedOnlyWithAllChainsAndTheFaultFound) {
  const ScreenCase c = short_chain(ScreenKind::bf16, 0);
  ASSERT_EQ(c.planted, PlantedFault::result);
  ASSERT_TRUE(is_right(c, right_output(c)));
  const auto with = [&](auto change) {
    std::vector<std::byte> bytes = right_output(c);
    change(*reinterpret_cast<ScreenOutput*>(bytes.data()));
    return is_right(c, bytes);
  };
  EXPECT_FALSE(with([](ScreenOutput& o) { o.planted = 0; })) << "a planted fault that nobody found";
  EXPECT_FALSE(with([](ScreenOutput& o) { o.planted = 2; })) << "one more beside it";
  EXPECT_FALSE(with([](ScreenOutput& o) { o.of_planted.thread ^= 1; })) << "found in another lane";
  EXPECT_FALSE(with([](ScreenOutput& o) { o.of_planted.d[3] ^= 1; })) << "another register wrong too";
  EXPECT_FALSE(with([](ScreenOutput& o) { o.entries[2].mismatches = 1; })) << "one that was not planted";
  EXPECT_FALSE(with([](ScreenOutput& o) { o.entries[2].chains -= 1; })) << "a chain that was not compared";
  EXPECT_FALSE(with([](ScreenOutput& o) { o.ctas = 0; })) << "none at all";
  EXPECT_FALSE(with([](ScreenOutput& o) { o.first[1].d[0] = 1; })) << "what nobody reported";
}

/// The report counts for each multiprocessor what ran there, and what went wrong.
TEST(Screen, TellsWhichMultiprocessorsTookPart) {
  std::vector<std::byte> bytes = right_output(short_chain(ScreenKind::bf16, 0));
  reinterpret_cast<ScreenOutput*>(bytes.data())->entries[1].mismatches = 1;
  const Family& family = find_property("screen.wgmma.bf16")->family();
  EXPECT_EQ(family.multiprocessors(bytes, false), (std::vector<uint32_t>{40, 41, 42}));
  EXPECT_EQ(family.multiprocessors(bytes, true), (std::vector<uint32_t>{41}));
}

/// In every case an altered operand reaches some thread's results, so that the fault can be found.
TEST(Screen, PlantedOperandsReachTheResults) {
  std::vector<uint32_t> right(size_t{128} * 128), wrong(right.size());
  for (uint32_t kind = 0; kind < count_of_screen_kinds; ++kind)
    for (uint64_t index = 1; index < 64; index += 16) {
      ScreenCase c = short_chain(static_cast<ScreenKind>(kind), index);
      ASSERT_EQ(c.planted, PlantedFault::operand);
      c.blocks = 6;  // every block of A meets every one of B
      model::predict_chain(c, 0, false, pattern_words, right);
      model::predict_chain(c, 0, true, pattern_words, wrong);
      EXPECT_NE(right, wrong) << screen_kind_names[kind] << " " << index;
    }
}

/// On a device with a wrong bit in one element of 10,000 the first line says which multiprocessor gave one,
/// and the lines behind it which register.
TEST(Screen, NamesThePlaceOfAWrongBit) {
  const Property& property = *find_property("screen.wgmma.s8");
  Case c;
  property.generate(1, property.name, 2, spec::Arch::sm_90, c);
  const auto device = open_device("emulator:sm_90a,fault=adder_rare_bit", limits_for(1));
  ReadingSet readings(spec::Arch::sm_90);
  CaseRunner runner(*device, readings, spec::Arch::sm_90);
  const Outcome outcome = runner.run(property, {&c, 1}).at(0);
  ASSERT_EQ(outcome.verdict, report::Verdict::violates);
  const Diagnosis found =
      property.family().diagnose(c, spec::Readings(spec::Arch::sm_90), outcome.expected, outcome.observed, 0);
  EXPECT_EQ(found.first.rfind("multiprocessor ", 0), 0u) << found.first;
  ASSERT_GE(found.lines.size(), 3u);
  EXPECT_NE(found.lines[2].find("difference 0x00000001"), std::string::npos) << found.lines[2];
}

}  // namespace
}  // namespace assay::suites
