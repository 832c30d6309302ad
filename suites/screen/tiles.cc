// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/tiles.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "reference/model/tensor_copy/copy.h"
#include "suites/run/family.h"
#include "suites/run/words.h"
#include "suites/screen/screen_family.h"

namespace assay::suites {
namespace {

using params::ScreenTilesOutput;
using params::ScreenTilesRecord;

static_assert(model::screen_maps == params::screen_tile_maps &&
              model::screen_most_tiles == params::screen_most_tiles &&
              model::screen_tile_bytes == params::screen_tile_bytes &&
              model::screen_tile_warps == params::screen_tile_warps);

constexpr uint32_t piece_bytes = 16;
using Pieces = std::array<uint32_t, 32>;  ///< of each lane, a bit each

/// What a load leaves in its stage.
struct LoadedTile {
  std::array<uint32_t, params::screen_tile_bytes / 4> words;
  uint32_t& word(uint32_t piece, uint32_t lane, uint32_t at) { return words[(piece * 32 + lane) * 4 + at]; }
};

model::TileMap map_of_tile(const ScreenTilesCase& c, uint32_t tile) {
  return model::tile_map(c, tile % c.maps);
}

TensorCopyCase copy_of_tile(const ScreenTilesCase& c, const model::TileMap& map, uint32_t tile) {
  std::array<uint32_t, 5> place{};
  for (uint32_t d = 0; d < map.copy.map.rank; ++d)
    place[d] = params::screen_place(c.seed, tile, d, map.count[d]);
  return model::tile_at(map, place);
}

const spec::Readings& tile_readings() {
  static const spec::Readings readings(spec::Arch::sm_90);
  return readings;
}

spec::RuleSet load_tile(const TensorCopyCase& copy, LoadedTile& tile, std::span<std::byte> defined = {}) {
  const model::CopyPrediction made = model::predict_load(
      copy, tile_readings(), arena(), std::as_writable_bytes(std::span(tile.words)), defined);
  if (made.end != model::End::done)
    throw std::logic_error("a tile of a screen is not a legal load:" + map_brief(copy.map));
  return made.rules;
}

/// What a load writes, whatever was there: between rows that are narrower than the span of a swizzle, behind
/// the tile and in padding it leaves bytes as they were, or undefined.
Pieces defined_pieces(const model::TileMap& map) {
  static thread_local std::array<LoadedTile, 2> over;
  std::vector<std::byte> defined(sizeof over[0].words, std::byte{0xff});
  for (size_t i = 0; i < 2; ++i) {
    over[i].words.fill(i == 0 ? 0 : ~0u);
    load_tile(map.copy, over[i], defined);
  }
  Pieces pieces{};
  for (uint32_t i = 0; i < params::screen_tile_bytes / piece_bytes; ++i) {
    bool is_written = true;
    for (uint32_t at = 0; at < 4; ++at)
      is_written &= over[0].word(i / 32, i % 32, at) == over[1].word(i / 32, i % 32, at);
    for (uint32_t at = 0; at < piece_bytes; ++at)
      is_written &= defined[i * piece_bytes + at] == std::byte{0xff};
    if (is_written) pieces[i % 32] |= 1u << i / 32;
  }
  return pieces;
}

/// Lane by lane, each word of the pieces apart, and of all lanes the exclusive-or, into which each lane goes
/// with its number.
uint64_t tile_hash(LoadedTile& tile, const Pieces& pieces) {
  uint64_t of_all = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    std::array<uint32_t, 4> of_word;
    of_word.fill(params::screen_word_start);
    for (uint32_t piece = 0; piece < params::screen_tile_pieces; ++piece) {
      if ((pieces[lane] >> piece & 1) == 0) continue;
      for (uint32_t at = 0; at < 4; ++at)
        of_word[at] = params::screen_word_hash(of_word[at], tile.word(piece, lane, at));
    }
    uint64_t hash = params::screen_hash(params::screen_hash_start, lane, 0);
    hash = params::screen_hash(hash, of_word[0], of_word[1]);
    of_all ^= params::screen_hash(hash, of_word[2], of_word[3]);
  }
  return of_all;
}

/// Of a seed, which many cases share.
struct GoldenTiles {
  TileKind kind{};
  uint64_t seed = 0;
  std::vector<model::TileMap> maps;
  std::vector<Pieces> pieces;    ///< of each map
  std::vector<uint64_t> hashes;  ///< of as many tiles as a case asked for
  ScreenPart part{};
};

/// What is read of a tile without a tensor copy.
void plain_tile(const ScreenTilesCase& c, const model::TileMap& map, uint32_t tile, LoadedTile& made) {
  if (c.turns.part == ScreenPart::loads) {
    const uint64_t at = map.copy.map.global_address + params::screen_plain_place(c.seed, tile);
    std::memcpy(made.words.data(), arena().data() + at, sizeof made.words);
    return;
  }
  for (uint32_t i = 0; i < made.words.size(); i += 2) {
    const uint64_t word = params::screen_written(c.seed, tile, i / 128, i / 4 % 32, i / 2 % 2);
    made.words[i] = static_cast<uint32_t>(word), made.words[i + 1] = static_cast<uint32_t>(word >> 32);
  }
}

const GoldenTiles& golden_tiles(const ScreenTilesCase& c) {
  thread_local GoldenTiles kept;
  if (kept.kind != c.kind || kept.seed != c.seed || kept.maps.size() != c.maps || kept.part != c.turns.part) {
    kept = {c.kind, c.seed, {}, {}, {}, c.turns.part};
    for (uint32_t m = 0; m < c.maps; ++m) {
      kept.maps.push_back(model::tile_map(c, m));
      kept.pieces.push_back(defined_pieces(kept.maps[m]));
    }
  }
  static thread_local LoadedTile loaded;
  for (auto tile = static_cast<uint32_t>(kept.hashes.size()); tile < c.tiles; ++tile) {
    const uint32_t m = tile % c.maps;
    const bool is_copied = c.turns.part == ScreenPart::whole;
    if (is_copied)
      load_tile(copy_of_tile(c, kept.maps[m], tile), loaded);
    else
      plain_tile(c, kept.maps[m], tile, loaded);
    static constexpr Pieces all = [] {
      Pieces made;
      made.fill(~0u);
      return made;
    }();
    kept.hashes.push_back(tile_hash(loaded, is_copied ? kept.pieces[m] : all));
  }
  return kept;
}

class ScreenTiles final : public ScreenFamily<ScreenTilesCase, ScreenTilesRecord, ScreenTilesOutput> {
 public:
  std::string_view name() const override { return "screen_tiles"; }
  /// A program of its own would need the golden hashes beside it.
  std::optional<Launch> launch(std::span<const std::byte>) const override { return std::nullopt; }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    const ScreenTilesCase& c = any.as<ScreenTilesCase>();
    auto& r = *new (record) ScreenTilesRecord{};
    r.seed = c.seed, r.maps = c.maps, r.tiles = c.tiles, r.rounds = c.loads;
    r.is_far = c.kind != TileKind::cached;
    r.store_slots = c.kind == TileKind::stores ? params::screen_most_store_slots : 0;
    r.plant = c.plants ? params::ScreenPlant::result : params::ScreenPlant::none;
    r.plant_cta = c.planted_cta, r.plant_round = c.planted_load, r.plant_warp = c.planted_warp;
    r.plant_lane = c.planted_lane, r.plant_piece = c.planted_piece;
    r.plant_word = c.planted_word, r.plant_mask = c.planted_bits;
    model::fields::copy_members(c.turns, r.turns);
    r.output_offset = output_offset, r.output_bytes = sizeof(ScreenTilesOutput);
    const GoldenTiles& golden = golden_tiles(c);
    for (uint32_t m = 0; m < c.maps; ++m) {
      const model::TileMap& map = golden.maps[m];
      params::ScreenTileMap& to = r.map[m];
      model::fields::copy_members(map.copy.map, to.map);
      to.bytes = model::transaction_bytes(map.copy, tile_readings());
      std::copy(map.low.begin(), map.low.end(), to.low);
      std::copy(map.step.begin(), map.step.end(), to.step);
      std::copy(map.count.begin(), map.count.end(), to.count);
      std::copy(golden.pieces[m].begin(), golden.pieces[m].end(), to.pieces);
    }
    std::copy_n(golden.hashes.begin(), c.tiles, r.golden);
  }

