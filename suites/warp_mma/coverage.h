// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "generators/warp_mma/cases.h"
#include "reference/layout/scales_and_metadata.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/warp_mma/words.h"

/// What the properties of wgmma and mma.sync count: cells of form and mix of operands, then dot products of
/// each variant (types, source of A, k), which a run should bring to 1e9.
namespace assay::suites {

inline constexpr std::string_view dot_product_dimension = "dot products by types x k x source of A";

/// Variants of a group, and the one of a case.
std::vector<std::string> wgmma_variants(gen::MmaGroup group);
std::vector<std::string> sparse_wgmma_variants(gen::MmaGroup group);
uint32_t variant_of(const WgmmaCase& c);
uint64_t dot_products(const WgmmaCase& c);
uint64_t dot_products(const MmaSyncCase& c);
/// Those of mma.sync are its forms, those of mma.sp types and shapes.
std::vector<std::string> mma_sync_variants(gen::MmaGroup group);
std::vector<std::string> sparse_mma_sync_variants(gen::MmaGroup group);
uint32_t variant_of(const MmaSyncCase& c);

std::vector<uint32_t> up_to(size_t count);

/// What tells one instruction's properties of arithmetic from another's.
struct WgmmaArithmetic {
  using CaseOf = WgmmaCase;
  static constexpr std::string_view dimension = "wgmma form x operands";
  static constexpr auto family = wgmma_family;
  static constexpr auto make = gen::make_wgmma;
  static constexpr auto cell = gen::wgmma_cell;
  static constexpr auto cells = gen::wgmma_cells;
  static constexpr auto cell_name = gen::wgmma_cell_name;
  static constexpr auto reachable = gen::reachable_wgmma_cells;
  static constexpr auto variants = wgmma_variants;
};
struct MmaSyncArithmetic {
  using CaseOf = MmaSyncCase;
  static constexpr std::string_view dimension = "mma.sync form x operands";
  static constexpr auto family = mma_sync_family;
  static constexpr auto make = gen::make_mma_sync;
  static constexpr auto cell = gen::mma_sync_cell;
  static constexpr auto cells = gen::mma_sync_cells;
  static constexpr auto cell_name = gen::mma_sync_cell_name;
  static constexpr auto reachable = gen::reachable_mma_sync_cells;
  static constexpr auto variants = mma_sync_variants;
};

/// The property of one instruction's arithmetic on a group of types.
template <typename Instruction, gen::MmaGroup group>
Property arithmetic_property(std::string_view name, std::string_view claim, double share) {
  using CaseOf = typename Instruction::CaseOf;
  Property property{.name = name, .claim = claim, .family = Instruction::family, .share = share};
  property.generate = [](uint64_t seed, std::string_view of, uint64_t index, spec::Arch arch, Case& c) {
    Instruction::make({seed, of, index, arch}, group, c.emplace<CaseOf>());
  };
  property.spaces = {{Instruction::dimension, Instruction::cells(group),
                      [](uint32_t cell, spec::Arch) { return Instruction::cell_name(group, cell); },
                      [](spec::Arch) { return Instruction::reachable(group); }},
                     {dot_product_dimension, static_cast<uint32_t>(Instruction::variants(group).size()),
                      [](uint32_t cell, spec::Arch) { return Instruction::variants(group)[cell]; },
                      [](spec::Arch) { return up_to(Instruction::variants(group).size()); }}};
  property.cover = [](const Case& any, const Expected&, uint64_t index, spec::Arch, CoverageSink& sink) {
    const CaseOf& c = any.as<CaseOf>();
    sink.hit(0, Instruction::cell(index, group));
    sink.hit(1, variant_of(c), dot_products(c));
  };
  return property;
}

}  // namespace assay::suites

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
    return !spec::row_of(arch).has_mma_kinds || group != gen::MmaGroup::fp8;
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
