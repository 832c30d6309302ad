// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_build.h"

#include <algorithm>

#include "generators/borders.h"
#include "reference/model/rig.h"

namespace assay::gen {
namespace {

enum class Role : uint8_t { in, lower, upper, both, out, far };

constexpr int64_t half_range = int64_t{1} << 31;

/// One attempt at a case. Every later attempt wishes for less: smaller tile, fewer steps, no slack.
class Attempt {
 public:
  Attempt(Random& random, const TiledWish& wish, int attempt)
      : random_(random),
        wish_(wish),
        cell_(wish.cell),
        type_(spec::data_types[cell_.type]),
        twist_(attempt < 4 ? wish.twist : Twist::none),
        attempt_(attempt),
        rank_(cell_.rank),
        interleaved_(cell_.interleave != 0),
        store_(wish.direction == CopyDirection::store) {}

  bool build(TensorCopyCase& c) {
    c = TensorCopyCase{};
    c.direction = wish_.direction;
    TensorMapArgs& m = c.map;
    m.data_type = cell_.type;
    m.rank = c.instruction_rank = cell_.rank;
    m.interleave = cell_.interleave;
    m.swizzle = spec::swizzles[cell_.swizzle].host;
    pick_modes(m);
    pick_single_dimension();
    pick_roles();
    pick_boxes(m);
    pick_large(m);
    for (int i = 0; i < rank_; ++i) place(c, i);
    if (!within_limits(m)) return false;
    TiledGeometry& g = geometry_;
    g = visited(m, c.coord);
    const StrideWish strides{cell_.strides, store_, single_, twist_ == Twist::huge_stride};
    if (!assign_strides(random_, strides, g, m)) return false;
    touch(m, c.coord, g);
    // Where large cases are rare, so are slots that are far larger than what is stored to them.
    if (store_ && g.touched_end > rig::max_slot_bytes / (random_.one_in(wish_.rarity) ? 2 : 32)) return false;
    return place_in_memory(c, g) && fits_rig(c, g);
  }
  bool place_again(TensorCopyCase& c, const TiledGeometry& g) {
    pick_modes(c.map);
    return place_in_memory(c, g) && fits_rig(c, g);
  }
  /// Of the case that was built.
  const TiledGeometry& geometry() const { return geometry_; }

 private:
  int slice_dimension() const { return interleaved_ ? rank_ - 2 : -1; }
  bool steps_act(int i) const { return (i > 0 || interleaved_) && i != slice_dimension(); }
  bool is_padded() const { return cell_.type >= spec::host_type::first_padded; }
  bool can_cross(int i) const { return i == 0 ? !is_padded() : i != slice_dimension(); }

  void pick_modes(TensorMapArgs& m) {
    m.l2_promotion = random_.below(4);
    m.oob_fill = type_.is_float && random_.one_in(2) ? 1 : 0;
  }

  /// The dimension whose stride is 0: in a store it may hold one element in bounds only, since the order of
  /// writes to one address is nobody's promise.
  void pick_single_dimension() {
    single_ = cell_.strides == StrideClass::zero ? 1 + static_cast<int>(random_.below(rank_ - 1u)) : -1;
  }

  int pick_dimension(bool crossing) {
    for (int tries = 0; tries < 8; ++tries) {
      const int i = static_cast<int>(random_.below(static_cast<uint32_t>(rank_)));
      if (!crossing) return i;
      const bool needs_wide_rows = i == 0 && rank_ == 2 && cell_.strides == StrideClass::overlapping;
      if (can_cross(i) && !needs_wide_rows) return i;
    }
    return can_cross(rank_ - 1) ? rank_ - 1 : 0;
  }

  void pick_roles() {
    role_.fill(Role::in);
    Role main = Role::in;
    switch (cell_.edge) {
      case Edge::inside:
        return;
      case Edge::lower:
        main = Role::lower;
        break;
      case Edge::upper:
        main = Role::upper;
        break;
      case Edge::both:
        main = Role::both;
        break;
      case Edge::outside:
        main = Role::out;
        break;
      case Edge::far:
        main = Role::far;
        break;
    }
    const bool anywhere = main == Role::out || main == Role::far;
    crossing_ = pick_dimension(!anywhere);
    if (main == Role::far && cell_.strides == StrideClass::zero && random_.one_in(2)) crossing_ = single_;
    role_[crossing_] = main;
    if (main == Role::both && random_.one_in(2)) {
      const int other = pick_dimension(true);
      if (other != crossing_) {
        role_[crossing_] = Role::lower;
        role_[other] = Role::upper;
      }
    }
    for (int i = 0; i < rank_; ++i) {
      if (role_[i] != Role::in || !random_.one_in(4)) continue;
      if (i == 0 && rank_ == 2 && cell_.strides == StrideClass::overlapping) continue;
      if (!can_cross(i)) continue;
      if (anywhere)
        role_[i] =
            store_ ? (random_.one_in(2) ? Role::upper : Role::out) : static_cast<Role>(random_.below(5));
      else if (main == Role::both)
        role_[i] = random_.one_in(2) ? Role::lower : Role::upper;
      else
        role_[i] = main;
    }
  }

