#include "reference/model/im2col.h"

#include <algorithm>
#include <cstring>

#include "reference/layout/swizzle.h"
#include "reference/model/fill.h"
#include "reference/model/im2col_legality.h"
#include "reference/model/legality.h"
#include "reference/model/tf32.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

const spec::DataType& type_of(const Im2colCase& copy) {
  return *spec::find_data_type(copy.map.base.data_type);
}
const spec::Swizzle& swizzle_of(const Im2colCase& copy) {
  return *spec::find_swizzle(copy.map.base.swizzle);
}

SwizzlePattern pattern_for(const Im2colCase& copy, const spec::Readings& readings) {
  const spec::Swizzle& swizzle = swizzle_of(copy);
  return pattern_of(swizzle, swizzle.flip_mask != 0 && readings.chosen(spec::question("TMA-AMB-10")) == 'B');
}

/// Units of the tensor's channels, and the first one that the copy takes.
struct ChannelUnits {
  uint32_t elements = 1;  ///< of a unit
  int64_t start = 0, extent = 0;
};
ChannelUnits channel_units(const Im2colCase& copy) {
  const spec::DataType& type = type_of(copy);
  ChannelUnits units;
  units.elements = type.host == 13 ? 2 : type.group;  // two elements a byte, nothing else to it
  const auto elements = static_cast<int64_t>(units.elements);
  units.start = copy.coord[0] / elements;
  units.extent = static_cast<int64_t>(copy.map.base.global_dim[0]) / elements;
  return units;
}

/// Multiples of these elements may a copy start at.
int64_t channel_quantum(const spec::DataType& type, const spec::Readings& readings) {
  if (type.host == 13) return readings.chosen(spec::question("TMA-AMB-34")) == 'B' ? 2 : 32;
  return type.is_packed() ? 128 : 128 / static_cast<int64_t>(type.bits);
}

bool starts_in_box(const Im2colCase& copy) {
  for (uint32_t k = 0; k < spatial_axes(copy.map.base.rank); ++k) {
    const BoxEnds box = box_of(copy.map, k);
    const int64_t start = copy.coord[dimension_of_axis(copy.map.base, k)];
    if (start < box.lower || start > box.upper) return false;
  }
  return true;
}

bool stays_in_images(const Im2colMapArgs& map) {
  for (uint32_t k = 0; k < spatial_axes(map.base.rank); ++k)
    if (map.lower[k] < 0 || map.upper[k] > 0) return false;
  return true;
}

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

/// What the walk, the map and the qualifiers of a copy exercise, whatever its direction.
void note_copy(const Im2colCase& copy, const ColumnShape& shape, spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map.base;
  rules.set(spec::rule("IM2C-R02")).set(spec::rule("IM2C-R03")).set(spec::rule("IM2C-R09"));
  rules.set(spec::rule("TILE-R50"));
  for (uint32_t k = 0; k < spatial_axes(map.rank); ++k)
    if (map.element_stride[dimension_of_axis(map, k)] > 1) rules.set(spec::rule("IM2C-R04"));
  const uint32_t channel_dimension = map.interleave == 0 ? 0 : map.rank - 2;
  if (map.element_stride[map.rank - 1] > 1 || map.element_stride[channel_dimension] > 1)
    rules.set(spec::rule("IM2C-R05"));
  if (map.interleave != 0) rules.set(spec::rule("IM2C-R11"));
  if (map.l2_promotion != 0 || copy.cache_hint) rules.set(spec::rule("TILE-R40"));
  note_swizzle(copy, shape, rules);
}

/// The pixels of a column in order: row(pixel number, whether it lies in the tensor, its first byte there).
template <typename Row>
void for_pixels(const Im2colCase& copy, const ColumnShape& shape, const spec::Readings& readings,
                const Row& row) {
  const Im2colWalk walk(copy, readings);
  for (uint32_t p = 0; p < shape.pixels; ++p) {
    unsigned __int128 byte = 0;
    const bool inside = is_in_tensor(copy, walk.pixel(p), byte);
    row(p, inside && shape.first_unit < shape.end_unit, byte + copy.map.base.global_address);
  }
}

/// [begin, end) of the units in the tensor of a pixel whose row begins at `byte`.
std::pair<unsigned __int128, unsigned __int128> bytes_of_row(const ColumnShape& shape, unsigned __int128 byte,
                                                             uint32_t end_bytes) {
  const auto origin = static_cast<__int128>(byte) + shape.first_channel;
  return {static_cast<unsigned __int128>(origin + int64_t{shape.first_unit} * shape.unit_global),
          static_cast<unsigned __int128>(origin + end_bytes)};
}

