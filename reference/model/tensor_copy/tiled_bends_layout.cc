// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "reference/model/bend.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"

/// Bends of tiled copies: where elements lie in shared memory.
namespace assay::model {
namespace {

using spec::rule;
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
    {.rule = rule("TILE-R06"), .words = "dimension 1 came last in shared memory",
     .copy = {.row = dimension_1_last}},
    {.rule = rule("TILE-R06"), .words = "dimensions 1 and 2 were swapped in shared memory",
     .copy = {.row = dimensions_1_and_2_exchanged}},
    {.rule = rule("TILE-R06"), .words = "rows lay 16 bytes further apart",
     .copy = {.pitch = [](const C& c, uint32_t, uint32_t right) { return span_of(c) == 0 ? right + 16
         : right; }}},
    {.rule = rule("TILE-R06"), .words = "the box lay 16 bytes further",
     .copy = {.place = [](const C&, uint32_t, uint32_t right) { return right + 16; }}},
    {.rule = rule("TILE-R06"), .words = "neighbouring pieces of 16 bytes were swapped",
     .copy = {.place = [](const C&, uint32_t, uint32_t right) { return right ^ 16; }}},
    {.rule = rule("TILE-R33"), .words = "slices of 32 bytes lay 16 bytes apart",
     .copy = {.group = [](const C& c, uint32_t, uint32_t right) {
         return c.map.interleave == spec::host_interleave::by_32B ? right / 2 : right; }}},
    {.rule = rule("TILE-R33"), .words = "slices of 16 bytes lay 32 bytes apart",
     .copy = {.group = [](const C& c, uint32_t, uint32_t right) {
         return c.map.interleave == spec::host_interleave::by_16B ? right * 2 : right; }}},
    {.rule = rule("TILE-R36"), .words = "rows of an interleaved map lay a span apart",
     .copy = {.pitch = [](const C& c, uint32_t row_bytes, uint32_t right) { return c.map.interleave != 0
         ? std::max(row_bytes, span_of(c)) : right; }}},
    {.rule = rule("TILE-R36"), .words = "an interleaved map were not swizzled",
     .copy = {.place = [](const C& c, uint32_t address, uint32_t right) { return c.map.interleave != 0
         ? address : right; }}},

