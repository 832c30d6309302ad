// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/column.h"

#include <algorithm>
#include <optional>

#include "reference/model/bend.h"
#include "reference/model/tensor_copy/element_values.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

void note_swizzle(const TensorCopyCase& copy, const ColumnShape& shape, spec::RuleSet& rules) {
  constexpr spec::RuleIndex of_host[] = {0,
                                         spec::rule("TILE-R07"),
                                         spec::rule("TILE-R08"),
                                         spec::rule("TILE-R09"),
                                         spec::rule("TILE-R10"),
                                         spec::rule("TILE-R11"),
                                         spec::rule("TILE-R12")};
  const spec::Swizzle& swizzle = swizzle_of(copy);
  if (swizzle.span_bytes == 0) return;
  rules.set(of_host[swizzle.host]).set(spec::rule("TILE-R14"));
  if (shape.inner < swizzle.span_bytes && copy.map.interleave == 0) rules.set(spec::rule("TILE-R15"));
  if (copy.map.interleave != 0) rules.set(spec::rule("TILE-R36"));
}

/// What a walk along W alone exercises.
void note_wide_walk(const TensorCopyCase& copy, spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map;
  rules.set(spec::rule("IM2W-R01")).set(spec::rule("IM2W-R02")).set(spec::rule("IM2W-R11"));
  rules.set(spec::rule("IM2W-R09")).set(spec::rule("IM2W-R12"));
  if (copy.w_halo != 0) rules.set(copy.mode == CopyMode::w ? spec::rule("IM2W-R03") : spec::rule("IM2W-R04"));
  if (copy.w_offset != 0) rules.set(spec::rule("IM2W-R05"));
  if (copy.coord[1] < box_of(copy.map, 0).lower) rules.set(spec::rule("IM2W-R06"));
  for (uint32_t i = 0; i < map.rank; ++i)
    if (map.element_stride[i] > 1) rules.set(spec::rule("IM2W-R08"));
}

/// What the walk, the map and the qualifiers of a copy exercise, whatever its direction.
void note_copy(const TensorCopyCase& copy, const ColumnShape& shape, spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map;
  rules.set(spec::rule("IM2C-R09")).set(spec::rule("TILE-R50"));
  if (map.l2_promotion != 0 || copy.cache_hint) rules.set(spec::rule("TILE-R40"));
  note_swizzle(copy, shape, rules);
  if (is_wide(copy)) return note_wide_walk(copy, rules);
  rules.set(spec::rule("IM2C-R02")).set(spec::rule("IM2C-R03"));
  for (uint32_t k = 0; k < spatial_axes(map.rank); ++k)
    if (map.element_stride[dimension_of_axis(map, k)] > 1) rules.set(spec::rule("IM2C-R04"));
  const uint32_t channel_dimension = map.interleave == 0 ? 0 : map.rank - 2;
  if (map.element_stride[map.rank - 1] > 1 || map.element_stride[channel_dimension] > 1)
    rules.set(spec::rule("IM2C-R05"));
  if (map.interleave != 0) rules.set(spec::rule("IM2C-R11"));
}

/// What is common to both directions before bytes move. True: the prediction is made; else `shape` is the
/// column's.
bool is_over(const TensorCopyCase& copy, const spec::Readings& readings, size_t window_bytes,
             ColumnShape& shape, CopyPrediction& prediction) {
  if (const spec::RuleSet broken = broken_column_map_rules(copy.map, readings); broken.any()) {
    prediction.end = End::rejected;
    prediction.rules = broken;
    return true;
  }
  const spec::DataType& type = type_of(copy);
  // No document says what a store of padded types does in this mode, nor an interleaved copy of them.
  const bool is_unknown = type.is_packed() && type.group_shared_bytes == 16 &&
                          (copy.direction == CopyDirection::store || copy.map.interleave != 0);
  prediction.end = is_unknown ? End::undefined : end_of_column_issue(copy, readings, prediction.rules);
  if (const Bend* bend = readings.bend(); bend != nullptr && bend->copy.issue != nullptr)
    prediction.end = bend->copy.issue(as_tiled(copy), prediction.end);
  if (prediction.end != End::done) return true;
  shape = column_of(copy, readings);
  const uint64_t end = uint64_t{copy.tile_offset} + shape.shared_bytes;
  if (end > window_bytes) {
    prediction.end = end <= shared_memory_bytes ? End::undefined : End::illegal_address;
    if (end > shared_memory_bytes) prediction.rules.set(spec::rule("TILE-R43"));
    return true;
  }
  note_copy(copy, shape, prediction.rules);
  return false;
}

