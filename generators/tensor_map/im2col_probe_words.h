// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_map/encode_cases.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

/// What the tables of im2col probes are written with.
namespace assay::gen::im2col_words {

using Call = EncodeIm2colCase;
using On = Im2colProbe::On;
using List = std::vector<Im2colProbe>;

inline constexpr uint64_t two_to_31 = uint64_t{1} << 31, two_to_32 = uint64_t{1} << 32,
                          two_to_40 = uint64_t{1} << 40, two_to_57 = uint64_t{1} << 57;

// Which legal calls a probe can be applied to.
inline bool takes_any(const Call&) {
  return true;
}
inline bool is_unpacked(const Call& c) {
  return c.map.data_type < spec::host_type::first_packed;
}
inline bool is_plain(const Call& c) {
  return is_unpacked(c) && c.map.interleave == 0;
}
inline bool is_plain_rank_5(const Call& c) {
  return is_plain(c) && c.map.rank == 5;
}
inline bool is_unswizzled(const Call& c) {
  return is_plain(c) && c.map.swizzle == 0;
}
inline bool is_swizzled(const Call& c) {
  return is_plain(c) && c.map.swizzle != 0;
}
inline bool is_interleaved_32B(const Call& c) {
  return c.map.interleave == spec::host_interleave::by_32B;
}
inline bool has_granule_16(const Call& c) {
  return address_granule(c.map) == 16;
}
inline bool has_float_type(const Call& c) {
  return c.map.data_type >= spec::host_type::first_float && is_unpacked(c);
}
inline bool has_integer_type(const Call& c) {
  return c.map.data_type < spec::host_type::first_float;
}
inline bool is_b4(const Call& c) {
  return c.map.data_type == spec::host_type::b4x16;
}
inline bool is_padded_b4(const Call& c) {
  return c.map.data_type == spec::host_type::b4x16_p64;
}
inline bool is_padded(const Call& c) {
  return c.map.data_type >= spec::host_type::first_padded;
}
inline bool is_padded_b6(const Call& c) {
  return c.map.data_type == spec::host_type::b6x16_p32;
}
inline bool fills_a_column(const Call& c) {
  return is_unswizzled(c) && spec::data_types[c.map.data_type].bits == 64;
}

// What changes are made of.
inline uint32_t piece_of(const Call& c) {
  return box_quantum(spec::data_types[c.map.data_type], c.map.interleave);
}
/// A small box in a tensor that no corner empties, at every interleave; one piece a pixel.
inline void make_plain(Call& c) {
  for (uint32_t i = 0; i < 5; ++i) c.map.global_dim[i] = 1024;
  c.map.lower.fill(0);
  c.map.upper.fill(0);
  if (c.map.data_type < spec::host_type::first_padded) c.map.channels = piece_of(c);
  c.map.pixels = 8;
}
/// The dimension of images, or of channels.
inline uint32_t outside_the_box(Random& random, const Call& c) {
  const uint32_t rank = c.map.rank;
  return random.one_in(2) ? rank - 1 : c.map.interleave == 0 ? 0 : rank - 2;
}
inline uint64_t& extent_of_axis(Call& c, uint32_t axis) {
  return c.map.global_dim[dimension_of_axis(c.map, axis)];
}
inline uint32_t given_axis(Random& random, const Call& c) {
  return c.map.wide ? 0 : random.below(spatial_axes(c.map.rank));
}
inline uint64_t& some_stride_of(Random& random, Call& c) {
  return c.map.global_stride[random.below(c.map.rank - 1)];
}
inline uint32_t& acting_traversal(Random& random, Call& c) {
  const TensorMapArgs& m = c.map;
  return c.map.element_stride[m.interleave != 0 ? random.below(m.rank) : 1 + random.below(m.rank - 1)];
}
template <uint64_t value>
void address_or(Random&, Call& c) {
  c.map.global_address |= value;
}
template <uint64_t value>
void address_is(Random&, Call& c) {
  c.map.global_address = value;
}
template <uint64_t value>
void stride_or(Random& random, Call& c) {
  some_stride_of(random, c) |= value;
}
template <uint64_t value>
void stride_is(Random& random, Call& c) {
  some_stride_of(random, c) = value;
}
template <uint64_t value>
void extent_is(Random& random, Call& c) {
  c.map.global_dim[outside_the_box(random, c)] = value;
}
template <uint32_t value>
void traversal_is(Random& random, Call& c) {
  acting_traversal(random, c) = value;
}
template <uint32_t value>
void traversal_0_is(Random&, Call& c) {
  c.map.element_stride[0] = value;
}
template <uint32_t value>
void type_is(Random&, Call& c) {
  c.map.data_type = value;
}
template <uint32_t value>
void rank_is(Random&, Call& c) {
  c.map.rank = value;
}
template <uint32_t value>
void swizzle_is(Random&, Call& c) {
  make_plain(c);
  c.map.swizzle = value;
}
template <uint32_t value>
void interleave_is(Random&, Call& c) {
  make_plain(c);
  c.map.interleave = value;
}
template <uint32_t value>
void null_is(Random&, Call& c) {
  c.null_mask = value;
}
template <uint32_t value>
void mode_is(Random&, Call& c) {
  make_plain(c);
  c.map.wide_mode = value;
}
template <uint32_t value>
void pixels_are(Random&, Call& c) {
  make_plain(c);
  c.map.wide_mode = 0;
  c.map.pixels = value;
}
/// In mode W128, where documents ignore them.
template <uint32_t value>
void ignored_pixels_are(Random&, Call& c) {
  make_plain(c);
  c.map.wide_mode = 1;
  c.map.pixels = value;
}
template <uint32_t value>
void channels_are(Random&, Call& c) {
  make_plain(c);
  c.map.channels = value;
}
template <int more>
void pieces_are(Random&, Call& c) {
  make_plain(c);
  c.map.channels = static_cast<uint32_t>(static_cast<int>(piece_of(c)) + more);
}
template <uint32_t pixels>
void column_of_256(Random&, Call& c) {
  make_plain(c);
  c.map.channels = 256;
  c.map.pixels = pixels;
}
template <int more>
void span_and(Random&, Call& c) {
  make_plain(c);
  const uint32_t span = spec::find_swizzle(c.map.swizzle)->span_bytes;
  c.map.channels = (span / 16 + more) * piece_of(c);
}
/// An extent of 9 between corners 5 and -4 + wider.
template <int wider>
void box_is_as_wide_as(Random& random, Call& c) {
  make_plain(c);
  const uint32_t k = given_axis(random, c);
  extent_of_axis(c, k) = static_cast<uint64_t>(9 + wider);
  c.map.lower[k] = 5;
  c.map.upper[k] = -4;
}
/// A corner, lower or upper, at an end of its range or beyond: `end` 0 lowest, 1 highest.
template <bool upper, int end, bool beyond, bool as_written = false>
void corner_is(Random& random, Call& c) {
  make_plain(c);
  const uint32_t k = given_axis(random, c);
  const int bits = as_written ? 16 : spec::tensor_map::corner_bits(static_cast<int>(c.map.rank));
  const int32_t half = 1 << (bits - 1);
  const int32_t value = end == 0 ? -half - (beyond ? 1 : 0) : half - 1 + (beyond ? 1 : 0);
  (upper ? c.map.upper : c.map.lower)[k] = value;
  // The other one leaves a pixel.
  if (upper)
    c.map.lower[k] = end == 0 ? -half : 0;
  else
    c.map.upper[k] = end == 0 ? 0 : half - 1;
}
/// Corners that leave a pixel or none, of an extent at the end of 32-bit arithmetic.
template <uint64_t extent, int lower, int upper>
void far_extent(Random& random, Call& c) {
  make_plain(c);
  const uint32_t k = given_axis(random, c);
  extent_of_axis(c, k) = extent;
  c.map.lower[k] = lower;
  c.map.upper[k] = upper;
}
template <uint32_t offset>
void pointer_is_off(Random&, Call& c) {
  c.map_offset = offset;
}
/// A call that would be legal for a packed type where the architecture has it.
template <uint32_t type>
void packed_type_is(Random&, Call& c) {
  make_plain(c);
  TensorMapArgs& m = c.map;
  m.data_type = type;
  m.oob_fill = 0;
  m.global_address &= ~uint64_t{31};
  for (uint64_t& stride : m.global_stride) stride &= ~uint64_t{31};
  c.map.channels = 128;
}

const List& border_table();
const List& dispute_table();

}  // namespace assay::gen::im2col_words