    {.rule = rule("TILE-R07"), .words = "32B swizzle moved nothing", .copy = {.place = as<1, 0, 4>}},
    {.rule = rule("TILE-R07"), .words = "32B swizzle were 64B swizzle", .copy = {.place = as<1, 3, 4>}},
    {.rule = rule("TILE-R07"), .words = "32B swizzle took the next bit of the line",
     .copy = {.place = [](const C& c, uint32_t a, uint32_t right) {
         return c.map.swizzle == spec::host_swizzle::by_32B ? a ^ (a >> 8 & 1) << 4 : right; }}},
    {.rule = rule("TILE-R08"), .words = "64B swizzle moved nothing", .copy = {.place = as<2, 0, 4>}},
    {.rule = rule("TILE-R08"), .words = "64B swizzle took one bit of the line",
     .copy = {.place = as<2, 1, 4>}},
    {.rule = rule("TILE-R08"), .words = "64B swizzle took the upper bit of the line alone",
     .copy = {.place = as<2, 2, 4>}},
    {.rule = rule("TILE-R08"), .words = "64B swizzle were 128B swizzle", .copy = {.place = as<2, 7, 4>}},
    {.rule = rule("TILE-R09"), .words = "128B swizzle moved nothing", .copy = {.place = as<3, 0, 4>}},
    {.rule = rule("TILE-R09"), .words = "128B swizzle took one bit of the line",
     .copy = {.place = as<3, 1, 4>}},
    {.rule = rule("TILE-R09"), .words = "128B swizzle took two bits of the line",
     .copy = {.place = as<3, 3, 4>}},
    {.rule = rule("TILE-R09"), .words = "128B swizzle took the upper bits of the line alone",
     .copy = {.place = as<3, 6, 4>}},
    {.rule = rule("TILE-R09"), .words = "128B swizzle took the outer bits of the line alone",
     .copy = {.place = as<3, 5, 4>}},
    {.rule = rule("TILE-R09"), .words = "128B swizzle had 32-byte atoms", .copy = {.place = as<3, 3, 5>}},
    {.rule = rule("TILE-R10"), .words = "32-byte atoms were 16-byte ones", .copy = {.place = as<4, 7, 4>}},
    {.rule = rule("TILE-R10"), .words = "32-byte atoms were 16-byte ones, by two bits of the line",
     .copy = {.place = as<4, 3, 4>}},
    {.rule = rule("TILE-R10"), .words = "32-byte atoms stayed in place", .copy = {.place = as<4, 0, 5>}},
    {.rule = rule("TILE-R10"), .words = "32-byte atoms took one bit of the line",
     .copy = {.place = as<4, 1, 5>}},
    {.rule = rule("TILE-R10"), .words = "32-byte atoms were 64-byte ones", .copy = {.place = as<4, 1, 6>}},
    {.rule = rule("TILE-R11"), .words = "nothing were flipped", .copy = {.place = without_flip}},
    {.rule = rule("TILE-R11"), .words = "every line were flipped",
     .copy = {.place = [](const C& c, uint32_t a, uint32_t right) {
         return c.map.swizzle == spec::host_swizzle::by_128B_atom32B_flip8B ? swizzled(a, 3, 5) ^ 8
           : right; }}},
    {.rule = rule("TILE-R12"), .words = "64-byte atoms stayed in place", .copy = {.place = as<6, 0, 6>}},
    {.rule = rule("TILE-R12"), .words = "64-byte atoms were 32-byte ones", .copy = {.place = as<6, 3, 5>}},
    {.rule = rule("TILE-R12"), .words = "64-byte atoms were 16-byte ones", .copy = {.place = as<6, 7, 4>}},
    {.rule = rule("TILE-R13"), .words = "96B swizzle moved nothing",
     .copy = {.place = as<swizzle_96B, 0, 4>}},
    {.rule = rule("TILE-R13"), .words = "96B swizzle were 64B swizzle",
     .copy = {.place = as<swizzle_96B, 3, 4>}},
    {.rule = rule("TILE-R13"), .words = "96B swizzle were 128B swizzle",
     .copy = {.place = as<swizzle_96B, 7, 4>}},
    {.rule = rule("TILE-R14"), .words = "the swizzle pattern began at the operand",
     .copy = {.place = from_operand}},
    {.rule = rule("TILE-R15"), .words = "narrow rows lay close together", .copy = {.pitch = dense}},
    {.rule = rule("TILE-R15"), .words = "narrow rows lay close together with 32B swizzle",
     .copy = {.pitch = dense_in<32>}},
    {.rule = rule("TILE-R15"), .words = "narrow rows lay close together with 64B swizzle",
     .copy = {.pitch = dense_in<64>}},
    {.rule = rule("TILE-R15"), .words = "narrow rows lay close together with 128B swizzle",
     .copy = {.pitch = dense_in<128>}},
    {.rule = rule("TILE-R15"), .words = "narrow rows lay 128 bytes apart", .copy = {.pitch = lines_of_128}},