  /// Visited positions that a role needs in a dimension other than an uninterleaved dimension 0.
  static uint32_t positions_for(Role role) {
    return role == Role::both ? 3 : role == Role::lower || role == Role::upper ? 2 : 1;
  }

  void pick_boxes(TensorMapArgs& m) {
    for (int i = 0; i < 5; ++i) m.element_stride[i] = i < rank_ ? 1 : 0;
    if (!interleaved_ && random_.one_in(8))
      m.element_stride[0] = random_.between(1, 8);  // ignored by the copy
    if (slice_dimension() >= 0 && random_.one_in(8))
      m.element_stride[slice_dimension()] = random_.between(1, 8);
    if (cell_.stepped) {
      int forced = 0;
      do forced = static_cast<int>(random_.below(static_cast<uint32_t>(rank_)));
      while (!steps_act(forced));
      for (int i = 0; i < rank_; ++i)
        if (steps_act(i) && (i == forced || (attempt_ < 3 && random_.one_in(4))))
          m.element_stride[i] = attempt_ < 6 ? random_.between(2, 8) : 2;
    }
    uint64_t budget = std::max<uint64_t>(16, wish_.tile_bytes >> std::min(attempt_, 16));
    // Rows as long as a far start makes them: few fit.
    if (twist_ == Twist::far_start) budget = std::max<uint64_t>(16, budget >> (store_ ? 5 : 2));
    budget = pick_inner(m, budget);
    // Rows: dimensions in random order take a share, the last one takes what is left.
    std::array<int, 4> order{1, 2, 3, 4};
    for (int k = 0; k < rank_ - 1; ++k)
      std::swap(order[k], order[k + static_cast<int>(random_.below(static_cast<uint32_t>(rank_ - 1 - k)))]);
    for (int k = 0; k < rank_ - 1; ++k) {
      const int i = order[k];
      if (i == slice_dimension()) {
        m.box_dim[i] = random_.one_in(4) ? static_cast<uint32_t>(random_.log_uniform(1, 8)) : 1;
        continue;
      }
      const uint32_t step = m.element_stride[i];
      const uint32_t most = 255 / step + 1;
      const auto left = static_cast<uint32_t>(std::clamp<uint64_t>(budget, 1, most));
      uint32_t count = k == rank_ - 2 ? left : static_cast<uint32_t>(random_.log_uniform(1, left));
      if (twist_ == Twist::largest_box && i == order[0]) count = most;
      if (store_ && i == single_ && role_[i] != Role::upper) count = 1;
      count = std::max(count, positions_for(role_[i]));
      m.box_dim[i] = std::min(256u, (count - 1) * step + 1 + random_.below(step));
      if (twist_ == Twist::largest_box && count == most) m.box_dim[i] = 256;
      budget = std::max<uint64_t>(1, budget / count);
    }
  }

