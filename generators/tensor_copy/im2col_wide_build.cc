// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

/// Makes one case; what it could not reconcile, the caller tries again.
class WideBuilder {
 public:
  WideBuilder(Random& random, const WideWish& wish, TensorCopyCase& c)
      : random_(random), wish_(wish), c_(c), m_(c.map), type_(spec::data_types[wish.cell.type]) {}

  bool build() {
    c_ = TensorCopyCase{};
    c_.map.wide = true;
    c_.map.wide_mode = wish_.cell.is_128 ? 1 : 0;
    c_.mode = wish_.cell.is_128 ? CopyMode::w_128 : CopyMode::w;
    m_.data_type = type_.host;
    m_.rank = c_.instruction_rank = wish_.cell.rank;
    m_.swizzle = wish_.cell.swizzle;
    m_.l2_promotion = random_.below(4);
    m_.oob_fill = type_.is_float && random_.one_in(2) ? 1 : 0;
    m_.element_stride.fill(1);
    for (uint32_t i = 0; i < m_.rank; ++i)  // of all but W without effect
      if (i != 1 && random_.one_in(4)) m_.element_stride[i] = random_.between(1, 8);
    if (wish_.cell.stepped) m_.element_stride[1] = random_.one_in(2) ? 2 : random_.between(2, 8);
    channels();
    pixels();
    extents();
    corners();
    start();
    offset();
    images();
    ColumnWish place;
    place.cluster_size = wish_.cluster_size;
    place.rarity = wish_.rarity;
    return place_column(random_, place, c_);
  }

 private:
  bool is_inside() const { return wish_.cell.edge == ColumnEdge::inside; }

  void channels() {
    const uint32_t quantum = box_quantum(type_, 0);
    const uint32_t most =
        type_.is_padded() ? 1 : std::min(256 / quantum, spec::find_swizzle(m_.swizzle)->span_bytes / 16);
    c_.map.channels = quantum * (random_.one_in(3) ? most : random_.between(1, most));
  }

  void pixels() {
    const uint32_t span = spec::find_swizzle(m_.swizzle)->span_bytes;
    const uint64_t room = 200000 / wish_.cluster_size / span;  // rows in a window
    const uint32_t most_halo = wish_.cell.is_128 ? 31 : 511;
    c_.map.pixels = wish_.cell.is_128 ? random_.below(2048)
                                      : static_cast<uint32_t>(std::clamp<uint64_t>(
                                            wish_.bytes / span, 1, std::min<uint64_t>(1024, room / 2)));
    switch (random_.below(6)) {
      case 0:
        break;
      case 1:
        c_.w_halo = static_cast<uint16_t>(most_halo);
        break;
      case 2:
        c_.w_halo = static_cast<uint16_t>(random_.between(1, most_halo));
        break;
      default:
        c_.w_halo = static_cast<uint16_t>(random_.between(1, 4));
    }
    const uint64_t halo_room = wish_.cell.is_128 ? (std::max<uint64_t>(room, 128) - 128) / 4 : room / 2;
    c_.w_halo = static_cast<uint16_t>(std::min<uint64_t>(c_.w_halo, halo_room));
  }

  /// Extents and strides of a tensor that has room in the arena.
  void extents() {
    const uint64_t granule = address_granule(m_);
    const uint32_t unit = type_.is_padded() ? 128 : type_.is_dense_packed() ? 2 : 1;
    const uint32_t around = c_.map.channels * (random_.one_in(2) ? 1 : random_.between(1, 3));
    const uint32_t tail = random_.one_in(2) ? 0 : random_.below(c_.map.channels);
    m_.global_dim[0] = std::max<uint64_t>(unit, (around + tail) / unit * unit);
    uint64_t below = m_.global_dim[0] * type_.bits / 8;
    for (uint32_t i = 1; i < m_.rank; ++i) {
      uint64_t stride = whole_units(std::max<uint64_t>(below, 1), granule);
      if (random_.one_in(3)) stride += granule * random_.below(4);
      if (random_.one_in(24)) stride = granule * random_.below(3);
      m_.global_stride[i - 1] = stride;
      const uint64_t room = std::max<uint64_t>(1, (uint64_t{8} << 20) / std::max(stride, granule));
      // Rows that are short make walks that wrap often.
      const uint64_t most = i == 1 ? (random_.one_in(3) ? 300 : 24) : i + 1 == m_.rank ? 200 : 6;
      m_.global_dim[i] = random_.log_uniform(1, std::min(most, room));
      below = std::max(below, stride * m_.global_dim[i]);
    }
  }

  int32_t within(int64_t low, int64_t high) {
    return static_cast<int32_t>(low +
                                static_cast<int64_t>(random_.below64(static_cast<uint64_t>(high - low) + 1)));
  }

  void corners() {
    const auto extent = static_cast<int64_t>(m_.global_dim[1]);
    int32_t& lower = c_.map.lower[0];
    int32_t& upper = c_.map.upper[0];
    for (int tries = 0; tries < 8; ++tries) {
      switch (is_inside() ? random_.below(2) : 1 + random_.below(4)) {
        case 0:
          lower = upper = 0;
          break;
        case 1:  // a part of the tensor
          lower = within(0, extent - 1);
          upper = within(lower - extent + 1, 0);
          break;
        case 2:  // padded, as filters are
          lower = within(-3, 0);
          upper = within(-4, 2);
          break;
        case 3:
          lower = within(-12, 12);
          upper = within(-12, 12);
          break;
        default:  // of the range of 16 bits, whatever the rank
          lower = random_.one_in(2) ? -32768 : within(-32768, 300);
          upper = random_.one_in(2) ? 32767 : within(-300, 32767);
      }
      if (extent + upper > lower) return;
    }
    lower = upper = 0;
  }