    {.rule = rule("TILE-R46"), .words = "groups of b4x16_p64 had no padding",
     .copy = {.group = [](const C& c, uint32_t data, uint32_t right) {
         return c.map.data_type == spec::host_type::b4x16_p64 ? packed_close(c, data, right) : right; }}},
    {.rule = rule("TILE-R47"), .words = "groups of b6x16_p32 had no padding",
     .copy = {.group = [](const C& c, uint32_t data, uint32_t right) {
         return c.map.data_type == spec::host_type::b6x16_p32 && c.direction == CopyDirection::load
           ? packed_close(c, data, right) : right; }}},
    {.rule = rule("TILE-R48"), .words = "elements of 6 bits were packed in the other order, four by four",
     .copy = {.packed = [](uint32_t element) -> uint32_t { return element ^ 3; }}},
    {.rule = rule("TILE-R48"),
     .words = "elements of 6 bits were packed in the other order, sixteen by sixteen",
     .copy = {.packed = [](uint32_t element) -> uint32_t { return element ^ 15; }}},
    {.rule = rule("TILE-R50"), .words = "bytes beside the box were written too",
     .copy = {.rest_is_open = true,
     .concerns = [](const C& c) { return c.direction == CopyDirection::load; }}},
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
    {.rule = rule("TILE-R19"), .words = "fewer bytes were signalled",
     .copy = {.signalled = [](const C&, int64_t right) { return right - 16; }}},
    {.rule = rule("TILE-R19"), .words = "more bytes were signalled",
     .copy = {.signalled = [](const C&, int64_t right) { return right + 16; }}},
    {.rule = rule("TILE-R19"), .words = "a box wholly outside signalled nothing",
     .copy = {.signalled = [](const C& c, int64_t right) { return is_wholly_outside(c) ? 0 : right; }}},
    {.rule = rule("TILE-R19"), .words = "a box with an extent of 256 signalled fewer bytes",
     .copy = {.signalled = [](const C& c, int64_t right) { return has_box_of_256(c) ? right - 16 : right; }}},
    {.rule = rule("TILE-R20"), .words = "the gaps between narrow rows were signalled",
     .copy = {.signalled = with_gaps<0>}},
    {.rule = rule("TILE-R20"), .words = "the gaps between narrow rows were signalled with 128B swizzle",
     .copy = {.signalled = with_gaps<128>}},
    {.rule = rule("TILE-R20"), .words = "the gaps between narrow rows were signalled with 64B swizzle",
     .copy = {.signalled = with_gaps<64>}},
    {.rule = rule("TILE-R20"), .words = "the gaps between narrow rows were signalled with 32B swizzle",
     .copy = {.signalled = with_gaps<32>}},
    {.rule = rule("TILE-R49"), .words = "the padding of packed types were signalled",
     .copy = {.signalled = [](const C& c, int64_t right) {
       const spec::DataType& type = spec::data_types[c.map.data_type];
       return type.is_packed() ? right / type.group_global_bytes * type.group_shared_bytes : right; }}},

    {.rule = rule("TILE-R22"), .words = "it were not checked", .is_left_out = true},
    {.rule = rule("TILE-R23"), .words = "it were not checked", .is_left_out = true},
    {.rule = rule("TILE-R24"), .words = "it were not checked", .is_left_out = true},
    {.rule = rule("TILE-R25"), .words = "it were not checked", .is_left_out = true},
    {.rule = rule("TILE-R26"), .words = "it were not checked", .is_left_out = true},
    {.rule = rule("TILE-R43"), .words = "it were not checked", .is_left_out = true},
    {.rule = rule("TILE-R52"), .words = "it were not checked", .is_left_out = true},
    {.rule = rule("TILE-R55"), .words = "it were not checked", .is_left_out = true},
    {.rule = rule("TILE-R22"), .words = "the operand had to be a multiple of 1024",
     .copy = {.issue = [](const C& c, End right) { return right == End::done && c.tile_offset % 1024 != 0
         ? End::misaligned_address : right; }}},
    {.rule = rule("TILE-R25"), .words = "extents had to be below 2^31",
     .copy = {.issue = [](const C& c, End right) {
       for (uint32_t i = 0; i < c.map.rank; ++i)
         if (c.map.global_dim[i] >= uint64_t{1} << 31) return End::illegal_instruction;
       return right; }}},
    {.rule = rule("TILE-R37"), .words = "slices had to be aligned too",
     .copy = {.issue = [](const C& c, End right) { return right == End::done && c.map.interleave != 0
         && c.coord[0] * static_cast<int64_t>(spec::data_types[c.map.data_type].bits) % 128 != 0
           ? End::illegal_instruction : right; }}},
    {.rule = rule("TILE-R26"), .words = "a load with a negative coordinate faulted too",
     .copy = {.issue = [](const C& c, End right) {
       for (uint32_t i = 0; i < c.map.rank; ++i)
         if (right == End::done && c.coord[i] < 0) return End::illegal_instruction;
       return right; }}},
    {.rule = rule("TILE-R52"), .words = "a store of half a box faulted",
     .copy = {.issue = [](const C& c, End right) {
       const bool is_half = spec::data_types[c.map.data_type].is_packed() && c.map.box_dim[0] == 64;
       return right == End::done && is_store(c) && is_half ? End::illegal_instruction : right; }}},
    {.rule = rule("REPL-R23"), .words = "a copy looked at the box size that the driver keeps at 0x40",
     .copy = {.issue = [](const C& c, End right) { return right == End::done
         && counted_box_bytes(c.map) % 16 != 0 ? End::illegal_instruction : right; }}},
    {.rule = rule("TILE-R42"), .words = "with swizzle the address had to be a multiple of 128",
     .copy = {.issue = [](const C& c, End right) { return right == End::done && c.map.swizzle != 0
         && c.map.global_address % 128 != 0 ? End::misaligned_address : right; }}},

