// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <stdexcept>
#include <string>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/end.h"
#include "suites/run/case.h"
#include "suites/run/property.h"

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

/// Whether the defaults of the architecture say that the case ends so.
bool ends_by_default(const Family&, const Case&, spec::Arch, model::End);

/// The generate of a Property whose cases fault. A device that ends every launch in the same way must not
/// pass it: of each dozen of indexes one case faults with each of `codes` and one, made by `make_good`, ends
/// well; the others are what `make_fault` makes by itself. What is steered so is looked for from index 2^40
/// of its maker on, so that the others lose no case.
template <auto make_fault, auto make_good, const Family& (*family)(), model::End... codes>
void generate_faults(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  constexpr std::array<model::End, sizeof...(codes) + 1> steered{codes..., model::End::done};
  constexpr uint64_t most_tries = 4096;
  const uint64_t dozen = index / Property::dozen, place = index % Property::dozen;
  if (place >= steered.size()) {
    const uint64_t rest = Property::dozen - steered.size();
    make_case({seed, property, dozen * rest + place - steered.size(), arch}, make_fault, c);
    return;
  }
  const uint64_t first = (uint64_t{1} << 40) + dozen * most_tries;
  for (uint64_t i = first; i < first + most_tries; ++i) {
    if (steered[place] == model::End::done)
      make_case({seed, property, i, arch}, make_good, c);
    else
      make_case({seed, property, i, arch}, make_fault, c);
    if (ends_by_default(family(), c, arch, steered[place])) return;
  }
  throw std::logic_error(std::string(property) + " has no case that ends as case " + std::to_string(index) +
                         " must");
}

}  // namespace assay::suites
