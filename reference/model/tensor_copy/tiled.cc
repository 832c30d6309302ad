// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <utility>

#include "reference/model/bend.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/element_values.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

using spec::rule;

/// False only if no two rows of the box can write the same byte.
bool rows_may_overlap(const TiledShape& shape) {
  struct Walk {
    uint64_t step, count;
  } walks[5];
  int used = 0;
  for (int i = 0; i < shape.rank; ++i)
    if (const uint64_t count = shape.end[i] - shape.first[i]; i != 0 && count > 1)
      walks[used++] = {shape.stride[i] * static_cast<uint64_t>(shape.step[i]), count};
  for (int i = 1; i < used; ++i)  // a handful: by insertion
    for (int k = i; k > 0 && walks[k].step < walks[k - 1].step; --k) std::swap(walks[k], walks[k - 1]);
  const uint64_t row = uint64_t{shape.count[0]} * shape.unit_global * static_cast<uint64_t>(shape.step[0]);
  unsigned __int128 extent =
      std::min<uint64_t>(row, (shape.end[0] * shape.unit_global * shape.step[0] + 15) / 16 * 16);
  for (int i = 0; i < used; ++i) {
    if (walks[i].step < extent) return true;
    extent += static_cast<unsigned __int128>(walks[i].step) * (walks[i].count - 1);
  }
  return false;
}

/// The end that sizes in shared memory give, or done.
End end_of_placing(const TensorCopyCase& copy, const TiledShape& shape, size_t window_bytes,
                   const spec::Readings& readings, spec::RuleSet& rules) {
  const uint64_t end = uint64_t{copy.tile_offset} + shape.shared_bytes;
  if (end <= window_bytes) return End::done;
  if (end <= shared_memory_bytes) return End::undefined;
  rules.set(rule("TILE-R43"));
  return is_left_out(readings, rule("TILE-R43")) ? End::undefined : End::illegal_address;
}

/// What is common to both directions before bytes move. Nothing: go on.
bool ends_early(const TensorCopyCase& copy, const KeptTile& tile, const spec::Readings& readings,
                CopyPrediction& prediction) {
  if (!tile.is_legal || !is_legal_in_place(copy.map, readings, copy.direction)) {
    const spec::RuleSet broken = broken_map_rules(copy.map, readings, copy.direction);
    // The 96B swizzle is set behind the encoder's back: what it alone forbids is refused by nobody, and no
    // document says what the copy then does.
    const bool is_refused = spec::RuleSet(broken).reset(rule("V-45")).any();
    prediction.end = is_refused ? End::rejected : End::undefined;
    prediction.rules = broken;
    return true;
  }
  // V-25 forbids it of the 6-bit type alone; what a copy then does with the padded 4-bit type no document
  // says.
  const spec::DataType& type = *spec::find_data_type(copy.map.data_type);
  if (copy.map.interleave != 0 && type.is_packed() && type.group_shared_bytes == 16) {
    prediction.end = End::undefined;
    return true;
  }
  if (copy.tile_offset % spec::shared_operand_alignment != 0) {
    prediction.end = end_of_tile_issue(copy, readings, prediction.rules);
  } else {
    prediction.end = tile.end;
    prediction.rules = tile.rules_of_issue;
    readings.look_again(tile.for_issue);
  }
  if (readings.bend() != nullptr && readings.bend()->copy.issue != nullptr)
    prediction.end = readings.bend()->copy.issue(copy, prediction.end);
  return prediction.end != End::done;
}

/// A prefetch has the faults of a load but those of its place in shared memory, and no other effect (h200,
/// K-06, K-07).
CopyPrediction predict_prefetch(const TensorCopyCase& copy, const spec::Readings& readings,
                                std::span<std::byte> defined) {
  CopyPrediction prediction;
  TensorCopyCase placed = copy;
  placed.tile_offset = 0;
  if (ends_early(placed, kept_tile(placed, readings), readings, prediction)) undefine(prediction, defined);
  prediction.rules.set(rule("TILE-R39"));
  return prediction;
}

