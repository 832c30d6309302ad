// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "generators/mma/cases.h"

/// Cases of tcgen05.mma with a sparse A. As mma/cases.h: case i depends on (seed, property, index,
/// architecture) alone, and the first indexes walk the forms of the property.
namespace assay::gen {

/// Forms of one kind without .ws: of one CTA, of block-scaled kinds of both CTA groups.
std::vector<MmaForm> sparse_forms(spec::Arch arch, MmaKind kind);
/// Of all kinds, by CTA group, those that places of operands tell apart.
std::vector<MmaForm> sparse_plain_forms(spec::Arch arch);
std::vector<MmaForm> sparse_pair_forms(spec::Arch arch);
std::vector<MmaForm> sparse_ws_forms(spec::Arch arch);

/// Arithmetic of one kind: every mix of operands, and metadata of all codes that have a meaning.
void make_mma_sparse_f16(const CaseId& id, Tcgen05MmaCase& c);
void make_mma_sparse_tf32(const CaseId& id, Tcgen05MmaCase& c);
void make_mma_sparse_f8f6f4(const CaseId& id, Tcgen05MmaCase& c);
void make_mma_sparse_i8(const CaseId& id, Tcgen05MmaCase& c);
void make_mma_sparse_mxf8f6f4(const CaseId& id, Tcgen05MmaCase& c);
void make_mma_sparse_mxf4(const CaseId& id, Tcgen05MmaCase& c);
void make_mma_sparse_mxf4nvf4(const CaseId& id, Tcgen05MmaCase& c);

/// Exact sums through random descriptors and metadata anywhere in tensor memory, all selectors.
void make_mma_sparse_layout(const CaseId& id, Tcgen05MmaCase& c);
/// The same on CTA pairs.
void make_mma_sparse_pair(const CaseId& id, Tcgen05MmaCase& c);
/// The same with .ws, a third of them with masks and shifts of columns.
void make_mma_sparse_ws(const CaseId& id, Tcgen05MmaCase& c);
/// Codes without a meaning among the others.
void make_mma_sparse_illegal_codes(const CaseId& id, Tcgen05MmaCase& c);
/// One rule of a descriptor word broken, those of sparse forms among them, or metadata at an odd column.
void make_mma_sparse_broken(const CaseId& id, Tcgen05MmaCase& c);

/// A coverage cell: a code, by what its kind of sparsity makes of it.
inline constexpr uint32_t code_cell_count = 3 * 16;
std::string code_cell_name(uint32_t cell);
/// Those of a case's lists.
std::vector<uint32_t> code_cells(const Tcgen05MmaCase& c);
/// Those that forms can reach, of codes with a meaning or of all.
std::vector<uint32_t> code_cells_of(const std::vector<MmaForm>& forms, bool all);

/// Another: kind x selector x half of the lanes.
uint32_t selector_cell(const Tcgen05MmaCase& c);
inline constexpr uint32_t selector_cell_count = 7 * 4 * 2;
std::string selector_cell_name(uint32_t cell);
std::vector<uint32_t> selector_cells_of(const std::vector<MmaForm>& forms);

/// A third: kind x CTA group x how metadata come x how scales come, by tcgen05.st or by tcgen05.cp from
/// shared memory that threads or TMA have filled.
uint32_t way_cell(const Tcgen05MmaCase& c);
inline constexpr uint32_t way_cell_count = 7 * 2 * 3 * 3;
std::string way_cell_name(uint32_t cell);
std::vector<uint32_t> way_cells_of(const std::vector<MmaForm>& forms);

}  // namespace assay::gen
