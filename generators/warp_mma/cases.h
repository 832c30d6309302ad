// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/mma/make.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "generators/warp_mma/forms.h"
#include "reference/model/warp_mma/case.h"
#include "reference/model/warp_mma/mma_sync_f64.h"
#include "reference/model/warp_mma/mma_sync_kind.h"

/// Case i of the properties of wgmma and mma.sync. A case depends on (seed, property, index, architecture)
/// alone. The first indexes walk every form with every mix of operands in a scattered order; later ones draw,
/// the first of these with many columns (forms.h).
namespace assay::gen {

/// The arithmetic of a group of types, of a dense A or of a sparse one with metadata; matrices of wgmma do
/// not overlap and lie behind any descriptor.
void make_product(const CaseId& id, MmaGroup group, bool is_sparse, WgmmaCase& c);
void make_product(const CaseId& id, MmaGroup group, bool is_sparse, MmaSyncCase& c);
/// Products in groups of which a first wait leaves some, or that add to a D which others still write: each
/// way of wgmma_waits in turn.
void make_wgmma_groups(const CaseId& id, WgmmaCase& c);
inline constexpr uint32_t wgmma_waits = 8 + WgmmaCase::most_added_alone + 1;
/// "a first wait leaves 3 of eight groups", "added to D behind 2 groups".
std::string wgmma_wait_name(uint32_t wait);
uint32_t wgmma_wait_of(const WgmmaCase& c);

/// Descriptors alone: operands whose sums are exact, matrices anywhere in the window, overlapping or not.
void make_wgmma_descriptor(const CaseId& id, WgmmaCase& c);

/// Descriptors: operand x element bytes x major x swizzle x base offset x place of the start.
inline constexpr std::string_view smem_cell_dimension = "operand x element x major x swizzle x base x start";
inline constexpr uint32_t smem_cell_count = 2 * 3 * 2 * 4 * 8 * 2;
std::vector<uint32_t> reachable_smem_cells();
std::string smem_cell_name(uint32_t cell);
/// Calls hit(cell) for each operand in shared memory.
void for_smem_cells(const WgmmaCase& c, const std::function<void(uint32_t)>& hit);

/// A case that the rig can run and wgmma has: form among those of the probes, everything it reads in its
/// window.
bool fits_rig(const WgmmaCase& c);
bool fits_rig(const MmaSyncCase& c);

/// Whether each eight columns may be an instruction of their own.
bool may_be_in_groups(const WgmmaCase& c);

SmemReads reads_of_a(const WgmmaCase& c);
SmemReads reads_of_b(const WgmmaCase& c);

/// Codes of metadata that a property has: 16 of the group's kind of sparsity.
inline constexpr uint32_t code_count = 16;
std::string code_name(MmaGroup group, uint32_t code);
/// Those whose places ascend, which PTX gives a meaning to under either spelling.
std::vector<uint32_t> legal_codes(MmaGroup group);

/// All others.
std::vector<uint32_t> codes_without_a_meaning(MmaGroup group);

/// Metadata with codes of the group; the spelling and the selector are left as they are.
void draw_metadata(Random& random, MmaGroup group, SparseA& sparse);
/// Codes without a meaning among them, seldom enough that rows beside others have none; now and then
/// everywhere. kept: elements of a row of A.
void take_strange_codes(const CaseId& id, MmaGroup group, uint32_t kept, SparseA& sparse);

/// Cases whose metadata have codes without a meaning among the others, all groups of types in turn.
void make_sparse_wgmma_illegal_codes(const CaseId& id, WgmmaCase& c);
void make_sparse_mma_sync_illegal_codes(const CaseId& id, MmaSyncCase& c);

/// Metadata of legal codes, and of codes without a meaning where such are asked for, with a selector that is
/// below 4; what a dense A leaves out is zero.
bool fits_rig(const MmaTypes& types, const SparseA& sparse);

/// Cases one step simpler than `c` that fit the rig, the boldest first: fewer columns, no signs and
/// transposes, canonical descriptors without swizzle, operands of fewer bits down to one number, no C.
std::vector<WgmmaCase> simpler(const WgmmaCase& c);
std::vector<MmaSyncCase> simpler(const MmaSyncCase& c);

/// Cells: shape x what the operands are filled with.
uint32_t f64_cells();
std::string f64_cell_name(uint32_t cell);
/// Of case `index`: every cell once, in a scattered order, then any.
uint32_t f64_cell(uint64_t index);

void make_mma_sync_f64(const CaseId& id, MmaSyncF64Case& c);

std::vector<MmaSyncF64Case> simpler(const MmaSyncF64Case& c);

/// Cells of one kind, of a dense or a sparse A: forms (elements, D, scale vector, selectors of scales) x what
/// the operands hold.
uint32_t kind_cells(SyncKind kind);
std::string kind_cell_name(SyncKind kind, uint32_t cell);
/// Of case `index`: every cell once, in a scattered order, then any.
uint32_t kind_cell(SyncKind kind, uint64_t index);

void make_mma_sync_kind(const CaseId& id, SyncKind kind, MmaSyncKindCase& c);
/// With metadata of codes that have a meaning.
void make_sparse_mma_sync_kind(const CaseId& id, SyncKind kind, MmaSyncKindCase& c);
/// With others among them, all kinds in turn.
void make_sparse_kind_illegal_codes(const CaseId& id, MmaSyncKindCase& c);

/// The group of types whose metadata have the same codes.
MmaGroup codes_of_kind(SyncKind kind);

std::vector<MmaSyncKindCase> simpler(const MmaSyncKindCase& c);

}  // namespace assay::gen

/// Single dot products that tell ways to add apart.
namespace assay::gen {

struct WarpMmaProbe {
  std::string id, property;
  /// "F=24=3f800001|F=25=3f800000": ways to add and what D is then, in hexadecimal.
  std::string candidates;
  MmaTypes types;
  KnownOperands operands;
};
/// Those of the two instructions, and what could not be read.
struct WarpMmaProbes {
  std::vector<WarpMmaProbe> wgmma, mma_sync;
  std::vector<std::string> problems;  ///< "line 12: the column a is missing": rows that are left out
};
/// The rows of a text as testdata/vectors/probes_numerics.csv is one: those that an H200 can decide, but for
/// f64.
WarpMmaProbes read_warp_mma_probes(std::string_view csv);
/// That file, which is built in.
std::string_view warp_mma_probes_text();

/// Of the file that is built in.
std::span<const WarpMmaProbe> wgmma_probes();
std::span<const WarpMmaProbe> mma_sync_probes();

/// Probe id.index modulo their number; with wgmma, A in shared memory and in registers in turn.
void make_wgmma_probe(const CaseId& id, WgmmaCase& c);
void make_mma_sync_probe(const CaseId& id, MmaSyncCase& c);

}  // namespace assay::gen
