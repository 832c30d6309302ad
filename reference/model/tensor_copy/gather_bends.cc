// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <vector>

#include "reference/model/as_if.h"
#include "reference/model/tensor_copy/copy.h"

/// Bends of copies of four rows: which rows, where they lie, what is counted and written; and those of tiled
/// copies that are about the bytes of a row.
namespace assay::model {
namespace {

using C = TensorCopyCase;

/// The index of a row as the instruction has it.
int64_t index_of(const C& c, uint32_t row) {
  return c.coord[1 + row];
}
template <uint32_t row, uint32_t as>
int64_t row_as(const C& c, uint32_t q, int dimension, int64_t right) {
  return q == row && dimension == 1 ? index_of(c, as) : right;
}
template <uint32_t first>
int64_t at_column_0(const C&, uint32_t q, int dimension, int64_t right) {
  return q >= first && dimension == 0 ? 0 : right;
}
/// Rows from `first` on follow the one before it.
template <uint32_t first>
int64_t following(const C& c, uint32_t q, int dimension, int64_t right) {
  return q >= first && dimension == 1 ? index_of(c, first - 1) + (q - first + 1) : right;
}
template <typename Narrow>
int64_t narrow_index(const C&, uint32_t, int dimension, int64_t right) {
  return dimension == 1 ? static_cast<Narrow>(right) : right;
}
int64_t in_rising_order(const C& c, uint32_t q, int dimension, int64_t right) {
  if (dimension == 0) return right;
  std::array<int32_t, gathered_rows> rows;
  std::copy_n(c.coord.begin() + 1, gathered_rows, rows.begin());
  std::sort(rows.begin(), rows.end());
  return rows[q];
}
int64_t extent(const C& c) {
  return static_cast<int64_t>(c.map.global_dim[1]);
}
int64_t from_the_end(const C& c, uint32_t, int dimension, int64_t right) {
  return dimension == 1 && right < 0 ? right + extent(c) : right;
}
int64_t at_the_border(const C& c, uint32_t, int dimension, int64_t right) {
  return dimension == 1 ? std::clamp<int64_t>(right, 0, extent(c) - 1) : right;
}
/// With a row before it, or with any other one.
bool repeats(const C& c, uint32_t q) {
  return q != 0 && index_of(c, q) == index_of(c, q - 1);
}
bool is_repeated(const C& c, uint32_t q) {
  for (uint32_t other = 0; other < gathered_rows; ++other)
    if (other != q && index_of(c, other) == index_of(c, q)) return true;
  return false;
}
bool is_inside(const C& c, uint32_t q) {
  return index_of(c, q) >= 0 && index_of(c, q) < extent(c);
}
/// Of the last row that is written, or of the first.
template <bool last>
uint64_t without_last_piece(const C& c, uint32_t q, uint64_t right) {
  for (uint32_t other = 0; other < gathered_rows; ++other)
    if ((last ? other > q : other < q) && is_inside(c, other)) return right;
  return right == 0 ? 0 : (right - 1) / 16 * 16;
}
template <uint32_t row>
uint64_t without_row(const C&, uint32_t q, uint64_t right) {
  return q == row ? 0 : right;
}

constexpr Bend bent_copies_of_rows[] = {
    as_if("GATH-R01", "the last row began at column 0", &GatherBend::coordinate, at_column_0<3>),
    as_if("GATH-R01", "rows behind the first began at column 0", &GatherBend::coordinate, at_column_0<1>),
    as_if("GATH-R01", "the last row were the one behind the third", &GatherBend::coordinate, following<3>),
    as_if("GATH-R01", "all rows followed the first", &GatherBend::coordinate, following<1>),
    as_if("GATH-R01", "the second row were the first again", &GatherBend::coordinate, row_as<1, 0>),
    as_if("GATH-R01", "the third row were the second again", &GatherBend::coordinate, row_as<2, 1>),
    as_if("GATH-R01", "the last row were the third again", &GatherBend::coordinate, row_as<3, 2>),
    as_if("GATH-R01", "indexes of rows had 16 bits", &GatherBend::coordinate, narrow_index<int16_t>),
    as_if("GATH-R01", "indexes of rows had 16 bits without a sign", &GatherBend::coordinate,
          narrow_index<uint16_t>),
    as_if("GATH-R01", "a row that repeats the one before were outside the tensor", &GatherBend::is_lost,
          repeats),
    as_if("GATH-R01", "several lanes got the rows of the first", &GatherBend::lanes_share_coordinates, true),
    as_if("GATH-R01", "several lanes got rows by the map of the first", &TiledBend::lanes_share_map, true),
    as_if("GATH-R02", "the rows lay in the other order", &GatherBend::place,
          [](const C&, uint32_t, uint32_t right) { return 3 - right; }),
    as_if("GATH-R02", "neighbouring rows were swapped", &GatherBend::place,
          [](const C&, uint32_t, uint32_t right) { return right ^ 1; }),
    as_if("GATH-R02", "the rows lay in the order of their indexes", &GatherBend::coordinate, in_rising_order),
    as_if("GATH-R03", "a negative index were counted from the end", &GatherBend::coordinate, from_the_end),
    as_if("GATH-R03", "an index outside were that of the nearest row", &GatherBend::coordinate,
          at_the_border),
    as_if("GATH-R04", "one row were counted", &GatherBend::signalled,
          [](const C&, int64_t right, int64_t) { return right / 4; }),
    as_if("GATH-R04", "three rows were counted", &GatherBend::signalled,
          [](const C&, int64_t right, int64_t) { return right / 4 * 3; }),
    as_if("GATH-R04", "what lies in the tensor were counted", &GatherBend::signalled,
          [](const C&, int64_t, int64_t inside) { return inside; }),
    as_if("GATH-R04", "fewer bytes were signalled", &GatherBend::signalled,
          [](const C&, int64_t right, int64_t) { return right - 16; }),
    as_if("GATH-R04", "more bytes were signalled", &GatherBend::signalled,
          [](const C&, int64_t right, int64_t) { return right + 16; }),
    as_if("GATH-R06", "the last 16 bytes of the last row were not written", &GatherBend::stored,
          without_last_piece<true>),
    as_if("GATH-R06", "the last 16 bytes of the first row were not written", &GatherBend::stored,
          without_last_piece<false>),
    as_if("GATH-R06", "the last row were not written", &GatherBend::stored, without_row<3>),
    as_if("GATH-R06", "the first row were not written", &GatherBend::stored, without_row<0>),
    as_if("GATH-R06", "several lanes wrote the rows of the first", &GatherBend::lanes_share_coordinates,
          true),
    as_if("GATH-R06", "several lanes wrote rows by the map of the first", &TiledBend::lanes_share_map, true),
    as_if("GATH-R07", "of rows with the same index none were written", &GatherBend::is_lost, is_repeated),
    as_if("GATH-R07", "rows with the same index left something else", &GatherBend::repeated_rows_are_open,
          true),
};

/// What is about the bytes of one row, and the words and bytes that move as they are.
bool is_of_a_row(const Bend& bend) {
  const TiledBend& copy = bend.copy;
  // Nothing moved: that is said of so little that it explains any row that is not written.
  if (bend.words == "elements in bounds were outside") return false;
  if (copy.place == nullptr && copy.fill == nullptr && copy.word == nullptr && copy.stores == nullptr &&
      copy.receivers == nullptr && copy.start == nullptr && copy.inside == nullptr &&
      copy.distance == nullptr && !copy.reads_late && !bend.is_left_out)
    return false;
  return copy.count == nullptr && copy.offset == nullptr && copy.row == nullptr && copy.pitch == nullptr &&
         !copy.data_is_open;
}

}  // namespace

std::span<const Bend> gather_bends() {
  static const std::vector<Bend> all = [] {
    std::vector<Bend> made(std::begin(bent_copies_of_rows), std::end(bent_copies_of_rows));
    made.insert(made.end(), cta_pair_bends().begin(), cta_pair_bends().end());
    made.insert(made.end(), arming_bends().begin(), arming_bends().end());
    for (const auto part :
         {tiled_place_bends(), tiled_layout_bends(), tiled_value_bends(), tiled_end_bends()})
      std::copy_if(part.begin(), part.end(), std::back_inserter(made), is_of_a_row);
    return made;
  }();
  return all;
}

// Bends of .cta_group: whom a load signals.

namespace {

/// What .cta_group::2 does where `owner` is the rank that its mbarrier is taken to be of.
template <uint32_t (*owner)(uint32_t barrier_rank)>
uint32_t of_owner(uint32_t cta_group, uint32_t mask, uint32_t rank, uint32_t barrier_rank, uint32_t) {
  return destinations_signalled(cta_group, mask, rank, owner(barrier_rank));
}

constexpr Bend pair_rows[] = {
    as_if("CTAG-R01", ".cta_group::1 were .cta_group::2", &CtaPairBend::destinations,
          [](uint32_t group, uint32_t mask, uint32_t rank, uint32_t barrier_rank, uint32_t right) {
            return group == 1 ? destinations_signalled(2, mask, rank, barrier_rank) : right;
          }),
    as_if("CTAG-R02", ".cta_group::2 were ignored", &CtaPairBend::destinations,
          [](uint32_t, uint32_t mask, uint32_t rank, uint32_t, uint32_t) { return mask >> rank & 1; }),
    as_if("CTAG-R02", "the other CTA of each pair were signalled", &CtaPairBend::destinations,
          of_owner<[](uint32_t barrier_rank) { return barrier_rank ^ 1; }>),
    as_if("CTAG-R02", "the even CTA of each pair were signalled, whoever owns the mbarrier",
          &CtaPairBend::destinations, of_owner<[](uint32_t) { return 0u; }>),
    as_if("CTAG-R02", "the odd CTA of each pair were signalled, whoever owns the mbarrier",
          &CtaPairBend::destinations, of_owner<[](uint32_t) { return 1u; }>),
    as_if("CTAG-R02", "the CTA that owns the mbarrier were signalled for all destinations",
          &CtaPairBend::destinations,
          [](uint32_t group, uint32_t mask, uint32_t rank, uint32_t barrier_rank, uint32_t right) {
            if (group != 2) return right;
            return rank == barrier_rank ? static_cast<uint32_t>(std::popcount(mask)) : 0u;
          }),
};

}  // namespace

std::span<const Bend> cta_pair_bends() {
  return pair_rows;
}

End end_of_pairs(const SignalsOfPairs& s, const spec::Readings& readings) {
  const Bend* const bend = readings.bend();
  bool is_short = false, is_long = false;
  for (uint32_t rank = 0; rank < s.cluster_size; ++rank) {
    const uint32_t right = destinations_signalled(s.cta_group, s.mask, rank, s.barrier_rank);
    const uint32_t told = bend == nullptr || bend->pair.destinations == nullptr
                              ? right
                              : bend->pair.destinations(s.cta_group, s.mask, rank, s.barrier_rank, right);
    // A barrier that nothing is signalled to is not armed.
    const int64_t expected = right == 0 ? 0 : expected_bytes(right * s.armed, readings);
    is_short |= expected > told * s.signalled;
    is_long |= expected < told * s.signalled;
  }
  return is_short ? End::never_completes : is_long ? End::early_surplus : End::done;
}

}  // namespace assay::model