  void predict(const Case& any, const spec::Readings&, Scratch& scratch, Expected& e) const override {
    const ScreenTilesCase& c = any.as<ScreenTilesCase>();
    auto [wanted, defined] = expect_nothing(scratch, e);
    std::memset(defined.dump, 0, sizeof defined.dump);
    static thread_local LoadedTile tile;
    e.rules = load_tile(copy_of_tile(c, model::tile_map(c, 0), 0), tile);
    if (!c.plants) return;
    wanted.planted = 1;
    wanted.of_planted.warp = c.planted_warp;
    wanted.of_planted.dumped = c.kind == TileKind::stores ? 2 : 1;
    defined.of_planted.round = defined.of_planted.tile = 0;
  }

  bool allows(const Case& any, const spec::Readings&, std::span<const std::byte> output) const override {
    const ScreenTilesCase& c = any.as<ScreenTilesCase>();
    const ScreenTilesOutput& seen = seen_in(output);
    if (!counts_hold(seen, c.turns, c.loads, params::screen_tile_warps)) return false;
    return !c.plants || is_planted_tile(c, seen);
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const ScreenTilesCase& c = any.as<ScreenTilesCase>();
    NamedFields list{{"tiles", std::string(tile_kind_names[static_cast<size_t>(c.kind)])}};
    tell(c, list);
    return list;
  }

