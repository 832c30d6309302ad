// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/chain.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "devices/device.h"
#include "generators/screen/screens.h"
#include "kernels/params/screen.h"
#include "reference/model/screen/tiles.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/numerics/exact.h"
#include "suites/failure/failure.h"
#include "suites/failure/ladder.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/case_file.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

/// Chains of a screen, and what counts as one that every multiprocessor computed right.
namespace assay::suites {
namespace {

using params::ScreenOutput;

ScreenCase short_chain(ScreenKind kind, uint64_t index, ScreenUnit unit = ScreenUnit::wgmma) {
  ScreenCase c;
  gen::make_chain({7, "chain", index, spec::Arch::sm_90}, unit, kind, c);
  c.blocks = 2, c.rounds = 5;
  if (c.planted_step != 0) c.planted_step = 1;
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

/// What tells units apart: where B begins, how far blocks lie from each other, and whose adder it is.
struct Unit {
  ScreenUnit unit;
  std::string_view arithmetic;
  uint32_t rows, columns, a_block, b_begin, b_block;
};
constexpr Unit units[] = {{ScreenUnit::wgmma, "wgmma", 64, 256, 8192, 24576, 32768},
                          {ScreenUnit::mma_sync, "mma_sm90", 64, 256, 8192, 24576, 32768},
                          {ScreenUnit::tcgen05, "tcgen05", 128, 128, 16384, 49152, 16384}};

/// Element (row, column) of D of a tile, one instruction of exact arithmetic after the other.
uint32_t exact_element(const Unit& unit, const ScreenCase& c, const MmaTypes& types, uint32_t tile,
                       uint32_t row, uint32_t column) {
  const numerics::Types numeric = model::numeric_types(types, model::wgmma_k(types));
  const numerics::Arithmetic& arithmetic =
      numerics::find_instruction(unit.arithmetic, numeric, false)->arithmetic;
  const uint32_t bits = element_bits(types.a);
  uint64_t d = c.c;
  for (uint32_t step = 0; step < c.blocks; ++step)
    for (uint32_t at = 0; at < 128; at += 32) {
      std::vector<uint64_t> a, b;
      for (uint32_t i = 0; i < 32; i += bits / 8) {
        a.push_back(code_at(c, byte_in_shared((tile + step) % 3 * unit.a_block, row, at + i), bits));
        b.push_back(code_at(
            c, byte_in_shared(unit.b_begin + (tile + step) % 2 * unit.b_block, column, at + i), bits));
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
  for (const Unit& unit : units)
    for (uint32_t kind = 0; kind < count_of_screen_kinds; ++kind)
      for (uint64_t index = 2; index < 66; index += 16) {
        const ScreenCase c = short_chain(static_cast<ScreenKind>(kind), index, unit.unit);
        const uint32_t tile = random.below(model::screen_tiles);
        model::predict_chain(c, tile, false, pattern_words, d);
        for (int sample = 0; sample < 8; ++sample) {
          const uint32_t row = random.below(unit.rows), column = random.below(unit.columns);
          const bool is_tensor = unit.unit == ScreenUnit::tcgen05;
          const uint32_t thread = is_tensor ? row : row / 16 * 32 + row % 8 * 4 + column % 8 / 2,
                         reg = is_tensor ? column : column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
          ASSERT_EQ(d[thread * 128 + reg], exact_element(unit, c, all[kind], tile, row, column))
              << unit.arithmetic << " " << screen_kind_names[kind] << " tile " << tile << " row " << row
              << " column " << column;
          ASSERT_EQ(model::place_of_register(unit.unit, thread, reg), std::pair(row, column));
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
  EXPECT_FALSE(with([](ScreenOutput& o) { o.entries[2].compared -= 1; })) << "a chain that was not compared";
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

Outcome outcome_of_case(const Property& property, uint64_t index, const std::string& device_spec, Case& c) {
  property.generate(1, property.name, index, spec::Arch::sm_90, c);
  const auto device = open_device(device_spec, limits_for(1));
  ReadingSet readings(spec::Arch::sm_90);
  return CaseRunner(*device, readings, spec::Arch::sm_90).run(property, {&c, 1}).at(0);
}

/// What is said of a case that fails on a device with that fault.
std::vector<std::string> words_of_failure(std::string_view name, uint64_t index, const std::string& fault) {
  const Property& property = *find_property(name);
  Case c;
  const Outcome outcome = outcome_of_case(property, index, "emulator:sm_90a,fault=" + fault, c);
  EXPECT_EQ(outcome.verdict, report::Verdict::violates);
  const Diagnosis found =
      property.family().diagnose(c, spec::Readings(spec::Arch::sm_90), outcome.expected, outcome.observed, 0);
  EXPECT_EQ(found.first.rfind("multiprocessor ", 0), 0u) << found.first;
  EXPECT_GE(found.lines.size(), 3u);
  return found.lines;
}

/// Each unit's cases that plant a fault and one without, on the emulator.
TEST(Screen, EveryUnitFindsWhatItPlants) {
  for (const auto& [name, arch] : {std::pair("screen.wgmma.f16", "sm_90"),
                                   {"screen.wgmma_sparse.bf16", "sm_90"},
                                   {"screen.wgmma_sparse.tf32", "sm_90"},
                                   {"screen.mma_sync.e4m3", "sm_90"},
                                   {"screen.tcgen05.tf32", "sm_100"},
                                   {"screen.tcgen05.s8", "sm_100"},
                                   {"screen.halves", "sm_90"},
                                   {"screen.halves", "sm_120"},
                                   {"screen.both.mixed", "sm_90"},
                                   {"screen.both.cached", "sm_100"},
                                   {"screen.pulses", "sm_90"},
                                   {"screen.pulses_in_phase", "sm_100"}}) {
    const Property& property = *find_property(name);
    const spec::Arch of = *spec::parse_arch(arch);
    const auto device = open_device("emulator:" + std::string(arch) + "a", limits_for(1));
    ReadingSet readings(of);
    CaseRunner runner(*device, readings, of);
    for (uint64_t index = 0; index < 4; ++index) {
      Case c;
      property.generate(1, property.name, index, of, c);
      EXPECT_EQ(runner.run(property, {&c, 1}).at(0).verdict, report::Verdict::conforms)
          << name << " " << index;
    }
  }
}

/// A sum that is altered between two steps is judged by what the reference makes of it at the end of the
/// chain.
TEST(Screen, APlantedPartialSumMustEndAsPredicted) {
  const Property& property = *find_property("screen.wgmma.s8");
  Case c;
  const Outcome outcome = outcome_of_case(property, 3, "emulator:sm_90a", c);
  ASSERT_EQ(c.as<ScreenCase>().planted, PlantedFault::partial_sum);
  ASSERT_EQ(outcome.verdict, report::Verdict::conforms);
  std::vector<uint8_t> bytes = outcome.observed;
  auto& output = *reinterpret_cast<ScreenOutput*>(bytes.data());
  const spec::Readings readings(spec::Arch::sm_90);
  EXPECT_EQ(output.planted, 1u);
  EXPECT_TRUE(property.family().allows(c, readings, std::as_bytes(std::span(bytes))));
  output.of_planted.d[c.as<ScreenCase>().planted_register] ^= 1;
  EXPECT_FALSE(property.family().allows(c, readings, std::as_bytes(std::span(bytes))));
  output.planted = 0;
  EXPECT_FALSE(property.family().allows(c, readings, std::as_bytes(std::span(bytes))));
}

/// On a device with a wrong lowest bit in one element of 10,000 the first line says which multiprocessor gave
/// one, and the lines behind it which register.
TEST(Screen, NamesThePlaceOfAWrongBit) {
  const auto lines = words_of_failure("screen.wgmma.s8", 2, "adder_rare_bit");
  EXPECT_NE(lines.at(2).find("difference 0x000000"), std::string::npos) << lines[2];
}

/// What is wrong in one place of an emulated board is wrong again there at the step that first has it, and
/// nowhere else.
TEST(Screen, TheLadderNamesTheLeastThatIsWrongAgain) {
  struct Row {
    const char *fault, *property, *least;
  };
  for (const Row& row : {Row{"silicon_cell", "screen.wgmma.s8", "shared memory"},
                         {"silicon_lane", "screen.wgmma.s8", "the product of one step"},
                         {"silicon_lane", "screen.mma_sync.e4m3", "the product of one step"},
                         {"silicon_hot_element", "screen.wgmma.s8", "the chain"},
                         {"silicon_copy", "screen.tma.narrow", "tensor copies"}}) {
    const Property& property = *find_property(row.property);
    const auto device = open_device(std::string("emulator:sm_90a,fault=") + row.fault, limits_for(1));
    ReadingSet readings(spec::Arch::sm_90);
    CaseRunner runner(*device, readings, spec::Arch::sm_90);
    // Launches begin on one multiprocessor after the other, of which there are sixteen; what is wrong beside
    // a planted fault has no place of its own.
    std::vector<std::string> lines;
    for (uint64_t i = 0; i < 68 && lines.empty(); ++i) {
      Case c;
      property.generate(1, row.property, i % 4, spec::Arch::sm_90, c);
      const Outcome outcome = runner.run(property, {&c, 1}).at(0);
      if (outcome.verdict == report::Verdict::violates) lines = climb(runner, property, outcome);
    }
    ASSERT_EQ(lines.size(), 3u) << row.fault;
    EXPECT_TRUE(lines[0].starts_with("repeated at once: on multiprocessor 1 alone 3 of 3 times wrong; on "))
        << lines[0];
    EXPECT_TRUE(lines[0].ends_with("alone 0 of 3 times wrong")) << lines[0];
    EXPECT_EQ(lines[2], std::string("the least that is wrong again: ") + row.least) << lines[1];
  }
}

TEST(Screen, OfHalvesOneCtaOfTwoTakesPart) {
  const Property& property = *find_property("screen.halves");
  Case c;
  const Outcome outcome = outcome_of_case(property, 2, "emulator:sm_90a", c);
  ASSERT_EQ(outcome.verdict, report::Verdict::conforms);
  const auto is_allowed = [&](auto change) {
    std::vector<uint8_t> bytes = outcome.observed;
    change(*reinterpret_cast<ScreenOutput*>(bytes.data()));
    return property.family().allows(c, spec::Readings(spec::Arch::sm_90), std::as_bytes(std::span(bytes)));
  };
  EXPECT_TRUE(is_allowed([](ScreenOutput&) {}));
  EXPECT_FALSE(is_allowed([](ScreenOutput& o) { o.entries[0].compared = 0; })) << "nobody took part";
  EXPECT_FALSE(is_allowed([](ScreenOutput& o) { o.entries[1] = o.entries[0]; })) << "both did";
}

TEST(Screen, NamesTheBytesOfAWrongTile) {
  const auto lines = words_of_failure("screen.tma.narrow", 2, "swizzle_128b_bit_dropped");
  EXPECT_NE(lines.at(1).find("tile "), std::string::npos) << lines[1];
  // Line 4 of the swizzle's pattern is the first that has the bit.
  EXPECT_NE(lines.at(2).find("byte 512 of the tile in shared memory: 0x"), std::string::npos) << lines[2];
}

/// Every map that a case may have is legal at every place, and fits a stage; mixed ones have all ranks, all
/// swizzles and places outside.
TEST(Screen, TilesAreLegalLoads) {
  const spec::Readings readings(spec::Arch::sm_90);
  gen::Random random(3);
  std::set<uint32_t> ranks, swizzles;
  uint32_t outside = 0, all = 0;
  std::vector<std::byte> window(model::screen_tile_bytes);
  for (uint32_t at = 0; at < 800; ++at) {
    ScreenTilesCase c;
    c.kind = static_cast<TileKind>(at % 5), c.seed = random.next();
    const model::TileMap map = model::tile_map(c, at / 5 % model::screen_maps);
    std::array<uint32_t, 5> place{};
    for (uint32_t d = 0; d < 5; ++d) place[d] = random.below(map.count[d]);
    const TensorCopyCase copy = model::tile_at(map, place);
    ASSERT_EQ(model::predict_load(copy, readings, arena(), window, {}).end, model::End::done) << at;
    if (c.kind != TileKind::mixed) continue;
    ranks.insert(copy.map.rank), swizzles.insert(copy.map.swizzle), ++all;
    bool is_outside = false;
    for (uint32_t d = 0; d < copy.map.rank; ++d)
      is_outside |= copy.coord[d] < 0 ||
                    static_cast<uint64_t>(copy.coord[d]) + copy.map.box_dim[d] > copy.map.global_dim[d];
    outside += is_outside;
  }
  EXPECT_EQ(ranks.size(), 5u);
  EXPECT_EQ(swizzles.size(), 4u);
  EXPECT_GT(outside, all / 20);
  EXPECT_LT(outside, all / 5);
}

TEST(Screen, NamesTheBytesOfATileThatWasStored) {
  const auto lines = words_of_failure("screen.tma.stores", 2, "rare_reduction_lost");
  EXPECT_NE(lines.at(2).find("of the tile that came back from where it was stored: 0x"), std::string::npos)
      << lines[2];
}

TEST(Screen, TilesArePassedOnlyWithTheAlteredOneFound) {
  const Property& property = *find_property("screen.tma.mixed");
  Case c;
  const Outcome outcome = outcome_of_case(property, 0, "emulator:sm_90a", c);
  ASSERT_EQ(outcome.verdict, report::Verdict::conforms);
  const spec::Readings readings(spec::Arch::sm_90);
  Scratch scratch;
  Expected expected;
  property.family().predict(c, readings, scratch, expected);
  const auto with = [&](auto change) {
    std::vector<uint8_t> bytes = outcome.observed;
    change(*reinterpret_cast<params::ScreenTilesOutput*>(bytes.data()));
    return property.family().same(c, readings, expected, std::as_bytes(std::span(bytes)));
  };
  using Output = params::ScreenTilesOutput;
  EXPECT_TRUE(with([](Output&) {}));
  EXPECT_FALSE(with([](Output& o) { o.planted = 0; })) << "a planted fault that nobody found";
  EXPECT_FALSE(with([](Output& o) { o.of_planted.tile += 1; })) << "in another tile";
  EXPECT_FALSE(with([](Output& o) { o.dump[0][0] ^= 1; })) << "another word wrong too";
  EXPECT_FALSE(with([](Output& o) { o.entries[0].compared -= 1; })) << "a tile that was not compared";
  EXPECT_FALSE(with([](Output& o) { o.entries[1].mismatches = 1; })) << "one that was not planted";
}

}  // namespace
}  // namespace assay::suites
