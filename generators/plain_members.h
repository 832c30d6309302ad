// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "reference/model/case_field.h"

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