  std::vector<LadderStep> ladder(const Case& any, uint32_t multiprocessor) const override {
    ScreenTilesCase alone = any.as<ScreenTilesCase>();
    alone.plants = false;
    LadderStep whole{"the load of all multiprocessors", Case(alone)};
    alone.turns.only_sm = multiprocessor, alone.turns.off_us = 0;
    std::vector<LadderStep> steps;
    const auto add = [&](const char* name, ScreenPart part, TileKind kind) {
      alone.turns.part = part, alone.kind = kind;
      steps.push_back({name, Case(alone)});
    };
    const TileKind kind = alone.kind;
    add("loads of global memory", ScreenPart::loads, kind);
    add("shared memory", ScreenPart::shared, kind);
    if (kind == TileKind::stores) add("tensor loads", ScreenPart::whole, TileKind::rows);
    add("tensor copies", ScreenPart::whole, kind);
    steps.push_back(std::move(whole));
    return steps;
  }

  void tell_mismatch(const Case& any, const ScreenTilesOutput& seen, uint32_t cta,
                     std::vector<std::string>& lines) const override {
    const ScreenTilesCase& c = any.as<ScreenTilesCase>();
    const params::ScreenTileMismatch& found = seen.first[cta];
    const model::TileMap map = map_of_tile(c, found.tile);
    const TensorCopyCase copy = copy_of_tile(c, map, found.tile);
    lines.push_back("  load " + std::to_string(found.round) + ", warp " + std::to_string(found.warp) +
                    ", tile " + std::to_string(found.tile) + ":" + map_brief(copy.map) + ", at " +
                    list_words(copy.coord, copy.map.rank));
    if (found.dumped == 0) return;
    static thread_local LoadedTile right;
    load_tile(copy, right);
    const Pieces pieces = defined_pieces(map);
    size_t told = 0;
    for (uint32_t i = 0; i < right.words.size() && told < 8; ++i) {
      if ((pieces[i / 4 % 32] >> i / 128 & 1) == 0 || seen.dump[1][i] == right.words[i]) continue;
      ++told;
      lines.push_back("  byte " + std::to_string(i * 4) +
                      (found.dumped == 1 ? " of the tile in shared memory: "
                                         : " of the tile that came back from where it was stored: ") +
                      difference_words(seen.dump[1][i], right.words[i]));
    }
  }

