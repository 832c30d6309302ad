// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/slow.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "reference/model/bend.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/element_values.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/spec/questions.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

/// A pixel of the walk: where it lies, offsets included.
struct Position {
  int64_t at[3] = {};
  int64_t image = 0;
  uint32_t row = 0;         ///< of the column in shared memory
  bool is_nowhere = false;  ///< TMA-AMB-14, the rival
};

/// A case in the words of its definition, with the steps that a bend alters.
class Im2colDefinition {
 public:
  Im2colDefinition(const TensorCopyCase& c, const spec::Readings& r)
      : copy(c),
        readings(r),
        tiled(as_tiled(c)),
        type(type_of(c)),
        shape(column_of(c, r)),
        pattern(pattern_of_column(c, r)) {
    const Bend* const of = r.bend();
    if (of == nullptr) return;
    walk = of->im2col;
    wide = of->wide;
    if (of->copy.concerns == nullptr || of->copy.concerns(tiled)) layout = of->copy;
  }

  /// The coordinate of the instruction.
  int64_t coordinate(uint32_t dimension) const {
    const int64_t right = copy.coord[dimension];
    return layout.start == nullptr ? right : layout.start(tiled, static_cast<int>(dimension), right);
  }
  uint32_t pixels() const { return walk.pixels == nullptr ? shape.pixels : walk.pixels(copy, shape.pixels); }

  std::vector<Position> positions() const {
    if (is_wide(copy)) return wide_positions();
    const TensorMapArgs& map = copy.map;
    const uint32_t axes = spatial_axes(map.rank);
    const auto offsets = acting_offsets(copy, readings);
    int64_t at[3] = {}, image = coordinate(map.rank - 1);
    for (uint32_t k = 0; k < axes; ++k) {
      at[k] = coordinate(dimension_of_axis(map, k));
      if (walk.start != nullptr) at[k] = walk.start(copy, k, at[k]);
    }
    std::vector<Position> list;
    for (uint32_t p = 0; p < pixels(); ++p) {
      Position& now = list.emplace_back();
      now.image = image;
      now.row = p;
      for (uint32_t k = 0; k < axes; ++k) {
        const auto offset = static_cast<int64_t>(offsets[k]);
        now.at[k] = at[k] + (walk.offset == nullptr || copy.direction == CopyDirection::store
                                 ? offset
                                 : walk.offset(copy, k, offset));
      }
      advance(at, image, axes);
    }
    return list;
  }

  /// Along W alone: a column and its halo, or four groups each of which has one.
  std::vector<Position> wide_positions() const {
    const bool in_groups = copy.mode == CopyMode::w_128;
    const uint32_t pixels_of_map = in_groups ? pixels_of_w_128 : copy.map.pixels;
    const uint32_t pixels = wide.pixels == nullptr ? pixels_of_map : wide.pixels(copy, pixels_of_map);
    const uint32_t halo = wide.halo == nullptr ? copy.w_halo : wide.halo(copy, copy.w_halo);
    const uint32_t group = in_groups ? pixels_before_halo : pixels;
    const bool halos_behind = readings.is({"TMA-AMB-13", "behind_all_pixels"}) && in_groups;
    Position now;
    now.image = coordinate(copy.map.rank - 1);
    now.at[0] = coordinate(dimension_of_axis(copy.map, 0)) + wide_offset(WideEnd::start);
    if (walk.start != nullptr) now.at[0] = walk.start(copy, 0, now.at[0]);
    for (uint32_t k = 1; k < spatial_axes(copy.map.rank); ++k)
      now.at[k] = coordinate(dimension_of_axis(copy.map, k));
    std::vector<Position> list;
    for (uint32_t g = 0; g * group < pixels; ++g) {
      const auto take = [&](uint32_t count, uint32_t first_row, uint32_t step) {
        for (uint32_t i = 0; i < count; ++i) {
          now.row = first_row + i * step;
          list.push_back(now);
          advance_along_w(now);
        }
      };
      const uint32_t first = halos_behind ? g * group : g * (group + halo);
      take(group, first, 1);
      const Position next = now;
      const uint32_t moved = wide.halo_moved == nullptr ? 0 : wide.halo_moved(copy, g);
      if (halos_behind)
        take(halo, pixels + g + moved, pixels / group);
      else
        take(halo, first + group + moved, 1);
      if (!wide.halo_moves_on) now = next;
    }
    return list;
  }

