// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/mma/case.h"
#include "reference/spec/instr_desc.h"

/// Cases of tcgen05.mma and of loads and stores of tensor memory. Case i depends on (seed, property, index,
/// architecture) alone; the first indexes walk the forms of the property once, later ones draw them.
namespace assay::gen {

using spec::MmaKind;

/// A form of the instruction: what decides which layouts and which arithmetic a case has.
struct MmaForm {
  MmaKind kind;
  uint32_t a_type, b_type, d_type;  ///< spec::type_code
  uint32_t cta_group, m;
  bool ws, a_in_tmem;
  // Block-scaled kinds.
  uint32_t scale_vector = 0, scale_type = spec::type_code::ue8m0;
  bool k96 = false;
  bool sparse = false;
};

/// Dense forms of one kind, where the architecture has it.
std::vector<MmaForm> dense_forms(spec::Arch arch, MmaKind kind);
/// Of both CTA groups, without .ws, all kinds.
std::vector<MmaForm> plain_forms(spec::Arch arch);
std::vector<MmaForm> pair_forms(spec::Arch arch);
std::vector<MmaForm> ws_forms(spec::Arch arch);
std::vector<MmaForm> ashift_forms(spec::Arch arch);

/// Codes of the types of f8f6f4 and mxf8f6f4.
inline constexpr uint32_t f8f6f4_types[] = {spec::type_code::e4m3, spec::type_code::e5m2,
                                            spec::type_code::e2m3, spec::type_code::e3m2,
                                            spec::type_code::e2m1};

/// Of fewer than 8 bits.
bool is_narrow(MmaKind kind, uint32_t type);
/// Whether the types of a form of f8f6f4 or mxf8f6f4 are one of the pairs that the places of operands tell
/// apart, so that lists of forms need not have all 25.
bool stands_for_types(const MmaForm& form);

/// Arithmetic: random bits, narrow, wide, cancelling, tiny exponents, special values; accumulators likewise,
/// scaled, negated, saturated, chained. Layouts plain.
void make_mma_of(const CaseId& id, MmaKind kind, Tcgen05MmaCase& c);
template <MmaKind kind>
void make_mma(const CaseId& id, Tcgen05MmaCase& c) {
  make_mma_of(id, kind, c);
}

/// Operands whose sums are exact, through random descriptors: every swizzle, major order, base offset, stride
/// and start.
void make_mma_layout(const CaseId& id, Tcgen05MmaCase& c);
/// The same on CTA pairs.
void make_mma_pair(const CaseId& id, Tcgen05MmaCase& c);
/// The same with disable-output-lane.
void make_mma_output_lanes(const CaseId& id, Tcgen05MmaCase& c);
/// The same with A in tensor memory and .ashift.
void make_mma_ashift(const CaseId& id, Tcgen05MmaCase& c);
/// The same with .ws and no mask.
void make_mma_ws_layout(const CaseId& id, Tcgen05MmaCase& c);
/// .ws with zero-column masks, the four examples of the documents first; every eighth case has infinities and
/// NaN in B and A.
void make_mma_ws_mask(const CaseId& id, Tcgen05MmaCase& c);
/// .ws with column shifts, half of them masked too.
void make_mma_ws_shift(const CaseId& id, Tcgen05MmaCase& c);
/// One rule of a descriptor word broken, or one that may be none (AMB-08).
void make_mma_broken(const CaseId& id, Tcgen05MmaCase& c);

void make_tmem_load(const CaseId& id, TmemAccessCase& c);
void make_tmem_store(const CaseId& id, TmemAccessCase& c);
/// Loads and stores of which all four warps give one address; each sixteenth gives each warp's own.
void make_tmem_same_address(const CaseId& id, TmemAccessCase& c);

/// A coverage cell of Tcgen05MmaCase: kind x layout of D x source of A; and one of each operand's place in
/// shared memory: width x major order x swizzle x operand.
uint32_t form_cell(const Tcgen05MmaCase& c);
inline constexpr uint32_t form_cell_count = spec::mma_kind_count * 7 * 2;
std::string form_cell_name(uint32_t cell);
/// Of A (operand 0) or B (1).
uint32_t operand_cell(const Tcgen05MmaCase& c, int operand);
inline constexpr uint32_t operand_cell_count = 5 * 2 * 5 * 2;
std::string operand_cell_name(uint32_t cell);

/// Cases one step simpler than `c`, the boldest first: qualifiers off, one step, plain descriptors, fewer
/// columns and rows, smaller windows, plain values. Each fits the rig where `c` does; whether it is still
/// legal, or still breaks the same rule, is for the caller's predicate.
std::vector<Tcgen05MmaCase> simpler(const Tcgen05MmaCase& c);
std::vector<TmemAccessCase> simpler(const TmemAccessCase& c);

// Cases of tcgen05.mma with .block_scale. As mma_cases.h: case i depends on (seed, property, index,
// architecture) alone, and the first indexes walk the forms of the property.

/// Dense forms of one block-scaled kind, K of 96 not among them.
std::vector<MmaForm> scaled_forms(MmaKind kind);
/// Of all of them, by CTA group; of those with elements in bytes only pairs of types that places of operands
/// tell apart.
std::vector<MmaForm> scaled_plain_forms(spec::Arch);
std::vector<MmaForm> scaled_pair_forms(spec::Arch);
/// With K of 96; none on sm_100.
std::vector<MmaForm> scaled_k96_forms(spec::Arch);

/// M 128, N 8, K 64 of kind::mxf4nvf4 with four ue4m3 scales a row, K-major without swizzle: the smallest
/// case that has every part, and the one that people pack by hand first.
Tcgen05MmaCase smallest_nvf4_case();

/// Arithmetic: every mix of operands with every mix of scales, NaN and ends of the formats among them.
void make_mma_scaled(const CaseId& id, MmaKind kind, Tcgen05MmaCase& c);
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
inline constexpr uint32_t scale_way_cell_count = spec::scaled_kinds.size() * 2 * 3;
std::string scale_way_cell_name(uint32_t cell);
std::vector<uint32_t> scale_way_cells_of(const std::vector<MmaForm>& forms);

// Cases of tcgen05.mma with a sparse A. As mma/cases.h: case i depends on (seed, property, index,
// architecture) alone, and the first indexes walk the forms of the property.

/// Forms of one kind without .ws: of one CTA, of block-scaled kinds of both CTA groups.
std::vector<MmaForm> sparse_forms(spec::Arch arch, MmaKind kind);
/// Of all kinds, by CTA group, those that places of operands tell apart.
std::vector<MmaForm> sparse_plain_forms(spec::Arch arch);
std::vector<MmaForm> sparse_pair_forms(spec::Arch arch);
std::vector<MmaForm> sparse_ws_forms(spec::Arch arch);

/// Arithmetic of one kind: every mix of operands, and metadata of all codes that have a meaning.
void make_mma_sparse_of(const CaseId& id, MmaKind kind, Tcgen05MmaCase& c);
template <MmaKind kind>
void make_mma_sparse(const CaseId& id, Tcgen05MmaCase& c) {
  make_mma_sparse_of(id, kind, c);
}

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
inline constexpr uint32_t selector_cell_count = spec::mma_kind_count * 4 * 2;
std::string selector_cell_name(uint32_t cell);
std::vector<uint32_t> selector_cells_of(const std::vector<MmaForm>& forms);

/// A third: kind x CTA group x how metadata come x how scales come, by tcgen05.st or by tcgen05.cp from
/// shared memory that threads or TMA have filled.
uint32_t way_cell(const Tcgen05MmaCase& c);
inline constexpr uint32_t way_cell_count = spec::mma_kind_count * 2 * 3 * 3;
std::string way_cell_name(uint32_t cell);
std::vector<uint32_t> way_cells_of(const std::vector<MmaForm>& forms);

}  // namespace assay::gen
