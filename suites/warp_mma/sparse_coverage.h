// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "generators/warp_mma/sparse_cases.h"
#include "reference/layout/sparsity.h"
#include "suites/warp_mma/coverage.h"
#include "suites/warp_mma/family.h"

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
  Property property = arithmetic_property<Instruction, group>(name, claim, share);
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

struct SparseWgmmaIllegalCodes {
  using CaseOf = WgmmaCase;
  static constexpr auto family = wgmma_family;
  static constexpr auto make = gen::make_sparse_wgmma_illegal_codes;
  static bool has(spec::Arch, gen::MmaGroup group) { return group != gen::MmaGroup::i4; }
};
struct SparseMmaSyncIllegalCodes {
  using CaseOf = MmaSyncCase;
  static constexpr auto family = mma_sync_family;
  static constexpr auto make = gen::make_sparse_mma_sync_illegal_codes;
  /// Nobody has told how sm_120 adds a sparse row of 8-bit floats.
  static bool has(spec::Arch arch, gen::MmaGroup group) {
    return arch != spec::Arch::sm_120 || group != gen::MmaGroup::fp8;
  }
};

/// Cases whose metadata have codes without a meaning among the others: a space of types and such codes.
template <typename Instruction>
Property illegal_codes_property(std::string_view name, std::string_view claim) {
  using CaseOf = typename Instruction::CaseOf;
  using gen::code_count, gen::MmaGroup;
  Property property{.name = name, .claim = claim, .family = Instruction::family, .share = 1};
  property.generate = [](uint64_t seed, std::string_view of, uint64_t index, spec::Arch arch, Case& c) {
    Instruction::make({seed, of, index, arch}, c.emplace<CaseOf>());
  };
  property.spaces = {{"types x code", gen::mma_group_count * code_count,
                      [](uint32_t cell, spec::Arch) {
                        constexpr const char* names[] = {"f16", "bf16", "tf32", "fp8", "i8", "i4"};
                        return std::string(names[cell / code_count]) + " " +
                               gen::code_name(static_cast<MmaGroup>(cell / code_count), cell % code_count);
                      },
                      [](spec::Arch arch) {
                        std::vector<uint32_t> cells;
                        for (uint32_t group = 0; group < gen::mma_group_count; ++group) {
                          if (!Instruction::has(arch, static_cast<MmaGroup>(group))) continue;
                          for (const uint32_t code :
                               gen::codes_without_a_meaning(static_cast<MmaGroup>(group)))
                            cells.push_back(group * code_count + code);
                        }
                        return cells;
                      }}};
  property.cover = [](const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
    const CaseOf& c = any.as<CaseOf>();
    for (const uint32_t code : layout::codes_of(c.sparse.strange_codes))
      sink.hit(0, static_cast<uint32_t>(gen::group_of(c.types)) * code_count + code);
  };
  return property;
}

}  // namespace assay::suites