  bool inside(uint32_t dimension, int64_t index) const {
    const bool right = index >= 0 && index < static_cast<int64_t>(copy.map.global_dim[dimension]);
    return layout.inside == nullptr ? right : layout.inside(tiled, static_cast<int>(dimension), index, right);
  }
  /// Whether the pixel lies in the tensor, and where it begins, relative to its first byte.
  bool lies_inside(const Position& p, __int128& byte) const {
    const TensorMapArgs& map = copy.map;
    byte = 0;
    bool all = !p.is_nowhere;
    const auto add = [&](uint32_t dimension, int64_t index) {
      uint64_t stride = dimension == 0 ? spec::find_interleave(map.interleave)->slice_bytes
                                       : map.global_stride[dimension - 1];
      if (layout.stride != nullptr && dimension != 0)
        stride = layout.stride(tiled, static_cast<int>(dimension), stride);
      byte += static_cast<__int128>(index) * static_cast<__int128>(stride);
      all &= inside(dimension, index);
    };
    for (uint32_t k = 0; k < spatial_axes(map.rank); ++k) add(dimension_of_axis(map, k), p.at[k]);
    if (map.interleave != 0) add(map.rank - 2, coordinate(map.rank - 2));
    add(map.rank - 1, p.image);
    return all;
  }
  /// The unit of channels lies in the tensor; the one slice of an interleaved map does where its pixel does.
  bool unit_inside(uint32_t unit) const {
    if (copy.map.interleave != 0) return true;
    const int64_t elements = type.is_dense_packed() ? 2 : type.group;
    return inside(0, coordinate(0) + unit * elements);
  }
  /// Where a unit of a pixel that begins at `byte` lies in memory.
  __int128 unit_address(__int128 byte, uint32_t unit) const {
    const int64_t elements = type.is_dense_packed() ? 2 : type.group;
    __int128 at = byte + int64_t{unit} * shape.unit_global;
    if (copy.map.interleave == 0) at += coordinate(0) / elements * int64_t{shape.unit_global};
    if (layout.distance != nullptr) at = layout.distance(tiled, static_cast<int64_t>(at));
    return at + copy.map.global_address;
  }

  uint32_t pitch() const {
    return layout.pitch == nullptr ? shape.pitch : layout.pitch(tiled, shape.inner, shape.pitch);
  }
  uint32_t place(uint32_t pixel, uint32_t byte) const {
    const uint32_t address = copy.tile_offset + pixel * pitch() + byte, right = pattern.place(address);
    return layout.place == nullptr ? right : layout.place(tiled, address, right);
  }
  uint8_t fill(uint32_t byte) const {
    uint64_t eight = 0;
    if (copy.map.oob_fill == 1) eight = nan_fill(type, readings);
    const auto right = static_cast<uint8_t>(eight >> (8 * (byte % 8)));
    return layout.fill == nullptr ? right : layout.fill(tiled, byte, right);
  }

  const TensorCopyCase& copy;
  const spec::Readings& readings;
  const TensorCopyCase tiled;
  const spec::DataType& type;
  const ColumnShape shape;
  const SwizzlePattern pattern;
  Im2colBend walk;
  WideBend wide;
  TiledBend layout;

