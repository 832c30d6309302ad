// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <utility>

#include "suites/run/case.h"

namespace assay::suites {

/// A generator's shrink tree of one kind of cases as a Family's.
template <typename CaseOf>
rc::Shrinkable<Case> shrink_tree_of(rc::Shrinkable<CaseOf> (*tree)(const CaseOf&,
                                                                   std::function<bool(const CaseOf&)>),
                                    const Case& any, const std::function<bool(const Case&)>& keep) {
  std::function<bool(const CaseOf&)> kept;
  if (keep) kept = [keep](const CaseOf& c) { return keep(Case(c)); };
  return rc::shrinkable::map(tree(any.as<CaseOf>(), kept), [](CaseOf&& c) { return Case(std::move(c)); });
}

}  // namespace assay::suites