uint32_t bent_transaction_bytes(const TensorCopyCase& copy, const spec::Readings& readings) {
  const auto counted = static_cast<int64_t>(slow_transaction_bytes(copy, readings));
  const auto signalled = readings.bend()->copy.signalled;
  const int64_t bytes = signalled == nullptr ? counted : signalled(copy, counted);
  return static_cast<uint32_t>(std::clamp<int64_t>(bytes, 0, UINT32_MAX));
}

void note_load_rules(const TensorCopyCase& copy, const TiledShape& shape, spec::RuleSet& rules) {
  rules.set(rule("TILE-R19"));
  if (shape.pitch != shape.inner) rules.set(rule("TILE-R20"));
  if (spec::data_types[copy.map.data_type].is_packed()) rules.set(rule("TILE-R49"));
  note_qualifiers(copy, rules);
}

struct Range {
  size_t begin, end;
};

/// Bytes of the window all of which a load without a bend writes.
Range written_over(const TiledShape& shape, const Transfer& transfer) {
  if (shape.packing != Packing::plain || shape.pitch != shape.inner) return {0, 0};
  constexpr size_t line = 128;  // a swizzle moves bytes inside of one
  Range all{transfer.tile_offset, transfer.tile_offset + shape.rows * shape.pitch};
  if (shape.swizzle.atoms != 1) all = {(all.begin + line - 1) / line * line, all.end / line * line};
  return all.begin < all.end ? all : Range{0, 0};
}

/// What was there before, but for a range.
void keep(std::span<const std::byte> before, Range lost, std::span<std::byte> window) {
  std::copy(before.begin(), before.begin() + static_cast<ptrdiff_t>(lost.begin), window.begin());
  std::copy(before.begin() + static_cast<ptrdiff_t>(lost.end), before.end(),
            window.begin() + static_cast<ptrdiff_t>(lost.end));
}

/// Bytes of the memories that a load goes between.
struct Rooms {
  size_t arena, window;
};

/// Everything of a load by one lane but the bytes: its shape, which may be the kept one. Null: it moves none.
const TiledShape* shape_that_moves(const TensorCopyCase& copy, const spec::Readings& readings, Rooms rooms,
                                   std::span<std::byte> defined, CopyPrediction& prediction,
                                   Transfer& transfer) {
  if (copy.prefetch_alone) {
    prediction = predict_prefetch(copy, readings, defined);
    return nullptr;
  }
  const KeptTile& tile = kept_tile(copy, readings);
  if (ends_early(copy, tile, readings, prediction)) {
    undefine(prediction, defined);
    return nullptr;
  }
  spec::RuleSet& rules = prediction.rules;
  const TiledShape& shape = shape_of(tile, copy, readings, rules);
  if (const End end = end_of_placing(copy, shape, rooms.window, readings, rules); end != End::done) {
    prediction.end = end;
    undefine(prediction, defined);
    return nullptr;
  }
  transfer = load_transfer(copy, shape, readings, rules);
  uint64_t begin, end;
  if (!global_range(shape, transfer, false, begin, end) || end > rooms.arena) {
    prediction.end = End::undefined;
    undefine(prediction, defined);
    return nullptr;
  }
  const uint32_t bytes = transaction_bytes(copy, shape, readings);
  count_bytes(copy, readings, bytes,
              readings.bend() == nullptr ? bytes : bent_transaction_bytes(copy, readings), prediction);
  note_load_rules(copy, shape, rules);
  if (shape.packing == Packing::padded) {
    prediction.all_defined = false;
    std::fill(defined.begin(), defined.end(), std::byte{0xff});
  }
  return &shape;
}

