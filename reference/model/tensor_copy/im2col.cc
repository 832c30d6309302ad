// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/im2col.h"

#include <algorithm>
#include <optional>

#include "reference/model/bend.h"
#include "reference/model/tensor_copy/cta_pair.h"
#include "reference/model/tensor_copy/fill.h"
#include "reference/model/tensor_copy/im2col_slow.h"
#include "reference/model/tensor_copy/lanes.h"
#include "reference/model/tensor_copy/pixel_runs.h"
#include "reference/model/tensor_copy/tiled_move.h"
#include "reference/model/tensor_map/im2col_legality.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

void note_swizzle(const Im2colCase& copy, const ColumnShape& shape, spec::RuleSet& rules) {
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
  if (shape.inner < swizzle.span_bytes && copy.map.base.interleave == 0) rules.set(spec::rule("TILE-R15"));
  if (copy.map.base.interleave != 0) rules.set(spec::rule("TILE-R36"));
}

/// What a walk along W alone exercises.
void note_wide_walk(const Im2colCase& copy, spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map.base;
  rules.set(spec::rule("IM2W-R01")).set(spec::rule("IM2W-R02")).set(spec::rule("IM2W-R11"));
  rules.set(spec::rule("IM2W-R09")).set(spec::rule("IM2W-R12"));
  if (copy.w_halo != 0)
    rules.set(copy.mode == Im2colMode::w ? spec::rule("IM2W-R03") : spec::rule("IM2W-R04"));
  if (copy.w_offset != 0) rules.set(spec::rule("IM2W-R05"));
  if (copy.coord[1] < box_of(copy.map, 0).lower) rules.set(spec::rule("IM2W-R06"));
  for (uint32_t i = 0; i < map.rank; ++i)
    if (map.element_stride[i] > 1) rules.set(spec::rule("IM2W-R08"));
}

