// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor in modes im2col and im2col_no_offs: a column of pixels, from the bits of the map
// (H200: sections "im2col loads" and "interleaved maps" of the measurements).
#include <algorithm>
#include <string>

#include "devices/emulator/tma/laying.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::emulator {
namespace {

namespace map = spec::tensor_map;
using Kind = Diagnostic::Kind;

class Im2colPlanner {
 public:
  Im2colPlanner(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
                TensorCopyPlan& plan)
      : request_(request),
        steps_(steps),
        plan_(plan),
        column_{shape, {}, {}, 0, shape.rank - 2},
        pieces_(request, shape, steps, plan) {}

  void plan() {
    read_column();
    if (!check_alignment(request_, shape(), steps_, plan_) ||
        !check_store_start(request_, shape(), steps_, plan_) || !check_box())
      return;
    if (request_.kind == TensorCopyKind::prefetch) return;
    count_channels();
    const uint32_t pixels = steps_.column_pixels(column_);
    const uint32_t cell_pitch = steps_.cell_pitch(shape());
    const uint32_t row_bytes = cells_ * cell_pitch;
    pitch_ = shape().interleaved() ? row_bytes : steps_.row_pitch(shape(), row_bytes);
    if (uint64_t{pixels} * pitch_ > most_copied_bytes) {
      set_fault(plan_, "column", Kind::illegal_address,
                "the column needs " + std::to_string(uint64_t{pixels} * pitch_) + " bytes of shared memory");
      return;
    }
    lay_pixels(pixels);
  }

 private:
  const TiledShape& shape() const { return column_.base; }
  /// The tensor's dimension of a spatial axis: channels come first, but with interleave.
  int dimension_of(int axis) const { return shape().interleaved() ? axis : axis + 1; }

  void read_column() {
    column_.pixels = static_cast<uint32_t>(spec::get(request_.map, map::pixels));
    for (int k = 0; k < column_.axes; ++k) {
      const auto corner = [&](bool upper) {
        const uint64_t raw = spec::get_raw(request_.map, map::corner_at(shape().rank, k, upper));
        return steps_.corner(shape(), k, upper, map::signed_corner(raw, shape().rank));
      };
      const int64_t extent = static_cast<int64_t>(shape().dim[static_cast<size_t>(dimension_of(k))]);
      column_.lowest[static_cast<size_t>(k)] = corner(false);
      column_.highest[static_cast<size_t>(k)] = extent - 1 + corner(true);
    }
  }

  bool check_box() {
    for (int k = 0; k < column_.axes; ++k) {
      const auto axis = static_cast<size_t>(k);
      const int64_t start = request_.coord[static_cast<size_t>(dimension_of(k))];
      if (!steps_.rule("M-06", start >= column_.lowest[axis] && start <= column_.highest[axis])) {
        set_fault(plan_, "M-06", Kind::illegal_instruction,
                  "coordinate " + std::to_string(dimension_of(k)) + " is " + std::to_string(start) +
                      ", outside of the pixel box from " + std::to_string(column_.lowest[axis]) + " to " +
                      std::to_string(column_.highest[axis]));
        return false;
      }
      const auto extent = static_cast<int64_t>(shape().dim[static_cast<size_t>(dimension_of(k))]);
      const bool leaves = column_.lowest[axis] < 0 || column_.highest[axis] > extent - 1;
      if (!steps_.rule("S-06", request_.kind != TensorCopyKind::store || !leaves)) {
        set_fault(plan_, "S-06", Kind::illegal_instruction,
                  "a store through a pixel box that leaves the tensor along axis " + std::to_string(k));
        return false;
      }
    }
    return true;
  }

  /// Channels of a pixel that lie in the tensor; of an interleaved map the plane of its slice.
  void count_channels() {
    if (shape().interleaved()) {
      const int plane = shape().rank - 2;
      cells_ = 1;
      begin_ = 0;
      end_ =
          steps_.inside(shape(), plane, steps_.coordinate(plane, request_.coord[static_cast<size_t>(plane)]))
              ? 1
              : 0;
      channels_ = 1;
      return;
    }
    channels_ = shape().box[0];
    cells_ = channels_ / shape().cell_elements;
    start_ = steps_.coordinate(0, request_.coord[0]);
    const auto inside = [&](uint32_t channel) { return steps_.inside(shape(), 0, start_ + channel); };
    begin_ = 0;
    while (begin_ < channels_ && !inside(begin_)) ++begin_;
    end_ = begin_;
    while (end_ < channels_ && inside(end_)) ++end_;
  }

