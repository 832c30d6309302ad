// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reference/spec/rule.h"
#include "reports/results.h"
#include "suites/failure/explain.h"
#include "suites/failure/findings.h"
#include "suites/run/case.h"
#include "suites/run/case_file.h"
#include "suites/run/places.h"
#include "suites/run/schedule.h"

namespace assay::suites {

/// One more of each rule of the set, a word of it at a time: std::bitset finds its bits with a call each.
inline void count_rules(const spec::RuleSet& rules, std::array<uint32_t, spec::max_rules>& counts) {
  static_assert(sizeof rules * 8 == spec::max_rules);
  std::array<uint64_t, sizeof rules / 8> words;
  std::memcpy(words.data(), &rules, sizeof rules);
  for (size_t w = 0; w < words.size(); ++w)
    for (uint64_t left = words[w]; left != 0; left &= left - 1)
      ++counts[64 * w + static_cast<size_t>(std::countr_zero(left))];
}

}  // namespace assay::suites

/// Cases, records and outputs of a batch lie further apart than a core looks ahead by itself, and are in no
/// cache: what is next is fetched while a case is worked on.
namespace assay::suites {

/// Always inlined, since g++ 12 leaves out calls of a function that only fetches. What lies outside of
/// `memory` is not fetched.
[[gnu::always_inline]] inline void look_ahead(std::span<const std::byte> memory, size_t first, size_t bytes) {
  constexpr size_t line = 64;
  const size_t end = std::min(memory.size(), first + bytes);
  for (size_t at = first; at < end; at += line) __builtin_prefetch(memory.data() + at);
}

/// Bytes of a case that most operations use.
inline constexpr size_t case_in_use = 384;

/// Where case `next` and its record are to be made.
[[gnu::always_inline]] inline void look_ahead_to_fill(const std::vector<Case>& cases,
                                                      std::span<const std::byte> records, size_t record_bytes,
                                                      size_t next) {
  look_ahead(std::as_bytes(std::span(cases)), next * sizeof(Case), case_in_use);
  look_ahead(records, next * record_bytes, record_bytes);
}

/// A case and its output, which is taken for as long as that before it; of a long one the core sees by itself
/// how it goes on.
[[gnu::always_inline]] inline void look_ahead_to_judge(const Case& next, std::span<const std::byte> outputs,
                                                       size_t output, size_t bytes) {
  constexpr size_t most = 2048;
  look_ahead(std::as_bytes(std::span(&next, 1)), 0, case_in_use);
  look_ahead(outputs, output, std::min(bytes, most));
}

struct DeviceRunOptions {
  std::optional<uint64_t> cases;  ///< of each property
  std::optional<Schedule::Clock::time_point> deadline;
  Schedule::Clock::duration grace{};         ///< after it, for properties that nothing was issued of
  Schedule::Now now = Schedule::Clock::now;  ///< that the deadline is by
  /// Once a case has failed, cases end so much before the deadline.
  Schedule::Clock::duration kept_for_failures{};
  /// When explaining ends, of the clock on the wall.
  std::optional<Schedule::Clock::time_point> over_by;
  uint64_t seed = 1;
  int threads = 1;
  int devices = 1;     ///< of the run: the driver of a host opens processes one at a time, for all of them
  uint64_t piece = 0;  ///< cases of every batch; 0: as time goes
  const std::atomic<bool>*stop = nullptr, *halt = nullptr;  ///< either ends the run early
  const std::atomic<bool>* enough = nullptr;                ///< no more cases: what was sought is found
  bool cover = false;  ///< issue only cases that reach cells of descriptor fields not reached yet
  Slice slice;         ///< of the indexes of each property, by its Slice::of
  /// What covers a failure: the id of a waiver, or nothing. Called from any thread.
  std::function<std::string(const Property&, const std::string& signature, const spec::RuleSet&)> waiver;
  const report::LeftBehind* left = nullptr;  ///< of an earlier process of this run
  /// RunOptions::moment of the device, or null.
  std::function<std::string(std::string_view property)> moment;
};

/// The first cases of each failure signature have rows; the rest are counted.
struct FailureKind {
  uint64_t rows = 0;
  Outcome first;  ///< the lowest index; of a resumed run: case, verdict and signature alone
  uint64_t first_index = 0;
};

/// All properties of a run on one device: threads that generate, submit, predict and judge. Each thread keeps
/// one batch on the device while it predicts and judges the one before, so that neither waits for the other.
class DeviceRun {
 public:
  /// Called for failing cases that are kept, under a lock, from any thread.
  using OnFailure = std::function<void(const Property&, const Outcome&, uint64_t index)>;

  DeviceRun(Device& device, std::vector<const Property*> properties, const DeviceRunOptions& options,
            OnFailure on_failure);

  void run();

