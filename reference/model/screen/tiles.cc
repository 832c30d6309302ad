// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/tiles.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/rig.h"
#include "reference/spec/tensor_map.h"

namespace assay {

static std::string what_is_wrong(const ScreenTilesCase& c) {
  if (c.turns.part != ScreenPart::whole && c.plants) return "no fault is planted in a part of a load.";
  return {};
}

namespace model {
namespace {

/// Bytes that a tensor spans, and those of all that are to stay in a cache.
constexpr uint64_t tensor_bytes = 8 << 20;

/// Numbers that the seed and their place decide.
struct Draws {
  uint64_t state;
  uint32_t below(uint32_t n) {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<uint32_t>((z ^ z >> 31) >> 32) % n;
  }
};

uint32_t data_type_of(std::string_view name) {
  return spec::find_data_type(name)->host;
}

/// The strides of a packed tensor, rows on multiples of 16 bytes, and an outermost dimension that fills it.
void lay_out_tile(uint32_t element_bytes, TensorMapArgs& map) {
  uint64_t bytes = map.global_dim[0] * element_bytes;
  for (uint32_t d = 1; d < map.rank; ++d) {
    bytes = (bytes + 15) / 16 * 16;
    map.global_stride[d - 1] = bytes;
    if (d == map.rank - 1) map.global_dim[d] = std::max<uint64_t>(tensor_bytes / bytes, map.box_dim[d]);
    bytes *= map.global_dim[d];
  }
}

/// Boxes side by side.
TensorMapArgs tiled_rows(uint32_t row_bytes, uint32_t swizzle) {
  TensorMapArgs map;
  map.data_type = data_type_of("f32"), map.rank = 2, map.swizzle = swizzle;
  map.box_dim = {row_bytes / 4, screen_tile_bytes / row_bytes};
  map.global_dim = {1024};
  lay_out_tile(4, map);
  return map;
}

constexpr std::string_view mixed_types[] = {"u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"};

TensorMapArgs mixed_tile(uint32_t number, Draws& draw) {
  TensorMapArgs map;
  // Of one dimension a box has at most 1 KiB: one map of sixteen.
  map.rank = number == 0 ? 1 : 2 + number % 4;
  const spec::DataType& type = *spec::find_data_type(mixed_types[draw.below(std::size(mixed_types))]);
  const uint32_t element = type.bits / 8;
  map.data_type = type.host;
  map.swizzle = map.rank == 1 ? spec::host_swizzle::none : draw.below(spec::host_swizzle::by_128B + 1);
  map.oob_fill = type.is_float && draw.below(2) == 0 ? 1 : 0;
  const uint32_t span = map.swizzle == 0 ? std::min(256 * element, 1024u) : 16u << map.swizzle;
  const uint32_t row = draw.below(4) != 0 ? span : 16 * (1 + draw.below(span / 16));
  map.box_dim[0] = row / element;
  map.global_dim[0] = map.box_dim[0] * (1 + draw.below(4)) + draw.below(8);
  if (map.rank == 1) map.global_dim[0] = tensor_bytes / element;
  // Without a swizzle rows are as long as they are, with one as its span.
  uint32_t rows = screen_tile_bytes / (map.swizzle == 0 ? row : span);
  for (uint32_t d = 1; d < map.rank; ++d) {
    const uint32_t most = std::min(rows, 256u);
    map.box_dim[d] = d == map.rank - 1 ? most : 1 + draw.below(std::min(most, 12u));
    map.global_dim[d] = map.box_dim[d] + draw.below(2 * map.box_dim[d]);
    rows /= map.box_dim[d];
  }
  lay_out_tile(element, map);
  return map;
}

/// Boxes side by side or, of mixed maps, anywhere that 16 bytes of a row begin, which is where tiled copies
/// may start. Every eighth mixed map has boxes that lie half outside.
void place_tiles(bool is_mixed, bool is_outside, TileMap& made) {
  const TensorMapArgs& map = made.copy.map;
  for (uint32_t d = 0; d < map.rank; ++d) {
    const uint32_t box = map.box_dim[d],
                   quantum = d == 0 ? 128 / spec::find_data_type(map.data_type)->bits : 1;
    made.step[d] = is_mixed ? quantum : box;
    made.count[d] = static_cast<uint32_t>((map.global_dim[d] - box) / made.step[d]) + 1;
    if (!is_outside) continue;
    made.low[d] = -static_cast<int32_t>(box / 2 / quantum * quantum);
    made.count[d] += box / quantum;
  }
}

}  // namespace

TileMap tile_map(const ScreenTilesCase& c, uint32_t number) {
  Draws draw{c.seed + number * 0xd1342543de82ef95};
  TileMap made;
  const bool is_mixed = c.kind == TileKind::mixed;
  static_cast<TensorMapArgs&>(made.copy.map) = is_mixed ? mixed_tile(number, draw)
                                               : c.kind == TileKind::narrow
                                                   ? tiled_rows(128, spec::host_swizzle::by_128B)
                                                   : tiled_rows(1024, spec::host_swizzle::none);
  TensorMapArgs& map = made.copy.map;
  map.l2_promotion = c.kind == TileKind::narrow ? 0 : 2;
  map.element_stride = {1, 1, 1, 1, 1};
  uint64_t bytes = map.global_dim[0] * spec::find_data_type(map.data_type)->bits / 8;
  for (uint32_t d = 1; d < map.rank; ++d) bytes = map.global_stride[d - 1] * map.global_dim[d];
  // Those that are to stay in a cache lie on each other.
  map.global_address = c.kind == TileKind::cached
                           ? 0
                           : draw.below(static_cast<uint32_t>((rig::arena_bytes - bytes) / 128)) * 128ull;
  made.copy.instruction_rank = map.rank;
  made.copy.window_bytes = screen_tile_bytes;
  place_tiles(is_mixed, is_mixed && number % 8 == 3, made);
  return made;
}

TensorCopyCase tile_at(const TileMap& map, const std::array<uint32_t, 5>& place) {
  TensorCopyCase copy = map.copy;
  for (uint32_t d = 0; d < copy.map.rank; ++d)
    copy.coord[d] = map.low[d] + static_cast<int32_t>(map.step[d] * place[d]);
  return copy;
}

ASSAY_CASE_JSON(ScreenTilesCase);

}  // namespace model
}  // namespace assay
