// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/pipeline/gemm.h"

/// Products for the production pipeline. Case i depends on (seed, property, index, architecture) alone.
namespace assay::gen {

/// The first indexes walk every cell once, later ones draw: tiles of the pipeline and extents at, just below
/// and just above their ends, more stages than the pipeline has, any mix of values.
void make_gemm(const CaseId& id, GemmCase& c);
/// The same of products with scales, which come by TMA and tcgen05.cp; K ends in a block or a tile of scales.
void make_scaled_gemm(const CaseId& id, GemmCase& c);
/// The same with a sparse A, whose metadata come the same way.
void make_sparse_gemm(const CaseId& id, GemmCase& c);
/// The same of all types, in groups: the kernel rewrites the maps of each.
void make_grouped_gemm(const CaseId& id, GemmCase& c);

/// Products of numbers in a case, at most: what an emulator multiplies in a good tenth of a second.
inline constexpr uint64_t most_gemm_work = 32 << 20;

/// "f16"; of types with scales kind, format and block of the scales: "mxf4nvf4 ue4m3 16".
std::string gemm_type_name(uint32_t type);
/// With the types of A and B, where the kind leaves them open: "f8f6f4 e4m3 by e2m1".
std::string gemm_type_name(const GemmCase& c);

/// Which property's cells a case belongs to.
enum class GemmCells : uint8_t { plain, scaled, sparse, grouped };
inline constexpr uint32_t gemm_cell_counts[] = {3 * 7 * 8, 6 * 6 * 8, 2 * 5 * 8, 11 * 2 * 8};
constexpr uint32_t gemm_cell_count(GemmCells cells) {
  return gemm_cell_counts[static_cast<uint32_t>(cells)];
}
/// A coverage cell: type x CTAs x columns of a tile x which of M, N and K end inside a tile; of groups type x
/// CTAs x ends.
uint32_t gemm_cell(const GemmCase& c);
std::string gemm_cell_name(GemmCells cells, uint32_t cell);
/// A coverage cell of how the kernel goes about it: CTAs x how tiles are handed out x how they reach D.
inline constexpr uint32_t gemm_ways = 2 * 2 * 2;
uint32_t gemm_way(const GemmCase& c);
std::string gemm_way_name(uint32_t way);
/// A coverage cell of a case whose kind leaves the types open: type of A x type of B x CTAs.
inline constexpr uint32_t gemm_pairs = 25, gemm_pair_cells = gemm_pairs * 2;
uint32_t gemm_pair(const GemmCase& c);
std::string gemm_pair_name(uint32_t cell);

/// Cases one step simpler than `c`, the boldest first: fewer rows, columns and stages, one CTA, a narrow
/// tile, f16, dense rows, plain values.
std::vector<GemmCase> simpler(const GemmCase& c);

}  // namespace assay::gen