 private:
  int64_t wide_offset(WideEnd end) const {
    const int64_t right = copy.w_offset;
    return wide.offset == nullptr ? right : wide.offset(copy, end, right);
  }
  void advance_along_w(Position& now) const {
    const TensorMapArgs& map = copy.map;
    const uint32_t dimension = dimension_of_axis(map, 0);
    const auto extent = static_cast<int64_t>(map.global_dim[dimension]);
    const int64_t lower = corner(0, false) + wide_offset(WideEnd::lower),
                  upper = extent - 1 + corner(0, true) + wide_offset(WideEnd::upper);
    int64_t step = map.element_stride[dimension];
    if (walk.step != nullptr) step = walk.step(copy, 0, step);
    now.at[0] += step;
    if (wide.snaps_to_box) now.at[0] = std::max(now.at[0], lower);
    if (now.at[0] <= (walk.last == nullptr ? upper : walk.last(copy, 0, upper))) return;
    int64_t again = lower;
    if (wide.carries_step) again = std::min(lower + now.at[0] - upper - 1, upper);
    now.at[0] = walk.restart == nullptr ? again : walk.restart(copy, 0, again);
    const int64_t images =
        readings.is({"TMA-AMB-42", "images_too"}) ? int64_t{map.element_stride[map.rank - 1]} : 1;
    now.image += walk.image_step == nullptr ? images : walk.image_step(copy, images);
    now.is_nowhere |= readings.is({"TMA-AMB-14", "nowhere"});
  }
  int64_t corner(uint32_t axis, bool upper) const {
    const int64_t right = upper ? copy.map.upper[axis] : copy.map.lower[axis];
    return walk.corner == nullptr ? right : walk.corner(copy, axis, upper, right);
  }
  void advance(int64_t (&at)[3], int64_t& image, uint32_t axes) const {
    const TensorMapArgs& map = copy.map;
    for (uint32_t place = 0; place < axes; ++place) {
      const uint32_t k = walk.order == nullptr ? place : walk.order(copy, place);
      const uint32_t dimension = dimension_of_axis(map, k);
      const auto extent = static_cast<int64_t>(map.global_dim[dimension]);
      const int64_t lower = corner(k, false), upper = extent - 1 + corner(k, true);
      int64_t step = map.element_stride[dimension];
      if (walk.step != nullptr) step = walk.step(copy, k, step);
      at[k] += step;
      if (at[k] <= (walk.last == nullptr ? upper : walk.last(copy, k, upper))) return;
      const int64_t width = std::max<int64_t>(upper - lower + 1, 1);
      const int64_t again =
          readings.is({"TMA-AMB-02", "carries_the_rest"}) ? lower + (at[k] - lower) % width : lower;
      at[k] = walk.restart == nullptr ? again : walk.restart(copy, k, again);
    }
    const int64_t step =
        readings.is({"TMA-AMB-03", "steps_over_images"}) ? int64_t{map.element_stride[map.rank - 1]} : 1;
    image += walk.image_step == nullptr ? step : walk.image_step(copy, step);
  }
};

/// The words of a unit's bytes, all from the tensor, as the type has them converted.
void convert(const Im2colDefinition& d, std::span<std::byte> bytes) {
  if (d.type.bits != 32 && d.copy.map.interleave == 0) return;
  Tf32Conversion conversion;
  if (d.type.tf32) conversion.rounding = tf32_rounding(d.readings);
  if (d.type.name.ends_with(".ftz")) conversion.flushes_subnormals = d.readings.is({"TMA-AMB-06", "flushes"});
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    uint32_t word, right;
    std::memcpy(&word, &bytes[at], 4);
    conversion.apply(reinterpret_cast<std::byte*>(&right), &bytes[at], 4);
    if (d.layout.word != nullptr && d.type.bits == 32) right = d.layout.word(d.tiled, word, right);
    std::memcpy(&bytes[at], &right, 4);
  }
}

/// The elements of a unit, one after the other. How often each byte is reduced.
void reduce_unit(const Im2colDefinition& d, uint32_t pixel, uint32_t unit, __int128 to,
                 std::span<const std::byte> window, std::span<std::byte> slot, std::vector<int>& writes) {
  const spec::Reduction what = *tensor_reduction(d.copy.reduction, d.copy.map.data_type);
  const uint32_t bytes = spec::bytes_of(what.type);
  for (uint32_t first = 0; first + bytes <= d.shape.unit_global; first += bytes) {
    if (to + first < 0 || to + first + bytes > static_cast<__int128>(slot.size())) continue;
    const auto at = static_cast<size_t>(to) + first;
    std::byte operand[8] = {};
    for (uint32_t b = 0; b < bytes; ++b) {
      const uint32_t from = d.place(pixel, unit * d.shape.unit_shared + first + b);
      if (from < window.size()) operand[b] = window[from];
      ++writes[at + b];
    }
    store_element(
        &slot[at],
        bent_reduction(what, load_element(&slot[at], bytes), load_element(operand, bytes), d.readings),
        bytes);
  }
}

}  // namespace

TensorCopyCase as_tiled(const TensorCopyCase& c) {
  TensorCopyCase t;
  t.map = c.map;
  t.map.box_dim.fill(1);
  t.map.box_dim[0] = c.map.channels;
  t.direction = c.direction;
  t.coord = c.coord;
  t.instruction_rank = c.instruction_rank;
  t.tile_offset = c.tile_offset;
  t.window_bytes = c.window_bytes;
  t.transaction_delta = c.transaction_delta;
  t.cluster_size = c.cluster_size;
  t.cta_mask = c.cta_mask;
  t.issuer_rank = c.issuer_rank;
  return t;
}

