#include <algorithm>
#include <array>
#include <vector>

#include "generators/im2col/encode.h"
#include "generators/tiled_geometry.h"
#include "reference/spec/im2col_map_bits.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {
namespace {

using Call = EncodeIm2colCase;
using On = Im2colProbe::On;
using List = std::vector<Im2colProbe>;

constexpr uint64_t two_to_31 = uint64_t{1} << 31, two_to_32 = uint64_t{1} << 32,
                   two_to_40 = uint64_t{1} << 40, two_to_57 = uint64_t{1} << 57;

// Which legal calls a probe can be applied to.
bool takes_any(const Call&) {
  return true;
}
bool is_unpacked(const Call& c) {
  return c.map.base.data_type < 13;
}
bool is_plain(const Call& c) {
  return is_unpacked(c) && c.map.base.interleave == 0;
}
bool is_plain_rank_5(const Call& c) {
  return is_plain(c) && c.map.base.rank == 5;
}
bool is_unswizzled(const Call& c) {
  return is_plain(c) && c.map.base.swizzle == 0;
}
bool is_swizzled(const Call& c) {
  return is_plain(c) && c.map.base.swizzle != 0;
}
bool is_interleaved_32B(const Call& c) {
  return c.map.base.interleave == 2;
}
bool has_granule_16(const Call& c) {
  return address_granule(c.map.base) == 16;
}
bool has_float_type(const Call& c) {
  return c.map.base.data_type >= 6 && is_unpacked(c);
}
bool has_integer_type(const Call& c) {
  return c.map.base.data_type < 6;
}
bool is_b4(const Call& c) {
  return c.map.base.data_type == 13;
}
bool is_padded_b4(const Call& c) {
  return c.map.base.data_type == 14;
}
bool is_padded(const Call& c) {
  return c.map.base.data_type >= 14;
}
bool is_padded_b6(const Call& c) {
  return c.map.base.data_type == 15;
}
bool fills_a_column(const Call& c) {
  return is_unswizzled(c) && spec::data_types[c.map.base.data_type].bits == 64;
}

// What changes are made of.
uint32_t piece_of(const Call& c) {
  return box_quantum(spec::data_types[c.map.base.data_type], c.map.base.interleave);
}
/// A small box in a tensor that no corner empties, at every interleave; one piece a pixel.
void make_plain(Call& c) {
  for (uint32_t i = 0; i < 5; ++i) c.map.base.global_dim[i] = 1024;
  c.map.lower.fill(0);
  c.map.upper.fill(0);
  if (c.map.base.data_type < 14) c.map.channels = piece_of(c);
  c.map.pixels = 8;
}
/// The dimension of images, or of channels.
uint32_t outside_the_box(Random& random, const Call& c) {
  const uint32_t rank = c.map.base.rank;
  return random.one_in(2) ? rank - 1 : c.map.base.interleave == 0 ? 0 : rank - 2;
}
uint64_t& extent_of_axis(Call& c, uint32_t axis) {
  return c.map.base.global_dim[dimension_of_axis(c.map.base, axis)];
}
uint32_t given_axis(Random& random, const Call& c) {
  return c.map.wide ? 0 : random.below(spatial_axes(c.map.base.rank));
}
uint64_t& some_stride_of(Random& random, Call& c) {
  return c.map.base.global_stride[random.below(c.map.base.rank - 1)];
}
uint32_t& acting_traversal(Random& random, Call& c) {
  const TensorMapArgs& m = c.map.base;
  return c.map.base.element_stride[m.interleave != 0 ? random.below(m.rank) : 1 + random.below(m.rank - 1)];
}
template <uint64_t value>
void address_or(Random&, Call& c) {
  c.map.base.global_address |= value;
}
template <uint64_t value>
void address_is(Random&, Call& c) {
  c.map.base.global_address = value;
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
  c.map.base.global_dim[outside_the_box(random, c)] = value;
}
template <uint32_t value>
void traversal_is(Random& random, Call& c) {
  acting_traversal(random, c) = value;
}
template <uint32_t value>
void traversal_0_is(Random&, Call& c) {
  c.map.base.element_stride[0] = value;
}
template <uint32_t value>
void type_is(Random&, Call& c) {
  c.map.base.data_type = value;
}
template <uint32_t value>
void rank_is(Random&, Call& c) {
  c.map.base.rank = value;
}
template <uint32_t value>
void swizzle_is(Random&, Call& c) {
  make_plain(c);
  c.map.base.swizzle = value;
}
template <uint32_t value>
void interleave_is(Random&, Call& c) {
  make_plain(c);
  c.map.base.interleave = value;
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
  const uint32_t span = spec::find_swizzle(c.map.base.swizzle)->span_bytes;
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
  const int bits = as_written ? 16 : spec::tensor_map::corner_bits(static_cast<int>(c.map.base.rank));
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
  TensorMapArgs& m = c.map.base;
  m.data_type = type;
  m.oob_fill = 0;
  m.global_address &= ~uint64_t{31};
  for (uint64_t& stride : m.global_stride) stride &= ~uint64_t{31};
  c.map.channels = 128;
}

const List& border_table() {
  static const List table = {
      {"V-02", "type 16", false, is_plain, type_is<16>},
      {"V-02", "type 255", false, is_plain, type_is<255>},
      {"V-02", "type -1", false, is_plain, type_is<~0u>},
      {"V-03", "rank 0", false, is_plain, rank_is<0>},
      {"V-03", "rank 1", false, is_plain, rank_is<1>},
      {"V-03", "rank 2", false, is_plain, rank_is<2>},
      {"V-03", "rank 6", false, is_plain_rank_5, rank_is<6>},
      {"V-03", "rank 31", false, is_plain_rank_5, rank_is<31>},
      {"V-05", "address + 1", false, has_granule_16, address_or<1>},
      {"V-05", "address + 8", false, has_granule_16, address_or<8>},
      {"V-05", "address 16", true, has_granule_16, address_is<16>},
      {"V-06", "address 16 mod 32", false, is_interleaved_32B, address_or<16>, On::measured},
      {"V-06", "address 32", true, is_interleaved_32B, address_is<32>, On::measured},
      {"V-07", "address 16 mod 32", false, is_padded, address_or<16>, On::from_sm_100},
      {"V-07", "address 32", true, is_padded, address_is<32>, On::from_sm_100},
      {"V-09", "extent 0", false, is_unpacked, extent_is<0>},
      {"V-09", "extent 2^32 + 1", false, is_unpacked, extent_is<two_to_32 + 1>},
      {"V-09", "extent 2^40", false, is_unpacked, extent_is<two_to_40>},
      {"V-09", "extent 1", true, is_unpacked, extent_is<1>},
      {"V-09", "extent 2^32", true, is_unpacked, extent_is<two_to_32>},
      {"V-10", "192 channels in the tensor", false, is_padded,
       [](Random&, Call& c) { c.map.base.global_dim[0] = 192; }, On::from_sm_100},
      {"V-10", "128 channels in the tensor", true, is_padded,
       [](Random&, Call& c) { c.map.base.global_dim[0] = 128; }, On::from_sm_100},
      {"V-11", "an odd number of channels in the tensor", false, is_b4,
       [](Random&, Call& c) { --c.map.base.global_dim[0]; }, On::from_sm_100},
      {"V-12", "stride + 1", false, has_granule_16, stride_or<1>},
      {"V-12", "stride + 8", false, has_granule_16, stride_or<8>},
      {"V-12", "stride 16", true, has_granule_16, stride_is<16>},
      {"V-12", "stride 0", true, takes_any, stride_is<0>},
      {"V-13", "stride 2^40", false, takes_any, stride_is<two_to_40>},
      {"V-13", "stride 2^63", false, takes_any, stride_is<uint64_t{1} << 63>},
      {"V-13", "stride 2^40 - 32", true, takes_any, stride_is<two_to_40 - 32>},
      {"V-14", "stride 16 mod 32", false, is_interleaved_32B, stride_or<16>, On::measured},
      {"V-14", "stride 16 mod 32, packed", false, is_padded, stride_or<16>, On::from_sm_100},
      {"V-18", "traversal stride 0", false, takes_any, traversal_is<0>},
      {"V-18", "traversal stride 9", false, takes_any, traversal_is<9>},
      {"V-18", "traversal stride -1", false, takes_any, traversal_is<~0u>},
      {"V-18", "traversal stride 1", true, takes_any, traversal_is<1>},
      {"V-18", "traversal stride 8", true, takes_any, traversal_is<8>},
      {"V-19", "traversal stride 0 of channels", false, is_plain, traversal_0_is<0>},
      {"V-19", "traversal stride 9 of channels", false, is_plain, traversal_0_is<9>},
      {"V-19", "traversal stride 8 of channels", true, is_plain, traversal_0_is<8>},
      {"V-21", "interleave 3", false, is_plain, interleave_is<3>, On::measured},
      {"V-21", "interleave -1", false, is_plain, interleave_is<~0u>, On::measured},
      {"V-22", "swizzle 7", false, is_plain, swizzle_is<7>},
      {"V-22", "swizzle -1", false, is_plain, swizzle_is<~0u>},
      {"V-23", "a piece more than the span", false, is_swizzled, span_and<1>},
      {"V-23", "as wide as the span", true, is_swizzled, span_and<0>},
      {"V-24", "32B interleave with wide atoms", false, is_interleaved_32B, swizzle_is<4>,
       On::plain_from_sm_100},
      {"V-25", "interleaved", false, is_padded_b6, interleave_is<1>, On::plain_from_sm_100},
      {"V-26", "swizzle 64B", false, is_padded_b4, swizzle_is<2>, On::from_sm_100},
      {"V-27", "NaN fill of integers", false, has_integer_type,
       [](Random&, Call& c) { c.map.base.oob_fill = 1; }},
      {"V-27", "NaN fill of floats", true, has_float_type, [](Random&, Call& c) { c.map.base.oob_fill = 1; }},
      {"V-28", "L2 promotion 4", false, takes_any, [](Random&, Call& c) { c.map.base.l2_promotion = 4; }},
      {"V-28", "L2 promotion 3", true, takes_any, [](Random&, Call& c) { c.map.base.l2_promotion = 3; }},
      {"V-29", "fill 2", false, takes_any, [](Random&, Call& c) { c.map.base.oob_fill = 2; }},
      {"V-31", "lower corner one below", false, is_unpacked, corner_is<false, 0, true>, On::measured},
      {"V-31", "lower corner one above", false, is_unpacked, corner_is<false, 1, true>, On::measured},
      {"V-31", "upper corner one below", false, is_unpacked, corner_is<true, 0, true>, On::measured},
      {"V-31", "upper corner one above", false, is_unpacked, corner_is<true, 1, true>, On::measured},
      {"V-31", "lower corner lowest", true, is_unpacked, corner_is<false, 0, false>, On::measured},
      {"V-31", "lower corner highest", true, is_unpacked, corner_is<false, 1, false>, On::measured},
      {"V-31", "upper corner lowest", true, is_unpacked, corner_is<true, 0, false>, On::measured},
      {"V-31", "upper corner highest", true, is_unpacked, corner_is<true, 1, false>, On::measured},
      {"V-32", "no channels", false, is_unpacked, channels_are<0>},
      {"V-32", "a piece more than 256 channels", false, is_unswizzled, pieces_are<256>, On::measured},
      {"V-32", "512 channels", false, is_unswizzled, channels_are<512>, On::measured},
      {"V-32", "256 channels", true, is_unswizzled, channels_are<256>, On::measured},
      {"V-32", "64 channels, padded", false, is_padded, channels_are<64>, On::from_sm_100},
      {"V-33", "no pixels", false, takes_any, pixels_are<0>},
      {"V-33", "1025 pixels", false, is_unpacked, pixels_are<1025>},
      {"V-33", "2000 pixels", false, is_unpacked, pixels_are<2000>},
      {"V-33", "1 pixel", true, takes_any, pixels_are<1>},
      {"V-33", "1024 pixels", true, is_unpacked, pixels_are<1024>},
      {"V-34", "box of width 0", false, is_unpacked, box_is_as_wide_as<0>},
      {"V-34", "box of width -1", false, is_unpacked, box_is_as_wide_as<-1>},
      {"V-34", "box of width 1", true, is_unpacked, box_is_as_wide_as<1>},
      {"V-34", "extent 2^31 - 1", true, is_unpacked, far_extent<two_to_31 - 1, 0, 0>},
      {"V-35", "a channel more than a piece", false, is_unpacked, pieces_are<1>},
      {"V-35", "one channel", false, is_unpacked, channels_are<1>},
      {"V-35", "a piece", true, is_unpacked, pieces_are<0>},
      {"V-35", "48 channels of 4 bits", false, is_b4, channels_are<48>, On::from_sm_100},
      {"V-37", "lower corner -32769", false, is_unpacked, corner_is<false, 0, true, true>, On::by_documents},
      {"V-37", "upper corner 32768", false, is_unpacked, corner_is<true, 1, true, true>, On::by_documents},
      {"V-37", "lower corner -32768", true, is_unpacked, corner_is<false, 0, false, true>, On::by_documents},
      {"V-37", "upper corner 32767", true, is_unpacked, corner_is<true, 1, false, true>, On::by_documents},
      {"V-38", "no swizzle", false, is_plain, swizzle_is<0>, On::by_documents},
      {"V-38", "swizzle 32B", false, is_plain, swizzle_is<1>, On::by_documents},
      {"V-38", "swizzle with 8B flip", false, is_plain, swizzle_is<5>, On::by_documents},
      {"V-38", "swizzle with 64B atoms", false, is_plain, swizzle_is<6>, On::by_documents},
      {"V-38", "swizzle 64B", true, is_plain, swizzle_is<2>, On::by_documents},
      {"V-38", "swizzle with 32B atoms", true, is_plain, swizzle_is<4>, On::by_documents},
      {"V-39", "interleave 16B", false, is_plain, interleave_is<1>, On::by_documents},
      {"V-40", "mode 2", false, is_unpacked, mode_is<2>, On::wide},
      {"V-40", "mode -1", false, is_unpacked, mode_is<~0u>, On::wide},
      {"V-40", "mode 1", true, is_unpacked, mode_is<1>, On::wide},
      {"V-43", "no map", false, takes_any, null_is<1>},
      {"V-43", "no extents", false, takes_any, null_is<2>},
      {"V-43", "no strides", false, takes_any, null_is<4>},
      {"V-43", "no traversal strides", false, takes_any, null_is<16>},
      {"V-46", "swizzle with 8B flip", false, is_padded, swizzle_is<5>, On::plain_from_sm_100},
      {"V-48", "235520 bytes", false, fills_a_column, column_of_256<115>, On::measured},
      {"V-48", "233472 bytes", true, fills_a_column, column_of_256<114>, On::measured},
      {"V-49", "address 2^57", false, takes_any, address_is<two_to_57>},
      {"V-49", "address 2^57 - 32", true, takes_any, address_is<two_to_57 - 32>},
  };
  return table;
}

const List& dispute_table() {
  static const List table = {
      {"V-01", "map pointer + 1", true, takes_any, pointer_is_off<1>},
      {"V-01", "map pointer + 16", true, takes_any, pointer_is_off<16>},
      {"V-02", "type 13", false, is_unswizzled, packed_type_is<13>, On::sm_90},
      {"V-02", "type 15", false, is_unswizzled, packed_type_is<15>, On::sm_90},
      {"V-08", "address 0", true, takes_any, address_is<0>},
      {"V-05", "swizzled, address 16 mod 128", true, is_swizzled, address_is<0x1010>},
      {"V-19", "traversal stride 9 of channels", false, is_plain, traversal_0_is<9>},
      {"V-20", "stride 16", true, has_granule_16, stride_is<16>},
      {"V-22", "swizzle 4", false, is_plain, swizzle_is<4>, On::sm_90},
      {"V-22", "swizzle 6", false, is_plain, swizzle_is<6>, On::sm_90},
      {"V-24", "32B interleave without swizzle", true, is_interleaved_32B, swizzle_is<0>, On::measured},
      {"V-24", "32B interleave with swizzle 128B", true, is_interleaved_32B, swizzle_is<3>, On::measured},
      {"V-33", "0 pixels in mode W128", true, is_unpacked, ignored_pixels_are<0>, On::by_documents},
      {"V-33", "1025 pixels in mode W128", true, is_unpacked, ignored_pixels_are<1025>, On::by_documents},
      {"V-34", "extent 2^31", false, is_unpacked, far_extent<two_to_31, 0, 0>},
      {"V-34", "extent 2^32", false, is_unpacked, far_extent<two_to_32, 0, 0>},
      {"V-34", "extent 2^31 - 1, upper corner 1", false, is_unpacked, far_extent<two_to_31 - 1, 0, 1>},
      {"V-34", "extent 2^32 - 4, lower corner -4", false, is_unpacked, far_extent<two_to_32 - 4, -4, 0>},
      {"V-48", "235520 bytes", false, fills_a_column, column_of_256<115>, On::measured},
      {"V-49", "address 2^57", false, takes_any, address_is<two_to_57>},
  };
  return table;
}

bool exists(const Im2colProbe& probe, spec::Arch arch, bool wide) {
  const bool old = arch == spec::Arch::sm_90;
  switch (probe.on) {
    case On::everywhere:
      return true;
    case On::sm_90:
      return old;
    case On::from_sm_100:
      return !old;
    case On::plain:
      return !wide;
    case On::plain_from_sm_100:
      return !wide && !old;
    case On::measured:
      return !wide || old;
    case On::by_documents:
      return wide && !old;
    case On::wide:
      return wide;
  }
  return false;
}

using ListsByArch = std::array<std::array<List, 2>, spec::arch_count>;
ListsByArch split(const List& all) {
  ListsByArch lists;
  for (int arch = 0; arch < spec::arch_count; ++arch)
    for (const bool wide : {false, true})
      std::copy_if(
          all.begin(), all.end(), std::back_inserter(lists[arch][wide]),
          [&](const Im2colProbe& probe) { return exists(probe, static_cast<spec::Arch>(arch), wide); });
  return lists;
}

}  // namespace

std::span<const Im2colProbe> im2col_borders(spec::Arch arch, bool wide) {
  static const ListsByArch lists = split(border_table());
  return lists[static_cast<int>(arch)][wide];
}

std::span<const Im2colProbe> im2col_disputes(spec::Arch arch, bool wide) {
  static const ListsByArch lists = split(dispute_table());
  return lists[static_cast<int>(arch)][wide];
}

void apply(const Im2colProbe& probe, Random& random, spec::Arch arch, bool wide, EncodeIm2colCase& c) {
  for (int tries = 0; tries < 1000 && !probe.fits(c); ++tries)
    make_legal_im2col_encode(random, arch, wide, c);
  if (probe.fits(c)) probe.change(random, c);
}

}  // namespace assay::gen
