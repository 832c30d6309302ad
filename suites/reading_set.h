#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <mutex>
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
};

/// The joint assignments of letters to open questions that fit every case of a run on one device. Questions
/// that a case ties together share a group of joint assignments; all others are independent, so that the set
/// stays small. All members may be called from several threads.
class ReadingSet {
 public:
  explicit ReadingSet(spec::Arch arch);

  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  void snapshot(ReadingSnapshot&) const;

  /// A case tried these assignments, all over the same questions; fits[i] says whether the device did what
  /// tried[i] predicts. Assignments that disagree with every fitting one are dropped. False, with nothing
  /// changed, when that would leave none: no reading fits both this case and those before it.
  bool learn(const std::vector<Assignment>& tried, const std::vector<bool>& fits,
             const std::string& case_name);

  /// A case told readings of the questions apart and the device did not contradict what is chosen.
  void contradicted(const Assignment& wanted, const std::string& case_name);

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
    uint64_t deciding = 0;
    std::string witness, contradiction;
  };
  Group joined(const std::vector<size_t>& groups) const;

  const spec::Arch arch_;
  mutable std::mutex mutex_;
  std::atomic<uint64_t> version_{1};
  std::vector<Group> groups_;
  std::vector<Record> records_;
  std::vector<std::atomic<uint32_t>> fruitless_;
};

}  // namespace assay::suites
