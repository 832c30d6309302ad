// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/gather.h"

#include <algorithm>

#include "generators/borders.h"
#include "generators/tensor_copy/tiled_build.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

constexpr uint64_t whole(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Makes one case; what it could not reconcile, the caller tries again.
class GatherBuilder {
 public:
  GatherBuilder(Random& random, const GatherWish& wish, TensorCopyCase& c)
      : random_(random), wish_(wish), c_(c), m_(c.map), type_(spec::data_types[wish.cell.type]) {}

  bool build() {
    c_ = TensorCopyCase{};
    c_.mode = CopyMode::gather4;
    c_.direction = wish_.direction;
    c_.instruction_rank = m_.rank = 2;
    m_.data_type = type_.host;
    m_.swizzle = wish_.cell.swizzle;
    m_.l2_promotion = random_.below(4);
    m_.oob_fill = type_.is_float && random_.one_in(2) ? 1 : 0;
    m_.box_dim[1] = 1;
    m_.element_stride = {random_.one_in(4) ? random_.between(1, 8) : 1,
                         random_.one_in(4) ? random_.between(1, 8) : 1};  // neither acts
    row();
    extents();
    column();
    rows();
    return place();
  }

 private:
  bool is_store() const { return wish_.direction == CopyDirection::store; }
  GatherEdge edge() const { return wish_.cell.edge; }

  void row() {
    const uint32_t quantum = box_quantum(type_, 0);
    const uint32_t span = spec::find_swizzle(m_.swizzle)->span_bytes;
    uint32_t most = type_.is_padded() ? 1 : 256 / quantum;
    if (span != 0 && !type_.is_padded()) most = std::min(most, span / 16);
    m_.box_dim[0] = quantum * (random_.one_in(3) ? most : random_.between(1, most));
  }

  void extents() {
    const uint64_t granule = address_granule(m_);
    const uint32_t unit = type_.is_padded() ? 128 : type_.is_dense_packed() ? 2 : 1;
    const uint32_t wide = m_.box_dim[0] * random_.between(1, 4);
    const uint32_t tail = random_.one_in(2) ? 0 : random_.below(m_.box_dim[0]);
    m_.global_dim[0] = whole(std::max<uint64_t>(unit, wide + tail), unit);
    const uint64_t row_bytes = m_.global_dim[0] * type_.bits / 8;
    m_.global_stride[0] = whole(row_bytes, granule) + (random_.one_in(3) ? granule * random_.below(5) : 0);
    if (!is_store() && random_.one_in(12)) m_.global_stride[0] = granule * random_.below(4);
    const uint64_t room = is_store() ? 160 << 10 : 8 << 20;
    const uint64_t most = std::max<uint64_t>(1, room / std::max(m_.global_stride[0], granule));
    m_.global_dim[1] =
        random_.one_in(3) ? random_.between64(1, std::min<uint64_t>(most, 12)) : random_.log_uniform(1, most);
    reachable_rows_ = m_.global_dim[1];
    if (!is_store() && random_.one_in(16)) m_.global_dim[1] = uint64_t{1} << 31;
  }

  void column() {
    const auto quantum = static_cast<int64_t>(coordinate_quantum(type_, 0));
    const auto extent = static_cast<int64_t>(m_.global_dim[0]), box = static_cast<int64_t>(m_.box_dim[0]);
    const int64_t last = std::max<int64_t>(0, (extent - box) / quantum);  // that leaves nothing outside
    int64_t at = quantum * static_cast<int64_t>(random_.below64(static_cast<uint64_t>(last) + 1));
    if (edge() == GatherEdge::columns) {
      const int64_t end = (extent - 1) / quantum;  // that leaves something inside
      if (end > last) at = quantum * (last + 1 + static_cast<int64_t>(random_.below64(end - last)));
      if (!is_store() && box > quantum && random_.one_in(2))
        at = -quantum * static_cast<int64_t>(random_.between64(1, static_cast<uint64_t>(box / quantum - 1)));
    }
    if (edge() == GatherEdge::all && random_.one_in(2))
      at = is_store() || random_.one_in(2) ? whole(extent, quantum) : -whole(box, quantum);
    c_.coord[0] = static_cast<int32_t>(at);
  }

  int32_t row_inside() {
    const uint64_t last = reachable_rows_ - 1;
    if (random_.one_in(6)) return static_cast<int32_t>(random_.one_in(2) ? last : 0);
    return static_cast<int32_t>(random_.below64(reachable_rows_));
  }
  int32_t row_outside() {
    const auto extent = static_cast<int64_t>(m_.global_dim[1]);
    int64_t at = extent + (random_.one_in(2) ? 0 : random_.below(1000));
    if (random_.one_in(6)) at = INT32_MAX;
    if (at > INT32_MAX) at = is_store() ? INT32_MAX : -1;
    if (!is_store() && random_.one_in(2))
      at = random_.one_in(4) ? INT32_MIN : -1 - int64_t{random_.below(40)};
    return static_cast<int32_t>(at);
  }

  void rows() {
    const bool outside = edge() == GatherEdge::all, some = edge() == GatherEdge::some_rows;
    const uint32_t first_out = some ? 1u << random_.below(4) : 0;
    const uint32_t out = outside ? 15
                         : some  ? (first_out | random_.below(16)) & ~(1u << random_.below(4))
                                 : 0;
    for (uint32_t q = 0; q < gathered_rows; ++q)
      c_.coord[1 + q] = out >> q & 1 ? row_outside() : row_inside();
    if (!wish_.cell.repeats) return;
    const uint32_t from = random_.below(4), to = (from + random_.between(1, 3)) % 4;
    c_.coord[1 + to] = c_.coord[1 + from];
    if (random_.one_in(6))
      for (uint32_t q = 0; q < gathered_rows; ++q) c_.coord[1 + q] = c_.coord[1 + from];
  }

  bool place() {
    const spec::Readings readings(spec::arch_with_every_map);
    const uint64_t granule = address_granule(m_);
    c_.tile_offset = 128 * random_.between(1, random_.one_in(wish_.rarity) ? 16 : 2);
    const model::CopyFootprint touched = model::footprint(c_, readings);
    if (random_.one_in(tiles_for_one_at_border * wish_.rarity))
      if (const uint32_t at = tile_at_shared_border(random_, touched.shared_bytes,
                                                    rig::max_window_bytes / wish_.cluster_size, guard_bytes))
        c_.tile_offset = at;
    const uint64_t image_end = whole(c_.tile_offset + touched.shared_bytes, 128);
    c_.window_bytes = static_cast<uint32_t>(image_end + guard_bytes);
    c_.fill_offset = place_in_arena(random_, c_.window_bytes, wish_.rarity);
    if (is_store()) {
      const uint64_t end = whole(touched.global_end, 16);
      // Where large cases are rare, so are slots that are far larger than what is stored to them.
      const uint64_t most = rig::max_slot_bytes / (random_.one_in(wish_.rarity) ? 1 : 16);
      if (end + 2 * guard_bytes + 64 * granule > most) return false;
      m_.global_address = whole(guard_bytes + granule * random_.below(32), granule);
      c_.slot_bytes = static_cast<uint32_t>(whole(m_.global_address + end + guard_bytes, 16));
      c_.slot_fill_offset = place_in_arena(random_, c_.slot_bytes, wish_.rarity);
      return true;
    }
    if (touched.global_end > rig::arena_bytes - 64 * granule) return false;
    const uint64_t room = (rig::arena_bytes - touched.global_end) / granule - 1;
    const bool floats =
        type_.is_float && touched.global_end < rig::arena_bytes / 4 - 64 * granule && random_.one_in(2);
    m_.global_address = granule * random_.between64(floats ? rig::arena_floats / granule : 0, room);
    return true;
  }

  Random& random_;
  const GatherWish& wish_;
  TensorCopyCase& c_;
  TensorMapArgs& m_;
  const spec::DataType& type_;
  uint64_t reachable_rows_ = 1;  ///< that lie in the memory of the case
};

}  // namespace

bool build_gather(Random& random, const GatherWish& wish, TensorCopyCase& made) {
  TensorCopyCase tried;
  bool any = false;
  for (int tries = 0; tries < 64; ++tries) {
    if (!GatherBuilder(random, wish, tried).build()) continue;
    made = tried, any = true;
    if (classify_rows(made) == wish.cell) return true;
  }
  GatherWish plain = wish;
  plain.cell.edge = GatherEdge::inside;
  for (int tries = 0; tries < 1000 && !any; ++tries) any = GatherBuilder(random, plain, made).build();
  return false;
}

}  // namespace assay::gen