  /// Box extent of dimension 0; returns the number of rows that the byte budget leaves.
  uint64_t pick_inner(TensorMapArgs& m, uint64_t budget) {
    const uint32_t quantum = box_quantum(type_, cell_.interleave);
    const uint32_t span = spec::swizzles[cell_.swizzle].span_bytes;
    uint32_t most = is_padded() ? 1 : 256 / quantum;
    if (!interleaved_ && span != 0 && !is_padded()) most = std::min(most, span / 16);
    uint32_t least = 1;
    const Role role = role_[0];
    if (!interleaved_ && !is_padded() && (role == Role::lower || role == Role::both)) least = 2;
    if (interleaved_) {
      const uint32_t positions = (positions_for(role) - 1) * m.element_stride[0] + 1;
      least = std::min(most, (positions + quantum - 1) / quantum);
    }
    const uint64_t piece = interleaved_ ? inner_bytes(type_, cell_.interleave, quantum) : 16;
    uint64_t pieces = std::clamp<uint64_t>(budget / piece, 1, most);
    if (rank_ > 1) pieces = random_.log_uniform(1, pieces);
    if (span != 0 && !interleaved_ && random_.one_in(2)) pieces = most;  // production tiles fill the span
    if (twist_ == Twist::narrow_box) pieces = 1;
    if (twist_ == Twist::largest_box && random_.one_in(2)) pieces = most;
    pieces = std::max<uint64_t>(pieces, least);
    m.box_dim[0] = static_cast<uint32_t>(pieces) * quantum;
    const uint64_t row = inner_bytes(
        type_, cell_.interleave, interleaved_ ? (m.box_dim[0] - 1) / m.element_stride[0] + 1 : m.box_dim[0]);
    return std::max<uint64_t>(1, budget / row);
  }

  uint64_t slack() {
    if (twist_ == Twist::exact_fit) return 0;
    const uint64_t most = store_ ? 16u >> std::min(attempt_, 5) : 256u >> std::min(2 * attempt_, 9);
    switch (random_.below(3)) {
      case 0:
        return 0;
      case 1:
        return random_.below(static_cast<uint32_t>(std::min<uint64_t>(most, 8)) + 1);
      default:
        return random_.log_uniform(1, most + 1) - 1;
    }
  }

  /// The dimension that a twist gives a large index or extent, and how large. Widths of fields end at the
  /// borders: one that is a bit short tells them from their neighbours.
  void pick_large(const TensorMapArgs& m) {
    large_dimension_ = -1;
    if (twist_ != Twist::far_start && twist_ != Twist::long_extent) return;
    // Where a large index costs the least memory, or an extent none.
    const int cheapest = twist_ == Twist::long_extent ? rank_ - 1 : single_ > 0 && !store_ ? single_ : 0;
    const int i =
        random_.one_in(2) ? cheapest : static_cast<int>(random_.below(static_cast<uint32_t>(rank_)));
    uint64_t most = uint64_t{1} << 25;
    const Role role = role_[i];
    const bool is_visited = i != single_ && (role == Role::upper || role == Role::in);
    if (twist_ == Twist::far_start && is_visited) {
      const uint64_t room = store_ ? rig::max_slot_bytes / 2 : rig::arena_bytes;
      const uint64_t row = inner_bytes(type_, cell_.interleave, m.box_dim[0]);
      most = i == 0 ? 8 * room / (interleaved_ ? 128u * cell_.interleave : type_.bits)
                    : room / std::max<uint64_t>(row, address_granule(m));
    }
    constexpr uint64_t borders[] = {1 << 15, 1 << 16, 1 << 24};
    const auto fit = static_cast<uint32_t>(
        std::count_if(std::begin(borders), std::end(borders), [most](uint64_t b) { return b + 2 < most; }));
    uint32_t border = random_.below(std::max(1u, fit));
    if (is_visited && twist_ == Twist::far_start)
      border = std::max(border, random_.below(std::max(1u, fit)));  // few cases have room for it
    large_dimension_ = i;
    large_ =
        static_cast<int64_t>(fit == 0 || random_.one_in(4) ? random_.log_uniform(1, most) : borders[border]);
  }

  /// Moves the start or the extent of the dimension that has a large one, where its role allows.
  void enlarge(Role role, int64_t reach, int64_t quantum, int64_t& start, int64_t& dim) {
    const auto down = [quantum](int64_t v) { return v / quantum * quantum; };
    const int64_t beside = large_ + int64_t{random_.below(3)} - 1;
    if (twist_ == Twist::long_extent) {
      if (role == Role::in || role == Role::lower) dim = std::max(start + reach + 1, beside);
      return;
    }
    switch (role) {
      case Role::in: {  // the border is visited, or missed by one step
        const int64_t past = dim - start;
        start = std::max<int64_t>(0, down(large_ - random_.between(0, static_cast<uint32_t>(reach + 1))));
        dim = start + past;
        break;
      }
      case Role::upper: {
        const int64_t inside = dim - start;
        start = std::max<int64_t>(0, down(beside - inside));
        dim = std::clamp(beside, start + 1, start + reach);
        break;
      }
      case Role::out:  // an index that loses its upper bits is inside again
        if (start >= 0) {
          start = std::max(start, down(large_ + random_.below(static_cast<uint32_t>(dim))));
        } else {
          const int64_t drawn = large_ + random_.below(static_cast<uint32_t>(dim));
          const int64_t below = down(beside > large_ ? beside : beside < large_ ? large_ : drawn);
          start = std::min(start, -below);
          if (beside != large_) dim = std::max(dim, below + reach + 1);  // and one that loses its sign
        }
        break;
      default:
        break;
    }
  }

