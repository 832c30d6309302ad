// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "generators/barrier/sequence_cases.h"
#include "reference/model/barrier/sequence.h"
#include "reference/model/tmem/machine.h"

namespace assay::gen {
namespace {

void remove(SequenceCase& c, uint32_t first, uint32_t count) {
  std::copy(c.steps.begin() + first + count, c.steps.begin() + c.count, c.steps.begin() + first);
  std::fill(c.steps.begin() + (c.count - count), c.steps.begin() + c.count, SequenceStep{});
  c.count -= count;
}

}  // namespace

std::vector<SequenceCase> simpler(const SequenceCase& c) {
  std::vector<SequenceCase> made;
  const auto offer = [&](auto change) {
    SequenceCase s = c;
    change(s);
    if (s != c && s.count != 0 && model::legal_steps(s) == s.count) made.push_back(s);
  };
  offer([](SequenceCase& s) { s.warps = tmem_warps; });
  offer([](SequenceCase& s) { s.issuer = 0; });
  if (c.cluster_size > 2)
    offer([](SequenceCase& s) {
      s.cluster_size = 2, s.issuer %= 2;
      for (SequenceStep& step : s.steps) step.column = std::min(step.column, 1u);
    });
  offer([](SequenceCase& s) { s.place = 0; });
  offer([](SequenceCase& s) { s.has_bystanders = false; });
  offer([](SequenceCase& s) {
    for (SequenceStep& step : s.steps) step.is_generic = false;
  });
  offer([](SequenceCase& s) {
    for (SequenceStep& step : s.steps)
      if (s.machine == SequenceMachine::tensor_memory &&
          (static_cast<TmemOp>(step.op) == TmemOp::commit || static_cast<TmemOp>(step.op) == TmemOp::wait))
        step.column = 0;
  });
  for (uint32_t part = std::max(1u, c.count / 2);; part /= 2) {
    for (uint32_t first = 0; first + part <= c.count; first += part)
      offer([&](SequenceCase& s) { remove(s, first, part); });
    if (part == 1) break;
  }
  // What only goes together: a step and another.
  for (uint32_t i = 0; i < c.count; ++i)
    for (uint32_t j = i + 1; j < c.count; ++j) {
      offer([&](SequenceCase& s) {
        remove(s, j, 1);
        remove(s, i, 1);
      });
    }
  for (uint32_t i = 0; i < c.count; ++i) {
    const SequenceStep& step = c.steps[i];
    if (step.column != 0) offer([&](SequenceCase& s) { s.steps[i].column = 0; });
    if (step.is_generic) offer([&](SequenceCase& s) { s.steps[i].is_generic = false; });
    if (const uint32_t form = c.machine == SequenceMachine::barriers ? 0 : model::form_of(step); form != 0) {
      offer([&](SequenceCase& s) { s.steps[i] = model::with_form(step, 0); });
      if (model::has_other_shape(step))
        offer([&](SequenceCase& s) { s.steps[i] = model::with_form(step, form % model::spelling_ways); });
    }
    if (step.apart != 0) offer([&](SequenceCase& s) { s.steps[i].apart = 0; });
    if (step.idle_copies != 0) offer([&](SequenceCase& s) { s.steps[i].idle_copies = 0; });
    if (step.spelling != 0) offer([&](SequenceCase& s) { s.steps[i].spelling = 0; });
    if (c.machine == SequenceMachine::barriers && plainer(step) != step)
      offer([&](SequenceCase& s) { s.steps[i] = plainer(step); });
    if (step.lanes != 1) {
      offer([&](SequenceCase& s) { s.steps[i].lanes = 1, s.steps[i].apart = 0; });
      offer([&](SequenceCase& s) {
        s.steps[i].lanes = 1, s.steps[i].apart = 0,
        s.steps[i].amount *= static_cast<uint32_t>(std::popcount(step.lanes));
      });
      offer([&](SequenceCase& s) { s.steps[i].lanes &= s.steps[i].lanes - 1; });
    }
    for (const uint32_t amount : {0u, 1u, 16u, step.amount / 2})
      if (amount < step.amount) offer([&](SequenceCase& s) { s.steps[i].amount = amount; });
  }
  for (uint32_t target = 1; target < tmem_targets; ++target)
    offer([&](SequenceCase& s) {
      for (SequenceStep& step : s.steps)
        if (step.target == target) step.target = 0;
    });
  return made;
}

rc::Shrinkable<SequenceCase> shrink_tree(const SequenceCase& c,
                                         std::function<bool(const SequenceCase&)> keep) {
  return rc::shrinkable::shrinkRecur(c, [keep](const SequenceCase& from) {
    std::vector<SequenceCase> kept;
    for (const SequenceCase& one : simpler(from))
      if (!keep || keep(one)) kept.push_back(one);
    return rc::seq::fromContainer(std::move(kept));
  });
}

}  // namespace assay::gen
