// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/mma/cases.h"

/// Cases of tcgen05.mma with .block_scale. As mma_cases.h: case i depends on (seed, property, index,
/// architecture) alone, and the first indexes walk the forms of the property.
namespace assay::gen {

/// Dense forms of one block-scaled kind, K of 96 not among them.
std::vector<MmaForm> scaled_forms(MmaKind kind);
/// Of all three kinds, by CTA group; of mxf8f6f4 only pairs of types that places of operands tell apart.
std::vector<MmaForm> scaled_plain_forms(spec::Arch);
std::vector<MmaForm> scaled_pair_forms(spec::Arch);
/// With K of 96; none on sm_100.
std::vector<MmaForm> scaled_k96_forms(spec::Arch);

/// M 128, N 8, K 64 of kind::mxf4nvf4 with four ue4m3 scales a row, K-major without swizzle: the smallest
/// case that has every part, and the one that people pack by hand first.
Tcgen05MmaCase smallest_nvf4_case();

/// Arithmetic: every mix of operands with every mix of scales, NaN and ends of the formats among them.
void make_mma_mxf8f6f4(const CaseId& id, Tcgen05MmaCase& c);
void make_mma_mxf4(const CaseId& id, Tcgen05MmaCase& c);
void make_mma_mxf4nvf4(const CaseId& id, Tcgen05MmaCase& c);
/// Exact sums through random descriptors and scales anywhere in tensor memory.
void make_mma_scaled_layout(const CaseId& id, Tcgen05MmaCase& c);
/// The same on CTA pairs.
void make_mma_scaled_pair(const CaseId& id, Tcgen05MmaCase& c);
/// K of 96: ids that run over into the next group of scales, absolute leading addresses, all CTA groups.
void make_mma_scaled_k96(const CaseId& id, Tcgen05MmaCase& c);
/// Exact sums, and scales copied over those that the products have read: with no wait between.
void make_mma_scaled_refill(const CaseId& id, Tcgen05MmaCase& c);
/// One rule of a descriptor word broken, scale ids that do not go with their number and K of 96 without the
/// mechanism among them.
void make_mma_scaled_broken(const CaseId& id, Tcgen05MmaCase& c);

/// A coverage cell: number of scales of a row in an instruction x scale id of A x of B x format.
uint32_t scale_cell(const Tcgen05MmaCase& c);
inline constexpr uint32_t scale_cell_count = 5 * 4 * 4 * 2;
std::string scale_cell_name(uint32_t cell);
/// Those that forms can reach.
std::vector<uint32_t> scale_cells_of(const std::vector<MmaForm>& forms);

/// Another: kind x CTA group x how scales come: by tcgen05.st, or by tcgen05.cp from shared memory that
/// threads or TMA have filled.
uint32_t scale_way_cell(const Tcgen05MmaCase& c);
inline constexpr uint32_t scale_way_cell_count = 3 * 2 * 3;
std::string scale_way_cell_name(uint32_t cell);
std::vector<uint32_t> scale_way_cells_of(const std::vector<MmaForm>& forms);

}  // namespace assay::gen