  /// Start coordinate and extent of dimension i by its role.
  void place(TensorCopyCase& c, int i) {
    TensorMapArgs& m = c.map;
    const int64_t step = steps_act(i) || (interleaved_ && i == slice_dimension()) ? m.element_stride[i] : 1;
    int64_t count = (m.box_dim[i] + step - 1) / step;
    if (i == slice_dimension()) count = 1;
    const int64_t reach = (count - 1) * step;  // from first to last visited
    const int64_t quantum = i == 0 ? coordinate_quantum(type_, cell_.interleave) : 1;
    const auto up = [quantum](int64_t v) { return (v + quantum - 1) / quantum * quantum; };
    const auto draw = [this](int64_t low, int64_t high) {
      return low + static_cast<int64_t>(random_.below64(static_cast<uint64_t>(high - low) + 1));
    };
    int64_t start = 0, dim = 1;
    const int64_t small =
        attempt_ > 6 || random_.one_in(2) ? 0 : up(static_cast<int64_t>(slack() / (store_ ? 4 : 1)));
    Role role = role_[i];
    if ((role == Role::lower || role == Role::upper) && reach == 0) role = Role::in;
    switch (role) {
      case Role::in:
        start = small;
        dim = start + reach + 1 + static_cast<int64_t>(slack());
        break;
      case Role::lower:
        start = -quantum * draw(1, std::max<int64_t>(1, reach / quantum));
        dim = start + reach + 1 + static_cast<int64_t>(slack());
        break;
      case Role::upper:
        start = small;
        dim = store_ && i == single_ ? start + 1 : draw(start + 1, start + reach);
        break;
      case Role::both: {
        const int64_t most = std::max<int64_t>(1, (reach - step) / quantum);
        start = -quantum * draw(1, most);
        const int64_t first_in = start + (-start + step - 1) / step * step;
        dim = first_in < start + reach ? draw(first_in + 1, start + reach) : first_in + 1;
        break;
      }
      case Role::out:
        dim = 1 + static_cast<int64_t>(slack());
        if (store_ || random_.one_in(2)) {
          start = up(dim + static_cast<int64_t>(slack()));
        } else {
          start = -up(reach + 1 + static_cast<int64_t>(slack()));
        }
        break;
      case Role::far:
        place_far(i, reach, quantum, start, dim);
        break;
    }
    if (twist_ == Twist::huge_dimension && i == rank_ - 1 && i > 0 &&
        (role == Role::in || role == Role::lower))
      dim = half_range;
    if (i == large_dimension_ && !(store_ && i == single_)) enlarge(role, reach, quantum, start, dim);
    if (i == 0 && cell_.type == spec::host_type::b4x16)
      dim = role == Role::upper || role == Role::both ? std::max<int64_t>(2, dim & ~1) : (dim + 1) & ~1;
    if (i == 0 && is_padded()) {
      dim = (dim + 127) / 128 * 128;
      if (role == Role::out && start > 0) start = std::max(start, up(dim));
    }
    c.coord[i] = static_cast<int32_t>(start);
    m.global_dim[i] = static_cast<uint64_t>(std::max<int64_t>(1, dim));
  }

  void place_far(int i, int64_t reach, int64_t quantum, int64_t& start, int64_t& dim) {
    const bool broadcast =
        i == single_ && random_.one_in(2);  // stride 0: the far end of 2^31 indexes is in bounds
    dim = broadcast ? half_range : 1 + static_cast<int64_t>(slack()) + (random_.one_in(4) ? reach : 0);
    const int64_t top = (half_range - 1) / quantum * quantum;
    if (broadcast) {
      start =
          half_range - 1 - static_cast<int64_t>(random_.below(static_cast<uint32_t>(store_ ? 1 : reach + 2)));
      return;
    }
    switch (random_.below(store_ ? 2 : 4)) {
      case 0:
        start = top;
        break;
      case 1:
        start = (half_range / 2 + static_cast<int64_t>(random_.below(1u << 30))) / quantum * quantum;
        break;
      case 2:
        start = -half_range;
        break;
      default:
        start =
            -(half_range / 2 + static_cast<int64_t>(random_.below(1u << 30))) / quantum * quantum - quantum;
    }
    start = std::clamp(start, -half_range, top);
  }

