// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/explore.h"

#include <algorithm>
#include <utility>

namespace assay::emulator {
namespace {

Choice who(Choice choice) {
  choice.ends_wait_early = false;
  return choice;
}

}  // namespace

void Explorer::set(Bits& bits, size_t i) {
  if (bits.size() <= i / 64) bits.resize(i / 64 + 1);
  bits[i / 64] |= uint64_t{1} << i % 64;
}

void Explorer::join(Bits& bits, const Bits& other) {
  if (bits.size() < other.size()) bits.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i) bits[i] |= other[i];
}

void Explorer::abandon() {
  is_redundant_ = true;
  throw Abandoned{};
}

void Explorer::give_up(bool& why) {
  why = true;
  if (!is_first_run_) throw Abandoned{};
}

Choice Explorer::choose(const std::vector<Choice>& ready) {
  first_ = ready.front();
  if (is_left_alone()) return first_;
  if (at_ < forced_) return frames_[at_].chosen;
  if (at_ % 256 == 255 && Clock::now() > deadline_) {
    give_up(is_out_of_time_);
    return first_;
  }
  if (at_ == frames_.size()) {
    Frame& made = frames_.emplace_back();
    made.ready = ready;
    if (at_ > 0) {
      const Frame& before = frames_[at_ - 1];
      const auto keep = [&](const Known& known) {
        for (const auto& [choice, touches] : known)
          if (!choice.is_same(before.chosen) && !race::may_change(touches, before.step.touches))
            race::come_after(made.sleeping.emplace(choice, touches).first->second, before.step.touches);
      };
      keep(before.sleeping);
      keep(before.done);
    }
  }
  Frame& frame = frames_[at_];
  const auto awake = std::find_if(ready.begin(), ready.end(),
                                  [&](const Choice& one) { return !frame.sleeping.contains(one); });
  if (awake == ready.end()) {
    frames_.pop_back();
    abandon();
  }
  return frame.chosen = *awake;
}

void Explorer::taken(Step step) {
  if (is_left_alone()) return;
  Frame& frame = frames_[at_];
  if (step.is_nothing) {
    if (at_ >= forced_) return;
    // A wait that ends early and comes back is no other order. Anything else was not ready.
    if (!step.choice.ends_wait_early)
      for (const Choice& one : frame.ready) frame.wanted.push_back(one);
    frame.done.emplace(step.choice, std::vector<race::Touch>{});
    frame.step = {};
    frames_.resize(at_ + 1);
    frame.chosen = step.choice;
    abandon();
  }
  if (step.choice != first_) others_.emplace_back(at_, step.choice);
  frame.chosen = step.choice;
  frame.step = std::move(step);
  if (++at_ == most_steps) give_up(is_too_long_);
}

void Explorer::look(size_t at, std::map<Choice, size_t>& last_of) {
  Frame& frame = frames_[at];
  // Of steps that were forced it is known.
  if (at + 1 >= forced_) frame.before = find_before(at, last_of);
  last_of[who(frame.chosen)] = at;
  for (const Choice& one : frame.step.issued) last_of[who(one)] = at;
}

Explorer::Bits Explorer::find_before(size_t at, const std::map<Choice, size_t>& last_of) {
  const Frame& frame = frames_[at];
  Bits before;
  const auto comes_after = [&](const Choice& one) {
    const auto found = last_of.find(who(one));
    if (found == last_of.end()) return;
    set(before, found->second);
    join(before, frames_[found->second].before);
  };
  comes_after(frame.chosen);
  for (const Choice& one : frame.step.after) comes_after(one);
  for (size_t i = at; i-- > 0 && !frame.step.touches.empty();) {
    if (has(before, i)) continue;
    const race::Relation how = race::relation(frames_[i].step.touches, frame.step.touches);
    if (how == race::Relation::none) continue;
    if (how != race::Relation::ordered) want_reversed(i, at, how, before);
    set(before, i);
    join(before, frames_[i].before);
  }
  return before;
}

void Explorer::want_reversed(size_t first, size_t second, race::Relation how, const Bits& before) {
  // Of the steps between that need not come after the first one, and the second: those that may begin.
  std::vector<Choice> begin, seen;
  std::vector<size_t> between;
  for (size_t i = first + 1; i <= second; ++i) {
    const Bits& known = i == second ? before : frames_[i].before;
    if (i != second && has(known, first)) continue;
    const bool is_behind =
        std::any_of(between.begin(), between.end(), [&](size_t k) { return has(known, k); });
    const bool is_later = std::any_of(seen.begin(), seen.end(),
                                      [&](const Choice& one) { return one.is_same(frames_[i].chosen); });
    if (!is_behind && !is_later) begin.push_back(frames_[i].chosen);
    seen.push_back(frames_[i].chosen);
    between.push_back(i);
  }
  if (begin.empty()) return;
  Choice best = begin.front();
  const Choice& wanted = frames_[second].chosen;
  const bool is_direct =
      std::any_of(begin.begin(), begin.end(), [&](const Choice& one) { return one.is_same(wanted); });
  if (is_direct) best = wanted;
  Frame& frame = frames_[first];
  const auto is_planned = [&](const Choice& one) {
    return one == frame.chosen || frame.done.contains(one) ||
           std::find(frame.wanted.begin(), frame.wanted.end(), one) != frame.wanted.end();
  };
  if (how == race::Relation::fails && is_direct) {
    best.ends_wait_early = true;
    if (!is_planned(best)) frame.wanted.push_back(best);
    return;
  }
  if (std::none_of(begin.begin(), begin.end(), is_planned)) frame.wanted.push_back(best);
}

bool Explorer::next() {
  is_first_run_ = false;
  if (is_out_of_time_ || is_too_long_) return true;
  frames_.resize(std::min(frames_.size(), std::max(at_, forced_)));
  std::map<Choice, size_t> last_of;
  const size_t steps = std::min(at_, frames_.size());
  for (size_t i = 0; i < steps; ++i) look(i, last_of);
  at_ = 0;
  others_.clear();
  is_redundant_ = false;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    frame.done.emplace(frame.chosen, frame.step.touches);
    const auto open = std::find_if(frame.wanted.begin(), frame.wanted.end(), [&](const Choice& one) {
      return !frame.done.contains(one) && !frame.sleeping.contains(one);
    });
    if (open != frame.wanted.end()) {
      frame.chosen = *open;
      frame.step = {};
      forced_ = frames_.size();
      return true;
    }
    frames_.pop_back();
  }
  return false;
}

}  // namespace assay::emulator
