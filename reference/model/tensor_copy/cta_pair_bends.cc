// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "reference/model/bend.h"
#include "reference/model/tensor_copy/cta_pair.h"
#include "reference/spec/rules.h"

/// Bends of .cta_group: whom a load signals.
namespace assay::model {
namespace {

using spec::rule;

/// What .cta_group::2 does where `owner` is the rank that its mbarrier is taken to be of.
template <uint32_t (*owner)(uint32_t barrier_rank)>
uint32_t of_owner(uint32_t cta_group, uint32_t mask, uint32_t rank, uint32_t barrier_rank, uint32_t) {
  return destinations_signalled(cta_group, mask, rank, owner(barrier_rank));
}

constexpr Bend pair_rows[] = {
    {.rule = rule("CTAG-R01"),
     .words = ".cta_group::1 were .cta_group::2",
     .pair = {[](uint32_t group, uint32_t mask, uint32_t rank, uint32_t barrier_rank, uint32_t right) {
       return group == 1 ? destinations_signalled(2, mask, rank, barrier_rank) : right;
     }}},
    {.rule = rule("CTAG-R02"),
     .words = ".cta_group::2 were ignored",
     .pair = {[](uint32_t, uint32_t mask, uint32_t rank, uint32_t, uint32_t) { return mask >> rank & 1; }}},
    {.rule = rule("CTAG-R02"),
     .words = "the other CTA of each pair were signalled",
     .pair = {of_owner<[](uint32_t barrier_rank) { return barrier_rank ^ 1; }>}},
    {.rule = rule("CTAG-R02"),
     .words = "the even CTA of each pair were signalled, whoever owns the mbarrier",
     .pair = {of_owner<[](uint32_t) { return 0u; }>}},
    {.rule = rule("CTAG-R02"),
     .words = "the odd CTA of each pair were signalled, whoever owns the mbarrier",
     .pair = {of_owner<[](uint32_t) { return 1u; }>}},
    {.rule = rule("CTAG-R02"),
     .words = "the CTA that owns the mbarrier were signalled for all destinations",
     .pair = {[](uint32_t group, uint32_t mask, uint32_t rank, uint32_t barrier_rank, uint32_t right) {
       if (group != 2) return right;
       return rank == barrier_rank ? static_cast<uint32_t>(std::popcount(mask)) : 0u;
     }}},
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
