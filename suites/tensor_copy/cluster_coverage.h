// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "suites/run/property.h"

namespace assay::suites {

/// Cluster size (2, 4, 8) and mask of a multicast: every CTA that may receive, alone and together with
/// others, and nobody.
CellSpace cluster_masks();
uint32_t cluster_mask_cell(uint32_t cluster_size, uint32_t cta_mask);

/// Of a mask in a cluster of 16: each CTA with it and without it.
CellSpace cluster_members();
void cover_members(uint32_t cta_mask, CoverageSink&);

/// Of a copy with .cta_group: the qualifier, which CTA of a pair issues, whose mbarrier it names, and which
/// of pair 0 receive.
CellSpace cta_pairs();
uint32_t cta_pair_cell(uint32_t cta_group, uint32_t issuer_rank, bool peer_barrier, uint32_t cta_mask);

}  // namespace assay::suites
