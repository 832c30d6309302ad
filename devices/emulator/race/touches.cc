// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/race/touches.h"

#include <algorithm>

namespace assay::emulator::race {
namespace {

using Kind = Touch::Kind;

bool is_flag(Kind kind) {
  return kind == Kind::read || kind == Kind::write;
}

/// Of arrivals and what looks for them.
Relation relation_of_phases(const Touch& first, const Touch& second) {
  if (first.kind == Kind::arrive && second.kind == Kind::arrive)
    return first.phase == second.phase ? Relation::none : Relation::reversible;
  if (first.kind == Kind::arrive && second.kind == Kind::await) {
    if (first.phase >= second.phase) return Relation::none;
    const bool ended_it = first.completes && first.phase + 1 == second.phase;
    return ended_it && second.may_fail ? Relation::fails : Relation::ordered;
  }
  if (first.kind == Kind::arrive && second.kind == Kind::fail)
    return first.phase < second.phase ? Relation::reversible : Relation::none;
  // A wait that has succeeded, or failed, meets an arrival that ends the phase.
  if (second.kind == Kind::arrive && (second.completes || second.phase > first.phase))
    return Relation::reversible;
  return Relation::none;
}

}  // namespace

Relation relation(const Touch& first, const Touch& second) {
  if (first.object != second.object) return Relation::none;
  if (first.kind == Kind::finish || second.kind == Kind::finish)
    return second.kind == Kind::await ? Relation::ordered : Relation::none;
  if (is_flag(first.kind) || is_flag(second.kind))
    return first.kind == Kind::read && second.kind == Kind::read ? Relation::none : Relation::reversible;
  return relation_of_phases(first, second);
}

Relation relation(const std::vector<Touch>& first, const std::vector<Touch>& second) {
  Relation found = Relation::none;
  for (const Touch& a : first)
    for (const Touch& b : second) found = std::max(found, relation(a, b));
  return found;
}

bool may_change(const std::vector<Touch>& waiting, const std::vector<Touch>& taken) {
  for (const Touch& a : waiting)
    for (const Touch& b : taken) {
      if (a.object != b.object || a.kind == Kind::finish || b.kind == Kind::finish) continue;
      if (a.kind == Kind::read && b.kind == Kind::read) continue;
      // Which of the arrivals in a phase ends it may change; that all together do does not.
      if (a.kind == Kind::arrive && b.kind == Kind::arrive && a.phase == b.phase && !b.completes) continue;
      const bool is_looking = a.kind == Kind::await || a.kind == Kind::fail;
      if (is_looking && (b.kind == Kind::await || b.kind == Kind::fail)) continue;
      if (is_looking && b.kind == Kind::arrive && !b.completes && a.phase == b.phase) continue;
      const bool b_looks = b.kind == Kind::await || b.kind == Kind::fail;
      if (b_looks && a.kind == Kind::arrive && !a.completes && a.phase == b.phase) continue;
      return true;
    }
  return false;
}

void come_after(std::vector<Touch>& waiting, const std::vector<Touch>& taken) {
  for (Touch& a : waiting)
    for (const Touch& b : taken)
      a.completes |= a.object == b.object && a.kind == Kind::arrive && b.kind == Kind::arrive;
}

void Touches::add(uint64_t object, Touch::Kind kind, bool may_fail) {
  const auto found = phases_.find(object);
  const Touch made{object, kind, found == phases_.end() ? 0 : found->second, false, may_fail};
  for (Touch& known : list_) {
    if (known == made) return;
    // What an atomic operation reads and writes is one.
    if (known.object == object && is_flag(known.kind) && is_flag(kind)) {
      if (kind == Kind::write) known.kind = kind;
      return;
    }
  }
  list_.push_back(made);
}

void Touches::complete(uint64_t object) {
  const auto last = std::find_if(list_.rbegin(), list_.rend(), [&](const Touch& one) {
    return one.object == object && one.kind == Kind::arrive;
  });
  if (last == list_.rend())
    list_.push_back({object, Kind::arrive, phases_[object], true});
  else
    last->completes = true;
  ++phases_[object];
}

}  // namespace assay::emulator::race
