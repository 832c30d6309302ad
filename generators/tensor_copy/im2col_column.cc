// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/im2col.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::gen {
namespace {

/// Makes one case; what it could not reconcile, the caller tries again.
class ColumnBuilder {
 public:
  ColumnBuilder(Random& random, const ColumnWish& wish, TensorCopyCase& c)
      : random_(random), wish_(wish), c_(c), m_(c.map), type_(spec::data_types[wish.cell.type]) {}

  bool build() {
    c_ = TensorCopyCase{};
    c_.mode = CopyMode::im2col;
    c_.direction = wish_.direction;
    modes();
    channels();
    traversal();
    extents();
    for (uint32_t k = 0; k < axes(); ++k) corners(k);
    start();
    if (!is_store()) offsets();
    if (wish_.cell.edge == ColumnEdge::inside && !cut_to_tensor()) return false;
    if (wish_.cell.edge == ColumnEdge::some_outside) lose_an_image();
    return place_column(random_, wish_, c_);
  }

 private:
  bool is_store() const { return wish_.direction == CopyDirection::store; }
  uint32_t axes() const { return spatial_axes(m_.rank); }
  bool interleaved() const { return m_.interleave != 0; }

  void modes() {
    m_.data_type = type_.host;
    m_.rank = c_.instruction_rank = wish_.cell.rank;
    m_.interleave = wish_.cell.interleave;
    m_.swizzle = wish_.cell.swizzle;
    m_.l2_promotion = random_.below(4);
    m_.oob_fill = type_.is_float && random_.one_in(2) ? 1 : 0;
  }

  void channels() {
    const uint32_t quantum = box_quantum(type_, m_.interleave);
    const uint32_t span = spec::find_swizzle(m_.swizzle)->span_bytes;
    uint32_t most = type_.is_padded() ? 1 : 256 / quantum;
    if (!interleaved() && span != 0 && !type_.is_padded()) most = std::min(most, span / 16);
    c_.map.channels = quantum * (random_.one_in(3) ? most : random_.between(1, most));
    const uint64_t inner = interleaved()
                               ? 16u * m_.interleave
                               : std::max<uint64_t>(span, uint64_t{c_.map.channels} * type_.bits / 8);
    const uint64_t wanted = std::max<uint64_t>(1, wish_.bytes / inner);
    const uint64_t counted = uint64_t{c_.map.channels} * type_.bits / 8;  // what V-48 counts
    const uint64_t most_pixels = std::min<uint64_t>({1024, 200000 / counted, 160000 / inner});
    c_.map.pixels = static_cast<uint32_t>(std::min(wanted, most_pixels));
    if (random_.one_in(16))
      c_.map.pixels = 1u << random_.below(static_cast<uint32_t>(std::bit_width(most_pixels)));
  }

  void traversal() {
    m_.element_stride.fill(1);
    if (random_.one_in(3)) m_.element_stride[interleaved() ? m_.rank - 2 : 0] = random_.between(1, 8);
    if (!wish_.cell.stepped) return;
    const auto step = [&] { return random_.one_in(2) ? 2 : random_.between(2, 8); };
    for (uint32_t k = 0; k < axes(); ++k)
      if (random_.one_in(2)) m_.element_stride[dimension_of_axis(m_, k)] = step();
    if (random_.one_in(3)) m_.element_stride[m_.rank - 1] = step();
    if (!is_stepped()) m_.element_stride[dimension_of_axis(m_, random_.below(axes()))] = step();
  }
  bool is_stepped() const {
    bool stepped = m_.element_stride[m_.rank - 1] > 1;
    for (uint32_t k = 0; k < axes(); ++k) stepped |= m_.element_stride[dimension_of_axis(m_, k)] > 1;
    return stepped;
  }