/// Bytes of a row that a store writes, from the first channel of the copy on: [begin, end).
uint32_t stored_end(const Im2colCase& copy, const ColumnShape& shape, const spec::Readings& readings,
                    spec::RuleSet& rules) {
  uint32_t end = shape.end_unit * shape.unit_global;
  if (copy.map.base.interleave != 0 || end % spec::store_clip_bytes == 0 ||
      shape.first_unit == shape.end_unit)
    return end;
  rules.set(spec::rule("TILE-R27"));
  if (readings.chosen(spec::question("X-17")) == 'B')
    end = std::min((end + spec::store_clip_bytes - 1) / spec::store_clip_bytes * spec::store_clip_bytes,
                   shape.units * shape.unit_global);
  return end;
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
  const bool as_default = readings.is_default(spec::question("TMA-AMB-04")) &&
                          readings.is_default(spec::question("TMA-AMB-18")) &&
                          readings.is_default(spec::question("TMA-AMB-33"));
  const int64_t armed =
      int64_t{as_default ? signalled : transaction_bytes(copy, shape, defaults)} + copy.transaction_delta;
  if (receivers(copy) == 0) return End::done;  // where nobody receives, nobody waits
  if (armed > signalled) return End::never_completes;
  return armed < signalled ? End::early_surplus : End::done;
}

void note_load(const Im2colCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  rules.set(spec::rule("IM2C-R01")).set(spec::rule("IM2C-R10"));
  const auto offsets = acting_offsets(copy, readings);
  if (offsets[0] != 0 || offsets[1] != 0 || offsets[2] != 0)
    rules.set(spec::rule("IM2C-R06")).set(spec::rule("IM2C-R07"));
  rules.set(type_of(copy).tf32 ? spec::rule("TILE-R32") : spec::rule("TILE-R31"));
  if (copy.transaction_delta != 0) rules.set(spec::rule("TILE-R21"));
  if (copy.cluster_size > 1) rules.set(spec::rule("TILE-R38"));
  if (copy.prefetch_first) rules.set(spec::rule("TILE-R39"));
  if (copy.destination_cta) rules.set(spec::rule("TILE-R44"));
}

}  // namespace

ColumnShape column_of(const Im2colCase& copy, const spec::Readings& readings) {
  const TensorMapArgs& map = copy.map.base;
  const spec::DataType& type = type_of(copy);
  const spec::Swizzle& swizzle = swizzle_of(copy);
  ColumnShape shape;
  shape.pixels = copy.map.pixels;
  if (map.interleave != 0) {
    shape.unit_global = shape.unit_shared = spec::find_interleave(map.interleave)->slice_bytes;
    shape.units = 1;
    const int64_t plane = copy.coord[map.rank - 2];
    shape.end_unit = plane >= 0 && plane < static_cast<int64_t>(map.global_dim[map.rank - 2]) ? 1 : 0;
  } else {
    const ChannelUnits channels = channel_units(copy);
    shape.unit_global = type.host == 13 ? 1 : type.group_global_bytes;
    shape.unit_shared = type.host == 13 ? 1 : type.group_shared_bytes;
    shape.units = copy.map.channels / channels.elements;
    const auto count = static_cast<int64_t>(shape.units);
    shape.first_unit = static_cast<uint32_t>(std::clamp<int64_t>(-channels.start, 0, count));
    shape.end_unit =
        static_cast<uint32_t>(std::clamp<int64_t>(channels.extent - channels.start, shape.first_unit, count));
    shape.first_channel = channels.start * static_cast<int64_t>(shape.unit_global);
  }
  shape.is_padded = shape.unit_global != shape.unit_shared;
  shape.inner = shape.units * shape.unit_shared;
  shape.pitch = shape.inner;
  if (map.interleave == 0 && shape.inner < swizzle.span_bytes &&
      readings.chosen(spec::question("TMA-AMB-04")) != 'B')
    shape.pitch = swizzle.span_bytes;
  const uint64_t block = pattern_for(copy, readings).block_bytes;
  const uint64_t image = (uint64_t{shape.pixels} - 1) * shape.pitch + shape.inner;
  shape.shared_bytes = (image + block - 1) / block * block;
  return shape;
}

bool is_in_tensor(const Im2colCase& copy, const Pixel& pixel, unsigned __int128& byte) {
  const TensorMapArgs& map = copy.map.base;
  byte = 0;
  const auto add = [&](uint32_t dimension, int64_t index) {
    if (index < 0 || index >= static_cast<int64_t>(map.global_dim[dimension])) return false;
    const uint64_t stride = dimension == 0 ? spec::find_interleave(map.interleave)->slice_bytes
                                           : map.global_stride[dimension - 1];
    byte += static_cast<unsigned __int128>(index) * stride;
    return true;
  };
  for (uint32_t k = 0; k < spatial_axes(map.rank); ++k)
    if (!add(dimension_of_axis(map, k), pixel.at[k])) return false;
  if (map.interleave != 0 && !add(map.rank - 2, copy.coord[map.rank - 2])) return false;
  return add(map.rank - 1, pixel.image);
}

