// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <utility>
#include <vector>

#include "reference/model/case_field.h"
#include "reference/model/mma/case.h"

/// What shrinkers of all cases have in common. A generator gives simpler(c), the cases one step simpler than
/// `c`, the boldest first; the tree over them is RapidCheck's (suites/failure/shrinking.h).
namespace assay::gen {

/// What single changes make of a case, each once, where it is another one that fits.
template <typename Case>
class SimplerCases {
 public:
  /// Says whether a changed case can be run; it may first mend what the change left behind.
  using Fits = std::function<bool(Case&)>;

  SimplerCases(const Case& from, Fits fits) : from_(from), fits_(std::move(fits)) {}

  template <typename Change>
  void offer(Change change) {
    Case c = from_;
    change(c);
    if (!fits_(c) || c == from_) return;
    if (std::find(made.begin(), made.end(), c) == made.end()) made.push_back(std::move(c));
  }

  /// The plainest value of what `field(c)` names, then halfway there, also by whole 16s, then one step
  /// nearer.
  template <typename Value, typename Field>
  void towards(Value plain, Field field) {
    Case copy = from_;
    const Value now = field(copy);
    if (now == plain) return;
    offer([&](Case& c) { field(c) = plain; });
    offer([&](Case& c) { field(c) = static_cast<Value>(plain + (now - plain) / 2); });
    offer([&](Case& c) { field(c) = static_cast<Value>(plain + (now - plain) / 2 / 16 * 16); });
    offer([&](Case& c) { field(c) = static_cast<Value>(now < plain ? now + 1 : now - 1); });
  }

  /// Each member alone as it is by default, in the order of their table: booleans, numbers and each entry of
  /// a list, where the row lets a shrinker take them.
  void offer_plain_members() { visit_fields(from_, PlainMembers{*this}); }

  /// From any bits of an operand towards one number, then zero.
  void offer_pattern(OperandPattern Case::*which) {
    const uint32_t keep = (from_.*which).keep;
    const auto change = [&](auto how) { offer([&](Case& c) { how(c.*which); }); };
    change([](OperandPattern& p) { p = {.keep = 0}; });
    change([](OperandPattern& p) { p.special_bits = p.special_rate = 0, p.special = {}; });
    change([](OperandPattern& p) { p.mirror_bits = p.mirror_flip = 0; });
    for (const uint32_t seed : {0u, 1u, 0xffu}) change([seed](OperandPattern& p) { p.seed &= seed; });
    for (const uint32_t bits : {0u, 0x8000'8000u, 0xff00'ff00u, 0xffff'0000u, 0x0000'ffffu, keep - 1})
      change([bits](OperandPattern& p) { p.keep &= bits; });
  }

  std::vector<Case> made;

 private:
  struct PlainMembers {
    static constexpr bool takes_members = true;
    SimplerCases& list;

    template <uint64_t, bool shrinks, typename Value, typename Member>
    void take(const Value& value, Member member) const {
      if constexpr (shrinks) {
        static const Case usual{};
        if constexpr (std::integral<Value>) {
          if (value != member(usual)) list.offer([member](Case& c) { member(c) = member(usual); });
        } else if constexpr (requires { value.size(); }) {
          for (size_t i = 0; i < value.size(); ++i)
            if (value[i] != member(usual)[i])
              list.offer([member, i](Case& c) { member(c)[i] = member(usual)[i]; });
        }
      }
    }
  };

  const Case& from_;
  Fits fits_;
};

/// Where taking the first simpler case for which `holds` ends.
template <typename Case, typename Holds>
Case least_of(Case c, std::vector<Case> (*simpler)(const Case&), Holds holds) {
  for (bool moved = true; moved;) {
    moved = false;
    for (const Case& one : simpler(c)) {
      moved = holds(one);
      if (!moved) continue;
      c = one;
      break;
    }
  }
  return c;
}

}  // namespace assay::gen