  void start() {
    const model::BoxEnds box = model::box_of(c_.map, 0);
    int64_t at = box.lower;
    switch (random_.below(6)) {
      case 0:
        break;
      case 1:
        at = box.upper;
        break;
      case 2:  // in the tensor, where the box reaches it
        at = std::clamp<int64_t>(random_.below(8), box.lower, box.upper);
        break;
      case 3:  // left of the box
        at = box.lower - static_cast<int64_t>(random_.one_in(2) ? 1 : random_.between(1, 40));
        break;
      default:
        at = within(box.lower, box.upper);
    }
    if (is_inside()) at = std::max<int64_t>(at, 0);
    c_.coord[1] = static_cast<int32_t>(at);
    for (uint32_t i = 2; i + 1 < m_.rank; ++i) {
      const auto extent = static_cast<int64_t>(m_.global_dim[i]);
      c_.coord[i] = within(0, extent - 1);
      if (!is_inside() && random_.one_in(wish_.cell.edge == ColumnEdge::all_outside ? 2 : 24))
        c_.coord[i] = random_.one_in(2) ? -1 - static_cast<int32_t>(random_.below(3))
                                        : static_cast<int32_t>(extent + random_.below(3));
    }
    channel_start();
  }

  void channel_start() {
    const auto quantum = static_cast<int64_t>(coordinate_quantum(type_, 0));
    const auto extent = static_cast<int64_t>(m_.global_dim[0]);
    int64_t first = 0;
    switch (random_.below(4)) {
      case 0:
      case 1:
        break;
      case 2:
        first = quantum * within(0, (extent - 1) / quantum);
        break;
      default:
        if (!is_inside()) first = -quantum * static_cast<int64_t>(random_.between(1, 3));
        if (!is_inside() && random_.one_in(4))
          first = static_cast<int64_t>(
              whole_units(static_cast<uint64_t>(extent), static_cast<uint64_t>(quantum)));
    }
    c_.coord[0] = static_cast<int32_t>(first);
  }

  void offset() {
    constexpr uint32_t edges[] = {1, 2, 31, 30, 16};
    c_.w_offset = static_cast<uint16_t>(random_.one_in(3)   ? 0
                                        : random_.one_in(2) ? edges[random_.below(std::size(edges))]
                                                            : random_.below(32));
    if (!is_inside()) return;
    // An offset that stays in the tensor: the box ends that much before its end.
    const auto extent = static_cast<int64_t>(m_.global_dim[1]);
    const int64_t upper = int64_t{c_.map.upper[0]} - c_.w_offset;
    if (extent - 1 + upper < std::max<int64_t>(c_.coord[1], c_.map.lower[0]))
      c_.w_offset = 0;
    else
      c_.map.upper[0] = static_cast<int32_t>(upper);
  }

  /// The images that the walk needs, or fewer.
  void images() {
    const uint32_t last = m_.rank - 1;
    const model::Im2colWalk walk(c_, spec::Readings(spec::Arch::sm_100));
    const uint32_t rows = model::column_of(c_, spec::Readings(spec::Arch::sm_100)).pixels;
    const int64_t walked = walk.pixel(rows - 1).image;  // from image 0 on; a halo's last one is as far
    const uint64_t stride = std::max<uint64_t>(m_.global_stride[last - 1], 16);
    const auto most = static_cast<int64_t>(std::max<uint64_t>(1, (uint64_t{16} << 20) / stride));
    auto images = static_cast<int64_t>(m_.global_dim[last]);
    int64_t first = static_cast<int64_t>(random_.below(8));
    if (is_inside() || random_.one_in(2)) images = first + walked + 1 + random_.below(3);
    if (is_inside() && images > most && c_.mode == CopyMode::w) {
      c_.map.pixels = 1 + random_.below(4), c_.w_halo = 0;
      images = first + c_.map.pixels + 1;
    }
    images = std::clamp<int64_t>(images, 1, most);
    if (!is_inside() && walked > 0 && random_.one_in(2)) images = 1 + within(0, std::min(walked, most) - 1);
    if (!is_inside() && random_.one_in(5)) first = -1 - static_cast<int64_t>(random_.below(3));
    if (wish_.cell.edge == ColumnEdge::all_outside)
      first =
          random_.one_in(2) ? images + random_.below(3) : INT32_MIN + static_cast<int64_t>(random_.below(9));
    m_.global_dim[last] = static_cast<uint64_t>(images);
    c_.coord[last] = static_cast<int32_t>(first);
    if (random_.one_in(16) && !is_inside()) m_.global_dim[last] = uint64_t{1} << 31;
  }

  Random& random_;
  const WideWish& wish_;
  TensorCopyCase& c_;
  TensorMapArgs& m_;
  const spec::DataType& type_;
};

}  // namespace

bool build_wide(Random& random, const WideWish& wish, TensorCopyCase& made) {
  bool any = false;
  TensorCopyCase tried;
  for (int tries = 0; tries < 64; ++tries) {
    if (!WideBuilder(random, wish, tried).build()) continue;
    made = tried, any = true;
    if (classify_wide(made) == wish.cell) return true;
  }
  if (!any) {  // the plainest of its modes
    WideWish plain = wish;
    plain.bytes = 64;
    plain.cell.edge = ColumnEdge::some_outside;
    for (int tries = 0; tries < 1000 && !any; ++tries) any = WideBuilder(random, plain, made).build();
  }
  return false;
}

}  // namespace assay::gen
