// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reference/model/tmem/copy_case.h"
#include "suites/mma/coverage.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

namespace assay::suites {

/// tcgen05.ld and tcgen05.st.
const Family& tmem_access_family();

/// Shape x count x packing of tcgen05.ld and st.
CellSpace tmem_access_cells();
void cover_tmem_access(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Copies from shared into tensor memory, and shifts within it.
const Family& tmem_copy_family();

/// The matrix descriptors of its cases.
std::span<const Descriptor> tmem_copy_descriptors();

/// "tcgen05.cp.cta_group::1.128x256b"
std::string move_words(const TmemCopyCase&, const TmemMove&);
std::vector<std::pair<std::string, std::string>> copy_fields(const TmemCopyCase&);
/// With a blank in front.
std::string copy_brief(const TmemCopyCase&);
/// Which cell is wrong first, and what stands there: a word of the matrix that went elsewhere, perhaps.
Diagnosis diagnose_copy(const TmemCopyCase&, std::span<const uint8_t> expected,
                        std::span<const uint8_t> observed, uint64_t byte);

/// Shape x format x CTA group of tcgen05.cp, and shape x swizzle of its matrix.
CellSpace copy_form_cells(bool all_formats);
CellSpace copy_source_cells();
void cover_copies(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Lane of the address x number of shifts x CTA group.
CellSpace shift_cells();
void cover_shifts(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Which kinds of instructions follow one another.
/// of_refills: 4x256b behind a shift alone.
CellSpace move_pair_cells(bool of_refills);
void cover_move_pairs(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

}  // namespace assay::suites
