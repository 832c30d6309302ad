// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/tiled_shape.h"

#include <algorithm>
#include <optional>

#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

/// a / b rounded up, 0 for a below 0. Steps are nearly always 1, and divisions are what this costs.
constexpr int64_t ceil_div(int64_t a, int64_t b) {
  if (a <= 0) return 0;
  return b == 1 ? a : (a + b - 1) / b;
}

/// Groups are nearly always of one.
template <typename Int>
constexpr Int in_groups(Int elements, Int group) {
  return group == 1 ? elements : elements / group;
}

void set_units(TiledShape& shape, const TensorCopyCase& copy, const spec::DataType& type) {
  const bool store = copy.direction == CopyDirection::store;
  shape.unit_global = type.group_global_bytes;
  shape.unit_shared = type.group_shared_bytes;
  uint32_t elements = type.group;
  if (type.is_dense_packed()) {  // two elements a byte, nothing else to it
    shape.unit_global = shape.unit_shared = 1;
    elements = 2;
  }
  if (shape.unit_global != shape.unit_shared) shape.packing = store ? Packing::byte_each : Packing::padded;
  shape.count[0] = in_groups(copy.map.box_dim[0], elements);
  shape.start[0] = in_groups(copy.coord[0], static_cast<int32_t>(elements));
  shape.extent[0] = static_cast<int64_t>(in_groups(copy.map.global_dim[0], uint64_t{elements}));
}

void set_slices(TiledShape& shape, const TensorCopyCase& copy, uint32_t slice_bytes) {
  shape.unit_global = shape.unit_shared = slice_bytes;
  shape.start[0] = copy.coord[0];
  shape.extent[0] = static_cast<int64_t>(copy.map.global_dim[0]);
  shape.step[0] = copy.map.element_stride[0];
  shape.count[0] = static_cast<uint32_t>(ceil_div(copy.map.box_dim[0], shape.step[0]));
}

void set_bounds(TiledShape& shape) {
  for (int i = 0; i < shape.rank; ++i) {
    const int64_t step = shape.step[i], count = shape.count[i];
    const int64_t first = std::min(ceil_div(-shape.start[i], step), count);
    const int64_t end = std::clamp<int64_t>(ceil_div(shape.extent[i] - shape.start[i], step), first, count);
    shape.first[i] = static_cast<uint32_t>(first);
    shape.end[i] = static_cast<uint32_t>(end);
  }
}

void set_pitch(TiledShape& shape, const spec::Swizzle& swizzle, const spec::Readings& readings) {
  shape.inner = shape.count[0] * shape.unit_shared;
  shape.pitch = shape.inner;
  if (shape.interleaved || swizzle.span_bytes == 0) return;
  uint32_t span = swizzle.span_bytes;
  if (swizzle.is_96B && readings.is({"TMA-AMB-11", "rows_128_apart"})) span = 128;
  if (shape.inner < swizzle.span_bytes && readings.is({"TMA-AMB-04", "rows_dense"})) return;
  shape.pitch = std::max(shape.inner, span);
}

constexpr spec::RuleIndex swizzle_rule(uint32_t host) {
  using namespace spec::host_swizzle;
  switch (host) {
    case by_32B:
      return rule("TILE-R07");
    case by_64B:
      return rule("TILE-R08");
    case by_128B:
      return rule("TILE-R09");
    case by_128B_atom32B:
    case by_128B_atom32B_flip8B:
      return rule("TILE-R10");
    case by_128B_atom64B:
      return rule("TILE-R12");
    default:
      return rule("TILE-R13");
  }
}

void note_packed_rules(const TiledShape& shape, const spec::DataType& type, spec::RuleSet& rules) {
  if (type.is_dense_packed()) rules.set(rule("TILE-R45"));
  if (type.host == spec::host_type::b4x16_p64) rules.set(rule("TILE-R46"));
  if (type.host == spec::host_type::b6x16_p32)
    rules.set(shape.packing == Packing::byte_each ? rule("TILE-R48") : rule("TILE-R47"));
}

