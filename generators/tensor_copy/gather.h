// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "generators/random.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/tensor_map.h"

/// Cases of tile::gather4 and tile::scatter4. The first indexes walk every reachable coverage cell once, in a
/// scattered order; later ones draw them.
namespace assay::gen {

/// What of the four rows lies outside of the tensor.
enum class GatherEdge : uint8_t { inside, columns, some_rows, all };

/// A coverage cell of gather4 and scatter4.
struct GatherCell {
  uint8_t type = 0;     ///< host value
  uint8_t swizzle = 0;  ///< host value
  GatherEdge edge = GatherEdge::inside;
  bool repeats = false;  ///< two of the row indexes are equal
  auto operator<=>(const GatherCell&) const = default;
};
inline constexpr uint32_t gather_cell_count = uint32_t{spec::data_types.size()} * 7 * 4 * 2;
inline constexpr std::string_view gather_cell_dimension = "type x swizzle x outside x rows";
uint32_t index_of(const GatherCell& cell);
std::string name_of_gather_cell(uint32_t index);
/// Of a case with a legal map.
GatherCell classify_rows(const TensorCopyCase& c);
std::span<const uint32_t> reachable_gather_cells(spec::Arch arch, CopyDirection direction);

void make_gather4_load(const CaseId& id, TensorCopyCase& c);
void make_scatter4_store(const CaseId& id, TensorCopyCase& c);
/// Rows of which at least two are equal.
void make_scatter4_conflict(const CaseId& id, TensorCopyCase& c);
/// Clusters of 2, 4 and 8, the same for 256 indexes in a row; any mask, 0 among them, any issuer.
void make_gather4_load_multicast(const CaseId& id, TensorCopyCase& c);
/// The same in clusters of 16.
void make_gather4_load_non_portable(const CaseId& id, TensorCopyCase& c);
/// The same with .cta_group::1 or ::2, the mbarrier that of the issuer or of its peer; clusters change every
/// 16 indexes, since of a single pair it cannot be seen which one is signalled.
void make_gather4_load_cta_group(const CaseId& id, TensorCopyCase& c);
/// Small loads whose barrier is armed with the right count, with fewer bytes, or with more, in turn.
void make_gather4_load_transaction(const CaseId& id, TensorCopyCase& c);
/// Copies that break one run-time rule, kinds in turn: shared alignment, column start, rank of the map,
/// height of its box, extent above 2^31; of stores a negative coordinate, each of the five in turn.
void make_gather4_load_fault(const CaseId& id, TensorCopyCase& c);
void make_scatter4_store_fault(const CaseId& id, TensorCopyCase& c);

/// What a legal copy of four rows should look like.
struct GatherWish {
  GatherCell cell;
  CopyDirection direction = CopyDirection::load;
  uint32_t cluster_size = 1;
  uint32_t rarity = 1;  ///< of a tile at a border of shared memory (borders.h)
};

/// A legal case in the wished cell that fits the rig (false: none found in a bounded number of tries; `made`
/// is then a legal case of a neighbouring cell, or none at all).
bool build_gather(Random& random, const GatherWish& wish, TensorCopyCase& made);

}  // namespace assay::gen