/// The copy through the map that the wide encoder writes where it only takes, and writes, plain im2col maps
/// nothing where it has maps of its own, or refuses this one.
std::optional<TensorCopyCase> through_plain_map(const TensorCopyCase& copy, const spec::Readings& readings) {
  if (!copy.map.wide || readings.is({"X-13", "as_written"})) return std::nullopt;
  if (broken_column_map_rules(copy.map, readings).any()) return std::nullopt;
  TensorCopyCase plain = copy;
  plain.map.wide = false;
  for (size_t k = 1; k < std::size(plain.map.lower); ++k) plain.map.lower[k] = plain.map.upper[k] = 0;
  return plain;
}

void note_load(const TensorCopyCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  if (!is_wide(copy)) {
    rules.set(spec::rule("IM2C-R01")).set(spec::rule("IM2C-R10"));
    const auto offsets = acting_offsets(copy, readings);
    if (offsets[0] != 0 || offsets[1] != 0 || offsets[2] != 0)
      rules.set(spec::rule("IM2C-R06")).set(spec::rule("IM2C-R07"));
  }
  rules.set(type_of(copy).tf32 ? spec::rule("TILE-R32") : spec::rule("TILE-R31"));
  note_qualifiers(copy, rules);
}

/// What a copy touches where its pixels take `end_bytes` from the first channel of the copy on.
CopyFootprint footprint(const ColumnShape& shape, const PixelRuns& pixels, uint32_t end_bytes) {
  CopyFootprint result;
  result.shared_bytes = static_cast<uint32_t>(shape.shared_bytes);
  if (pixels.inside() == 0) return result;
  // A tensor that ends beyond 64 bits is in no memory.
  const auto clamped = [&](unsigned __int128 pixel, uint32_t bytes) {
    const __int128 at = static_cast<__int128>(pixel) + shape.first_channel + bytes;
    return static_cast<uint64_t>(std::min<__int128>(at, static_cast<__int128>(~uint64_t{0})));
  };
  result.global_begin = clamped(pixels.lowest(), shape.first_unit * shape.unit_global);
  result.global_end = clamped(pixels.highest(), end_bytes);
  return result;
}

/// The rows that pixels are.
TiledShape rows_of(const ColumnShape& column, const SwizzlePattern& pattern) {
  TiledShape shape;
  shape.packing = column.is_padded ? Packing::padded : Packing::plain;
  shape.unit_global = column.unit_global;
  shape.unit_shared = column.unit_shared;
  shape.count[0] = column.units;
  shape.first[0] = column.first_unit;
  shape.end[0] = column.end_unit;
  shape.inner = column.inner;
  shape.pitch = column.pitch;
  shape.swizzle = pattern;
  return shape;
}

Transfer transfer_of(const TensorCopyCase& copy) {
  Transfer transfer;
  transfer.base = copy.map.global_address;
  transfer.tile_offset = copy.tile_offset;
  return transfer;
}

CopyFootprint column_footprint(const TensorCopyCase& copy, const spec::Readings& readings) {
  const ColumnShape shape = column_of(copy, readings);
  spec::RuleSet unused;
  const bool store = copy.direction == CopyDirection::store;
  return footprint(shape, PixelRuns(copy, shape, readings),
                   store ? stored_end(copy, shape, readings, unused) : shape.end_unit * shape.unit_global);
}

uint32_t column_transaction_bytes(const TensorCopyCase& copy, const spec::Readings& readings) {
  return transaction_bytes(copy, column_of(copy, readings), readings);
}

