// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "reference/model/as_if.h"
#include "reference/model/tensor_map/legality.h"

/// Bends of tiled copies: where elements lie in shared memory.
namespace assay::model {
namespace {

using C = TensorCopyCase;

/// line & mask, shifted, exclusively or'ed into the address.
constexpr uint32_t swizzled(uint32_t address, uint32_t mask, uint32_t shift) {
  return address ^ (address >> 7 & mask) << shift;
}
template <uint32_t host, uint32_t mask, uint32_t shift>
uint32_t as(const C& c, uint32_t address, uint32_t right) {
  return c.map.swizzle == host ? swizzled(address, mask, shift) : right;
}
uint32_t without_flip(const C& c, uint32_t address, uint32_t right) {
  return c.map.swizzle == spec::host_swizzle::by_128B_atom32B_flip8B ? swizzled(address, 3, 5) : right;
}
/// The pattern begins where `origin` is, not at a multiple of itself.
uint32_t from_operand(const C& c, uint32_t address, uint32_t right) {
  const spec::Swizzle* swizzle = spec::find_swizzle(c.map.swizzle);
  if (swizzle == nullptr || address < c.tile_offset) return right;
  const uint32_t inner = address - c.tile_offset, line = inner >> 7;
  return c.tile_offset +
         (inner ^ (line & swizzle->line_mask) << swizzle->line_shift ^ (line & swizzle->flip_mask) << 3);
}
uint32_t dense(const C&, uint32_t row_bytes, uint32_t) {
  return row_bytes;
}
uint32_t span_of(const C& c) {
  const spec::Swizzle* swizzle = spec::find_swizzle(c.map.swizzle);
  return swizzle == nullptr ? 0 : swizzle->span_bytes;
}
template <uint32_t span>
uint32_t dense_in(const C& c, uint32_t row_bytes, uint32_t right) {
  return span_of(c) == span ? row_bytes : right;
}
uint32_t lines_of_128(const C& c, uint32_t row_bytes, uint32_t right) {
  return c.map.interleave == 0 && span_of(c) != 0 ? std::max<uint32_t>(128, row_bytes) : right;
}
uint32_t packed_close(const C&, uint32_t data_bytes, uint32_t right) {
  return std::min(data_bytes, right);
}

int64_t dimension_1_last(const int64_t (&j)[4], const int64_t (&n)[4], int64_t) {
  return ((j[0] * n[3] + j[3]) * n[2] + j[2]) * n[1] + j[1];
}
int64_t dimensions_1_and_2_exchanged(const int64_t (&j)[4], const int64_t (&n)[4], int64_t) {
  return ((j[3] * n[2] + j[2]) * n[0] + j[0]) * n[1] + j[1];
}

// clang-format off
constexpr Bend layout_bends[] = {
    as_if("TILE-R06", "dimension 1 came last in shared memory", &TiledBend::row, dimension_1_last),
    as_if("TILE-R06", "dimensions 1 and 2 were swapped in shared memory", &TiledBend::row,
          dimensions_1_and_2_exchanged),
    as_if("TILE-R06", "rows lay 16 bytes further apart", &TiledBend::pitch,
          [](const C& c, uint32_t, uint32_t right) { return span_of(c) == 0 ? right + 16
         : right; }),
    as_if("TILE-R06", "the box lay 16 bytes further", &TiledBend::place,
          [](const C&, uint32_t, uint32_t right) { return right + 16; }),
    as_if("TILE-R06", "neighbouring pieces of 16 bytes were swapped", &TiledBend::place,
          [](const C&, uint32_t, uint32_t right) { return right ^ 16; }),
    as_if("TILE-R33", "slices of 32 bytes lay 16 bytes apart", &TiledBend::group,
          [](const C& c, uint32_t, uint32_t right) {
         return c.map.interleave == spec::host_interleave::by_32B ? right / 2 : right; }),
    as_if("TILE-R33", "slices of 16 bytes lay 32 bytes apart", &TiledBend::group,
          [](const C& c, uint32_t, uint32_t right) {
         return c.map.interleave == spec::host_interleave::by_16B ? right * 2 : right; }),
    as_if("TILE-R36", "rows of an interleaved map lay a span apart", &TiledBend::pitch,
          [](const C& c, uint32_t row_bytes, uint32_t right) { return c.map.interleave != 0
         ? std::max(row_bytes, span_of(c)) : right; }),
    as_if("TILE-R36", "an interleaved map were not swizzled", &TiledBend::place,
          [](const C& c, uint32_t address, uint32_t right) { return c.map.interleave != 0
         ? address : right; }),

    as_if("TILE-R07", "32B swizzle moved nothing", &TiledBend::place, as<1, 0, 4>),
    as_if("TILE-R07", "32B swizzle were 64B swizzle", &TiledBend::place, as<1, 3, 4>),
    as_if("TILE-R07", "32B swizzle took the next bit of the line", &TiledBend::place,
          [](const C& c, uint32_t a, uint32_t right) {
         return c.map.swizzle == spec::host_swizzle::by_32B ? a ^ (a >> 8 & 1) << 4 : right; }),
    as_if("TILE-R08", "64B swizzle moved nothing", &TiledBend::place, as<2, 0, 4>),
    as_if("TILE-R08", "64B swizzle took one bit of the line", &TiledBend::place, as<2, 1, 4>),
    as_if("TILE-R08", "64B swizzle took the upper bit of the line alone", &TiledBend::place, as<2, 2, 4>),
    as_if("TILE-R08", "64B swizzle were 128B swizzle", &TiledBend::place, as<2, 7, 4>),
    as_if("TILE-R09", "128B swizzle moved nothing", &TiledBend::place, as<3, 0, 4>),
    as_if("TILE-R09", "128B swizzle took one bit of the line", &TiledBend::place, as<3, 1, 4>),
    as_if("TILE-R09", "128B swizzle took two bits of the line", &TiledBend::place, as<3, 3, 4>),
    as_if("TILE-R09", "128B swizzle took the upper bits of the line alone", &TiledBend::place, as<3, 6, 4>),
    as_if("TILE-R09", "128B swizzle took the outer bits of the line alone", &TiledBend::place, as<3, 5, 4>),
    as_if("TILE-R09", "128B swizzle had 32-byte atoms", &TiledBend::place, as<3, 3, 5>),
    as_if("TILE-R10", "32-byte atoms were 16-byte ones", &TiledBend::place, as<4, 7, 4>),
    as_if("TILE-R10", "32-byte atoms were 16-byte ones, by two bits of the line", &TiledBend::place,
          as<4, 3, 4>),
    as_if("TILE-R10", "32-byte atoms stayed in place", &TiledBend::place, as<4, 0, 5>),
    as_if("TILE-R10", "32-byte atoms took one bit of the line", &TiledBend::place, as<4, 1, 5>),
    as_if("TILE-R10", "32-byte atoms were 64-byte ones", &TiledBend::place, as<4, 1, 6>),
    as_if("TILE-R11", "nothing were flipped", &TiledBend::place, without_flip),
    as_if("TILE-R11", "every line were flipped", &TiledBend::place,
          [](const C& c, uint32_t a, uint32_t right) {
         return c.map.swizzle == spec::host_swizzle::by_128B_atom32B_flip8B ? swizzled(a, 3, 5) ^ 8
           : right; }),
    as_if("TILE-R12", "64-byte atoms stayed in place", &TiledBend::place, as<6, 0, 6>),
    as_if("TILE-R12", "64-byte atoms were 32-byte ones", &TiledBend::place, as<6, 3, 5>),
    as_if("TILE-R12", "64-byte atoms were 16-byte ones", &TiledBend::place, as<6, 7, 4>),
    as_if("TILE-R13", "96B swizzle moved nothing", &TiledBend::place, as<swizzle_96B, 0, 4>),
    as_if("TILE-R13", "96B swizzle were 64B swizzle", &TiledBend::place, as<swizzle_96B, 3, 4>),
    as_if("TILE-R13", "96B swizzle were 128B swizzle", &TiledBend::place, as<swizzle_96B, 7, 4>),
    as_if("TILE-R14", "the swizzle pattern began at the operand", &TiledBend::place, from_operand),
    as_if("TILE-R15", "narrow rows lay close together", &TiledBend::pitch, dense),
    as_if("TILE-R15", "narrow rows lay close together with 32B swizzle", &TiledBend::pitch, dense_in<32>),
    as_if("TILE-R15", "narrow rows lay close together with 64B swizzle", &TiledBend::pitch, dense_in<64>),
    as_if("TILE-R15", "narrow rows lay close together with 128B swizzle", &TiledBend::pitch, dense_in<128>),
    as_if("TILE-R15", "narrow rows lay 128 bytes apart", &TiledBend::pitch, lines_of_128),

    as_if("TILE-R46", "groups of b4x16_p64 had no padding", &TiledBend::group,
          [](const C& c, uint32_t data, uint32_t right) {
         return c.map.data_type == spec::host_type::b4x16_p64 ? packed_close(c, data, right) : right; }),
    as_if("TILE-R47", "groups of b6x16_p32 had no padding", &TiledBend::group,
          [](const C& c, uint32_t data, uint32_t right) {
         return c.map.data_type == spec::host_type::b6x16_p32 && c.direction == CopyDirection::load
           ? packed_close(c, data, right) : right; }),
    as_if("TILE-R48", "elements of 6 bits were packed in the other order, four by four", &TiledBend::packed,
          [](uint32_t element) -> uint32_t { return element ^ 3; }),
    as_if("TILE-R48", "elements of 6 bits were packed in the other order, sixteen by sixteen",
          &TiledBend::packed, [](uint32_t element) -> uint32_t { return element ^ 15; }),
    as_if("TILE-R50", "bytes beside the box were written too", &TiledBend::rest_is_open,
          true, &TiledBend::concerns, [](const C& c) { return c.direction == CopyDirection::load; }),
};
// clang-format on

}  // namespace

std::span<const Bend> tiled_layout_bends() {
  return layout_bends;
}

// Bends of tiled copies: how they end, what they signal, and whom they reach.

namespace {
using C = TensorCopyCase;

uint32_t all_ranks(const C& c) {
  return (1u << c.cluster_size) - 1;
}
bool is_multicast(const C& c) {
  return c.cluster_size > 1;
}
bool is_wholly_outside(const C& c) {
  for (uint32_t i = 0; i < c.map.rank; ++i)
    if (c.coord[i] >= static_cast<int64_t>(c.map.global_dim[i]) ||
        int64_t{c.coord[i]} + c.map.box_dim[i] <= 0)
      return true;
  return false;
}
bool has_box_of_256(const C& c) {
  for (uint32_t i = 0; i < c.map.rank; ++i)
    if (c.map.box_dim[i] == 256) return true;
  return false;
}
/// Bytes of the image in shared memory with the gaps between narrow rows.
template <uint32_t span>
int64_t with_gaps(const C& c, int64_t right) {
  const spec::Swizzle* swizzle = spec::find_swizzle(c.map.swizzle);
  const spec::DataType& type = spec::data_types[c.map.data_type];
  if (c.map.interleave != 0 || swizzle == nullptr || swizzle->span_bytes == 0 || type.is_packed())
    return right;
  if (span != 0 && swizzle->span_bytes != span) return right;
  const int64_t row = int64_t{c.map.box_dim[0]} * type.bits / 8;
  return row != 0 && row < swizzle->span_bytes ? right / row * swizzle->span_bytes : right;
}

// clang-format off
constexpr Bend end_bends[] = {
    as_if("TILE-R19", "fewer bytes were signalled", &TiledBend::signalled,
          [](const C&, int64_t right) { return right - 16; }),
    as_if("TILE-R19", "more bytes were signalled", &TiledBend::signalled,
          [](const C&, int64_t right) { return right + 16; }),
    as_if("TILE-R19", "a box wholly outside signalled nothing", &TiledBend::signalled,
          [](const C& c, int64_t right) { return is_wholly_outside(c) ? 0 : right; }),
    as_if("TILE-R19", "a box with an extent of 256 signalled fewer bytes", &TiledBend::signalled,
          [](const C& c, int64_t right) { return has_box_of_256(c) ? right - 16 : right; }),
    as_if("TILE-R20", "the gaps between narrow rows were signalled", &TiledBend::signalled, with_gaps<0>),
    as_if("TILE-R20", "the gaps between narrow rows were signalled with 128B swizzle", &TiledBend::signalled,
          with_gaps<128>),
    as_if("TILE-R20", "the gaps between narrow rows were signalled with 64B swizzle", &TiledBend::signalled,
          with_gaps<64>),
    as_if("TILE-R20", "the gaps between narrow rows were signalled with 32B swizzle", &TiledBend::signalled,
          with_gaps<32>),
    as_if("TILE-R49", "the padding of packed types were signalled", &TiledBend::signalled,
          [](const C& c, int64_t right) {
       const spec::DataType& type = spec::data_types[c.map.data_type];
       return type.is_packed() ? right / type.group_global_bytes * type.group_shared_bytes : right; }),

    as_if("TILE-R22", "it were not checked", &Bend::is_left_out, true),
    as_if("TILE-R23", "it were not checked", &Bend::is_left_out, true),
    as_if("TILE-R24", "it were not checked", &Bend::is_left_out, true),
    as_if("TILE-R25", "it were not checked", &Bend::is_left_out, true),
    as_if("TILE-R26", "it were not checked", &Bend::is_left_out, true),
    as_if("TILE-R43", "it were not checked", &Bend::is_left_out, true),
    as_if("TILE-R52", "it were not checked", &Bend::is_left_out, true),
    as_if("TILE-R55", "it were not checked", &Bend::is_left_out, true),
    as_if("TILE-R22", "the operand had to be a multiple of 1024", &TiledBend::issue,
          [](const C& c, End right) { return right == End::done && c.tile_offset % 1024 != 0
         ? End::misaligned_address : right; }),
    as_if("TILE-R25", "extents had to be below 2^31", &TiledBend::issue, [](const C& c, End right) {
       for (uint32_t i = 0; i < c.map.rank; ++i)
         if (c.map.global_dim[i] >= uint64_t{1} << 31) return End::illegal_instruction;
       return right; }),
    as_if("TILE-R37", "slices had to be aligned too", &TiledBend::issue,
          [](const C& c, End right) { return right == End::done && c.map.interleave != 0
         && c.coord[0] * static_cast<int64_t>(spec::data_types[c.map.data_type].bits) % 128 != 0
           ? End::illegal_instruction : right; }),
    as_if("TILE-R26", "a load with a negative coordinate faulted too", &TiledBend::issue,
          [](const C& c, End right) {
       for (uint32_t i = 0; i < c.map.rank; ++i)
         if (right == End::done && c.coord[i] < 0) return End::illegal_instruction;
       return right; }),
    as_if("TILE-R52", "a store of half a box faulted", &TiledBend::issue, [](const C& c, End right) {
       const bool is_half = spec::data_types[c.map.data_type].is_packed() && c.map.box_dim[0] == 64;
       return right == End::done && is_store(c) && is_half ? End::illegal_instruction : right; }),
    as_if("REPL-R23", "a copy looked at the box size that the driver keeps at 0x40", &TiledBend::issue,
          [](const C& c, End right) { return right == End::done
         && counted_box_bytes(c.map) % 16 != 0 ? End::illegal_instruction : right; }),
    as_if("TILE-R42", "with swizzle the address had to be a multiple of 128", &TiledBend::issue,
          [](const C& c, End right) { return right == End::done && c.map.swizzle != 0
         && c.map.global_address % 128 != 0 ? End::misaligned_address : right; }),

    as_if("TILE-R38", "the CTA that issues received too", &TiledBend::receivers,
          [](const C& c, uint32_t right) { return is_multicast(c)
         ? right | 1u << c.issuer_rank : right; }),
    as_if("TILE-R38", "the highest rank of the mask were left out", &TiledBend::receivers,
          [](const C& c, uint32_t right) { return is_multicast(c) && right != 0
         ? right & ~std::bit_floor(right) : right; }),
    as_if("TILE-R38", "the lowest rank of the mask were left out", &TiledBend::receivers,
          [](const C& c, uint32_t right) { return is_multicast(c) ? right & (right - 1)
         : right; }),
    as_if("TILE-R38", "the rank after the highest of the mask received too", &TiledBend::receivers,
          [](const C& c, uint32_t right) { return is_multicast(c) && right != 0
         ? (right | std::bit_floor(right) << 1) & all_ranks(c) : right; }),
    as_if("TILE-R38", "every CTA received", &TiledBend::receivers,
          [](const C& c, uint32_t right) { return is_multicast(c) ? all_ranks(c)
         : right; }),
    as_if("TILE-R38", "the CTA that issues received alone", &TiledBend::receivers,
          [](const C& c, uint32_t right) { return is_multicast(c) ? 1u << c.issuer_rank
         : right; }),
    as_if("TILE-R38", "some CTAs of the mask did not receive", &TiledBend::receivers,
          [](const C& c, uint32_t right) { return is_multicast(c) ? 0 : right; }),
    as_if("TILE-R38", "the CTA that issues were signalled alone", &TiledBend::signalled_ranks,
          [](const C& c, uint32_t right) { return is_multicast(c)
         ? right & 1u << c.issuer_rank : right; }),
    as_if("TILE-R38", "every CTA were signalled", &TiledBend::signalled_ranks,
          [](const C& c, uint32_t right) { return is_multicast(c) ? all_ranks(c)
         : right; }),
    as_if("TILE-R38", "the highest rank of the mask were not signalled", &TiledBend::signalled_ranks,
          [](const C& c, uint32_t right) { return is_multicast(c) && right != 0
         ? right & ~std::bit_floor(right) : right; }),
    as_if("TILE-R38", "ranks of the mask from 8 on did not receive", &TiledBend::receivers,
          [](const C& c, uint32_t right) { return is_multicast(c) ? right & 0xff
         : right; }),
    as_if("TILE-R38", "ranks of the mask from 8 on were not signalled", &TiledBend::signalled_ranks,
          [](const C& c, uint32_t right) { return is_multicast(c) ? right & 0xff
         : right; }),
    // Of elements that are reduced more than once no altered rule says what becomes of them.
    as_if("TILE-R58", "of several reductions of an element some were lost"),
    as_if("SYNC-R03", "a store read its source after wait_group.read had returned", &TiledBend::reads_late,
          true),
    as_if("TILE-R01", "several lanes copied by the map of the first", &TiledBend::lanes_share_map, true),
    as_if("TILE-R01", "elements were not moved", &TiledBend::place,
          [](const C&, uint32_t, uint32_t) { return ~0u; }),
};
// clang-format on

}  // namespace

std::span<const Bend> tiled_end_bends() {
  return end_bends;
}

}  // namespace assay::model