  std::array<int64_t, 5> index_of(const Im2colPosition& position) const {
    std::array<int64_t, 5> index{};
    index[0] = start_;
    for (int k = 0; k < column_.axes; ++k)
      index[static_cast<size_t>(dimension_of(k))] =
          position.at[static_cast<size_t>(k)] + offset_[static_cast<size_t>(k)];
    const auto plane = static_cast<size_t>(shape().rank - 2);
    if (shape().interleaved())
      index[plane] = steps_.coordinate(static_cast<int>(plane), request_.coord[plane]);
    index[static_cast<size_t>(shape().rank - 1)] = position.image;
    return index;
  }

  bool is_inside(const std::array<int64_t, 5>& index) const {
    for (int d = shape().interleaved() ? 0 : 1; d < shape().rank; ++d)
      if (!steps_.inside(shape(), d, index[static_cast<size_t>(d)])) return false;
    return true;
  }

  void lay_pixels(uint32_t pixels) {
    for (int k = 0; k < column_.axes; ++k)
      offset_[static_cast<size_t>(k)] =
          request_.kind == TensorCopyKind::store ? 0 : steps_.im2col_offset(column_, request_.offset, k);
    const auto last = static_cast<size_t>(shape().rank - 1);
    Im2colPosition position;
    for (int k = 0; k < column_.axes; ++k) {
      const int d = dimension_of(k);
      position.at[static_cast<size_t>(k)] = steps_.coordinate(d, request_.coord[static_cast<size_t>(d)]);
    }
    position.image = steps_.coordinate(static_cast<int>(last), request_.coord[last]);
    uint32_t row = request_.shared_address;
    uint64_t in_bounds = 0;
    for (uint32_t pixel = 0; pixel < pixels; ++pixel, row += pitch_) {
      if (pixel != 0) steps_.advance(column_, position);
      const std::array<int64_t, 5> index = index_of(position);
      const bool inside = is_inside(index);
      if (inside) in_bounds += uint64_t{end_ - begin_} * shape().element_bits / 8;
      if (request_.kind == TensorCopyKind::load)
        load_pixel(index, row, inside);
      else if (steps_.stores_row(inside))
        store_pixel(index, row);
    }
    if (request_.kind != TensorCopyKind::load) return;
    const uint64_t payload = uint64_t{pixels} * channels_ * shape().element_bits / 8;
    plan_.transaction_bytes =
        steps_.transaction_bytes(shape(), {static_cast<uint32_t>(payload), static_cast<uint32_t>(in_bounds),
                                           pixels * pitch_, pixels * cells_ * shape().cell_shared_bytes});
  }

  /// Payload bytes [first, second) of a cell that lie in the tensor.
  std::pair<uint32_t, uint32_t> clip(uint32_t first_channel) const {
    const uint32_t after = first_channel + shape().cell_elements;
    const uint32_t begin = std::clamp(begin_, first_channel, after), end = std::clamp(end_, begin, after);
    return {(begin - first_channel) * shape().element_bits / 8,
            (end - first_channel) * shape().element_bits / 8};
  }

  template <typename F>
  void for_cells(const std::array<int64_t, 5>& index, uint32_t row, F f) {
    const uint64_t source = steps_.source(shape(), index);
    for (uint32_t cell = 0; cell < cells_; ++cell, row += steps_.cell_pitch(shape())) {
      const uint32_t channel = cell * shape().cell_elements;
      f(source + uint64_t{channel} * shape().element_bits / 8, row, channel);
    }
  }

  void load_pixel(const std::array<int64_t, 5>& index, uint32_t row, bool inside) {
    for_cells(index, row, [&](uint64_t source, uint32_t target, uint32_t channel) {
      const uint32_t bytes = shape().cell_global_bytes;
      const auto [begin, end] = inside ? clip(channel) : std::pair<uint32_t, uint32_t>{bytes, bytes};
      pieces_.add_loaded(source, target, begin, end);
    });
  }

  void store_pixel(const std::array<int64_t, 5>& index, uint32_t row) {
    for_cells(index, row, [&](uint64_t source, uint32_t target, uint32_t channel) {
      const auto [begin, end] = clip(channel);
      pieces_.add_stored(source, target, begin, end);
    });
  }

  const TensorCopyRequest& request_;
  const Steps& steps_;
  TensorCopyPlan& plan_;
  Im2colShape column_;
  Pieces pieces_;
  std::array<int64_t, 3> offset_{};
  int64_t start_ = 0;  ///< channel
  uint32_t channels_ = 0, cells_ = 0, begin_ = 0, end_ = 0, pitch_ = 0;
};

}  // namespace

void plan_im2col_copy(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps,
                      TensorCopyPlan& plan) {
  Im2colPlanner(request, shape, steps, plan).plan();
}

}  // namespace assay::emulator