    {.rule = rule("TILE-R38"), .words = "the CTA that issues received too",
     .copy = {.receivers = [](const C& c, uint32_t right) { return is_multicast(c)
         ? right | 1u << c.issuer_rank : right; }}},
    {.rule = rule("TILE-R38"), .words = "the highest rank of the mask were left out",
     .copy = {.receivers = [](const C& c, uint32_t right) { return is_multicast(c) && right != 0
         ? right & ~std::bit_floor(right) : right; }}},
    {.rule = rule("TILE-R38"), .words = "the lowest rank of the mask were left out",
     .copy = {.receivers = [](const C& c, uint32_t right) { return is_multicast(c) ? right & (right - 1)
         : right; }}},
    {.rule = rule("TILE-R38"), .words = "the rank after the highest of the mask received too",
     .copy = {.receivers = [](const C& c, uint32_t right) { return is_multicast(c) && right != 0
         ? (right | std::bit_floor(right) << 1) & all_ranks(c) : right; }}},
    {.rule = rule("TILE-R38"), .words = "every CTA received",
     .copy = {.receivers = [](const C& c, uint32_t right) { return is_multicast(c) ? all_ranks(c)
         : right; }}},
    {.rule = rule("TILE-R38"), .words = "the CTA that issues received alone",
     .copy = {.receivers = [](const C& c, uint32_t right) { return is_multicast(c) ? 1u << c.issuer_rank
         : right; }}},
    {.rule = rule("TILE-R38"), .words = "some CTAs of the mask did not receive",
     .copy = {.receivers = [](const C& c, uint32_t right) { return is_multicast(c) ? 0 : right; }}},
    {.rule = rule("TILE-R38"), .words = "the CTA that issues were signalled alone",
     .copy = {.signalled_ranks = [](const C& c, uint32_t right) { return is_multicast(c)
         ? right & 1u << c.issuer_rank : right; }}},
    {.rule = rule("TILE-R38"), .words = "every CTA were signalled",
     .copy = {.signalled_ranks = [](const C& c, uint32_t right) { return is_multicast(c) ? all_ranks(c)
         : right; }}},
    {.rule = rule("TILE-R38"), .words = "the highest rank of the mask were not signalled",
     .copy = {.signalled_ranks = [](const C& c, uint32_t right) { return is_multicast(c) && right != 0
         ? right & ~std::bit_floor(right) : right; }}},
    {.rule = rule("TILE-R38"), .words = "ranks of the mask from 8 on did not receive",
     .copy = {.receivers = [](const C& c, uint32_t right) { return is_multicast(c) ? right & 0xff
         : right; }}},
    {.rule = rule("TILE-R38"), .words = "ranks of the mask from 8 on were not signalled",
     .copy = {.signalled_ranks = [](const C& c, uint32_t right) { return is_multicast(c) ? right & 0xff
         : right; }}},
    // Of elements that are reduced more than once no altered rule says what becomes of them.
    {.rule = rule("TILE-R58"), .words = "of several reductions of an element some were lost"},
    {.rule = rule("SYNC-R03"), .words = "a store read its source after wait_group.read had returned",
     .copy = {.reads_late = true}},
    {.rule = rule("TILE-R01"), .words = "several lanes copied by the map of the first",
     .copy = {.lanes_share_map = true}},
    {.rule = rule("TILE-R01"), .words = "elements were not moved",
     .copy = {.place = [](const C&, uint32_t, uint32_t) { return ~0u; }}},
};
// clang-format on

}  // namespace

std::span<const Bend> tiled_end_bends() {
  return end_bends;
}

}  // namespace assay::model
