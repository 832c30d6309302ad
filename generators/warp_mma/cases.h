// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "generators/mma/smem_place.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "generators/warp_mma/forms.h"

/// Case i of the properties of wgmma and mma.sync. A case depends on (seed, property, index, architecture)
/// alone. The first indexes walk every form with every mix of operands in a scattered order; later ones draw,
/// the first of these with many columns (form_walk.h).
namespace assay::gen {

/// The arithmetic of a group of types: matrices that do not overlap, behind any descriptor.
void make_wgmma(const CaseId& id, MmaGroup group, WgmmaCase& c);
/// Products in groups of which a first wait leaves some, or that add to a D which others still write: each
/// way of wgmma_waits in turn.
void make_wgmma_groups(const CaseId& id, WgmmaCase& c);
inline constexpr uint32_t wgmma_waits = 8 + WgmmaCase::most_added_alone + 1;
/// "a first wait leaves 3 of eight groups", "added to D behind 2 groups".
std::string wgmma_wait_name(uint32_t wait);
uint32_t wgmma_wait_of(const WgmmaCase& c);
/// All that a case of wgmma has beside its form and its metadata.
void draw_operands(int mix, Random& random, WgmmaCase& c);
/// Of every fourth block of indexes the second warpgroup multiplies.
void pick_warpgroup(const CaseId& id, WgmmaCase& c);
void make_mma_sync(const CaseId& id, MmaGroup group, MmaSyncCase& c);

/// Descriptors alone: operands whose sums are exact, matrices anywhere in the window, overlapping or not.
void make_wgmma_descriptor(const CaseId& id, WgmmaCase& c);

/// Forms x mixes, as form_walk.h numbers them.
uint32_t wgmma_cells(MmaGroup group);
uint32_t mma_sync_cells(MmaGroup group);
/// "f32.f16.f16 n64 A/regs, cancelling".
std::string wgmma_cell_name(MmaGroup group, uint32_t cell);
std::string mma_sync_cell_name(MmaGroup group, uint32_t cell);
std::vector<uint32_t> reachable_wgmma_cells(MmaGroup group);
std::vector<uint32_t> reachable_mma_sync_cells(MmaGroup group);

/// The cell of case `index`: index alone decides form and mix, the seed all the rest.
uint32_t wgmma_cell(uint64_t index, MmaGroup group);
uint32_t mma_sync_cell(uint64_t index, MmaGroup group);

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

}  // namespace assay::gen
