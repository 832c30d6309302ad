// SPDX-License-Identifier: Apache-2.0
#include "generators/screen/screens.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "generators/simpler_cases.h"

namespace assay::gen {
namespace {

constexpr uint32_t screen_patterns = std::size(screen_pattern_names),
                   screen_faults = std::size(planted_fault_names);

/// Two 16-bit or four 8-bit elements to a word, or one of 32 bits.
struct ScreenLayout {
  uint32_t sign, mantissa, low_exponent, wide_exponent, one;
};
constexpr std::array<ScreenLayout, count_of_screen_kinds> screen_layouts{{
    {0x80008000, 0x007f007f, 0x00800080, 0x07000700, 0x3f003f00},  // bf16
    {0x80008000, 0x03ff03ff, 0x04000400, 0x18001800, 0x38003800},  // f16
    {0x80000000, 0x007fe000, 0x00800000, 0x07000000, 0x3f000000},  // tf32
    {0x80808080, 0x07070707, 0x08080808, 0x30303030, 0x30303030},  // e4m3
    {0x80808080, 0x7f7f7f7f, 0x00000000, 0x00000000, 0x00000000},  // s8
}};

OperandPattern screen_pattern(uint32_t pattern, const ScreenLayout& bits, Random& random) {
  OperandPattern made{.seed = random.next()};
  switch (pattern) {
    case 0:
      made.keep = bits.sign | bits.mantissa | bits.low_exponent, made.set = bits.one;
      break;
    case 1:
      made.keep = bits.sign | bits.mantissa | bits.low_exponent | bits.wide_exponent;
      made.set = bits.one & ~(bits.low_exponent | bits.wide_exponent);
      break;
    case 2:  // every odd element is the even one's complement
      made.keep = 0, made.set = bits.one | (bits.mantissa & 0x55555555);
      made.mirror_bits = bits.sign == 0x80000000 ? 32 : bits.sign == 0x80008000 ? 16 : 8;
      made.mirror_flip = (bits.sign | bits.mantissa) & (made.mirror_bits == 16  ? 0xffff0000
                                                        : made.mirror_bits == 8 ? 0xff00ff00
                                                                                : ~0u);
      break;
    default:
      made.keep = bits.sign | (bits.mantissa & (bits.mantissa << 1) & 0x60606060) | bits.low_exponent;
      made.set = bits.one;
      break;
  }
  return made;
}

/// Above the sums of random terms, so that a wrong bit of one shows in D; or 0.
uint32_t screen_accumulator(ScreenKind kind, Random& random) {
  if (random.one_in(4)) return 0;
  if (kind == ScreenKind::s8) return static_cast<uint32_t>(random.next());
  const uint32_t exponent = 127 + 14 + random.below(2);
  return (random.one_in(2) ? 1u << 31 : 0) | exponent << 23;
}

void plant_fault(const CaseId& id, Random& random, ScreenCase& c) {
  static constexpr PlantedFault faults[] = {PlantedFault::result, PlantedFault::operand, PlantedFault::none,
                                            PlantedFault::partial_sum};
  const uint64_t place = id.index % 16;
  if (place >= std::size(faults) || faults[place] == PlantedFault::none) return;
  c.planted = faults[place];
  c.planted_cta = random.below(1 << 16), c.planted_round = random.below(1 << 16);
  c.planted_warpgroup = random.below(2), c.planted_thread = random.below(model::screen_threads);
  c.planted_register = random.below(model::screen_registers);
  // Behind the operands of tcgen05 lie 8 KiB that it does not read.
  const uint32_t unread = c.unit == ScreenUnit::tcgen05 ? 8192 : 0;
  c.planted_word = random.below((model::screen_window_bytes - unread) / 4);
  c.planted_bits = 1u << random.below(32);
  if (c.planted == PlantedFault::partial_sum) {
    c.planted_register = model::screen_middle_registers[random.below(4)];
    c.planted_step = random.between(1, c.blocks - 1);
  }
  if (c.planted != PlantedFault::operand) return;
  // Beside a large C small terms lose bits.
  if (c.kind != ScreenKind::s8) c.c = 0;
  // A high bit of the mantissa of one element: it reaches D.
  const ScreenLayout& bits = screen_layouts[static_cast<size_t>(c.kind)];
  const uint32_t high = bits.mantissa & ~(bits.mantissa >> 1) & 0xffffffff;
  c.planted_bits = high & (c.kind == ScreenKind::tf32 ? ~0u : 0xffffu);
}

}  // namespace

uint32_t screen_cells() {
  return screen_patterns * screen_faults;
}
std::string screen_cell_name(uint32_t cell) {
  return std::string(screen_pattern_names[cell / screen_faults]) + ", " +
         (cell % screen_faults == 0
              ? "nothing planted"
              : "a wrong " + std::string(planted_fault_names[cell % screen_faults]) + " planted");
}
uint32_t screen_cell(const ScreenCase& c, uint64_t index) {
  return static_cast<uint32_t>(index / 16 % screen_patterns) * screen_faults +
         static_cast<uint32_t>(c.planted);
}

void make_chain(const CaseId& id, ScreenUnit unit, ScreenKind kind, ScreenCase& c) {
  Random random = id.random();
  c = {};
  c.unit = unit, c.kind = kind;
  const auto pattern = static_cast<uint32_t>(id.index / 16 % screen_patterns);
  const ScreenLayout& bits = screen_layouts[static_cast<size_t>(kind)];
  c.a_fill = screen_pattern(pattern, bits, random);
  c.b_fill = screen_pattern(pattern, bits, random);
  c.c = screen_accumulator(kind, random);
  c.blocks = screen_steps[id.index % 16 < 4 ? 0 : 1 + random.below(3)];
  c.rounds = screen_work(unit) / c.blocks;
  if (unit == ScreenUnit::wgmma_sparse) c.metadata_seed = random.next();
  plant_fault(id, random, c);
}

static ScreenUnit unit_of(spec::Arch arch) {
  return spec::has(arch, &spec::Architecture::has_wgmma)     ? ScreenUnit::wgmma
         : spec::has(arch, &spec::Architecture::has_tcgen05) ? ScreenUnit::tcgen05
                                                             : ScreenUnit::mma_sync;
}

void make_halves(const CaseId& id, ScreenCase& c) {
  make_chain(id, unit_of(id.arch), ScreenKind::bf16, c);
  c.turns.cta_step = 2, c.turns.cta_first = id.index % 2;
}

void make_pulses(const CaseId& id, bool in_phase, ScreenCase& c) {
  make_chain(id, unit_of(id.arch), ScreenKind::bf16, c);
  struct Pulse {
    uint32_t pulse_ms, work_ms;
  };
  const Pulse pulse = id.index % 64 == 63   ? Pulse{500, 500}
                      : id.index % 16 == 15 ? Pulse{100, 150}
                      : id.index % 4 == 2   ? Pulse{10, 30}
                                            : Pulse{1, 8};
  c.turns.on_us = c.turns.off_us = pulse.pulse_ms * 1000;
  c.turns.in_phase = in_phase;
  constexpr uint32_t work_of_ms = 8;  // that a case of chains takes about
  c.rounds = screen_work(c.unit) / c.blocks * pulse.work_ms / work_of_ms;
}

void make_tiles(const CaseId& id, TileKind kind, ScreenTilesCase& c) {
  Random random = id.random();
  c = {};
  c.kind = kind;
  // Many cases in a row share tiles: the reference needs longer for these than a device for a case.
  c.seed = CaseId{id.seed, id.property, (uint64_t{1} << 40) + id.index / 64, id.arch}.random().next();
  const uint64_t place = id.index % 16;
  const bool is_short = place < 3;
  c.maps = kind == TileKind::cached ? 1 : model::screen_maps;
  c.tiles = is_short ? 256 : kind == TileKind::cached ? 512 : model::screen_most_tiles;
  // A hundredth of a second, as of chains.
  c.loads = is_short || kind == TileKind::stores ? 1000 : 3000;
  if (place >= 2) return;
  c.plants = true;
  c.planted_cta = random.below(1 << 16), c.planted_load = random.below(1 << 16);
  c.planted_warp = random.below(model::screen_tile_warps);
  c.planted_lane = random.below(32), c.planted_piece = random.below(32), c.planted_word = random.below(4);
  c.planted_bits = (1 + random.below(255)) << 8 * random.below(4);
}

void make_both(const CaseId& id, TileKind kind, ScreenBothCase& c) {
  make_chain(id, unit_of(id.arch), ScreenKind::bf16, c.chains);
  make_tiles(id, kind, c.tiles);
  c.tiles.loads = 2000;
}

std::vector<ScreenCase> simpler(const ScreenCase& c) {
  const uint32_t least = c.planted_step + 1;
  SimplerCases<ScreenCase> steps(c, [](const ScreenCase&) { return true; });
  steps.offer([&](ScreenCase& s) { s.blocks = least; });
  steps.offer([&](ScreenCase& s) { s.blocks = std::max(least, (s.blocks + 1) / 2); });
  steps.offer([](ScreenCase& s) { s.rounds = 1; });
  steps.offer([](ScreenCase& s) { s.c = 0; });
  steps.offer_pattern(&ScreenCase::a_fill);
  steps.offer_pattern(&ScreenCase::b_fill);
  return std::move(steps.made);
}

std::vector<ScreenTilesCase> simpler(const ScreenTilesCase& c) {
  SimplerCases<ScreenTilesCase> steps(
      c, [](const ScreenTilesCase& s) { return s.maps * s.tiles * s.loads != 0; });
  for (uint32_t ScreenTilesCase::*number :
       {&ScreenTilesCase::maps, &ScreenTilesCase::tiles, &ScreenTilesCase::loads}) {
    steps.offer([&](ScreenTilesCase& s) { s.*number = 1; });
    steps.offer([&](ScreenTilesCase& s) { s.*number /= 2; });
  }
  return std::move(steps.made);
}

std::vector<ScreenBothCase> simpler(const ScreenBothCase& c) {
  std::vector<ScreenBothCase> made;
  for (const ScreenCase& chains : simpler(c.chains)) made.push_back({chains, c.tiles});
  for (const ScreenTilesCase& tiles : simpler(c.tiles)) made.push_back({c.chains, tiles});
  return made;
}

}  // namespace assay::gen