/// All that hang on no more than the shape does.
spec::RuleSet rules_of(const TensorCopyCase& copy, const TiledShape& shape) {
  const spec::DataType& type = *spec::find_data_type(copy.map.data_type);
  const spec::Swizzle& swizzle = *spec::find_swizzle(copy.map.swizzle);
  spec::RuleSet rules;
  rules.set(rule("TILE-R01")).set(rule("TILE-R02")).set(rule("TILE-R06")).set(rule("TILE-R50"));
  if (swizzle.span_bytes != 0) {
    rules.set(swizzle_rule(swizzle.host)).set(rule("TILE-R14"));
    if (swizzle.host == spec::host_swizzle::by_128B_atom32B_flip8B) rules.set(rule("TILE-R11"));
    if (shape.inner < swizzle.span_bytes && !shape.interleaved) rules.set(rule("TILE-R15"));
    if (shape.interleaved) rules.set(rule("TILE-R36"));
  }
  if (shape.interleaved) {
    rules.set(rule("TILE-R33"));
    if (copy.map.box_dim[copy.map.rank - 2] > 1) rules.set(rule("TILE-R34"));
    if (copy.map.element_stride[0] > 1) rules.set(rule("TILE-R35"));
  } else if (copy.map.element_stride[0] != 1) {
    rules.set(rule("TILE-R05"));
  }
  uint64_t below = static_cast<uint64_t>(shape.extent[0]) * shape.unit_global;
  for (int i = 0; i < shape.rank; ++i) {
    if (copy.map.box_dim[i] > copy.map.global_dim[i]) rules.set(rule("V-47"));
    const int64_t last = shape.start[i] + (static_cast<int64_t>(shape.count[i]) - 1) * shape.step[i];
    if (last > INT32_MAX) rules.set(rule("TILE-R03"));
    if (i == 0) continue;
    if (copy.map.element_stride[i] > 1) rules.set(rule("TILE-R04"));
    if (shape.stride[i] < below) rules.set(rule("TILE-R41"));
    below = shape.stride[i] * copy.map.global_dim[i];
  }
  if (type.is_packed()) note_packed_rules(shape, type, rules);
  return rules;
}

/// And those that hang on its place.
void note_rules_of_place(const TensorCopyCase& copy, spec::RuleSet& rules) {
  if (spec::find_swizzle(copy.map.swizzle)->span_bytes != 0 && copy.map.global_address % 128 != 0)
    rules.set(rule("TILE-R42"));
  if (copy.map.l2_promotion != 0 || copy.cache_hint) rules.set(rule("TILE-R40"));
}

}  // namespace

TiledShape shape_of(const TensorCopyCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  const TiledShape shape = shape_of(copy, readings);
  rules |= rules_of(copy, shape);
  note_rules_of_place(copy, rules);
  return shape;
}

namespace {

/// A tile and which copies it is of.
struct KeptBy {
  TensorMapArgs map;
  std::array<int32_t, 5> coord{};
  uint32_t instruction_rank = 0;
  CopyDirection direction{};
  TensorReduction reduction{};
  std::optional<spec::Readings> readings;
  KeptTile tile;

  bool is_of(const TensorCopyCase& copy, const spec::Readings& by) const {
    return readings && coord == copy.coord && instruction_rank == copy.instruction_rank &&
           direction == copy.direction && reduction == copy.reduction && are_alike(map, copy.map) &&
           by.answers_as(*readings);
  }
  void become(const TensorCopyCase& copy, const spec::Readings& by) {
    map = copy.map, coord = copy.coord, instruction_rank = copy.instruction_rank;
    direction = copy.direction, reduction = copy.reduction;
    readings = by;
    tile.for_map = looks_of([&] { tile.is_legal = is_legal_wherever(map, *readings, direction); });
    if (!tile.is_legal) return;
    TensorCopyCase aligned = copy;
    aligned.tile_offset = 0;
    tile.rules_of_issue.reset();
    tile.for_issue = looks_of([&] { tile.end = end_of_tile_issue(aligned, *readings, tile.rules_of_issue); });
    tile.for_shape = looks_of([&] { tile.shape = shape_of(copy, *readings); });
    tile.rules_of_shape = rules_of(copy, tile.shape);
  }

 private:
  template <typename Work>
  spec::Readings::Looks looks_of(const Work& work) const {
    readings->forget_consulted();
    work();
    return readings->looks();
  }
};

}  // namespace

