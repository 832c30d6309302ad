// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"
#include "suites/run/property.h"

namespace assay::suites {

/// Bytes that the barriers are armed with for each destination: what the default readings count, plus what
/// the case says. 0 where the map is refused: nothing is waited for.
int64_t asked_bytes(const TensorCopyCase&, const spec::Readings& defaults);

/// Throws std::runtime_error, one sentence, where no tensor copy can be such a case, or no rig can hold it.
void require_possible(const TensorCopyCase&, uint32_t most_ctas);

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

/// Of tensor copies: their cells in cluster_masks(), cluster_members() and cta_pairs(), as space 0.
void cover_receivers(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);
void cover_members(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);
void cover_pairs(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);
/// Why an architecture has no .cta_group; nothing: it has.
std::optional<std::string> needs_group(spec::Arch);

/// Throws std::runtime_error, one sentence, where no cluster of up to `most` CTAs has so many.
void require_cluster(uint32_t ctas, uint32_t most);

/// The same where a load without a mask, to one CTA, has no cluster or a mask of several.
void require_one_receiver(bool is_unicast, uint32_t ctas, uint32_t cta_mask);

}  // namespace assay::suites
