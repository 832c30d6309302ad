// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/chain.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "generators/screen/chains.h"
#include "kernels/params/screen.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family_of.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using params::ScreenOutput;
using params::ScreenRecord;

static_assert(model::screen_split == params::screen_split &&
              model::screen_window_bytes == params::screen_window_bytes);

using Chain = std::array<uint32_t, size_t{model::screen_threads} * model::screen_registers>;

uint64_t chain_hash(std::span<const uint32_t> registers) {
  uint64_t hash = params::screen_hash_start;
  for (size_t i = 0; i < registers.size(); i += 2)
    hash = params::screen_hash(hash, registers[i], registers[i + 1]);
  return hash;
}

/// What both the record and the prediction ask of a case: it is computed once.
struct GoldenChains {
  ScreenCase of;
  bool is_made = false;
  uint64_t hashes[model::screen_tiles][model::screen_threads];
};

const GoldenChains& golden_of(const ScreenCase& c, bool altered) {
  thread_local GoldenChains kept[2];
  GoldenChains& golden = kept[altered ? 1 : 0];
  if (golden.is_made && golden.of == c) return golden;
  static thread_local Chain d;
  for (uint32_t tile = 0; tile < model::screen_tiles; ++tile) {
    model::predict_chain(c, tile, altered, pattern_words, d);
    for (size_t t = 0; t < model::screen_threads; ++t)
      golden.hashes[tile][t] =
          chain_hash(std::span(d).subspan(t * model::screen_registers, model::screen_registers));
  }
  golden.of = c, golden.is_made = true;
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
  uint32_t of_tile[model::screen_tiles], sum = 0;
  for (uint32_t tile = 0; tile < model::screen_tiles; ++tile) of_tile[tile] = changed_threads(c, tile);
  for (uint32_t warpgroup = 0; warpgroup < 2; ++warpgroup)
    for (uint32_t round = 0; round < rounds; ++round) sum += of_tile[tile_of_round(warpgroup, round)];
  return sum;
}

const ScreenOutput& screen_output(std::span<const std::byte> bytes) {
  return *reinterpret_cast<const ScreenOutput*>(bytes.data());
}

