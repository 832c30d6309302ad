// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "generators/warp_mma/cases.h"
#include "suites/run/generate_case.h"
#include "suites/run/property.h"
#include "suites/warp_mma/family.h"

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