  /// V-48 and the window; strides are not there yet.
  bool within_limits(const TensorMapArgs& m) const {
    uint64_t elements = 1;
    for (int i = 0; i < rank_; ++i) elements *= m.box_dim[i] / m.element_stride[i];
    return elements * type_.bits / 8 <= 233472;
  }

  bool place_in_memory(TensorCopyCase& c, const TiledGeometry& g) {
    c.tile_offset = 128 * random_.between(1, random_.one_in(wish_.rarity) ? 8 : 2);
    if (random_.one_in(tiles_for_one_at_border * wish_.rarity))
      if (const uint32_t at = tile_at_shared_border(random_, g.shared_bytes,
                                                    rig::max_window_bytes / wish_.cluster_size, guard_bytes))
        c.tile_offset = at;
    const uint32_t smallest = smallest_window(c, g);
    if (uint64_t{smallest} * wish_.cluster_size > rig::max_window_bytes) return false;
    c.window_bytes = std::min(smallest + 16 * random_.below(8), rig::max_window_bytes);
    c.fill_offset = place_in_arena(random_, c.window_bytes, wish_.rarity);
    const uint64_t granule = address_granule(c.map);
    if (store_) {
      c.map.global_address = granule * random_.between(static_cast<uint32_t>(128 / granule), 16);
      c.slot_bytes = static_cast<uint32_t>(smallest_slot(c, g)) + 16 * random_.below(4);
      c.slot_fill_offset = place_in_arena(random_, c.slot_bytes, wish_.rarity);
      return true;
    }
    if (g.touched_end > rig::arena_bytes) return false;
    const uint64_t room = (rig::arena_bytes - g.touched_end) / granule;
    uint64_t lowest = 0;
    // Half the float cases read the quarter of the arena where zeros, ties, infinities and NaN are frequent.
    if (type_.is_float && g.touched_begin <= rig::arena_floats && random_.one_in(2)) {
      lowest = (rig::arena_floats - g.touched_begin + granule - 1) / granule;
      if (lowest > room) lowest = 0;
    }
    uint64_t highest = std::min(room, rig::arena_bytes / granule - 1);
    if (!is_anywhere(random_, wish_.rarity)) highest = std::min(highest, lowest + usual_reach / granule);
    c.map.global_address = granule * random_.between64(lowest, highest);
    return true;
  }

  Random& random_;
  const TiledWish& wish_;
  const TiledCell& cell_;
  const spec::DataType& type_;
  Twist twist_;
  int attempt_, rank_;
  bool interleaved_, store_;
  int single_ = -1, crossing_ = 0, large_dimension_ = -1;
  int64_t large_ = 0;
  std::array<Role, 5> role_{};
  TiledGeometry geometry_;
};

}  // namespace

bool build_tiled(Random& random, const TiledWish& wish, TensorCopyCase& made, TiledGeometry* of_made) {
  bool have = false;
  TensorCopyCase other;
  for (int attempt = 0; attempt < 64; ++attempt) {
    TensorCopyCase& tried = have ? other : made;
    // A second time from the start where the first was unlucky.
    Attempt builder(random, wish, std::min(attempt % 32 / 2, 12));
    if (!builder.build(tried)) continue;
    const bool exact = classify(tried, builder.geometry()) == wish.cell;
    if (exact && have) made = tried;
    have = true;
    if (exact && of_made != nullptr) *of_made = builder.geometry();
    if (exact) return true;
  }
  if (!have) {
    TiledWish simple{TiledCell{}, wish.direction, Twist::none, 64, wish.cluster_size};
    for (int attempt = 0; attempt < 32 && !have; ++attempt) have = Attempt(random, simple, 8).build(made);
  }
  if (of_made != nullptr) *of_made = geometry(made.map, made.coord);
  return false;
}

bool place_again(Random& random, const TiledWish& wish, const TiledGeometry& g, TensorCopyCase& made) {
  return Attempt(random, wish, 0).place_again(made, g);
}

uint64_t tile_bytes_wish(Random& random, uint64_t index) {
  if (random.one_in(96 * rarity_at(index))) return random.log_uniform(4 << 10, 192 << 10);
  return random.log_uniform(128, (4 << 10) - 1);
}

}  // namespace assay::gen
