// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "reference/model/bend.h"
#include "reference/spec/rules.h"

/// Rows of tables of bends: which rule, what such a device did, and the steps that are others.
namespace assay::model {

/// "TILE-R01", looked up when it is compiled.
struct NamedRule {
  template <size_t length>
  consteval NamedRule(const char (&id)[length]) : index(spec::rule(id)) {}
  spec::RuleIndex index;
};

constexpr Bend as_if(NamedRule rule, std::string_view words) {
  Bend made;
  made.rule = rule.index, made.words = words;
  return made;
}

/// `step`: a member of a part of Bend, such as TiledBend, or of Bend itself, which is `with`; others, in
/// pairs as these, may follow.
template <typename Part, typename Step, typename... Others>
constexpr Bend as_if(NamedRule rule, std::string_view words, Step Part::*step,
                     std::type_identity_t<Step> with, Others... others) {
  Bend made = as_if(rule, words, others...);
  if constexpr (std::is_same_v<Part, Bend>)
    made.*step = with;
  else
    std::get<Part&>(std::tie(made.copy, made.im2col, made.wide, made.gather, made.pair, made.bulk,
                             made.encode, made.mma, made.tmem_copy, made.register_reduction, made.maps,
                             made.program, made.reduction)).*
        step = with;
  return made;
}

}  // namespace assay::model
