// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generators/mma/cases.h"
#include "reference/model/mma/case.h"
#include "suites/run/family.h"
#include "suites/run/field_coverage.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {

/// tcgen05.mma with all its kinds, .ws and .sp among them.
const Family& tcgen05_mma_family();

/// A case of tcgen05.mma as named fields in reading order.
std::vector<std::pair<std::string, std::string>> mma_fields(const Tcgen05MmaCase&);
/// " f16 e4m3*e5m2 128x64x32 ws": for one line.
std::string mma_brief(const Tcgen05MmaCase&);
/// What failures of one cause tend to share.

// The fields of a shared-memory descriptor, of tcgen05 or of wgmma, for coverage.

std::vector<CoveredField> matrix_fields();
/// `values` has one for each of them.
void read_matrix_fields(const MatrixInShared& matrix, FieldValues& values);

/// The matrix descriptors, the instruction descriptor, the mask of zero columns and the scales of
/// Tcgen05MmaCase.
std::span<const Descriptor> tcgen05_descriptors();

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

/// What instructions with an illegal field, or with fields that break a rule together, leave alone.
template <void (*make)(const gen::CaseId&, Tcgen05MmaCase&)>
Property broken_property(std::string_view name, std::string_view claim, uint64_t most_on_silicon = 96,
                         uint64_t most_on_emulator = 96) {
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
      .most_on_silicon = most_on_silicon,
      .most_on_emulator = most_on_emulator,
      .declines = needs_tensor_memory,
  };
}

// Coverage of block-scaled tcgen05.mma.

template <spec::MmaKind kind>
std::vector<gen::MmaForm> scaled_forms_of(spec::Arch) {
  return gen::scaled_forms(kind);
}

/// Spaces 0 and 1 as of the other layouts; 2: scale ids by number and format of scales; 3: how scales come.
template <std::vector<gen::MmaForm> (*forms)(spec::Arch)>
std::vector<CellSpace> mma_scaled_spaces() {
  std::vector<CellSpace> spaces = mma_layout_spaces<forms>();
  spaces.push_back({"number of scales x scale ids x format", gen::scale_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::scale_cell_name(cell); },
                    [](spec::Arch arch) { return gen::scale_cells_of(forms(arch)); }});
  spaces.push_back({"kind x CTA group x way of the scales", gen::scale_way_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::scale_way_cell_name(cell); },
                    [](spec::Arch arch) { return gen::scale_way_cells_of(forms(arch)); }});
  return spaces;
}

/// Of scales that are copied over.
std::vector<CellSpace> mma_refill_spaces();
void cover_mma_refill(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

void cover_mma_scaled(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Why the architecture has no K of 96, or nothing.
std::optional<std::string> needs_k_of_96(spec::Arch);

// Coverage of sparse tcgen05.mma.

template <spec::MmaKind kind>
std::vector<gen::MmaForm> sparse_forms_of(spec::Arch arch) {
  return gen::sparse_forms(arch, kind);
}

/// Spaces 0 and 1 as of the other layouts; 2: codes of the metadata, those with a meaning or all; 3:
/// selectors and halves of lanes; 4, of those with a meaning: how metadata and scales come.
template <std::vector<gen::MmaForm> (*forms)(spec::Arch), bool all_codes = false>
std::vector<CellSpace> mma_sparse_spaces() {
  std::vector<CellSpace> spaces = mma_layout_spaces<forms>();
  spaces.push_back({"kind of sparsity x code", gen::code_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::code_cell_name(cell); },
                    [](spec::Arch arch) { return gen::code_cells_of(forms(arch), all_codes); }});
  spaces.push_back({"kind x selector x half of lanes", gen::selector_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::selector_cell_name(cell); },
                    [](spec::Arch arch) { return gen::selector_cells_of(forms(arch)); }});
  if (all_codes) return spaces;
  spaces.push_back({"kind x CTA group x ways of metadata and scales", gen::way_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::way_cell_name(cell); },
                    [](spec::Arch arch) { return gen::way_cells_of(forms(arch)); }});
  return spaces;
}

void cover_mma_sparse(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);
/// Of cases with codes without a meaning, whose metadata tcgen05.st brings.
void cover_mma_sparse_codes(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Why the architecture does not have the kind, or nothing.
std::optional<std::string> needs_kind_of(spec::Arch, spec::MmaKind);
template <spec::MmaKind kind>
std::optional<std::string> needs_kind(spec::Arch arch) {
  return needs_kind_of(arch, kind);
}

}  // namespace assay::suites