class Screen final : public FamilyOf<ScreenCase, ScreenRecord, gen::simpler> {
 public:
  std::string_view name() const override { return "screen"; }
  std::vector<uint32_t> multiprocessors(std::span<const std::byte> output, bool wrong) const override {
    std::vector<uint32_t> found;
    if (output.size() != sizeof(ScreenOutput)) return found;
    const ScreenOutput& seen = screen_output(output);
    for (uint32_t i = 0; i < std::min(seen.ctas, params::screen_most_ctas); ++i)
      if (!wrong || seen.entries[i].mismatches != 0) found.push_back(seen.entries[i].sm);
    return found;
  }
  uint32_t output_bytes(const Case&) const override { return sizeof(ScreenOutput); }
  uint32_t batch_key(const Case& any) const override {
    return static_cast<uint32_t>(any.as<ScreenCase>().kind);
  }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    ScreenRecord r{};
    model::fields::copy_members(c, r);
    r.kind = static_cast<uint32_t>(c.kind);
    r.plant = static_cast<params::ScreenPlant>(c.planted);
    r.plant_cta = c.planted_cta, r.plant_round = c.planted_round;
    r.plant_warpgroup = c.planted_warpgroup, r.plant_thread = c.planted_thread;
    r.plant_register = c.planted_register, r.plant_word = c.planted_word, r.plant_mask = c.planted_bits;
    r.output_offset = output_offset;
    r.output_bytes = output_bytes(any);
    static_assert(sizeof r.golden == sizeof GoldenChains::hashes);
    std::memcpy(r.golden, golden_of(c, false).hashes, sizeof r.golden);
    std::memcpy(record, &r, sizeof r);
  }

  uint64_t pace() const override { return 2; }

  /// Nothing is found but what was planted, and of a planted result the very registers. How many
  /// multiprocessors there are, and how many chains they did, allows() asks.
  void predict(const Case& any, const spec::Readings&, Scratch& scratch, Expected& e) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, sizeof(ScreenOutput)),
                               mask = scratch.take(scratch.mask, sizeof(ScreenOutput));
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
    std::fill(mask.begin(), mask.end(), std::byte{0xff});
    auto& wanted = *reinterpret_cast<ScreenOutput*>(bytes.data());
    auto& defined = *reinterpret_cast<ScreenOutput*>(mask.data());
    defined.ctas = defined.rounds = defined.nanoseconds = 0;
    for (params::ScreenEntry& entry : defined.entries) entry.sm = entry.chains = entry.clocks = 0;
    e = {};
    e.rules = model::chain_rules(c);
    if (c.planted == PlantedFault::result) {
      wanted.planted = 1;
      wanted.of_planted.warpgroup = c.planted_warpgroup, wanted.of_planted.thread = c.planted_thread;
      defined.of_planted.round = defined.of_planted.tile = 0;
      // The tile is known where the number of rounds is.
      const std::span<uint32_t> d_mask(defined.of_planted.d);
      std::fill(d_mask.begin(), d_mask.end(), 0);
    } else if (c.planted == PlantedFault::operand) {
      defined.planted = 0;
      std::memset(&defined.of_planted, 0, sizeof defined.of_planted);
    }
    e.judges_bytes = true;
    e.bytes = bytes;
    e.mask = mask;
  }

  bool same(const Case& any, const spec::Readings& readings, const Expected& expected,
            std::span<const std::byte> output) const override {
    return Family::same(any, readings, expected, output) && allows(any, readings, output);
  }

  bool allows(const Case& any, const spec::Readings&, std::span<const std::byte> output) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    const ScreenOutput& seen = screen_output(output);
    if (seen.ctas < 1 || seen.ctas > params::screen_most_ctas) return false;
    if (seen.rounds < 1 || seen.rounds > c.rounds) return false;
    for (uint32_t i = 0; i < seen.ctas; ++i)
      if (seen.entries[i].chains != 2 * seen.rounds) return false;
    if (seen.planted != expected_planted(c, seen.rounds)) return false;
    return c.planted != PlantedFault::result || is_planted_result(c, seen);
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    NamedFields list{{"types", std::string(screen_kind_names[static_cast<size_t>(c.kind)])}};
    tell(c, list);
    return list;
  }

  OutputShape output_shape(const Case&) const override { return {4, 16, 0, {}}; }

  /// The first mismatch of the first CTA that has one, register by register.
  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput&,
                     std::span<const uint8_t> observed, uint64_t) const override {
    const ScreenCase& c = any.as<ScreenCase>();
    const ScreenOutput& seen = screen_output(std::as_bytes(observed));
    Diagnosis made;
    for (uint32_t i = 0; i < std::min(seen.ctas, params::screen_most_ctas); ++i) {
      const params::ScreenEntry& entry = seen.entries[i];
      if (entry.mismatches == 0) continue;
      const std::string where = "multiprocessor " + std::to_string(entry.sm) + " (TPC " +
                                std::to_string(entry.sm / 2) + "): " + std::to_string(entry.mismatches) +
                                " results of a thread differ";
      if (made.first.empty()) made.first = where;
      made.lines.push_back(where);
      tell_mismatch(c, seen.first[i], made.lines);
    }
    return made;
  }

 private:
  static std::string hex(uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", value);
    return text;
  }

  static std::span<const uint32_t> right_registers(const ScreenCase& c, uint32_t tile, uint32_t thread) {
    static thread_local Chain d;
    model::predict_chain(c, tile % model::screen_tiles, false, pattern_words, d);
    return std::span<const uint32_t>(d).subspan(
        size_t{thread % model::screen_threads} * model::screen_registers, model::screen_registers);
  }

  static bool is_planted_result(const ScreenCase& c, const ScreenOutput& seen) {
    const params::ScreenMismatch& found = seen.of_planted;
    if (found.round != c.planted_round % seen.rounds) return false;
    if (found.tile != tile_of_round(c.planted_warpgroup, found.round)) return false;
    const std::span<const uint32_t> right = right_registers(c, found.tile, c.planted_thread);
    for (uint32_t i = 0; i < model::screen_registers; ++i)
      if ((found.d[i] ^ right[i]) != (i == c.planted_register ? c.planted_bits : 0)) return false;
    return true;
  }

  static void tell_mismatch(const ScreenCase& c, const params::ScreenMismatch& found,
                            std::vector<std::string>& lines) {
    const std::span<const uint32_t> right = right_registers(c, found.tile, found.thread);
    lines.push_back("  round " + std::to_string(found.round) + ", warpgroup " +
                    std::to_string(found.warpgroup) + ", warp " + std::to_string(found.thread / 32 % 4) +
                    ", lane " + std::to_string(found.thread % 32));
    size_t told = 0;
    for (uint32_t i = 0; i < model::screen_registers && told < 8; ++i) {
      if (found.d[i] == right[i]) continue;
      ++told;
      const uint32_t row = found.thread / 32 % 4 * 16 + found.thread % 32 / 4 + i % 4 / 2 * 8,
                     column = i / 4 * 8 + found.thread % 4 * 2 + i % 2;
      lines.push_back("  D[" + std::to_string(row) + ", " + std::to_string(column) + "], register " +
                      std::to_string(i) + ": " + hex(found.d[i]) + ", expected " + hex(right[i]) +
                      ", difference " + hex(found.d[i] ^ right[i]));
    }
  }
};

