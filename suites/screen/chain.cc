// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/chain.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/screen/screens.h"
#include "kernels/params/screen.h"
#include "reference/spec/instr_desc.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"
#include "suites/screen/screen_family.h"

namespace assay::suites {
namespace {

using params::ScreenOutput;
using params::ScreenRecord;

static_assert(are_same_enumerators<ScreenUnit, params::ScreenUnit, 4>());
static_assert(are_same_enumerators<ScreenPart, params::ScreenPart, 3>());
static_assert(std::ranges::equal(model::screen_middle_registers, params::screen_middle_registers));
static_assert(model::screen_split == params::screen_split &&
              model::screen_window_bytes == params::screen_window_bytes);

using Chain = std::array<uint32_t, size_t{model::screen_threads} * model::screen_registers>;

uint64_t chain_hash(std::span<const uint32_t> registers) {
  uint64_t even = params::screen_hash_start, odd = even;
  for (size_t i = 0; i < registers.size(); i += 4) {
    even = params::screen_hash(even, registers[i], registers[i + 1]);
    odd = params::screen_hash(odd, registers[i + 2], registers[i + 3]);
  }
  return params::screen_hash(even, static_cast<uint32_t>(odd), static_cast<uint32_t>(odd >> 32));
}

/// What both the record and the prediction ask of a case: it is computed once.
struct GoldenChains {
  ScreenCase of;
  bool is_made = false;
  uint64_t hashes[model::screen_tiles][model::screen_threads];
};

/// Of shared memory alone: what a thread of a warpgroup has of it.
std::vector<uint32_t> words_of_thread(const std::vector<uint32_t>& window, size_t group, size_t thread) {
  std::vector<uint32_t> words;
  for (size_t i = 0; i < params::screen_vectors; ++i) {
    const size_t vector = (i * params::screen_warpgroups + group) * model::screen_threads + thread;
    words.insert(words.end(), &window[vector * 4], &window[vector * 4] + 4);
  }
  return words;
}

const GoldenChains& golden_of(const ScreenCase& c, bool altered) {
  thread_local GoldenChains kept[2];
  GoldenChains& golden = kept[altered ? 1 : 0];
  if (golden.is_made && golden.of == c) return golden;
  golden = {c, true, {}};
  if (c.turns.part == ScreenPart::shared) {
    const std::vector<uint32_t> window = model::chain_window(c, altered, pattern_words);
    for (size_t group = 0; group < params::screen_warpgroups; ++group)
      for (size_t t = 0; t < model::screen_threads; ++t)
        golden.hashes[group][t] = chain_hash(words_of_thread(window, group, t));
    return golden;
  }
  static thread_local Chain d;
  for (uint32_t tile = 0; tile < model::screen_tiles; ++tile) {
    model::predict_chain(c, tile, altered, pattern_words, d);
    for (size_t t = 0; t < model::screen_threads; ++t)
      golden.hashes[tile][t] =
          chain_hash(std::span(d).subspan(t * model::screen_registers, model::screen_registers));
  }
  return golden;
}

/// Threads of a tile whose registers an altered operand changes.
uint32_t changed_threads(const ScreenCase& c, uint32_t tile) {
  const GoldenChains &right = golden_of(c, false), &wrong = golden_of(c, true);
  uint32_t count = 0;
  for (size_t t = 0; t < model::screen_threads; ++t) count += right.hashes[tile][t] != wrong.hashes[tile][t];
  return count;
}

uint32_t tile_of_round(uint32_t warpgroup, uint32_t round) {
  return (round + 3 * warpgroup) % model::screen_tiles;
}

/// Mismatches of the CTA that planted, as far as `rounds` ran.
uint32_t expected_planted(const ScreenCase& c, uint32_t rounds) {
  if (c.planted == PlantedFault::none) return 0;
  if (c.planted == PlantedFault::result) return c.planted_bits != 0;
  if (c.planted == PlantedFault::partial_sum) {
    const uint32_t tile = tile_of_round(c.planted_warpgroup, c.planted_round % rounds);
    return golden_of(c, false).hashes[tile][c.planted_thread] !=
           golden_of(c, true).hashes[tile][c.planted_thread];
  }
  uint32_t of_tile[model::screen_tiles], sum = 0;
  for (uint32_t tile = 0; tile < model::screen_tiles; ++tile) of_tile[tile] = changed_threads(c, tile);
  for (uint32_t warpgroup = 0; warpgroup < 2; ++warpgroup)
    for (uint32_t round = 0; round < rounds; ++round) sum += of_tile[tile_of_round(warpgroup, round)];
  return sum;
}

/// A block of A times one of B, of a sparse A what is kept of it.
constexpr uint32_t multiplications_of_step(ScreenKind kind) {
  const uint32_t bits = kind == ScreenKind::tf32 ? 32 : kind < ScreenKind::tf32 ? 16 : 8;
  return 64 * 256 * (128 * 8 / bits);
}

uint32_t kind_of(const ScreenCase& c) {
  return static_cast<uint32_t>(c.unit) * params::screen_types + static_cast<uint32_t>(c.kind);
}

/// The instruction descriptor of tcgen05.mma: M and N 128, both operands K-major.
uint32_t chain_instr_desc(const ScreenCase& c) {
  using spec::MmaKind;
  static constexpr MmaKind kinds[] = {MmaKind::f16, MmaKind::f16, MmaKind::tf32, MmaKind::f8f6f4,
                                      MmaKind::i8};
  static constexpr std::string_view types[] = {"bf16", "f16", "tf32", "e4m3", "s8"};
  const auto kind = static_cast<size_t>(c.kind);
  spec::InstrDesc desc;
  desc.a = desc.b = spec::find_format(types[kind]);
  desc.d = spec::find_format(c.kind == ScreenKind::s8 ? "s32" : "f32");
  desc.m = desc.n = 128;
  return spec::encode_instr_desc(kinds[kind], desc);
}

class Screen final : public ScreenFamily<ScreenCase, ScreenRecord, ScreenOutput> {
 public:
  std::string_view name() const override { return "screen"; }
  uint32_t batch_key(const Case& any) const override { return kind_of(any.as<ScreenCase>()); }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    ScreenRecord r{};
    model::fields::copy_members(c, r);
    r.kind = kind_of(c);
    if (c.unit == ScreenUnit::wgmma_sparse)
      pattern_words.metadata(model::chain_metadata(c), std::span(r.metadata));
    if (c.unit == ScreenUnit::tcgen05) r.instr_desc = chain_instr_desc(c);
    r.plant_step = c.planted_step;
    r.plant = static_cast<params::ScreenPlant>(c.planted);
    r.plant_cta = c.planted_cta, r.plant_round = c.planted_round;
    r.plant_warpgroup = c.planted_warpgroup, r.plant_thread = c.planted_thread;
    r.plant_register = c.planted_register, r.plant_word = c.planted_word, r.plant_mask = c.planted_bits;
    r.output_offset = output_offset;
    r.output_bytes = sizeof(ScreenOutput);
    static_assert(sizeof r.golden == sizeof GoldenChains::hashes);
    std::memcpy(r.golden, golden_of(c, false).hashes, sizeof r.golden);
    std::memcpy(record, &r, sizeof r);
  }

