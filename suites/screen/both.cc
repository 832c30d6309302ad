// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/both.h"

#include <nlohmann/json.hpp>

#include "suites/run/words.h"
#include "suites/screen/screen_family.h"

namespace assay::suites {
namespace {

using params::ScreenBothOutput;
using params::ScreenBothRecord;

/// The properties whose cases and judgements the two parts have.
const Property& chains_alone() {
  static const Property& property = *find_property("screen.mma_sync.bf16");
  return property;
}
const Property& tiles_alone() {
  static const Property& property = *find_property("screen.tma.mixed");
  return property;
}

std::span<const std::byte> chains_of(std::span<const std::byte> output) {
  return output.first(sizeof(params::ScreenOutput));
}
std::span<const std::byte> tiles_of(std::span<const std::byte> output) {
  return output.subspan(params::screen_tiles_output_at);
}

class ScreenBoth final : public FamilyOf<ScreenBothCase, ScreenBothRecord, gen::simpler>, public ManyAtOnce {
 public:
  std::string_view name() const override { return "screen_both"; }
  uint32_t batch_key(const Case& any) const override {
    return chains_alone().family().batch_key(any.as<ScreenBothCase>().chains);
  }
  uint32_t output_bytes(const Case&) const override { return sizeof(ScreenBothOutput); }
  uint64_t pace() const override { return 2; }
  OutputShape output_shape(const Case&) const override { return {4, 16, 0, {}}; }
  /// A program of its own would need the golden hashes beside it.
  std::optional<Launch> launch(std::span<const std::byte>) const override { return std::nullopt; }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings& readings,
                    std::byte* record) const override {
    const ScreenBothCase& c = any.as<ScreenBothCase>();
    auto& r = *new (record) ScreenBothRecord{};
    r.output_offset = output_offset, r.output_bytes = sizeof(ScreenBothOutput);
    chains_alone().family().write_record(c.chains, output_offset, readings,
                                         reinterpret_cast<std::byte*>(&r.chains));
    tiles_alone().family().write_record(c.tiles, output_offset + params::screen_tiles_output_at, readings,
                                        reinterpret_cast<std::byte*>(&r.tiles));
  }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const ScreenBothCase& c = any.as<ScreenBothCase>();
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, sizeof(ScreenBothOutput)),
                               mask = scratch.take(scratch.mask, sizeof(ScreenBothOutput));
    static thread_local Scratch of_part;
    Expected part;
    e = {};
    e.judges_bytes = true;
    const auto add = [&](const Property& alone, const Case& what, size_t at) {
      alone.family().predict(what, readings, of_part, part);
      std::copy(part.bytes.begin(), part.bytes.end(), bytes.begin() + static_cast<ptrdiff_t>(at));
      std::copy(part.mask.begin(), part.mask.end(), mask.begin() + static_cast<ptrdiff_t>(at));
      e.rules |= part.rules;
    };
    add(chains_alone(), c.chains, 0);
    add(tiles_alone(), c.tiles, params::screen_tiles_output_at);
    e.bytes = bytes, e.mask = mask;
  }

  bool same(const Case& any, const spec::Readings& readings, const Expected& expected,
            std::span<const std::byte> output) const override {
    return Family::same(any, readings, expected, output) && allows(any, readings, output);
  }
  bool allows(const Case& any, const spec::Readings& readings,
              std::span<const std::byte> output) const override {
    const ScreenBothCase& c = any.as<ScreenBothCase>();
    return chains_alone().family().allows(c.chains, readings, chains_of(output)) &&
           tiles_alone().family().allows(c.tiles, readings, tiles_of(output));
  }

  std::vector<uint32_t> multiprocessors(std::span<const std::byte> output, bool wrong) const override {
    if (output.size() != sizeof(ScreenBothOutput)) return {};
    std::vector<uint32_t> found = chains_alone().family().multiprocessors(chains_of(output), wrong);
    if (!wrong) return found;
    for (const uint32_t sm : tiles_alone().family().multiprocessors(tiles_of(output), true))
      if (std::ranges::find(found, sm) == found.end()) found.push_back(sm);
    return found;
  }

  Took took(std::span<const std::byte> output) const override {
    return dynamic_cast<const ManyAtOnce&>(chains_alone().family()).took(chains_of(output));
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const ScreenBothCase& c = any.as<ScreenBothCase>();
    auto list = chains_alone().family().fields(c.chains);
    for (auto& field : tiles_alone().family().fields(c.tiles)) list.push_back(std::move(field));
    return list;
  }

  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const ScreenBothCase& c = any.as<ScreenBothCase>();
    Diagnosis made = chains_alone().family().diagnose(c.chains, readings, expected,
                                                      observed.first(sizeof(params::ScreenOutput)), byte);
    const Diagnosis more = tiles_alone().family().diagnose(
        c.tiles, readings, expected, observed.subspan(params::screen_tiles_output_at), byte);
    if (made.first.empty()) made.first = more.first;
    made.lines.insert(made.lines.end(), more.lines.begin(), more.lines.end());
    return made;
  }

  /// Both parts climb together; what is wrong alone names the part.
  std::vector<LadderStep> ladder(const Case& any, uint32_t multiprocessor) const override {
    ScreenBothCase alone = any.as<ScreenBothCase>();
    alone.chains.planted = PlantedFault::none, alone.tiles.plants = false;
    LadderStep whole{"the load of all multiprocessors", Case(alone)};
    alone.chains.turns.only_sm = alone.tiles.turns.only_sm = multiprocessor;
    std::vector<LadderStep> steps;
    ScreenBothCase c = alone;
    c.chains.turns.part = c.tiles.turns.part = ScreenPart::shared;
    steps.push_back({"shared memory", Case(c)});
    c.tiles.turns.part = ScreenPart::loads;
    steps.push_back({"loads of global memory", Case(c)});
    c.tiles.turns.part = ScreenPart::whole;
    steps.push_back({"tensor copies", Case(c)});
    c = alone;
    c.chains.blocks = 1;
    steps.push_back({"the product of one step beside tensor copies", Case(c)});
    steps.push_back({"the chain beside tensor copies", Case(alone)});
    steps.push_back(std::move(whole));
    return steps;
  }
};