End end_of_issue(const Im2colCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map.base;
  bool illegal = false, misaligned = false, undefined = false;
  const auto chosen = [&](spec::QuestionIndex question) { return readings.chosen(question); };
  if (copy.is_tile_instruction) {
    rules.set(spec::rule("IM2C-R15"));
    illegal = true;
  }
  if (copy.instruction_rank != map.rank) {
    rules.set(spec::rule("TILE-R24"));
    illegal = true;
  }
  for (uint32_t i = 0; i < map.rank; ++i)
    if (map.global_dim[i] > spec::max_usable_global_dim) {
      rules.set(spec::rule("TILE-R25"));
      illegal |= chosen(spec::question("X-06")) == 'B';
    }
  const bool is_aligned =
      map.interleave != 0 || copy.coord[0] % channel_quantum(type_of(copy), readings) == 0;
  if (!is_aligned) {
    rules.set(spec::rule("TILE-R23"));
    illegal |= chosen(spec::question("TMA-AMB-08")) == 'P' || type_of(copy).is_packed();
  }
  if (!illegal && !starts_in_box(copy)) {
    rules.set(spec::rule("IM2C-R12"));
    (chosen(spec::question("TMA-AMB-30")) == 'A' ? illegal : undefined) = true;
  }
  if (copy.direction == TiledDirection::store) {
    if (!stays_in_images(copy.map)) {
      rules.set(spec::rule("IM2C-R13"));
      illegal = true;
    }
    if (std::any_of(copy.coord.begin(), copy.coord.begin() + map.rank, [](int32_t c) { return c < 0; })) {
      rules.set(spec::rule("TILE-R26"));
      const char letter = chosen(spec::question("TMA-AMB-19"));
      illegal |= letter == 'B';
      undefined |= letter == 'C';
    }
  }
  if (copy.tile_offset % spec::shared_operand_alignment != 0) {
    rules.set(spec::rule("TILE-R22"));
    const bool may_do = map.swizzle == 0 && copy.tile_offset % 16 == 0;
    misaligned = !may_do || chosen(spec::question("TMA-AMB-16")) == 'B';
  }
  if (illegal && misaligned) return End::undefined;
  if (illegal) return End::illegal_instruction;
  if (misaligned) return End::misaligned_address;
  return undefined ? End::undefined : End::done;
}

uint32_t transaction_bytes(const Im2colCase& copy, const ColumnShape& shape, const spec::Readings& readings) {
  uint64_t unit = shape.unit_global;
  if (shape.is_padded && readings.chosen(spec::question("TMA-AMB-33")) == 'B') unit = shape.unit_shared;
  uint64_t counted = 0;
  for_pixels(copy, shape, readings, [&](uint32_t, bool inside, unsigned __int128) {
    if (inside) counted += (shape.end_unit - shape.first_unit) * unit;
  });
  const uint64_t all = uint64_t{shape.pixels} * shape.units * unit;
  if (counted != all && readings.chosen(spec::question("TMA-AMB-18")) == 'B')
    return static_cast<uint32_t>(counted);
  if (copy.map.base.interleave == 0 && shape.inner < swizzle_of(copy).span_bytes &&
      readings.chosen(spec::question("TMA-AMB-04")) == 'C')
    return shape.pixels * shape.pitch;
  return static_cast<uint32_t>(all);
}

uint32_t receivers(const Im2colCase& copy) {
  if (copy.cluster_size <= 1) return 1;
  return copy.cta_mask & ((1u << std::min(copy.cluster_size, 16u)) - 1);
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
    const auto [begin, end] = bytes_of_row(shape, byte, end_bytes);
    const auto low = static_cast<uint64_t>(std::min<unsigned __int128>(begin, ~uint64_t{0})),
               high = static_cast<uint64_t>(std::min<unsigned __int128>(end, ~uint64_t{0}));
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
  prediction.transaction_bytes = transaction_bytes(copy, shape, readings);
  prediction.end = end_of_phase(copy, shape, readings, prediction.transaction_bytes);

  const spec::DataType& type = type_of(copy);
  const SwizzlePattern pattern = pattern_for(copy, readings);
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
    prediction.rules.set(spec::rule("IM2C-R08"));
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
      const auto first = static_cast<uint64_t>(bytes_of_row(shape, byte, 0).first);
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
  rules.set(spec::rule("IM2C-R14")).set(spec::rule("TILE-R30")).set(spec::rule("TILE-R51"));
  const uint32_t end_bytes = stored_end(copy, shape, readings, rules);
  const uint32_t begin_bytes = shape.first_unit * shape.unit_global;
  Tf32Conversion convert;
  if (type_of(copy).tf32 && readings.chosen(spec::question("TMA-AMB-32")) == 'B')
    convert.reading = readings.chosen(spec::question("TMA-AMB-07"));
  const SwizzlePattern pattern = pattern_for(copy, readings);
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
    const auto to = static_cast<uint64_t>(bytes_of_row(shape, byte, 0).first);
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
