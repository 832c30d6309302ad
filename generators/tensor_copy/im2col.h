// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "generators/random.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/tensor_map.h"

/// Cases of im2col copies. The first indexes walk every reachable coverage cell once, in a scattered order;
/// later ones draw them.
namespace assay::gen {

/// Which pixels of a column lie outside of the tensor.
enum class ColumnEdge : uint8_t { inside, some_outside, all_outside };

/// A coverage cell of im2col copies.
struct ColumnCell {
  uint8_t type = 0;  ///< host value
  uint8_t rank = 3;
  uint8_t interleave = 0, swizzle = 0;  ///< host values
  ColumnEdge edge = ColumnEdge::inside;
  bool stepped = false;  ///< a traversal stride of W, H, D or N is above 1
  auto operator<=>(const ColumnCell&) const = default;
};
inline constexpr uint32_t column_cell_count = uint32_t{spec::data_types.size()} * 3 * 3 * 7 * 3 * 2;
inline constexpr std::string_view column_cell_dimension =
    "type x rank x interleave x swizzle x pixels x steps";
uint32_t index_of(const ColumnCell& cell);
ColumnCell column_cell(uint32_t index);
std::string name_of_column_cell(uint32_t index);
/// Of a case with a legal map, by where its pixels lie.
ColumnCell classify_column(const TensorCopyCase& c);
std::span<const uint32_t> reachable_column_cells(spec::Arch arch, CopyDirection direction);

void make_im2col_load(const CaseId& id, TensorCopyCase& c);
void make_im2col_store(const CaseId& id, TensorCopyCase& c);
/// Clusters of 2, 4 and 8, the same for 256 indexes in a row; any mask, 0 among them, any issuer.
void make_im2col_load_multicast(const CaseId& id, TensorCopyCase& c);
/// The same in clusters of 16.
void make_im2col_load_non_portable(const CaseId& id, TensorCopyCase& c);
/// The same with .cta_group::1 or ::2, the mbarrier that of the issuer or of its peer, a third of them to one
/// CTA without multicast; clusters change every 16 indexes.
void make_im2col_load_cta_group(const CaseId& id, TensorCopyCase& c);
/// Small loads whose barrier is armed with the right count, with fewer bytes, or with more, in turn.
void make_im2col_load_transaction(const CaseId& id, TensorCopyCase& c);
/// Copies that break one run-time rule, kinds in turn: shared alignment, channel start, rank and mode of the
/// instruction, extent above 2^31, a start outside of the pixel box; of stores a negative start and corners
/// that leave the tensor.
void make_im2col_load_fault(const CaseId& id, TensorCopyCase& c);
void make_im2col_store_fault(const CaseId& id, TensorCopyCase& c);

/// Some copies are issued by several lanes, `rarity` times as rarely. By a stream of its own.
void spread_columns(Random random, uint32_t rarity, TensorCopyCase& c);

/// The first indexes walk every operation and type, on columns as stores have them.
void make_im2col_reduce(const CaseId& id, TensorCopyCase& c);
/// An operation that the type lacks, or a store's fault.
void make_im2col_reduce_fault(const CaseId& id, TensorCopyCase& c);
/// Columns whose pixels lie on each other.
void make_im2col_reduce_conflict(const CaseId& id, TensorCopyCase& c);

/// What a legal im2col copy should look like. The column's payload aims at `bytes`.
struct ColumnWish {
  ColumnCell cell;
  CopyDirection direction = CopyDirection::load;
  uint64_t bytes = 2048;
  uint32_t cluster_size = 1;
  uint32_t rarity = 1;  ///< of a column at a border of shared memory (borders.h)
};

/// The next multiple of a unit.
constexpr uint64_t whole_units(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// A legal case in the wished cell that fits the rig (false: none found in a bounded number of tries; `made`
/// is then a legal case of a neighbouring cell, or none at all).
bool build_column(Random& random, const ColumnWish& wish, TensorCopyCase& made);

/// Behind the last byte of global memory that the copy touches, by either reading of TMA-AMB-23.
uint64_t touched_end(const TensorCopyCase& c, spec::Arch arch);

/// Puts the column at a place in shared memory, and window, fills and slot around what the copy touches.
/// False: it does not fit.
bool place_column(Random& random, const ColumnWish& wish, TensorCopyCase& c);

// Cases of im2col::w and im2col::w::128. The first indexes walk every reachable coverage cell once, in a
// scattered order; later ones draw them.

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
