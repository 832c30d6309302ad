// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "reference/model/bend.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"

/// Bends of tiled copies: how they end, what they signal, and whom they reach.
namespace assay::model {
namespace {

using spec::rule;
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
