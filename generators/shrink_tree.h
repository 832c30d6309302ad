// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace assay::gen {

/// RapidCheck's shrink tree over simpler(c), simpler() of those, and so on, with only what `keep` lets pass.
template <typename Case>
rc::Shrinkable<Case> kept_tree(const Case& c, std::vector<Case> (*simpler)(const Case&),
                               std::function<bool(const Case&)> keep);

/// A lazy walk over those of a list that are kept, each with a tree of its own.
template <typename Case>
struct KeptChildren {
  std::vector<Case> (*simpler)(const Case&);
  std::function<bool(const Case&)> keep;
  std::vector<Case> children;
  size_t at = 0;
  rc::Maybe<rc::Shrinkable<Case>> operator()() {
    while (at < children.size()) {
      const Case& child = children[at++];
      if (!keep || keep(child)) return kept_tree(child, simpler, keep);
    }
    return rc::Nothing;
  }
};

template <typename Case>
rc::Shrinkable<Case> kept_tree(const Case& c, std::vector<Case> (*simpler)(const Case&),
                               std::function<bool(const Case&)> keep) {
  return rc::shrinkable::lambda(
      [c] { return c; },
      [c, simpler, keep] {
        return rc::Seq<rc::Shrinkable<Case>>(KeptChildren<Case>{simpler, keep, simpler(c)});
      });
}

}  // namespace assay::gen
