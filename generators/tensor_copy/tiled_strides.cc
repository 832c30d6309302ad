// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_build.h"

#include <algorithm>

namespace assay::gen {
namespace {

constexpr uint64_t stride_limit = uint64_t{1} << 40;

/// Bytes from index 0 to behind the last element that matters in each dimension.
struct Chain {
  uint64_t granule;
  uint64_t round(uint64_t bytes) const { return (bytes + granule - 1) / granule * granule; }
};

/// Extents beyond what is visited, without moving an edge: only a dimension whose last visited index is
/// inside. False where there is none.
bool widen(Random& random, const TiledGeometry& g, TensorMapArgs& map) {
  const spec::DataType& type = spec::data_types[map.data_type & 15];
  bool widened = false;
  for (int i = 0; i < static_cast<int>(map.rank) - 1; ++i)
    if (g.last[i] < static_cast<int64_t>(map.global_dim[i]) && (!widened || random.one_in(2))) {
      const uint64_t unit = i == 0 && type.is_packed() ? 128 : 1;
      const uint64_t most = 64 + 2 * static_cast<uint64_t>(g.last[i] + 1);
      map.global_dim[i] =
          std::min<uint64_t>(map.global_dim[i] + unit * random.between64(33, most + 33), 1u << 31);
      widened = true;
    }
  return widened;
}

}  // namespace

bool assign_strides(Random& random, const StrideWish& wish, const TiledGeometry& g, TensorMapArgs& map) {
  const int rank = static_cast<int>(map.rank);
  if (rank == 1) return wish.wanted == StrideClass::dense;
  const spec::DataType& type = spec::data_types[map.data_type & 15];
  const Chain chain{address_granule(map)};
  // What a dimension spans: its extent, or only what is visited where the class says that extents overlap.
  const bool by_visited =
      wish.no_overlap && (wish.wanted == StrideClass::overlapping || wish.wanted == StrideClass::descending ||
                          wish.wanted == StrideClass::zero);
  const auto span = [&](int i) {
    if (!by_visited) return map.global_dim[i];
    return g.any_inside ? static_cast<uint64_t>(g.high_in[i]) + 1 : std::min<uint64_t>(map.global_dim[i], 4);
  };
  if (wish.wanted == StrideClass::overlapping && by_visited && !widen(random, g, map)) return false;
  std::array<int, 4> order{1, 2, 3, 4};
  if (wish.wanted == StrideClass::descending) {
    if (rank < 3) return false;
    do
      for (int k = rank - 2; k > 0; --k)
        std::swap(order[k], order[random.below(static_cast<uint32_t>(k) + 1)]);
    while (std::is_sorted(order.begin(), order.begin() + rank - 1));
  }
  uint64_t run = chain.round(inner_bytes(type, map.interleave, span(0)));
  if (type.is_packed() && by_visited) run = chain.round((run + 95) / 96 * 96);
  const int padded = wish.wanted == StrideClass::padded ? static_cast<int>(random.below(rank - 1u)) : -1;
  int overlapped = -1;
  if (wish.wanted == StrideClass::overlapping && !by_visited)
    overlapped = static_cast<int>(random.below(rank - 1u));
  uint64_t previous = 0;
  for (int k = 0; k < rank - 1; ++k) {
    const int i = order[k];
    uint64_t stride = run;
    if (k == padded || (padded >= 0 && random.one_in(3)))
      stride += chain.granule * (random.one_in(4) ? random.log_uniform(1, 64) : random.between(1, 4));
    if (wish.wanted == StrideClass::overlapping && !by_visited && k >= overlapped) {
      const uint64_t low = std::max(chain.granule, previous),
                     high = run <= chain.granule ? 0 : run - chain.granule;
      if (low <= high) stride = low + chain.granule * random.below64((high - low) / chain.granule + 1);
    }
    if (i == wish.zero_dimension && wish.wanted == StrideClass::zero) stride = 0;
    if (stride >= stride_limit) return false;
    map.global_stride[i - 1] = stride;
    if (stride == 0) continue;
    previous = stride;
    const unsigned __int128 next = static_cast<unsigned __int128>(stride) * span(i);
    if (next >= stride_limit) {
      if (k + 1 < rank - 1) return false;
      continue;
    }
    run = static_cast<uint64_t>(next);
    if (wish.wanted == StrideClass::descending && span(i) == 1) run += chain.granule;
  }
  if (wish.huge && wish.wanted == StrideClass::padded && (!g.any_inside || g.high_in[rank - 1] == 0)) {
    uint64_t& last = map.global_stride[rank - 2];
    last = chain.granule * random.log_uniform(last / chain.granule + 1, stride_limit / chain.granule - 1);
  }
  return true;
}

}  // namespace assay::gen
