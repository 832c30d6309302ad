// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "reference/layout/canonical.h"
#include "reference/layout/scales_and_metadata.h"
#include "reference/model/mma/bend.h"
#include "reference/model/mma/case.h"
#include "reference/numerics/fast.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// What cases with a sparse A have beside the others.

/// Kinds f16 and tf32, whose metadata take half of the cells of a column, the one that a selector names.
bool has_interleaved_metadata(const Tcgen05MmaCase&);
/// Which elements of B a code names.
const layout::SparsityRow& sparsity_row(const Tcgen05MmaCase&);
/// Codes of a row of A for one instruction.
int codes_of_row(const Tcgen05MmaCase&);

/// Where the metadata of a step begin, columns from the allocation's first.
struct MetadataStart {
  uint32_t column, selector;
};
MetadataStart metadata_start(const Tcgen05MmaCase&, uint32_t step);
/// Columns that all steps together read, under any reading. Zero without sparsity.
uint32_t metadata_columns(const Tcgen05MmaCase&);
/// Whether the kind and the number of steps go with the selector: 0 where the kind has none, and nothing
/// follows what 2 and 3 may name.
bool has_selector(const Tcgen05MmaCase&);
/// Metadata that do not begin at an even column.
bool has_odd_metadata(const Tcgen05MmaCase&);

/// The codes of a row of A, and whether all of them have a meaning.
struct RowCodes {
  std::array<uint8_t, 16> codes{};
  int count = 0;
  bool has_meaning = true;
};

/// Those that a group of lanes (`fold`) reads for a row of A within its CTA; `cell(lane, column)` is a cell
/// of tensor memory of that CTA.
RowCodes row_codes(const Tcgen05MmaCase&, const layout::DLayoutRow& layout, const spec::Readings& readings,
                   const MmaBend* bend, uint32_t step, int row, int fold,
                   const std::function<uint32_t(int lane, int column)>& cell);

/// The element of B, counted along K, that kept element k of a row of A meets.
int met_k(const Tcgen05MmaCase&, const RowCodes& codes, const MmaBend* bend, int k);

/// met_k of each kept element of a row.
void met_places(const Tcgen05MmaCase&, const RowCodes& codes, const MmaBend* bend,
                std::span<uint16_t> places);

/// A row of a tile with a sparse A (Tile::met) as one of a dense A; its B goes to `met`, n columns of k.
numerics::Tile dense_row(const numerics::Tile&, uint32_t row, std::vector<uint32_t>& met);

/// Rules of sparsity that a legal case exercises.
void mark_sparse_rules(const Tcgen05MmaCase&, spec::RuleSet&);

/// Elements (mn, k) for mn in [first, first + count) and k in [0, k_count), as codes, k running fastest, read
/// from a window through a matrix descriptor.
void gather_shared(const spec::SmemMatrix& matrix, const layout::SmemOperand& operand,
                   const layout::SmemReadings& readings, std::span<const std::byte> window, int first,
                   int count, int k_count, std::span<uint32_t> codes);

}  // namespace assay::model
