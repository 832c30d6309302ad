// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/tensor_copy/tiled_cases.h"
#include "suites/run/case.h"

namespace assay::suites {

template <typename CaseOf>
void make_case(const gen::CaseId& id, void (*make)(const gen::CaseId&, CaseOf&), Case& c) {
  make(id, c.emplace<CaseOf>());
}

/// A Property's generate, from a maker of one kind of cases.
template <auto make>
void generate_case(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  make_case({seed, property, index, arch}, make, c);
}

}  // namespace assay::suites