CopyPrediction load_column(const TensorCopyCase& copy, const spec::Readings& readings,
                           std::span<const std::byte> arena, std::span<const std::byte> before,
                           std::span<std::byte> window, std::span<std::byte> defined) {
  std::copy(before.begin(), before.end(), window.begin());
  if (const auto plain = through_plain_map(copy, readings))
    return load_column(*plain, readings, arena, {}, window, defined);
  CopyPrediction prediction;
  ColumnShape shape;
  if (is_over(copy, readings, window.size(), shape, prediction)) {
    undefine(prediction, defined);
    return prediction;
  }
  const PixelRuns pixels(copy, shape, readings);
  if (footprint(shape, pixels, shape.end_unit * shape.unit_global).global_end > arena.size()) {
    prediction.end = End::undefined;
    undefine(prediction, defined);
    return prediction;
  }
  note_load(copy, readings, prediction.rules);
  const uint32_t bytes = transaction_bytes(copy, shape, pixels.inside(), readings);
  count_bytes(
      copy, readings, bytes,
      readings.bend() == nullptr ? bytes : static_cast<uint32_t>(slow_transaction_bytes(copy, readings)),
      prediction);
  if (readings.bend() != nullptr) {
    prediction.all_defined = false;
    slow_load(copy, readings, arena, window, defined);
    return prediction;
  }
  const spec::DataType& type = type_of(copy);
  Transfer transfer = transfer_of(copy);
  if (type.tf32) transfer.convert.rounding = tf32_rounding(readings);
  if (type.name.ends_with(".ftz"))
    transfer.convert.flushes_subnormals = readings.is({"TMA-AMB-06", "flushes"});
  if (pixels.inside() != shape.pixels || shape.end_unit - shape.first_unit != shape.units) {
    const bool nan = copy.map.oob_fill == 1;
    if (nan) transfer.fill = nan_fill(type, readings);
    prediction.rules.set(is_wide(copy) ? spec::rule("IM2W-R10") : spec::rule("IM2C-R08"));
    prediction.rules.set(nan ? spec::rule("TILE-R17") : spec::rule("TILE-R16"));
  }
  if (shape.is_padded) {
    prediction.all_defined = false;
    std::fill(defined.begin(), defined.end(), std::byte{0xff});
  }
  load_runs(pixels.runs(), rows_of(shape, pattern_of_column(copy, readings)), transfer, arena, window,
            defined);
  return prediction;
}

CopyPrediction store_column(const TensorCopyCase& copy, const spec::Readings& readings,
                            std::span<const std::byte> window, std::span<std::byte> slot,
                            std::span<std::byte> defined) {
  if (const auto plain = through_plain_map(copy, readings))
    return store_column(*plain, readings, window, slot, defined);
  CopyPrediction prediction;
  ColumnShape shape;
  if (is_over(copy, readings, window.size(), shape, prediction)) {
    undefine(prediction, defined);
    return prediction;
  }
  const PixelRuns pixels(copy, shape, readings);
  spec::RuleSet& rules = prediction.rules;
  spec::RuleSet noted;
  const uint32_t end_bytes = stored_end(copy, shape, readings, noted);
  if (footprint(shape, pixels, end_bytes).global_end > slot.size()) {
    prediction.end = End::undefined;
    undefine(prediction, defined);
    return prediction;
  }
  if (copy.reduction != TensorReduction::none) {
    predict_column_reduction(copy, readings, window, slot, defined, prediction);
    return prediction;
  }
  rules |= noted;
  rules.set(spec::rule("IM2C-R14")).set(spec::rule("TILE-R30")).set(spec::rule("TILE-R51"));
  if (readings.bend() != nullptr) {
    prediction.all_defined = false;
    slow_store(copy, readings, window, slot, defined);
    return prediction;
  }
  Transfer transfer = transfer_of(copy);
  transfer.clips_pieces = end_bytes != shape.end_unit * shape.unit_global;
  if (type_of(copy).tf32 && readings.is({"TMA-AMB-32", "converts"}))
    transfer.convert.rounding = tf32_rounding(readings);
  const TiledShape rows = rows_of(shape, pattern_of_column(copy, readings));
  if (pixels.inside() != shape.pixels) rules.set(spec::rule("TILE-R28"));
  if (defined.empty() || !pixels.may_overlap(end_bytes - shape.first_unit * shape.unit_global)) {
    store_runs(pixels.runs(), rows, transfer, window, slot, {});
    return prediction;
  }
  // How often each byte is written: where overlapping strides write one twice, either value may stay.
  std::fill(defined.begin(), defined.end(), std::byte{0});
  store_runs(pixels.runs(), rows, transfer, window, slot, defined);
  const bool twice = open_written_twice(defined);
  if (twice) rules.set(spec::rule("TILE-R53"));
  prediction.all_defined = !twice;
  return prediction;
}

bool column_lanes_meet(const TensorCopyCase&, const spec::Readings&) {
  return false;
}

}  // namespace

const CopyMethods column_methods{column_footprint, end_of_column_issue, column_transaction_bytes, load_column,
                                 store_column,     open_reductions,     column_lanes_meet};

}  // namespace assay::model