const KeptTile& kept_tile(const TensorCopyCase& copy, const spec::Readings& readings) {
  thread_local KeptBy kept[2];
  thread_local uint32_t newest = 0;
  if (!kept[newest].is_of(copy, readings)) {
    newest ^= 1;
    if (!kept[newest].is_of(copy, readings)) kept[newest].become(copy, readings);
  }
  readings.look_again(kept[newest].tile.for_map);
  return kept[newest].tile;
}

const TiledShape& shape_of(const KeptTile& tile, const TensorCopyCase& copy, const spec::Readings& readings,
                           spec::RuleSet& rules) {
  readings.look_again(tile.for_shape);
  rules |= tile.rules_of_shape;
  note_rules_of_place(copy, rules);
  return tile.shape;
}

TiledShape shape_of(const TensorCopyCase& copy, const spec::Readings& readings) {
  const TensorMapArgs& map = copy.map;
  const spec::DataType& type = *spec::find_data_type(map.data_type);
  const spec::Swizzle& swizzle = *spec::find_swizzle(map.swizzle);
  TiledShape shape;
  shape.rank = static_cast<int>(map.rank);
  shape.interleaved = map.interleave != 0;
  if (!shape.interleaved || readings.is({"TMA-AMB-12", "counts_elements"}))
    set_units(shape, copy, type);
  else
    set_slices(shape, copy, spec::find_interleave(map.interleave)->slice_bytes);
  shape.stride[0] = shape.unit_global;
  for (int i = 1; i < shape.rank; ++i) {
    shape.start[i] = copy.coord[i];
    shape.extent[i] = static_cast<int64_t>(map.global_dim[i]);
    shape.step[i] = map.element_stride[i];
    shape.stride[i] = map.global_stride[i - 1];
    shape.count[i] = static_cast<uint32_t>(ceil_div(map.box_dim[i], shape.step[i]));
  }
  if (shape.interleaved && readings.is({"TMA-AMB-12", "chooses_a_slice"})) shape.count[shape.rank - 2] = 1;
  set_bounds(shape);
  set_pitch(shape, swizzle, readings);
  const bool flips_even = swizzle.host == spec::host_swizzle::by_128B_atom32B_flip8B &&
                          readings.is({"TMA-AMB-10", "bit_7_clear"});
  shape.swizzle = pattern_of(swizzle, flips_even);
  shape.rows = uint64_t{shape.count[1]} * shape.count[2] * shape.count[3] * shape.count[4];
  const uint64_t block = shape.swizzle.block_bytes;  // a power of two
  const uint64_t image =
      shape.pitch == shape.inner ? shape.rows * shape.pitch : (shape.rows - 1) * shape.pitch + shape.inner;
  shape.shared_bytes = (image + block - 1) & ~(block - 1);
  return shape;
}

uint32_t transaction_bytes(const TensorCopyCase& copy, const TiledShape& shape,
                           const spec::Readings& readings) {
  const bool padded = shape.unit_global != shape.unit_shared;
  uint64_t unit = shape.unit_global;
  if (padded && readings.is({"TMA-AMB-33", "padded_bytes"})) unit = shape.unit_shared;
  uint64_t bytes = shape.rows * shape.count[0] * unit;
  const spec::Swizzle& swizzle = *spec::find_swizzle(copy.map.swizzle);
  if (!shape.all_in_bounds() && readings.is({"TMA-AMB-18", "bytes_in_bounds"})) {
    bytes = unit;
    for (int i = 0; i < 5; ++i) bytes *= shape.end[i] - shape.first[i];
  } else if (!shape.interleaved && shape.inner < swizzle.span_bytes &&
             readings.is({"TMA-AMB-04", "span_bytes_counted"})) {
    bytes = shape.rows * shape.pitch;
  }
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
}

TilePlace place_in_tile(const TiledShape& shape, const spec::DataType& type, uint32_t operand, uint64_t row,
                        uint32_t element) {
  // Stores of groups with padding take a byte for each element.
  const bool is_byte_each = shape.packing == Packing::byte_each;
  const uint32_t group = element / type.group, inside = element % type.group;
  const uint32_t bit = is_byte_each ? 8 * element : 8 * group * type.group_shared_bytes + inside * type.bits;
  TilePlace place;
  place.linear = shape.linear(operand, row, bit / 8);
  place.byte = place.linear ^ shape.swizzle.line_xor(static_cast<uint32_t>(place.linear));
  place.bit = static_cast<int>(bit % 8);
  return place;
}

}  // namespace assay::model