  /// Nothing is found but what was planted, and of a planted result the very registers. How many
  /// multiprocessors there are, and how many chains they did, allows() asks.
  void predict(const Case& any, const spec::Readings&, Scratch& scratch, Expected& e) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    auto [wanted, defined] = expect_nothing(scratch, e);
    e.rules = model::chain_rules(c);
    if (c.planted == PlantedFault::result) {
      wanted.planted = 1;
      wanted.of_planted.warpgroup = c.planted_warpgroup, wanted.of_planted.thread = c.planted_thread;
      defined.of_planted.round = defined.of_planted.tile = 0;
      // The tile is known where the number of rounds is.
      const std::span<uint32_t> d_mask(defined.of_planted.d);
      std::fill(d_mask.begin(), d_mask.end(), 0);
    } else if (c.planted != PlantedFault::none) {
      defined.planted = 0;
      std::memset(&defined.of_planted, 0, sizeof defined.of_planted);
    }
  }

  bool allows(const Case& any, const spec::Readings&, std::span<const std::byte> output) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    const ScreenOutput& seen = seen_in(output);
    if (!counts_hold(seen, c.turns, c.rounds, params::screen_warpgroups)) return false;
    if (seen.planted != expected_planted(c, seen.rounds)) return false;
    return seen.planted != 1 || c.planted == PlantedFault::operand || is_planted_result(c, seen);
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    NamedFields list{{"types", std::string(screen_kind_names[static_cast<size_t>(c.kind)])}};
    tell(c, list);
    return list;
  }

  /// Chains of registers alone show that tcgen05's get to tensor memory and back.
  std::vector<LadderStep> ladder(const Case& any, uint32_t multiprocessor) const override {
    ScreenCase alone = any.as<ScreenCase>();
    alone.planted = PlantedFault::none;
    LadderStep whole{"the load of all multiprocessors", Case(alone)};
    alone.turns.only_sm = multiprocessor, alone.turns.off_us = 0;
    std::vector<LadderStep> steps;
    const auto add = [&](std::string_view name, auto change) {
      ScreenCase c = alone;
      change(c);
      steps.push_back({name, Case(c)});
    };
    add("shared memory", [](ScreenCase& c) { c.turns.part = ScreenPart::shared; });
    if (alone.unit == ScreenUnit::tcgen05) add("tensor memory", [](ScreenCase& c) { c.blocks = 0; });
    add("the product of one step", [](ScreenCase& c) { c.blocks = 1; });
    add("the chain", [](ScreenCase&) {});
    steps.push_back(std::move(whole));
    return steps;
  }

  void tell_mismatch(const Case& any, const ScreenOutput& seen, uint32_t cta,
                     std::vector<std::string>& lines) const override {
    const params::ScreenMismatch& found = seen.first[cta];
    const ScreenCase& c = any.as<ScreenCase>();
    const std::span<const uint32_t> right = right_registers(c, found.tile, found.thread, false);
    lines.push_back("  round " + std::to_string(found.round) + ", warpgroup " +
                    std::to_string(found.warpgroup) + ", warp " + std::to_string(found.thread / 32 % 4) +
                    ", lane " + std::to_string(found.thread % 32));
    size_t told = 0;
    const bool is_memory = c.turns.part == ScreenPart::shared;
    for (uint32_t i = 0; i < right.size() && told < 8; ++i) {
      if (found.d[i] == right[i]) continue;
      ++told;
      if (is_memory) {
        const uint32_t vector = (i / 4 * params::screen_warpgroups + found.tile % params::screen_warpgroups) *
                                    model::screen_threads +
                                found.thread % model::screen_threads;
        lines.push_back("  byte " + std::to_string(vector * 16 + i % 4 * 4) +
                        " of shared memory: " + difference_words(found.d[i], right[i]));
        continue;
      }
      const auto [row, column] = model::place_of_register(c.unit, found.thread % model::screen_threads, i);
      lines.push_back("  D[" + std::to_string(row) + ", " + std::to_string(column) + "], register " +
                      std::to_string(i) + ": " + difference_words(found.d[i], right[i]));
    }
  }

 private:
  static std::span<const uint32_t> right_registers(const ScreenCase& c, uint32_t tile, uint32_t thread,
                                                   bool altered) {
    static thread_local Chain d;
    if (c.turns.part == ScreenPart::shared) {
      const auto words = words_of_thread(model::chain_window(c, altered, pattern_words),
                                         tile % params::screen_warpgroups, thread % model::screen_threads);
      std::copy(words.begin(), words.end(), d.begin());
      return std::span<const uint32_t>(d).first(words.size());
    }
    model::predict_chain(c, tile % model::screen_tiles, altered, pattern_words, d);
    return std::span<const uint32_t>(d).subspan(
        size_t{thread % model::screen_threads} * model::screen_registers, model::screen_registers);
  }

  static bool is_planted_result(const ScreenCase& c, const ScreenOutput& seen) {
    const params::ScreenMismatch& found = seen.of_planted;
    if (found.warpgroup != c.planted_warpgroup || found.thread != c.planted_thread) return false;
    if (found.round != c.planted_round % seen.rounds) return false;
    if (found.tile != tile_of_round(c.planted_warpgroup, found.round)) return false;
    const bool is_sum = c.planted == PlantedFault::partial_sum;
    const std::span<const uint32_t> right = right_registers(c, found.tile, c.planted_thread, is_sum);
    for (uint32_t i = 0; i < model::screen_registers; ++i)
      if ((found.d[i] ^ right[i]) != (!is_sum && i == c.planted_register ? c.planted_bits : 0)) return false;
    return true;
  }
};

