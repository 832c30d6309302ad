// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace assay::model {

/// Rank of the CTA whose mbarrier a load in a cluster names: its issuer, or the one CTA of the mask of a load
/// that is no multicast; or the peer of that.
constexpr uint32_t named_barrier(bool unicast, uint32_t mask, uint32_t issuer, bool peer_barrier) {
  const uint32_t rank = unicast && mask != 0 ? static_cast<uint32_t>(std::countr_zero(mask)) : issuer;
  return rank ^ (peer_barrier ? 1u : 0u);
}

/// Destinations of a load in a cluster whose bytes are signalled to the CTA of a rank: its own without
/// .cta_group::2 (CTAG-R01); with it those of its pair, where its parity is that of the CTA that owns the
/// mbarrier operand, and else none (CTAG-R02).
constexpr uint32_t destinations_signalled(uint32_t cta_group, uint32_t mask, uint32_t rank,
                                          uint32_t barrier_rank) {
  if (cta_group != 2) return mask >> rank & 1;
  if (((rank ^ barrier_rank) & 1) != 0) return 0;
  return static_cast<uint32_t>(std::popcount(mask >> (rank & ~1u) & 3));
}

/// Those of every rank of a cluster of at most 16 CTAs, two bits each.
constexpr uint32_t all_destinations_signalled(uint32_t cta_group, uint32_t mask, uint32_t barrier_rank) {
  uint32_t all = 0;
  for (uint32_t rank = 0; rank < 16; ++rank)
    all |= destinations_signalled(cta_group, mask, rank, barrier_rank) << (2 * rank);
  return all;
}

}  // namespace assay::model
