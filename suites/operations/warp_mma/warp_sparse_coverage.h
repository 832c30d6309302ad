#pragma once

#include <utility>

#include "generators/warp_sparse_cases.h"
#include "reference/layout/sparsity.h"
#include "suites/operations/warp_mma/warp_mma_coverage.h"

/// What the properties of mma.sp and wgmma.sp count: beside what those of dense ones do, codes of metadata.
namespace assay::suites {

struct SparseWgmmaArithmetic {
  using CaseOf = WgmmaCase;
  static constexpr std::string_view dimension = "wgmma.sp form x operands";
  static constexpr auto family = wgmma_family;
  static constexpr auto make = gen::make_sparse_wgmma;
  static constexpr auto cell = gen::sparse_wgmma_cell;
  static constexpr auto cells = gen::sparse_wgmma_cells;
  static constexpr auto cell_name = gen::sparse_wgmma_cell_name;
  static constexpr auto reachable = gen::reachable_sparse_wgmma_cells;
  static constexpr auto variants = sparse_wgmma_variants;
};
struct SparseMmaSyncArithmetic {
  using CaseOf = MmaSyncCase;
  static constexpr std::string_view dimension = "mma.sp form x operands";
  static constexpr auto family = mma_sync_family;
  static constexpr auto make = gen::make_sparse_mma_sync;
  static constexpr auto cell = gen::sparse_mma_sync_cell;
  static constexpr auto cells = gen::sparse_mma_sync_cells;
  static constexpr auto cell_name = gen::sparse_mma_sync_cell_name;
  static constexpr auto reachable = gen::reachable_sparse_mma_sync_cells;
  static constexpr auto variants = sparse_mma_sync_variants;
};

/// As arithmetic_property, with a space of codes.
template <typename Instruction, gen::MmaGroup group>
Property sparse_arithmetic_property(std::string_view name, std::string_view claim, double share) {
  using CaseOf = typename Instruction::CaseOf;
  Property property = arithmetic_property<Instruction, group>(name, claim, share, {});
  property.spaces.push_back({"kind of sparsity x code", gen::code_count,
                             [](uint32_t cell, spec::Arch) { return gen::code_name(group, cell); },
                             [](spec::Arch) { return gen::legal_codes(group); }});
  property.cover = [](const Case& any, const Expected&, uint64_t index, spec::Arch, CoverageSink& sink) {
    const CaseOf& c = any.as<CaseOf>();
    sink.hit(0, Instruction::cell(index, group));
    sink.hit(1, variant_of(c), dot_products(c));
    for (const uint32_t code : layout::codes_of(c.sparse.codes)) sink.hit(2, code);
  };
  return property;
}

}  // namespace assay::suites