const Family& screen_family() {
  static const Screen family;
  return family;
}

template <ScreenUnit unit, ScreenKind kind>
void make_chain_case(const gen::CaseId& id, ScreenCase& c) {
  gen::make_chain(id, unit, kind, c);
}

template <ScreenUnit unit, ScreenKind kind>
std::optional<std::string> declines_chain(spec::Arch arch) {
  constexpr bool is_i8 = kind == ScreenKind::s8;
  if (unit == ScreenUnit::mma_sync) return std::nullopt;
  if (unit != ScreenUnit::tcgen05)
    return spec::has(arch, &spec::Architecture::has_wgmma)
               ? std::nullopt
               : std::optional<std::string>("requires wgmma, which compute capability 9.0 alone has");
  return spec::has(arch, is_i8 ? &spec::Architecture::has_tcgen05_i8 : &spec::Architecture::has_tcgen05)
             ? std::nullopt
             : std::optional<std::string>(std::string("requires tcgen05.mma") + (is_i8 ? " of kind i8" : ""));
}

void cover_chain(const Case& any, const Expected&, uint64_t index, spec::Arch, CoverageSink& sink) {
  const ScreenCase& c = any.as<ScreenCase>();
  const uint64_t chains = uint64_t{params::screen_warpgroups} * c.rounds / c.turns.cta_step;
  sink.hit(0, 0, chains * params::probe_threads * params::screen_d_registers);
  sink.hit(0, 1, chains * c.blocks * multiplications_of_step(c.kind));
  sink.hit(1, gen::screen_cell(c, index));
  for (uint32_t cell = 0; cell < std::size(gen::screen_steps); ++cell)
    if (gen::screen_steps[cell] == c.blocks) sink.hit(2, cell);
}

