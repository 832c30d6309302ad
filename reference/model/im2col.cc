#include "reference/model/im2col.h"

#include <algorithm>
#include <cstring>

#include "reference/model/bend.h"
#include "reference/model/fill.h"
#include "reference/model/im2col_legality.h"
#include "reference/model/im2col_slow.h"
#include "reference/model/legality.h"
#include "reference/model/tf32.h"
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

/// What is common to both directions before bytes move. True: the prediction is made.
bool is_over(const Im2colCase& copy, const spec::Readings& readings, size_t window_bytes,
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
  const ColumnShape shape = column_of(copy, readings);
  const uint64_t end = uint64_t{copy.tile_offset} + shape.shared_bytes;
  if (end > window_bytes) {
    prediction.end = end <= shared_memory_bytes ? End::undefined : End::illegal_address;
    if (end > shared_memory_bytes) prediction.rules.set(spec::rule("TILE-R43"));
    return true;
  }
  note_copy(copy, shape, prediction.rules);
  return false;
}

TiledPrediction ended(TiledPrediction prediction, std::span<std::byte> defined) {
  if (prediction.end == End::undefined) {
    prediction.all_defined = false;
    std::fill(defined.begin(), defined.end(), std::byte{0});
  }
  return prediction;
}

/// What an armed barrier then does.
End end_of_phase(const Im2colCase& copy, const ColumnShape& shape, const spec::Readings& readings,
                 uint32_t signalled) {
  const spec::Readings defaults(readings.arch());
  const bool as_default = readings.bend() == nullptr && readings.is_default(spec::question("TMA-AMB-04")) &&
                          readings.is_default(spec::question("TMA-AMB-18")) &&
                          readings.is_default(spec::question("TMA-AMB-33"));
  const int64_t armed =
      int64_t{as_default ? signalled : transaction_bytes(copy, shape, defaults)} + copy.transaction_delta;
  if (receivers(copy) == 0) return End::done;  // where nobody receives, nobody waits
  if (const Bend* bend = readings.bend(); bend != nullptr && bend->copy.signalled_ranks != nullptr) {
    const uint32_t waiting = receivers(copy);
    const uint32_t told = bend->copy.signalled_ranks(as_tiled(copy), waiting);
    if ((waiting & ~told) != 0) return End::never_completes;
    if ((told & ~waiting) != 0) return End::early_surplus;
  }
  if (readings.bend() != nullptr && copy.cluster_size > 1)
    return end_of_pairs({copy.cta_group, receivers(copy), copy.issuer_rank ^ (copy.peer_barrier ? 1u : 0u),
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
  if (copy.cluster_size > 1 && !copy.unicast) rules.set(spec::rule("TILE-R38"));
  if (copy.prefetch_first) rules.set(spec::rule("TILE-R39"));
  if (copy.destination_cta) rules.set(spec::rule("TILE-R44"));
  if (copy.cta_group == 1) rules.set(spec::rule("CTAG-R01"));
  if (copy.cta_group == 2) rules.set(spec::rule("CTAG-R02"));
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
  TiledFootprint result;
  result.shared_bytes = static_cast<uint32_t>(shape.shared_bytes);
  spec::RuleSet unused;
  const bool store = copy.direction == TiledDirection::store;
  const uint32_t end_bytes =
      store ? stored_end(copy, shape, readings, unused) : shape.end_unit * shape.unit_global;
  bool any = false;
  for_pixels(copy, shape, readings, [&](uint32_t, bool inside, unsigned __int128 byte) {
    if (!inside) return;
    // A tensor that ends beyond 64 bits is in no memory.
    const auto origin = static_cast<__int128>(byte) + shape.first_channel;
    const auto clamped = [](__int128 at) {
      return static_cast<uint64_t>(std::min<__int128>(at, static_cast<__int128>(~uint64_t{0})));
    };
    const uint64_t low = clamped(origin + int64_t{shape.first_unit} * shape.unit_global),
                   high = clamped(origin + end_bytes);
    result.global_begin = any ? std::min(result.global_begin, low) : low;
    result.global_end = std::max(result.global_end, high);
    any = true;
  });
  return result;
}

TiledPrediction predict_load(const Im2colCase& copy, const spec::Readings& readings,
                             std::span<const std::byte> arena, std::span<std::byte> window,
                             std::span<std::byte> defined) {
  TiledPrediction prediction;
  if (is_over(copy, readings, window.size(), prediction)) return ended(prediction, defined);
  const ColumnShape shape = column_of(copy, readings);
  const TiledFootprint touched = footprint(copy, readings);
  if (touched.global_end > arena.size()) {
    prediction.end = End::undefined;
    return ended(prediction, defined);
  }
  note_load(copy, readings, prediction.rules);
  prediction.transaction_bytes = readings.bend() != nullptr ? slow_transaction_bytes(copy, readings)
                                                            : transaction_bytes(copy, shape, readings);
  prediction.end = end_of_phase(copy, shape, readings, prediction.transaction_bytes);

  if (readings.bend() != nullptr) {
    prediction.all_defined = false;
    slow_load(copy, readings, arena, window, defined);
    return prediction;
  }
  const spec::DataType& type = type_of(copy);
  const SwizzlePattern pattern = pattern_of_column(copy, readings);
  Tf32Conversion convert;
  if (type.tf32) convert.reading = readings.chosen(spec::question("TMA-AMB-07"));
  if (type.name.ends_with(".ftz"))
    convert.flushes_subnormals = readings.chosen(spec::question("TMA-AMB-06")) == 'B';
  if (shape.is_padded) {
    prediction.all_defined = false;
    std::fill(defined.begin(), defined.end(), std::byte{0xff});
  }
  uint64_t fill = 0;
  bool fills = false;
  std::array<std::byte, 256 * 8> row, fill_row;
  const auto ready_fill = [&] {
    if (fills) return;
    fills = true;
    const bool nan = copy.map.base.oob_fill == 1;
    if (nan) fill = nan_fill(type, readings.chosen(spec::question("TMA-AMB-05")));
    prediction.rules.set(is_wide(copy) ? spec::rule("IM2W-R10") : spec::rule("IM2C-R08"));
    prediction.rules.set(nan ? spec::rule("TILE-R17") : spec::rule("TILE-R16"));
    for (size_t at = 0; at < shape.inner; at += 8) std::memcpy(&fill_row[at], &fill, 8);
  };
  // The swizzle moves whole pieces of 16 bytes, or of 8 where halves change places.
  const uint32_t piece = pattern.flips ? 8 : 16;
  for_pixels(copy, shape, readings, [&](uint32_t p, bool inside, unsigned __int128 byte) {
    const uint32_t all_units = shape.end_unit - shape.first_unit;
    if (!inside || all_units != shape.units) ready_fill();
    const std::byte* from = fill_row.data();
    if (inside) {
      if (all_units != shape.units) std::memcpy(row.data(), fill_row.data(), shape.inner);
      const auto first = first_byte(shape, byte);
      for (uint32_t unit = 0; shape.is_padded && unit < all_units; ++unit)
        std::memcpy(&row[(shape.first_unit + unit) * shape.unit_shared],
                    &arena[first + unit * shape.unit_global], shape.unit_global);
      if (!shape.is_padded)
        convert.apply(&row[shape.first_unit * shape.unit_shared], &arena[first],
                      all_units * shape.unit_global);
      from = row.data();
    }
    const uint32_t to = copy.tile_offset + p * shape.pitch;
    for (uint32_t at = 0; at < shape.inner; at += piece) {
      const uint32_t place = pattern.place(to + at);
      if (!shape.is_padded) {
        std::memcpy(&window[place], from + at, piece);
        continue;
      }
      for (uint32_t i = 0; i < piece; ++i) {
        const bool is_data = (at + i) % shape.unit_shared < shape.unit_global;
        if (is_data) window[place + i] = from[at + i];
        if (!is_data && !defined.empty()) defined[place + i] = std::byte{0};
      }
    }
  });
  return prediction;
}

TiledPrediction predict_store(const Im2colCase& copy, const spec::Readings& readings,
                              std::span<const std::byte> window, std::span<std::byte> slot,
                              std::span<std::byte> defined) {
  TiledPrediction prediction;
  if (is_over(copy, readings, window.size(), prediction)) return ended(prediction, defined);
  const ColumnShape shape = column_of(copy, readings);
  if (footprint(copy, readings).global_end > slot.size()) {
    prediction.end = End::undefined;
    return ended(prediction, defined);
  }
  spec::RuleSet& rules = prediction.rules;
  if (copy.reduction != TensorReduction::none) {
    predict_reduction(copy, readings, window, slot, defined, prediction);
    return prediction;
  }
  rules.set(spec::rule("IM2C-R14")).set(spec::rule("TILE-R30")).set(spec::rule("TILE-R51"));
  const uint32_t end_bytes = stored_end(copy, shape, readings, rules);
  if (readings.bend() != nullptr) {
    prediction.all_defined = false;
    slow_store(copy, readings, window, slot, defined);
    return prediction;
  }
  const uint32_t begin_bytes = shape.first_unit * shape.unit_global;
  Tf32Conversion convert;
  if (type_of(copy).tf32 && readings.chosen(spec::question("TMA-AMB-32")) == 'B')
    convert.reading = readings.chosen(spec::question("TMA-AMB-07"));
  const SwizzlePattern pattern = pattern_of_column(copy, readings);
  const uint32_t piece = pattern.flips ? 8 : 16;
  // How often each byte is written: where overlapping strides write one twice, either value may stay.
  std::fill(defined.begin(), defined.end(), std::byte{0});
  bool twice = false;
  std::array<std::byte, 256 * 8> row;
  for_pixels(copy, shape, readings, [&](uint32_t p, bool inside, unsigned __int128 byte) {
    if (!inside) {
      rules.set(spec::rule("TILE-R28"));
      return;
    }
    const uint32_t from = copy.tile_offset + p * shape.pitch;
    for (uint32_t at = 0; at < shape.inner; at += piece)
      std::memcpy(&row[at], &window[pattern.place(from + at)], piece);
    convert.apply(row.data(), row.data(), shape.inner);
    const auto to = first_byte(shape, byte);
    std::memcpy(&slot[to], &row[begin_bytes], end_bytes - begin_bytes);
    if (defined.empty()) return;
    for (uint64_t at = to; at < to + end_bytes - begin_bytes; ++at) {
      twice |= defined[at] != std::byte{0};
      defined[at] = defined[at] == std::byte{0} ? std::byte{1} : std::byte{2};
    }
  });
  for (std::byte& count : defined) count = count == std::byte{2} ? std::byte{0} : std::byte{0xff};
  if (twice) rules.set(spec::rule("TILE-R53"));
  prediction.all_defined = !twice;
  return prediction;
}

}  // namespace assay::model
