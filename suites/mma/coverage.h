// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/mma/cases.h"
#include "suites/mma/family.h"
#include "suites/run/generate_case.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/tiled_coverage.h"

namespace assay::suites {

/// Kind x layout of D x source of A: space 0 of a property.
CellSpace mma_form_cells(std::vector<uint32_t> (*reachable)(spec::Arch));
/// Places of operands in shared memory: space 1 of properties about layouts.
CellSpace mma_operand_cells(std::vector<uint32_t> (*reachable)(spec::Arch));
std::vector<uint32_t> cells_of_forms(const std::vector<gen::MmaForm>& forms);
std::vector<uint32_t> cells_of_operands(const std::vector<gen::MmaForm>& forms, bool may_transpose);

/// Reachable cells of the dense forms of one kind.
template <spec::MmaKind kind>
std::vector<uint32_t> dense_form_cells(spec::Arch arch) {
  return cells_of_forms(gen::dense_forms(arch, kind));
}

/// Both spaces of a property about layouts.
template <std::vector<gen::MmaForm> (*forms)(spec::Arch), bool may_transpose = true>
std::vector<CellSpace> mma_layout_spaces() {
  return {mma_form_cells([](spec::Arch arch) { return cells_of_forms(forms(arch)); }),
          mma_operand_cells([](spec::Arch arch) { return cells_of_operands(forms(arch), may_transpose); })};
}

void cover_mma_form(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);
void cover_mma_layout(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Why the architecture has no tensor memory, or nothing.
std::optional<std::string> needs_tensor_memory(spec::Arch);

/// What words that break one rule together leave alone: three properties, of dense, scaled and sparse forms.
template <void (*make)(const gen::CaseId&, Tcgen05MmaCase&)>
Property one_rule_broken_property(std::string_view name, std::string_view claim) {
  return {
      .name = name,
      .claim = claim,
      .family = tcgen05_mma_family,
      .share = 0.4,
      .generate = generate_case<make>,
      .spaces = {expected_ends([](spec::Arch) {
        return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done),
                                     static_cast<uint32_t>(model::End::undefined)};
      })},
      .cover = cover_end,
      .batch_cases = 8,  // any of them may end the process that owns the device
      .most_on_silicon = 96,
      .most_on_emulator = 96,
      .declines = needs_tensor_memory,
  };
}

}  // namespace assay::suites