const Family& screen_family() {
  static const Screen family;
  return family;
}

template <ScreenKind kind>
void make_chain_case(const gen::CaseId& id, ScreenCase& c) {
  gen::make_chain(id, kind, c);
}

template <ScreenKind kind>
Property chain_property(std::string_view name, std::string_view claim) {
  return {.name = name,
          .claim = claim,
          .family = screen_family,
          .share = 0.5,
          .generate = generate_case<make_chain_case<kind>>,
          .spaces = {{"operands x planted fault", gen::screen_cells(),
                      [](uint32_t cell, spec::Arch) { return gen::screen_cell_name(cell); },
                      [](spec::Arch) {
                        std::vector<uint32_t> all(gen::screen_cells());
                        std::iota(all.begin(), all.end(), 0u);
                        return all;
                      }},
                     {"steps of a chain", gen::screen_lengths,
                      [](uint32_t cell, spec::Arch) { return std::to_string(gen::screen_steps(cell)); },
                      [](spec::Arch) {
                        std::vector<uint32_t> all(gen::screen_lengths);
                        std::iota(all.begin(), all.end(), 0u);
                        return all;
                      }}},
          .cover =
              [](const Case& any, const Expected&, uint64_t index, spec::Arch, CoverageSink& sink) {
                const ScreenCase& c = any.as<ScreenCase>();
                sink.hit(0, gen::screen_cell(c, index));
                for (uint32_t cell = 0; cell < gen::screen_lengths; ++cell)
                  if (gen::screen_steps(cell) == c.blocks) sink.hit(1, cell);
              },
          .batch_cases = 17,
          .most_on_silicon = 256,
          .most_on_emulator = 3,  // two that plant a fault, and one without
          .declines = [](spec::Arch arch) -> std::optional<std::string> {
            if (spec::has(arch, &spec::Architecture::has_wgmma)) return std::nullopt;
            return "requires wgmma, which compute capability 9.0 alone has";
          }};
}

#define ASSAY_SCREEN(kind)                                                                              \
  const Registered kind##_screen(chain_property<ScreenKind::kind>(                                      \
      "screen.wgmma." #kind, "Chains of wgmma on " #kind                                                \
                             " give every multiprocessor the same bits, those of the reference, while " \
                             "all of them are busy"))
ASSAY_SCREEN(bf16);
ASSAY_SCREEN(f16);
ASSAY_SCREEN(tf32);
ASSAY_SCREEN(e4m3);
ASSAY_SCREEN(s8);

}  // namespace
}  // namespace assay::suites