void slow_column_load(const TensorCopyCase& copy, const spec::Readings& readings,
                      std::span<const std::byte> arena, std::span<std::byte> window,
                      std::span<std::byte> defined) {
  const Im2colDefinition d(copy, readings);
  std::fill(defined.begin(), defined.end(), d.layout.rest_is_open ? std::byte{0} : std::byte{0xff});
  std::vector<std::byte> unit(d.shape.unit_global);
  for (const Position& at : d.positions()) {
    const uint32_t pixel = at.row;
    __int128 byte;
    const bool pixel_inside = d.lies_inside(at, byte);
    for (uint32_t u = 0; u < d.shape.units; ++u) {
      const bool is_in = pixel_inside && d.unit_inside(u);
      const __int128 from = d.unit_address(byte, u);
      const bool is_there = from >= 0 && from + d.shape.unit_global <= static_cast<__int128>(arena.size());
      for (uint32_t b = 0; b < d.shape.unit_global; ++b) {
        if (is_in && is_there)
          unit[b] = arena[static_cast<size_t>(from) + b];
        else if (!is_in)
          unit[b] = std::byte{d.fill(b)};
      }
      if (is_in) convert(d, unit);
      const bool is_known = is_in ? is_there && !d.layout.data_is_open : !d.layout.fill_is_open;
      for (uint32_t b = 0; b < d.shape.unit_shared; ++b) {
        const uint32_t to = d.place(pixel, u * d.shape.unit_shared + b);
        if (to >= window.size()) continue;
        const bool is_data = b < d.shape.unit_global;
        if (is_data) window[to] = unit[b];
        if (!defined.empty()) defined[to] = is_data && is_known ? std::byte{0xff} : std::byte{0};
      }
    }
  }
}

void slow_column_store(const TensorCopyCase& copy, const spec::Readings& readings,
                       std::span<const std::byte> window, std::span<std::byte> slot,
                       std::span<std::byte> defined) {
  const Im2colDefinition d(copy, readings);
  const bool in_pieces = copy.map.interleave == 0 && readings.is({"X-17", "by_16_byte_pieces"});
  std::vector<int> writes(slot.size());
  for (const Position& at : d.positions()) {
    const uint32_t pixel = at.row;
    __int128 byte;
    const bool row_inside = d.lies_inside(at, byte);
    if (!row_inside && d.layout.stores == nullptr) continue;
    for (uint32_t u = 0; u < d.shape.units; ++u) {
      // The unit goes with the piece of 16 bytes that it lies in.
      const uint32_t first = in_pieces ? u * d.shape.unit_global / 16 * 16 / d.shape.unit_global : u;
      bool is_in = d.unit_inside(first) && row_inside;
      if (d.layout.stores != nullptr)
        is_in = d.layout.stores(d.tiled, u, 8 * d.shape.unit_global, row_inside, is_in);
      if (!is_in) continue;
      const __int128 to = d.unit_address(byte, u);
      if (copy.reduction != TensorReduction::none) {
        reduce_unit(d, pixel, u, to, window, slot, writes);
        continue;
      }
      for (uint32_t b = 0; b < d.shape.unit_global; ++b) {
        const uint32_t from = d.place(pixel, u * d.shape.unit_shared + b);
        if (from >= window.size() || to + b < 0 || to + b >= static_cast<__int128>(slot.size())) continue;
        slot[static_cast<size_t>(to) + b] = window[from];
        ++writes[static_cast<size_t>(to) + b];
      }
    }
  }
  for (size_t i = 0; i < defined.size(); ++i) {
    const bool is_open = writes[i] > 1 || (writes[i] == 0 && d.layout.rest_is_open) ||
                         (writes[i] != 0 && d.layout.data_is_open);
    defined[i] = is_open ? std::byte{0} : std::byte{0xff};
  }
}

uint64_t slow_column_transaction_bytes(const TensorCopyCase& copy, const spec::Readings& readings) {
  const Im2colDefinition d(copy, readings);
  ColumnShape shape = d.shape;
  if (!is_wide(copy)) shape.pixels = d.pixels();
  int64_t bytes = transaction_bytes(copy, shape, readings);
  if (is_wide(copy) && shape.pixels != 0)
    bytes = bytes / shape.pixels * static_cast<int64_t>(d.positions().size());
  if (d.layout.signalled != nullptr) bytes = d.layout.signalled(d.tiled, bytes);
  if (d.walk.signalled != nullptr) bytes = d.walk.signalled(copy, bytes);
  return static_cast<uint64_t>(std::clamp<int64_t>(bytes, 0, UINT32_MAX));
}

}  // namespace assay::model
