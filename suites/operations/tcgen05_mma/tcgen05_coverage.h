#pragma once

#include "generators/tcgen05_mma_cases.h"
#include "suites/run/generate_case.h"
#include "suites/run/property.h"

namespace assay::suites {

/// Kind x layout of D x source of A: space 0 of a property.
CellSpace mma_form_cells(std::vector<uint32_t> (*reachable)(spec::Arch));
/// Places of operands in shared memory: space 1 of properties about layouts.
CellSpace mma_operand_cells(std::vector<uint32_t> (*reachable)(spec::Arch));
std::vector<uint32_t> cells_of_forms(const std::vector<gen::MmaForm>& forms);
std::vector<uint32_t> cells_of_operands(const std::vector<gen::MmaForm>& forms, bool may_transpose);

/// Reachable cells of the dense forms of one kind.
template <uint32_t kind>
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

}  // namespace assay::suites
