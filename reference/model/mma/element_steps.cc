// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/element_steps.h"

#include <algorithm>
#include <utility>

namespace assay::model {

void ElementSteps::add(InstructionSteps next) {
  numerics::Dot dot;
  dot.a = next.a, dot.b = next.b, dot.c = next.c;
  dot.scale_a = next.scale_a, dot.scale_b = next.scale_b;
  dot.scale_input_d = next.scale_input_d;
  next.steps = numerics::exact_steps(arithmetic, types, dot);
  next.d = next.steps.result;
  instructions.push_back(std::move(next));
}

namespace {

using numerics::AccumulatorPlace;
using numerics::Arithmetic;
using spec::Rounding;

/// What is left out of every instruction.
struct Missing {
  std::optional<size_t> k;
  bool c = false, second_half = false;
};

/// D of all instructions, in their order.
uint64_t sum(const ElementSteps& element, const Arithmetic& arithmetic, const Missing& missing) {
  uint64_t d = 0;
  for (const InstructionSteps& instruction : element.instructions) {
    std::vector<uint64_t> a = instruction.a;
    if (missing.k) a[*missing.k] = 0;
    if (missing.second_half) std::fill(a.begin() + static_cast<ptrdiff_t>(a.size() / 2), a.end(), 0);
    numerics::Dot dot;
    dot.a = a, dot.b = instruction.b;
    dot.scale_a = instruction.scale_a, dot.scale_b = instruction.scale_b;
    const bool is_first = &instruction == &element.instructions.front();
    if (instruction.reads_c && !missing.c) dot.c = is_first ? instruction.c : d;
    dot.scale_input_d = instruction.scale_input_d;
    d = numerics::exact_dot(arithmetic, element.types, dot);
  }
  return d;
}

/// Changes an adder, or says that the change is none for it.
struct Change {
  const char* words;
  bool (*apply)(Arithmetic&, const numerics::Types&);
};

template <int bits>
bool keep_more(Arithmetic& a, const numerics::Types&) {
  a.kept_bits += bits;
  return a.scheme != numerics::Scheme::integer;
}
template <Rounding Arithmetic::*member, Rounding rounding>
bool round(Arithmetic& a, const numerics::Types&) {
  if (a.scheme == numerics::Scheme::integer || a.*member == rounding) return false;
  a.*member = rounding;
  return true;
}

constexpr Change changes[] = {
    {"terms are cut one bit earlier", keep_more<-1>},
    {"terms are cut two bits earlier", keep_more<-2>},
    {"terms are cut one bit later", keep_more<1>},
    {"terms are cut two bits later", keep_more<2>},
    {"terms are rounded to nearest where they are aligned",
     round<&Arithmetic::term_rounding, Rounding::nearest_even>},
    {"the result is rounded to nearest even", round<&Arithmetic::result_rounding, Rounding::nearest_even>},
    {"the result is cut", round<&Arithmetic::result_rounding, Rounding::toward_zero>},
    {"C is added last, to the rounded sum of the products",
     [](Arithmetic& a, const numerics::Types&) {
       if (a.scheme == numerics::Scheme::integer || a.accumulator == AccumulatorPlace::added_last)
         return false;
       a.accumulator = AccumulatorPlace::added_last;
       return true;
     }},
    {"products are summed in two halves of K",
     [](Arithmetic& a, const numerics::Types& types) {
       if (a.scheme == numerics::Scheme::integer || a.fused_terms != 0) return false;
       a.fused_terms = types.k / 2;
       return true;
     }},
    {"groups of 4 products are cut",
     [](Arithmetic& a, const numerics::Types&) {
       return a.scheme == numerics::Scheme::grouped && std::exchange(a.group_terms, 4) != 4;
     }},
    {"subnormal operands align with the exponent of their leading bit",
     [](Arithmetic& a, const numerics::Types&) {
       return std::exchange(a.subnormals_align_at_emin, false) && a.scheme != numerics::Scheme::integer;
     }},
    {"products that are zero count with an exponent",
     [](Arithmetic& a, const numerics::Types&) { return !std::exchange(a.zeros_have_exponents, true); }},
    {"the result wraps",
     [](Arithmetic& a, const numerics::Types&) { return std::exchange(a.saturates, false); }},
    {"the result is clamped",
     [](Arithmetic& a, const numerics::Types&) {
       return a.scheme == numerics::Scheme::integer && !std::exchange(a.saturates, true);
     }},
};

}  // namespace

std::vector<std::string> sums_that_give(const ElementSteps& element, uint64_t observed) {
  std::vector<std::string> found;
  if (element.instructions.empty()) return found;
  for (const Change& change : changes) {
    Arithmetic arithmetic = element.arithmetic;
    if (change.apply(arithmetic, element.types) && sum(element, arithmetic, {}) == observed)
      found.emplace_back(change.words);
  }
  const auto without = [&](const Missing& missing) {
    return sum(element, element.arithmetic, missing) == observed;
  };
  if (without({.c = true})) found.emplace_back("D as input is missing");
  if (without({.second_half = true})) found.emplace_back("the second half of K is missing");
  for (size_t k = 0; k < static_cast<size_t>(element.types.k); ++k)
    if (without({.k = k})) found.push_back("the product of k " + std::to_string(k) + " is missing");
  return found;
}

}  // namespace assay::model
