// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "generators/tensor_copy/im2col.h"
#include "reference/spec/tensor_map.h"

/// Cases of im2col::w and im2col::w::128. The first indexes walk every reachable coverage cell once, in a
/// scattered order; later ones draw them.
namespace assay::gen {

/// A coverage cell of loads along W.
struct WideCell {
  uint8_t type = 0;  ///< host value
  uint8_t rank = 3;
  uint8_t swizzle = 2;  ///< host value, 2 to 4
  bool is_128 = false;
  ColumnEdge edge = ColumnEdge::inside;
  bool stepped = false;  ///< the traversal stride of W is above 1
  auto operator<=>(const WideCell&) const = default;
};
inline constexpr uint32_t wide_cell_count = uint32_t{spec::data_types.size()} * 3 * 3 * 2 * 3 * 2;
inline constexpr std::string_view wide_cell_dimension = "type x rank x swizzle x mode x pixels x steps";
uint32_t index_of(const WideCell& cell);
WideCell wide_cell(uint32_t index);
std::string name_of_wide_cell(uint32_t index);
/// Of a case with a legal map, by a look at every pixel.
WideCell classify_wide(const TensorCopyCase& c);
std::span<const uint32_t> reachable_wide_cells(spec::Arch arch);

/// What a halo and its offset are: none, few, most that are allowed.
inline constexpr std::string_view halo_cell_dimension = "mode x wHalo x wOffset x start";
inline constexpr uint32_t halo_cell_count = 2 * 4 * 3 * 2;
uint32_t halo_cell(const TensorCopyCase& c);
std::string name_of_halo_cell(uint32_t index);

/// What a legal load along W should look like. The column's payload aims at `bytes` (mode im2col::w).
struct WideWish {
  WideCell cell;
  uint64_t bytes = 2048;
  uint32_t cluster_size = 1;
  uint32_t rarity = 1;  ///< of a column at a border of shared memory (borders.h)
};
/// As build_column (tensor_copy/im2col.h).
bool build_wide(Random& random, const WideWish& wish, TensorCopyCase& made);

void make_wide_load(const CaseId& id, TensorCopyCase& c);
/// Clusters of 2, 4 and 8, the same for 256 indexes in a row; any mask, 0 among them, any issuer.
void make_wide_load_multicast(const CaseId& id, TensorCopyCase& c);
/// The same with .cta_group::1 or ::2, the mbarrier that of the issuer or of its peer; clusters change every
/// 16 indexes.
void make_wide_load_cta_group(const CaseId& id, TensorCopyCase& c);
/// Small loads whose barrier is armed with the right count, with fewer bytes, or with more, in turn.
void make_wide_load_transaction(const CaseId& id, TensorCopyCase& c);
/// Loads that break one run-time rule, kinds in turn: shared alignment, a start right of the box, a map of
/// the plain encoder, one of the other mode, channel start, rank and mode of the instruction, extent above
/// 2^31.
void make_wide_load_fault(const CaseId& id, TensorCopyCase& c);

}  // namespace assay::gen