 private:
  /// The very word and no other, where the case planted it.
  static bool is_planted_tile(const ScreenTilesCase& c, const ScreenTilesOutput& seen) {
    const params::ScreenTileMismatch& found = seen.of_planted;
    const uint32_t cta = planted_cta(seen, c.turns, c.planted_cta);
    if (found.round != c.planted_load % seen.rounds) return false;
    if (found.tile !=
        ((found.round * seen.ctas + cta) * params::screen_tile_warps + c.planted_warp) % c.tiles)
      return false;
    const model::TileMap map = map_of_tile(c, found.tile);
    const Pieces pieces = defined_pieces(map);
    static thread_local LoadedTile tile;
    load_tile(copy_of_tile(c, map, found.tile), tile);
    const uint32_t lane = pieces[c.planted_lane] != 0 ? c.planted_lane : 0;
    tile.word(params::screen_planted_piece(pieces[lane], c.planted_piece), lane, c.planted_word) ^=
        c.planted_bits;
    for (uint32_t i = 0; i < tile.words.size(); ++i)
      if ((pieces[i / 4 % 32] >> i / 128 & 1) != 0 && tile.words[i] != seen.dump[0][i]) return false;
    return true;
  }
};

const Family& screen_tiles_family() {
  static const ScreenTiles family;
  return family;
}

template <TileKind kind>
void make_tiles_case(const gen::CaseId& id, ScreenTilesCase& c) {
  gen::make_tiles(id, kind, c);
}

void cover_tiles(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const ScreenTilesCase& c = any.as<ScreenTilesCase>();
  sink.hit(1, c.plants);
  uint64_t bytes = 0;
  for (uint32_t m = 0; m < c.maps; ++m)
    bytes += model::transaction_bytes(model::tile_map(c, m).copy, tile_readings());
  const uint32_t times = c.kind == TileKind::stores ? 2 : 1;
  sink.hit(0, 0, uint64_t{params::screen_tile_warps} * c.loads * times * (bytes / c.maps / 4));
}

template <TileKind kind>
Property tiles_property(std::string_view name, std::string_view claim) {
  Property property = screen_property(name, claim, screen_tiles_family, generate_case<make_tiles_case<kind>>);
  property.spaces.push_back(planted_or_not());
  property.cover = cover_tiles;
  return property;
}

const Registered tiles_screens[] = {
    Registered(tiles_property<TileKind::rows>(
        "screen.tma.rows",
        "Tensor copies of rows of 1 KiB from memory far beyond the cache bring every "
        "multiprocessor the right bytes, while all of them load")),
    Registered(tiles_property<TileKind::narrow>(
        "screen.tma.narrow",
        "Tensor copies of swizzled rows of 128 bytes from memory far beyond the cache "
        "bring every multiprocessor the right bytes, while all of them load")),
    Registered(tiles_property<TileKind::mixed>(
        "screen.tma.mixed",
        "Tensor copies through maps of all ranks and swizzles, some partly outside of "
        "their tensors, bring every multiprocessor the right bytes, while all of them load")),
    Registered(tiles_property<TileKind::cached>(
        "screen.tma.cached",
        "Tensor copies of rows of 1 KiB from the L2 cache bring every multiprocessor "
        "the right bytes, while all of them load")),
    Registered(tiles_property<TileKind::stores>(
        "screen.tma.stores",
        "Tensor stores of rows of 1 KiB, and reductions that leave them as they were, write memory from "
        "which "
        "tensor loads bring every multiprocessor the right bytes, while all of them store"))};

}  // namespace
}  // namespace assay::suites