  /// Extents and strides of a tensor that has room in the arena, or in a slot.
  void extents() {
    const uint64_t granule = address_granule(m_);
    // Where large cases are rare, so are slots that are far larger than what is stored to them.
    uint64_t room = is_store() ? (random_.one_in(wish_.rarity) ? 160 << 10 : 8 << 10) : 2 << 20;
    uint64_t below = 0;
    if (interleaved()) {
      const uint64_t slice = 16u * m_.interleave;
      m_.global_dim[0] = random_.log_uniform(1, std::min<uint64_t>(60, room / slice));
      below = m_.global_dim[0] * slice;
    } else {
      const uint32_t unit = type_.is_padded() ? 128 : type_.is_dense_packed() ? 2 : 1;
      const uint32_t around = random_.one_in(2) ? c_.map.channels : c_.map.channels * random_.between(1, 3);
      const uint32_t tail = random_.one_in(2) ? 0 : random_.below(c_.map.channels);
      m_.global_dim[0] = std::max<uint64_t>(unit, (around + tail) / unit * unit);
      below = m_.global_dim[0] * type_.bits / 8;
    }
    // The order in which dimensions lie in memory: mostly as they are counted.
    std::array<uint32_t, 4> order{1, 2, 3, 4};
    if (random_.one_in(8))
      for (uint32_t i = m_.rank - 1; i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
    for (uint32_t i = 0; i + 1 < m_.rank; ++i) {
      const uint32_t dimension = order[i];
      uint64_t stride = whole_units(std::max<uint64_t>(below, 1), granule);
      if (random_.one_in(3)) stride += granule * random_.below(4);
      if (!is_store() && random_.one_in(24)) stride = granule * random_.below(3);
      m_.global_stride[dimension - 1] = stride;
      const uint64_t most = std::max<uint64_t>(
          1, std::min<uint64_t>(m_.rank == 3 ? 600 : 48, room / std::max(stride, granule)));
      m_.global_dim[dimension] = random_.log_uniform(1, most);
      below = std::max(below, stride * m_.global_dim[dimension]);
    }
    if (!is_store() && random_.one_in(16)) m_.global_dim[m_.rank - 1] = uint64_t{1} << 31;
  }

  int32_t within(int64_t low, int64_t high, int bits) {
    const int64_t end = int64_t{1} << (bits - 1);
    low = std::clamp<int64_t>(low, -end, end - 1);
    high = std::clamp<int64_t>(high, low, end - 1);
    return static_cast<int32_t>(low +
                                static_cast<int64_t>(random_.below64(static_cast<uint64_t>(high - low) + 1)));
  }

  void corners(uint32_t k) {
    const int bits = spec::tensor_map::corner_bits(static_cast<int>(m_.rank));
    const auto extent = static_cast<int64_t>(m_.global_dim[dimension_of_axis(m_, k)]);
    int32_t& lower = c_.map.lower[k];
    int32_t& upper = c_.map.upper[k];
    const bool stays = is_store() || wish_.cell.edge == ColumnEdge::inside;
    for (int tries = 0; tries < 8; ++tries) {
      switch (stays ? random_.below(2) : 1 + random_.below(4)) {
        case 0:
          lower = upper = 0;
          break;
        case 1:  // a part of the tensor
          lower = within(0, extent - 1, bits);
          upper = within(lower - extent + 1, 0, bits);
          break;
        case 2:  // padded, as filters are
          lower = within(-3, 0, bits);
          upper = within(-4, 2, bits);
          break;
        case 3:
          lower = within(-12, 12, bits);
          upper = within(-12, 12, bits);
          break;
        default:  // ends of the range
          lower = random_.one_in(2) ? -(1 << (bits - 1))
                                    : within(-(1 << (bits - 1)), (1 << (bits - 1)) - 1, bits);
          upper = random_.one_in(2) ? (1 << (bits - 1)) - 1
                                    : within(-(1 << (bits - 1)), (1 << (bits - 1)) - 1, bits);
      }
      if (extent + upper > lower) return;
    }
    lower = upper = 0;
  }

  void start() {
    for (uint32_t k = 0; k < axes(); ++k) {
      const model::BoxEnds box = model::box_of(c_.map, k);
      const int64_t low = box.lower, high = box.upper;
      const uint32_t dimension = dimension_of_axis(m_, k);
      const auto anywhere = [&] {
        return low + static_cast<int64_t>(random_.below64(static_cast<uint64_t>(high - low) + 1));
      };
      int64_t at = low;
      switch (random_.below(6)) {
        case 0:
        case 1:
          break;
        case 2:
          at = high;
          break;
        case 3:  // in the tensor, where the box reaches it
          at = std::clamp<int64_t>(random_.below(8), low, high);
          break;
        default:
          at = anywhere();
      }
      c_.coord[dimension] = static_cast<int32_t>(at);
    }
    const bool inside = wish_.cell.edge == ColumnEdge::inside,
               outside = wish_.cell.edge == ColumnEdge::all_outside;
    const auto images = static_cast<int64_t>(m_.global_dim[m_.rank - 1]);
    const auto near = [&](int64_t extent) {
      return static_cast<int64_t>(random_.below64(static_cast<uint64_t>(std::min<int64_t>(extent, 64))));
    };
    int64_t image = near(images);
    if (!inside && !is_store() && random_.one_in(6)) image = -1 - static_cast<int64_t>(random_.below(3));
    if (outside) image = images + random_.below(3);
    if (outside && !is_store() && random_.one_in(2))
      image = INT32_MIN + static_cast<int64_t>(random_.below(9));
    c_.coord[m_.rank - 1] = static_cast<int32_t>(std::min<int64_t>(image, INT32_MAX));
    channel_start(inside);
  }

  void channel_start(bool inside) {
    if (interleaved()) {
      const auto planes = static_cast<int64_t>(m_.global_dim[m_.rank - 2]);
      int64_t plane =
          static_cast<int64_t>(random_.below64(static_cast<uint64_t>(std::min<int64_t>(planes, 64))));
      if (!inside && random_.one_in(8)) plane = is_store() || random_.one_in(2) ? planes : -1;
      c_.coord[m_.rank - 2] = static_cast<int32_t>(plane);
      return;
    }
    const auto quantum = static_cast<int64_t>(coordinate_quantum(type_, 0));
    const auto extent = static_cast<int64_t>(m_.global_dim[0]);
    int64_t first = 0;
    switch (random_.below(4)) {
      case 0:
      case 1:
        break;
      case 2:
        first = static_cast<int64_t>(random_.below64(static_cast<uint64_t>((extent - 1) / quantum) + 1)) *
                quantum;
        break;
      default:
        if (!inside && !is_store()) first = -quantum * static_cast<int64_t>(random_.between(1, 3));
        if (!inside && random_.one_in(4))
          first = static_cast<int64_t>(
              whole_units(static_cast<uint64_t>(extent), static_cast<uint64_t>(quantum)));
    }
    c_.coord[0] = static_cast<int32_t>(first);
  }

  /// From a start far below the tensor, so that every bit of the offset decides.
  uint32_t offset_into_tensor(uint32_t k, uint32_t range) {
    const uint32_t dimension = dimension_of_axis(m_, k);
    const auto extent = static_cast<int64_t>(m_.global_dim[dimension]);
    if (random_.one_in(2)) c_.coord[dimension] = static_cast<int32_t>(model::box_of(c_.map, k).lower);
    const int64_t target = random_.below(static_cast<uint32_t>(std::min<int64_t>(extent, 64)));
    return static_cast<uint32_t>(std::clamp<int64_t>(target - c_.coord[dimension], 0, range));
  }

  void offsets() {
    const uint32_t range = m_.rank == 3 ? 65535 : m_.rank == 4 ? 255 : 31;
    const bool inside = wish_.cell.edge == ColumnEdge::inside;
    for (uint32_t k = 0; k < axes(); ++k) {
      uint32_t offset = 0;
      switch (random_.below(inside ? 3 : 7)) {
        case 0:
        case 1:
          break;
        case 2:
        case 3:
          offset = random_.below(4);
          break;
        case 4:
          offset = random_.between(0, range);
          break;
        case 5:
          offset = random_.one_in(2) ? range : random_.below(65536);
          break;
        default:
          offset = offset_into_tensor(k, range);
      }
      c_.offset[k] = static_cast<uint16_t>(offset);
    }
    for (uint32_t k = axes(); k < 3; ++k) c_.offset[k] = 0;
    if (!inside) return;
    // Offsets that stay in the tensor: the box ends that much before its end.
    const int bits = spec::tensor_map::corner_bits(static_cast<int>(m_.rank));
    for (uint32_t k = 0; k < axes(); ++k) {
      const int32_t upper = c_.map.upper[k] - c_.offset[k];
      const auto extent = static_cast<int64_t>(m_.global_dim[dimension_of_axis(m_, k)]);
      const int64_t at = c_.coord[dimension_of_axis(m_, k)];
      if (upper < -(1 << (bits - 1)) || extent - 1 + upper < std::max<int64_t>(at, c_.map.lower[k]))
        c_.offset[k] = 0;
      else
        c_.map.upper[k] = upper;
    }
  }

  /// Fewer pixels, so that none lies behind the last image.
  bool cut_to_tensor() {
    const spec::Readings readings(spec::Arch::sm_90);
    const model::PixelRuns pixels(c_, model::column_of(c_, readings), readings);
    uint32_t inside = 0;
    for (const model::RowRun& run : pixels.runs()) {
      if (!run.inside) break;
      inside += run.rows;
    }
    c_.map.pixels = inside;
    return inside != 0;
  }

  /// Where the walk enters several images that are all there, the last one goes.
  void lose_an_image() {
    const model::Im2colWalk walk(c_, spec::Readings(spec::Arch::sm_90));
    const int64_t first = walk.pixel(0).image, last = walk.pixel(c_.map.pixels - 1).image;
    const auto images = static_cast<int64_t>(m_.global_dim[m_.rank - 1]);
    if (first >= 0 && last > first && last < images && random_.one_in(2))
      m_.global_dim[m_.rank - 1] = static_cast<uint64_t>(last);
  }

  Random& random_;
  const ColumnWish& wish_;
  TensorCopyCase& c_;
  TensorMapArgs& m_;
  const spec::DataType& type_;
};

}  // namespace

bool build_column(Random& random, const ColumnWish& wish, TensorCopyCase& made) {
  bool any = false;
  TensorCopyCase tried;
  for (int tries = 0; tries < 48; ++tries) {
    if (!ColumnBuilder(random, wish, tried).build()) continue;
    made = tried, any = true;
    if (classify_column(made) == wish.cell) return true;
  }
  if (!any) {  // the plainest of its modes
    ColumnWish plain = wish;
    plain.bytes = 64;
    for (int tries = 0; tries < 1000 && !any; ++tries) any = ColumnBuilder(random, plain, made).build();
  }
  return false;
}

}  // namespace assay::gen
