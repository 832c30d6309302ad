// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>
#include <cstddef>
#include <functional>
#include <vector>

#include "reference/model/case_field.h"

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

/// What headers need of RapidCheck to name a shrink tree; its own text costs each source a second.
namespace rc {
template <typename T>
class Shrinkable;
}

namespace assay::gen {

/// Offers a case with each of its members alone as it is by default, in the order of their table: of
/// booleans, numbers and each entry of a list, where the row lets a shrinker take them. `offer(change)`
/// applies a change to a copy of the case.
template <typename Case, typename Offer>
struct PlainMembers {
  static constexpr bool takes_members = true;
  const Offer& offer;

  template <uint64_t, bool shrinks, typename Value, typename Member>
  void take(const Value& value, Member member) const {
    if constexpr (shrinks) {
      static const Case usual{};
      if constexpr (std::integral<Value>) {
        if (value != member(usual)) offer([member](Case& c) { member(c) = member(usual); });
      } else if constexpr (requires { value.size(); }) {
        for (size_t i = 0; i < value.size(); ++i)
          if (value[i] != member(usual)[i]) offer([member, i](Case& c) { member(c)[i] = member(usual)[i]; });
      }
    }
  }
};
template <typename Case, typename Offer>
void offer_plain_members(const Case& c, const Offer& offer) {
  visit_fields(c, PlainMembers<Case, Offer>{offer});
}

}  // namespace assay::gen