  Device& device() const { return device_; }
  spec::Arch arch() const { return arch_; }
  ReadingSet& readings() { return readings_; }
  std::vector<std::unique_ptr<PropertyRun>>& properties() { return runs_; }
  const std::map<std::string, FailureKind>& failures() const { return failures_; }
  const std::vector<std::string>& crash_notes() const { return crash_notes_; }
  const Remarks& remarks() const { return remarks_; }
  uint64_t judged() const;
  bool has_enough() const { return options_.enough != nullptr && options_.enough->load(); }
  bool interrupted() const {
    return has_enough() || (options_.stop != nullptr && options_.stop->load()) ||
           (options_.halt != nullptr && options_.halt->load());
  }
  bool lost() const { return lost_.load(); }
  /// For a device that answers no more: what has no verdict by now never will.
  void give_up(const std::string& why);
  /// The verdicts so far, with what is known of properties that have not ended.
  void settle();

 private:
  struct Slot;
  /// A case whose verdict waits for the readings, with what the device did.
  struct Deferred {
    PropertyRun* run;
    uint64_t position;
    Case what;
    RecordEnd end;
    std::vector<std::byte> output;
    std::vector<std::string> notes;
    Neighbours batch;
  };
  /// A failing case that is to be repeated before it is counted, once its batch is free.
  struct Failing {
    Outcome outcome;
    uint64_t index;
  };
  void work();
  Schedule::Answer fill(Slot& slot, std::optional<Work>& pending);
  void submit(Slot& slot);
  void refuse(Slot& slot, uint32_t k, const std::string& why);
  void refuse(PropertyRun&, const Case&, uint64_t index, const RecordEnd&, const std::string& why,
              BatchTally&);
  void finish(Slot& slot, Judge& judge);
  void judge_one(PropertyRun& run, const Case& c, uint64_t position, const Observation& seen,
                 const std::vector<std::string>& notes, const Neighbours& batch, Judge& judge,
                 BatchTally& tally, bool may_defer, std::vector<Failing>* repeated = nullptr);
  bool must_wait(const PropertyRun&, const Case&, const Judgement&, const Observation&,
                 const std::function<std::string()>& name);
  void count_adopted(PropertyRun&, const Case&, const Judgement&, const Observation&,
                     const std::vector<std::string>& notes, const Neighbours& batch, uint64_t index,
                     BatchTally&);
  bool are_adopted(const Assignment& follows) const;
  Outcome judged_by_default(const Property&, Outcome);
  void settle_adopted();
  bool defer(PropertyRun& run, const Case& c, uint64_t position, const Observation& seen,
             const std::vector<std::string>& notes, const Neighbours& batch, const QuestionSet& open);
  void run_deciding(spec::QuestionIndex);
  bool run_deciding(CaseRunner&, const DecidingCase&);
  void judge_deferred();
  /// The cases of a slot, for a replay; none when their indexes are no plain range.
  Neighbours neighbours(const Slot&) const;
  void failed(const PropertyRun&, Outcome, uint64_t index, BatchTally&);
  void repeat_at_once(PropertyRun&, std::vector<Failing>&, BatchTally&);
  void explain_failure(PropertyRun&, const Outcome&, const Assignment& judged_by, const Observation&);
  /// Of a case whose bytes are with it, by the defaults.
  void explain_failure(PropertyRun&, const Outcome&);
  void note_conforming(const PropertyRun&, uint64_t index);
  void settle_blame();
  void note_remark(const Property&, std::string_view words, uint64_t index);
  void restore(const report::LeftBehind&);
  void break_down(const std::string& why, bool lost);

  Device& device_;
  const spec::Arch arch_;
  const DeviceRunOptions options_;
  const OnFailure on_failure_;
  const spec::Readings defaults_;
  ReadingSet readings_;
  std::vector<std::unique_ptr<PropertyRun>> runs_;
  std::unique_ptr<Schedule> schedule_;
  std::mutex mutex_;
  std::map<std::string, FailureKind> failures_;
  std::map<const PropertyRun*, int> repeated_at_once_;  ///< failing cases
  std::vector<std::string> crash_notes_;
  Remarks remarks_;
  /// Cases that follow a reading in place of a default: the first few of each property and reading.
  struct Follower {
    PropertyRun* run = nullptr;
    spec::QuestionIndex question = 0;
    char letter = 0;
    std::vector<std::pair<uint64_t, Outcome>> examples;  ///< with their indexes
  };
  bool knows_only_errors(const Follower&) const;
  std::map<std::string, Follower> followers_;  ///< by signature
  /// What explains the first cases of each failure signature, and conforming cases that speak against it.
  struct Explained {
    PropertyRun* run = nullptr;
    Assignment judged_by;
    Explanation why;
  };
  std::mutex explaining_;
  std::map<std::string, Explained> explained_;                   ///< by signature
  std::map<const PropertyRun*, std::set<uint64_t>> conforming_;  ///< the lowest indexes
  Schedule::Clock::duration explained_for_{};
  std::vector<Deferred> deferred_;
  QuestionSet open_;  ///< that deferred cases wait for, since anything may happen to them under a reading
  size_t deferred_bytes_ = 0;
  std::atomic<int> refused_{0};
  std::string broken_;
  bool settled_ = false;
  std::atomic<bool> lost_{false}, broken_down_{false};
};

}  // namespace assay::suites