template <auto make>
Property chain_property(std::string_view name, std::string_view claim) {
  Property property = screen_property(name, claim, screen_family, generate_case<make>);
  constexpr uint32_t lengths = std::size(gen::screen_steps);
  property.spaces.insert(property.spaces.end(),
                         {{"operands x planted fault", gen::screen_cells(),
                           [](uint32_t cell, spec::Arch) { return gen::screen_cell_name(cell); },
                           [](spec::Arch) { return all_cells(gen::screen_cells()); }},
                          {"steps of a chain", lengths,
                           [](uint32_t cell, spec::Arch) { return std::to_string(gen::screen_steps[cell]); },
                           [](spec::Arch) { return all_cells(lengths); }}});
  property.cover = cover_chain;
  return property;
}

template <ScreenUnit unit, ScreenKind kind>
Property unit_property(std::string_view name, std::string_view claim) {
  Property property = chain_property<make_chain_case<unit, kind>>(name, claim);
  property.declines = declines_chain<unit, kind>;
  return property;
}

template <bool in_phase>
void make_pulses(const gen::CaseId& id, ScreenCase& c) {
  gen::make_pulses(id, in_phase, c);
}
const Registered chains_by_turns[] = {
    Registered(chain_property<gen::make_halves>(
        "screen.halves",
        "Chains of products of bf16 give the same bits, those of the reference, while half of "
        "the multiprocessors are busy, by turns")),
    Registered(chain_property<make_pulses<false>>(
        "screen.pulses",
        "Chains of products of bf16 give every multiprocessor the bits of the reference in "
        "pulses of 1 to 500 ms, which every second board has in the pauses of the others")),
    Registered(chain_property<make_pulses<true>>(
        "screen.pulses_in_phase",
        "Chains of products of bf16 give every multiprocessor the bits of the "
        "reference in pulses of 1 to 500 ms, which all boards have at once"))};

#define ASSAY_SCREEN(unit, word, kind)                                                     \
  Registered(unit_property<ScreenUnit::unit, ScreenKind::kind>(                            \
      "screen." #unit "." #kind, "Chains of " word " on " #kind                            \
                                 " give every multiprocessor the same bits, those of the " \
                                 "reference, while all of them are busy"))
#define ASSAY_SCREENS(unit, word)                                                                \
  ASSAY_SCREEN(unit, word, bf16), ASSAY_SCREEN(unit, word, f16), ASSAY_SCREEN(unit, word, tf32), \
      ASSAY_SCREEN(unit, word, e4m3), ASSAY_SCREEN(unit, word, s8)
const Registered chain_screens[] = {ASSAY_SCREENS(wgmma, "wgmma"), ASSAY_SCREENS(wgmma_sparse, "wgmma.sp"),
                                    ASSAY_SCREENS(mma_sync, "mma.sync"),
                                    ASSAY_SCREENS(tcgen05, "tcgen05.mma")};
#undef ASSAY_SCREENS
#undef ASSAY_SCREEN

}  // namespace
}  // namespace assay::suites