/// The rest of predict_store() for a reduction, which has a legal map and stays inside the slot.
void predict_reduction(const TensorCopyCase& copy, const TiledShape& shape, const Transfer& transfer,
                       std::span<const std::byte> window, std::span<std::byte> slot,
                       std::span<std::byte> defined, const spec::Readings& readings,
                       CopyPrediction& prediction) {
  const spec::Reduction what = *tensor_reduction(copy.reduction, copy.map.data_type);
  name_reduction_rules(what, prediction.rules);
  if (spec::data_types[copy.map.data_type].tf32) prediction.rules.set(rule("TILE-R57"));
  if (!shape.any_in_bounds()) return;
  if (rows_may_overlap(shape)) {
    prediction.rules.set(rule("TILE-R58"));
    leave_open(open_sums(copy, readings, window, slot), spec::bytes_of(what.type), defined,
               prediction.all_defined);
  }
  reduce_rows(shape, transfer, what, window, slot);
}

}  // namespace

Transfer load_transfer(const TensorCopyCase& copy, const TiledShape& shape, const spec::Readings& readings,
                       spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map;
  const spec::DataType& type = spec::data_types[map.data_type];
  Transfer transfer;
  transfer.base = map.global_address;
  transfer.tile_offset = copy.tile_offset;
  if (!shape.all_in_bounds()) {
    rules.set(map.oob_fill == 1 ? rule("TILE-R17") : rule("TILE-R16"));
    if (map.oob_fill == 1) transfer.fill = nan_fill(type, readings);
    const uint32_t row = shape.unit_global;
    if (shape.first[0] * row % 16 != 0 || shape.end[0] * row % 16 != 0) rules.set(rule("TILE-R18"));
  }
  if (type.tf32) {
    rules.set(rule("TILE-R32"));
    transfer.convert.rounding = tf32_rounding(readings);
  } else {
    rules.set(rule("TILE-R31"));
  }
  if (type.name == "f32.ftz" || type.name == "tf32.ftz")
    transfer.convert.flushes_subnormals = readings.is({"TMA-AMB-06", "flushes"});
  return transfer;
}

Transfer store_transfer(const TensorCopyCase& copy, const TiledShape& shape, const spec::Readings& readings,
                        spec::RuleSet& rules) {
  const spec::DataType& type = spec::data_types[copy.map.data_type];
  Transfer transfer;
  transfer.base = copy.map.global_address;
  transfer.tile_offset = copy.tile_offset;
  const bool reduces = copy.reduction != TensorReduction::none;
  rules.set(reduces ? rule("TILE-R56") : rule("TILE-R30")).set(rule("TILE-R51"));
  if (type.tf32 && !reduces && readings.is({"TMA-AMB-32", "converts"}))
    transfer.convert.rounding = tf32_rounding(readings);
  const uint32_t end = shape.end[0] * shape.unit_global;
  if (!shape.interleaved && shape.any_in_bounds() && end % spec::store_clip_bytes != 0) {
    rules.set(rule("TILE-R27"));
    transfer.clips_pieces = readings.is({"X-17", "by_16_byte_pieces"});
  }
  for (int i = 0; i < shape.rank; ++i) {
    if (i != 0 && shape.end[i] != shape.count[i]) rules.set(rule("TILE-R28"));
    if (i != 0 && shape.step[i] > 1) rules.set(rule("TILE-R29"));
  }
  if (!shape.any_in_bounds()) rules.set(rule("TILE-R28"));
  return transfer;
}

bool has_legal_tile_map(const TensorCopyCase& copy, const spec::Readings& readings) {
  return kept_tile(copy, readings).is_legal && is_legal_in_place(copy.map, readings, copy.direction);
}

