// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "reference/model/screen/turns.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/rule.h"

namespace assay {

/// What the tensor copies of a screen load, from where, and what they do with it.
enum class TileKind : uint8_t {
  rows,    ///< 16 rows of 1 KiB, from memory well beyond the L2 cache
  narrow,  ///< 128 rows of 128 bytes, swizzled, from there
  mixed,   ///< ranks 1 to 5, all swizzles of sm_90, narrow and wide rows, a tenth of the tiles partly outside
           ///< of their tensors
  cached,  ///< as rows, from the L2 cache
  stores   ///< as rows; each tile is then stored to memory beyond the cache, reduced there by itself to what
           ///< it was, and loaded from there
};
inline constexpr std::array<std::string_view, 5> tile_kind_names{"rows", "narrow", "mixed", "cached",
                                                                 "stores"};

/// Tiles that every warp of every multiprocessor loads from global memory, over and over, and compares. Tile
/// t is a box of map t % maps at a place that the seed and t decide. Plain data, serialises to JSON without
/// loss.
struct ScreenTilesCase {
  TileKind kind = TileKind::rows;
  uint64_t seed = 0;    ///< of the shapes of mixed maps, of where tensors lie, and of tiles' places
  uint32_t maps = 1;    ///< 1 to 16
  uint32_t tiles = 1;   ///< 1 to 2^14
  uint32_t loads = 1;   ///< of each warp, 1 to 2^20; a device that is slow does fewer
  bool plants = false;  ///< one warp of one multiprocessor alters a tile that came, of stores from where it
                        ///< was stored, before it looks at it
  uint32_t planted_cta = 0, planted_load = 0;  ///< modulo what there are
  uint32_t planted_warp = 0;
  uint32_t planted_lane = 0, planted_piece = 0;  ///< which of the tile's pieces of 16 bytes
  uint32_t planted_word = 0, planted_bits = 0;   ///< of the piece
  ScreenTurns turns;
  auto operator<=>(const ScreenTilesCase&) const = default;
};

namespace model {

inline constexpr uint32_t screen_maps = 16, screen_most_tiles = 1 << 14, screen_tile_bytes = 16 << 10,
                          screen_tile_warps = 4;

/// Of one map of a case.
struct TileMap {
  TensorCopyCase copy;  ///< into a window of screen_tile_bytes, at coordinate 0
  /// A tile begins, along dimension d, at low + step * n, n below count.
  std::array<int32_t, 5> low{};
  std::array<uint32_t, 5> step{1, 1, 1, 1, 1}, count{1, 1, 1, 1, 1};
};
TileMap tile_map(const ScreenTilesCase& c, uint32_t map);

/// Dimensions of a tile's place are n of TileMap.
TensorCopyCase tile_at(const TileMap& map, const std::array<uint32_t, 5>& place);

}  // namespace model

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(TileKind) {
  return tile_kind_names;
}

template <typename Screen, typename Visit>
requires std::same_as<std::remove_const_t<Screen>, ScreenTilesCase>
void visit_fields(Screen& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, kind, .told = elsewhere);
  ASSAY_FIELD(visit, c, loads, .least = 1, .most = 1 << 20, .told = always);
  ASSAY_FIELD(visit, c, maps, .least = 1, .most = model::screen_maps, .told = always);
  ASSAY_FIELD(visit, c, planted_bits, .shows = as_hex);
  ASSAY_FIELD(visit, c, planted_cta);
  ASSAY_FIELD(visit, c, planted_lane, .most = 31);
  ASSAY_FIELD(visit, c, planted_load);
  ASSAY_FIELD(visit, c, planted_piece, .most = 31);
  ASSAY_FIELD(visit, c, planted_warp, .most = model::screen_tile_warps - 1);
  ASSAY_FIELD(visit, c, planted_word, .most = 3);
  ASSAY_FIELD(visit, c, plants, .called = "planted", .yes = "a wrong byte of a tile");
  ASSAY_FIELD(visit, c, seed, .shows = as_hex);
  ASSAY_FIELD(visit, c, tiles, .least = 1, .most = model::screen_most_tiles, .told = always);
  ASSAY_FIELD(visit, c, turns);
}

}  // namespace assay