/// What the walk, the map and the qualifiers of a copy exercise, whatever its direction.
void note_copy(const Im2colCase& copy, const ColumnShape& shape, spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map.base;
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
bool is_over(const Im2colCase& copy, const spec::Readings& readings, size_t window_bytes, ColumnShape& shape,
             TiledPrediction& prediction) {
  if (const spec::RuleSet broken = broken_map_rules(copy.map, readings); broken.any()) {
    prediction.end = End::rejected;
    prediction.rules = broken;
    return true;
  }
  const spec::DataType& type = type_of(copy);
  // No document says what a store of padded types does in this mode, nor an interleaved copy of them.
  const bool is_unknown = type.is_packed() && type.group_shared_bytes == 16 &&
                          (copy.direction == TiledDirection::store || copy.map.base.interleave != 0);
  prediction.end = is_unknown ? End::undefined : end_of_issue(copy, readings, prediction.rules);
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
std::optional<Im2colCase> through_plain_map(const Im2colCase& copy, const spec::Readings& readings) {
  if (!copy.map.wide || readings.is({"X-13", "as_written"})) return std::nullopt;
  if (broken_map_rules(copy.map, readings).any()) return std::nullopt;
  Im2colCase plain = copy;
  plain.map.wide = false;
  for (size_t k = 1; k < std::size(plain.map.lower); ++k) plain.map.lower[k] = plain.map.upper[k] = 0;
  return plain;
}

TiledPrediction ended(TiledPrediction prediction, std::span<std::byte> defined) {
  if (prediction.end == End::undefined) {
    prediction.all_defined = false;
    std::fill(defined.begin(), defined.end(), std::byte{0});
  }
  return prediction;
}

/// The copy of one of its lanes, by the bend of the readings.
Im2colCase lane_of(const Im2colCase& copy, uint32_t lane, const spec::Readings& readings) {
  const bool shares = readings.bend() != nullptr && readings.bend()->copy.lanes_share_map;
  return of_lane(shares ? with_shared_map(copy) : copy, lane);
}

/// Bytes that the barriers are armed with: what the default readings count and what the case adds.
int64_t armed_bytes(const Im2colCase& copy, const ColumnShape& shape, const spec::Readings& readings,
                    uint32_t signalled) {
  const bool as_default = readings.bend() == nullptr && readings.is_default(spec::question("TMA-AMB-04")) &&
                          readings.is_default(spec::question("TMA-AMB-18")) &&
                          readings.is_default(spec::question("TMA-AMB-33"));
  return (as_default ? int64_t{signalled} : transaction_bytes(copy, shape, spec::Readings(readings.arch()))) +
         copy.transaction_delta;
}

/// What an armed barrier then does.
End end_of_phase(const Im2colCase& copy, const spec::Readings& readings, int64_t armed, uint32_t signalled) {
  if (receivers(copy) == 0) return End::done;  // where nobody receives, nobody waits
  // Of pairs of CTAs no bend says who is signalled.
  const Bend* const bend = readings.bend();
  if (bend != nullptr && bend->copy.signalled_ranks != nullptr && copy.cta_group == 0) {
    const uint32_t waiting = receivers(copy);
    const uint32_t told = bend->copy.signalled_ranks(as_tiled(copy), waiting);
    if ((waiting & ~told) != 0) return End::never_completes;
    if ((told & ~waiting) != 0) return End::early_surplus;
  }
  if (readings.bend() != nullptr && copy.cluster_size > 1)
    return end_of_pairs({copy.cta_group, receivers(copy),
                         named_barrier(copy.unicast, copy.cta_mask, copy.issuer_rank, copy.peer_barrier),
                         copy.cluster_size, armed, signalled},
                        readings);
  if (armed > signalled) return End::never_completes;
  return armed < signalled ? End::early_surplus : End::done;
}

void note_load(const Im2colCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  if (!is_wide(copy)) {
    rules.set(spec::rule("IM2C-R01")).set(spec::rule("IM2C-R10"));
    const auto offsets = acting_offsets(copy, readings);
    if (offsets[0] != 0 || offsets[1] != 0 || offsets[2] != 0)
      rules.set(spec::rule("IM2C-R06")).set(spec::rule("IM2C-R07"));
  }
  rules.set(type_of(copy).tf32 ? spec::rule("TILE-R32") : spec::rule("TILE-R31"));
  if (copy.transaction_delta != 0) rules.set(spec::rule("TILE-R21"));
  if (copy.cluster_size > 1 && (!copy.unicast || copy.cta_group == 0)) rules.set(spec::rule("TILE-R38"));
  if (copy.prefetch_first) rules.set(spec::rule("TILE-R39"));
  if (copy.destination_cta) rules.set(spec::rule("TILE-R44"));
  if (copy.cta_group == 1) rules.set(spec::rule("CTAG-R01"));
  if (copy.cta_group == 2) rules.set(spec::rule("CTAG-R02"));
}

/// What a copy touches where its pixels take `end_bytes` from the first channel of the copy on.
TiledFootprint footprint(const ColumnShape& shape, const PixelRuns& pixels, uint32_t end_bytes) {
  TiledFootprint result;
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

Transfer transfer_of(const Im2colCase& copy) {
  Transfer transfer;
  transfer.base = copy.map.base.global_address;
  transfer.tile_offset = copy.tile_offset;
  return transfer;
}

}  // namespace

uint32_t receivers(const Im2colCase& copy) {
  if (copy.cluster_size <= 1) return 1;
  return copy.cta_mask & ((1u << std::min(copy.cluster_size, 16u)) - 1);
}

uint32_t receivers(const Im2colCase& copy, const spec::Readings& readings) {
  const uint32_t right = receivers(copy);
  const Bend* const bend = readings.bend();
  return bend != nullptr && bend->copy.receivers != nullptr ? bend->copy.receivers(as_tiled(copy), right)
                                                            : right;
}

TiledFootprint footprint(const Im2colCase& copy, const spec::Readings& readings) {
  const ColumnShape shape = column_of(copy, readings);
  spec::RuleSet unused;
  const bool store = copy.direction == TiledDirection::store;
  return footprint(shape, PixelRuns(copy, shape, readings),
                   store ? stored_end(copy, shape, readings, unused) : shape.end_unit * shape.unit_global);
}

TiledPrediction predict_load(const Im2colCase& copy, const spec::Readings& readings,
                             std::span<const std::byte> arena, std::span<std::byte> window,
                             std::span<std::byte> defined) {
  if (copy.lanes > 1)
    return predict_lanes(copy.lanes, receivers(copy) != 0, defined,
                         [&](uint32_t lane, std::span<std::byte> mask) {
                           return predict_load(lane_of(copy, lane, readings), readings, arena, window, mask);
                         });
  if (const auto plain = through_plain_map(copy, readings))
    return predict_load(*plain, readings, arena, window, defined);
  TiledPrediction prediction;
  ColumnShape shape;
  if (is_over(copy, readings, window.size(), shape, prediction)) return ended(prediction, defined);
  const PixelRuns pixels(copy, shape, readings);
  if (footprint(shape, pixels, shape.end_unit * shape.unit_global).global_end > arena.size()) {
    prediction.end = End::undefined;
    return ended(prediction, defined);
  }
  note_load(copy, readings, prediction.rules);
  prediction.transaction_bytes = readings.bend() != nullptr
                                     ? slow_transaction_bytes(copy, readings)
                                     : transaction_bytes(copy, shape, pixels.inside(), readings);
  prediction.armed = armed_bytes(copy, shape, readings, prediction.transaction_bytes);
  prediction.end = end_of_phase(copy, readings, prediction.armed, prediction.transaction_bytes);

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
    const bool nan = copy.map.base.oob_fill == 1;
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

TiledPrediction predict_store(const Im2colCase& copy, const spec::Readings& readings,
                              std::span<const std::byte> window, std::span<std::byte> slot,
                              std::span<std::byte> defined) {
  if (copy.lanes > 1)
    return predict_lanes(copy.lanes, false, defined, [&](uint32_t lane, std::span<std::byte> mask) {
      return predict_store(lane_of(copy, lane, readings), readings, window, slot, mask);
    });
  if (const auto plain = through_plain_map(copy, readings))
    return predict_store(*plain, readings, window, slot, defined);
  TiledPrediction prediction;
  ColumnShape shape;
  if (is_over(copy, readings, window.size(), shape, prediction)) return ended(prediction, defined);
  const PixelRuns pixels(copy, shape, readings);
  spec::RuleSet& rules = prediction.rules;
  spec::RuleSet noted;
  const uint32_t end_bytes = stored_end(copy, shape, readings, noted);
  if (footprint(shape, pixels, end_bytes).global_end > slot.size()) {
    prediction.end = End::undefined;
    return ended(prediction, defined);
  }
  if (copy.reduction != TensorReduction::none) {
    predict_reduction(copy, readings, window, slot, defined, prediction);
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
  bool twice = false;
  for (std::byte& count : defined) {
    twice |= count == std::byte{2};
    count = count == std::byte{2} ? std::byte{0} : std::byte{0xff};
  }
  if (twice) rules.set(spec::rule("TILE-R53"));
  prediction.all_defined = !twice;
  return prediction;
}

}  // namespace assay::model