namespace {

CopyFootprint tile_footprint(const TensorCopyCase& copy, const spec::Readings& readings) {
  spec::RuleSet rules;
  const TiledShape shape = shape_of(copy, readings, rules);
  const bool store = copy.direction == CopyDirection::store;
  const Transfer transfer =
      store ? store_transfer(copy, shape, readings, rules) : load_transfer(copy, shape, readings, rules);
  CopyFootprint result;
  result.shared_bytes = static_cast<uint32_t>(std::min<uint64_t>(shape.shared_bytes, UINT32_MAX));
  if (!global_range(shape, transfer, store, result.global_begin, result.global_end))
    result.global_begin = 0, result.global_end = ~uint64_t{0};
  return result;
}

uint32_t tile_transaction_bytes(const TensorCopyCase& copy, const spec::Readings& readings) {
  const KeptTile& tile = kept_tile(copy, readings);
  if (!tile.is_legal) return transaction_bytes(copy, shape_of(copy, readings), readings);
  readings.look_again(tile.for_shape);
  return transaction_bytes(copy, tile.shape, readings);
}

CopyPrediction load_tile(const TensorCopyCase& copy, const spec::Readings& readings,
                         std::span<const std::byte> arena, std::span<const std::byte> before,
                         std::span<std::byte> window, std::span<std::byte> defined) {
  CopyPrediction prediction;
  Transfer transfer;
  const TiledShape* const shape =
      shape_that_moves(copy, readings, {arena.size(), window.size()}, defined, prediction, transfer);
  const bool moves = shape != nullptr, is_bent = readings.bend() != nullptr;
  if (!before.empty()) keep(before, moves && !is_bent ? written_over(*shape, transfer) : Range{0, 0}, window);
  if (!moves) return prediction;
  if (is_bent) {
    prediction.all_defined = false;
    slow_load(copy, readings, arena, window, defined);
    return prediction;
  }
  load_rows(*shape, transfer, arena, window, defined);
  return prediction;
}

CopyPrediction store_tile(const TensorCopyCase& copy, const spec::Readings& readings,
                          std::span<const std::byte> window, std::span<std::byte> slot,
                          std::span<std::byte> defined) {
  CopyPrediction prediction;
  const KeptTile& tile = kept_tile(copy, readings);
  if (ends_early(copy, tile, readings, prediction)) {
    undefine(prediction, defined);
    return prediction;
  }
  const TiledShape& shape = shape_of(tile, copy, readings, prediction.rules);
  if (const End end = end_of_placing(copy, shape, window.size(), readings, prediction.rules);
      end != End::done) {
    prediction.end = end;
    undefine(prediction, defined);
    return prediction;
  }
  const Transfer transfer = store_transfer(copy, shape, readings, prediction.rules);
  uint64_t begin, end;
  if (!global_range(shape, transfer, true, begin, end) || end > slot.size()) {
    prediction.end = End::undefined;
    undefine(prediction, defined);
    return prediction;
  }
  if (readings.bend() != nullptr) {
    prediction.all_defined = false;
    slow_store(copy, readings, window, slot, defined);
    return prediction;
  }
  if (copy.reduction != TensorReduction::none) {
    predict_reduction(copy, shape, transfer, window, slot, defined, readings, prediction);
    return prediction;
  }
  if (!shape.any_in_bounds()) return prediction;
  if (!rows_may_overlap(shape)) {
    store_rows(shape, transfer, window, slot, {});
    return prediction;
  }
  // Count how often each byte is written; those written twice may hold either value.
  std::fill(defined.begin(), defined.end(), std::byte{0});
  store_rows(shape, transfer, window, slot, defined);
  const bool twice = open_written_twice(defined) || defined.empty();
  if (twice) prediction.rules.set(rule("TILE-R53"));
  prediction.all_defined = !twice;
  return prediction;
}

/// The boxes of reductions may lie on each other.
bool tile_lanes_meet(const TensorCopyCase& copy, const spec::Readings& readings) {
  return readings.bend() == nullptr && tensor_reduction(copy.reduction, copy.map.data_type) &&
         has_legal_tile_map(copy, readings);
}

}  // namespace

const CopyMethods tile_methods{tile_footprint, end_of_tile_issue, tile_transaction_bytes, load_tile,
                               store_tile,     open_reductions,   tile_lanes_meet};

}  // namespace assay::model
