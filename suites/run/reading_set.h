// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/spec/question.h"
#include "reports/record.h"

namespace assay::suites {

using QuestionSet = std::bitset<spec::max_questions>;

/// Letters chosen for some questions.
using Assignment = std::vector<std::pair<spec::QuestionIndex, char>>;

/// What a thread judges by until the set changes.
struct ReadingSnapshot {
  explicit ReadingSnapshot(spec::Arch arch) : chosen(arch), defaults(arch) {}
  uint64_t version = 0;
  spec::Readings chosen;  ///< an assignment that fits every case so far, the defaults as far as they fit
  spec::Readings defaults;
  QuestionSet undecided;           ///< more than one letter is alive
  QuestionSet not_default;         ///< the default letter is not the chosen one
  std::vector<std::string> alive;  ///< by question: its live letters
  bool is_frozen = false;          ///< no case teaches anything any more
};

/// The joint assignments of letters to open questions that fit every case of a run on one device. Questions
/// that a case ties together share a group of joint assignments; all others are independent, so that the set
/// stays small. All members may be called from several threads.
class ReadingSet {
 public:
  /// `is_modelled`: the device was made after the defaults, so that keeping to them says nothing.
  explicit ReadingSet(spec::Arch arch, bool is_modelled = false);

  /// So many cases that differ must follow a reading before it is adopted.
  static constexpr size_t least_support = 3;

  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  void snapshot(ReadingSnapshot&) const;

  /// A case tried these assignments, all over the same questions; fits[i] says whether the device did what
  /// tried[i] predicts. Assignments that disagree with every fitting one are dropped. False, with nothing
  /// changed, when that would leave none: no reading fits both this case and those before it.
  bool learn(const std::vector<Assignment>& tried, const std::vector<bool>& fits,
             const std::string& case_name);

  /// A case told readings of the questions apart and the device did not contradict what is chosen.
  void contradicted(const Assignment& wanted, const std::string& case_name);

  /// What a case says that follows a reading: its id, which equal cases share, its name, and what the device
  /// did. Asked only while it matters.
  struct Follower {
    std::function<std::string()> case_id, name, behaviour;
  };
  /// A case follows this letter, and would not fit with the default. False while that lacks the support that
  /// an adoption needs, this case left out.
  bool follow(spec::QuestionIndex, char letter, const Follower&);
  /// Whether the letter, chosen in place of the default, has the support that it needs.
  bool is_adopted(spec::QuestionIndex, char letter) const;
  /// No property is left whose cases follow it and do not violate.
  void overrule(spec::QuestionIndex);

  /// Judges by these letters whatever else was learned.
  void follow_only(const Assignment&);
  /// The end of a run: a question that cases contradict is judged by its default, and nothing is learned any
  /// more.
  void freeze();
  /// Whether another trial of an undecided question is worth its predictions: always at first, ever rarer
  /// while none decides.
  bool worth_trying(const QuestionSet& questions, uint64_t draw);

  std::vector<report::ReadingRow> rows() const;

  /// All of it as text, for a run that is resumed, and back. What restore() cannot read, because the
  /// questions are others now, is asked anew.
  std::string save() const;
  void restore(const std::string& text);

 private:
  struct Group {
    std::vector<spec::QuestionIndex> questions;
    std::vector<std::vector<char>> alive;  ///< letters in the order of `questions`
  };
  struct Record {
    uint64_t deciding = 0;   ///< cases that excluded a reading
    uint64_t following = 0;  ///< cases that follow what is chosen in place of the default
    std::string witness, contradiction;
    std::set<std::string> support;     ///< ids of the first that follow it
    std::set<std::string> behaviours;  ///< what the device did in those
    bool is_overruled = false;
  };
  void settle(spec::QuestionIndex, char letter);
  bool is_adopted_locked(spec::QuestionIndex, char chosen) const;
  Group joined(const std::vector<size_t>& groups) const;
  /// Under the lock. `as_frozen`: of each question the chosen letter alone is alive.
  void fill(ReadingSnapshot&, bool as_frozen) const;

  const spec::Arch arch_;
  const bool is_modelled_;
  bool is_frozen_ = false;
  mutable std::mutex mutex_;
  std::atomic<uint64_t> version_{1};
  std::vector<Group> groups_;
  std::vector<Record> records_;
  std::vector<std::atomic<uint32_t>> fruitless_;
};

}  // namespace assay::suites
