// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

/// Tensor copies. Operations of their own are those that a device may lack, or that it may have no room for.
namespace assay::suites {

/// Through tiled maps: without .cta_group, the same in clusters of 16 CTAs too, and loads with .cta_group.
const Family& tiled_copy_family();
const Family& tiled_non_portable_family();
const Family& tiled_cta_group_family();

/// By tile::gather4 and tile::scatter4, and the same in clusters of 16 too.
const Family& gather_copy_family();
const Family& gather_non_portable_family();

/// In mode im2col without .cta_group, and the same in clusters of 16 too.
const Family& im2col_copy_family();
const Family& im2col_non_portable_family();
/// Loads in modes im2col::w and im2col::w::128, in mode im2col with .cta_group, and what other instructions
/// do through a map of the wide encoder.
const Family& im2col_wide_copy_family();

/// What a case is, as Family::fields and Family::brief.
std::vector<std::pair<std::string, std::string>> copy_fields(const TensorCopyCase&);
std::string copy_brief(const TensorCopyCase&);
/// What shared memory holds of the tensor: a "tile", "rows" or a "column".
std::string_view place_words(const TensorCopyCase&);

/// The element that a wrong byte of the output of a copy by one lane belongs to and where it lies:
/// `f16[17, 3] = 0x3c00, expected 0x4200`. Of a byte outside the tile, of types and layouts whose elements
/// share bytes, and of stores in mode im2col nothing.
Diagnosis diagnose_copy(const TensorCopyCase&, const spec::Readings&, const ExpectedOutput&,
                        std::span<const uint8_t> observed, uint64_t byte);

/// The field of a tensor map that a wrong bit belongs to: `box[1] is 7, expected 8`.
Diagnosis diagnose_tensor_map(const ExpectedOutput&, std::span<const uint8_t> observed, uint64_t byte);

/// The cell space of tiled copies (generators/tensor_copy/tiled_build.h) for loads or stores.
CellSpace tiled_cells(CopyDirection direction);
/// Counts a tiled copy in it, as space 0.
void cover_tiled(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// How the reference expects cases to end, as a cell space: for properties about faults.
CellSpace expected_ends(std::vector<uint32_t> (*reachable)(spec::Arch));
/// Cells of that space.
std::vector<uint32_t> of_ends(std::initializer_list<model::End> ends);
void cover_end(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// The ends of properties about faults of copies, and about bytes that are counted.
CellSpace ends_of_faults();
CellSpace ends_of_counts();

/// Operation and type of tensor reductions; counts one in it, as space 0.
CellSpace reductions();
void cover_reduction(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

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