const Family& screen_both_family() {
  static const ScreenBoth family;
  return family;
}

/// Of the first space of a part's property what `wants` says.
struct Forwarded final : CoverageSink {
  CoverageSink& to;
  uint32_t wanted;
  Forwarded(CoverageSink& sink, uint32_t cell) : to(sink), wanted(cell) {}
  void hit(int space, uint32_t cell, uint64_t times) override {
    if (space == 0 && cell == wanted) to.hit(0, cell, times);
  }
};

/// Words of tiles and products of chains: the words of D are few beside.
void cover_both(const Case& any, const Expected& expected, uint64_t index, spec::Arch arch,
                CoverageSink& sink) {
  const ScreenBothCase& c = any.as<ScreenBothCase>();
  Forwarded words(sink, 0), products(sink, 1);
  chains_alone().cover(c.chains, expected, index, arch, products);
  tiles_alone().cover(c.tiles, expected, index, arch, words);
  sink.hit(1, c.chains.planted != PlantedFault::none || c.tiles.plants);
}

template <TileKind kind>
void make_both_case(const gen::CaseId& id, ScreenBothCase& c) {
  gen::make_both(id, kind, c);
}

template <TileKind kind>
Property both_property(std::string_view name, std::string_view claim) {
  Property property = screen_property(name, claim, screen_both_family, generate_case<make_both_case<kind>>);
  property.spaces.push_back(planted_or_not());
  property.cover = cover_both;
  return property;
}

const Registered both_screens[] = {
    Registered(both_property<TileKind::mixed>(
        "screen.both.mixed",
        "Chains of products of bf16 and tensor copies through maps of all ranks and swizzles give every "
        "multiprocessor the right bits, while all of them do both at once")),
    Registered(both_property<TileKind::cached>(
        "screen.both.cached",
        "Chains of products of bf16 and tensor copies from the L2 cache give every multiprocessor the right "
        "bits, while all of them do both at once"))};

}  // namespace
}  // namespace assay::suites
