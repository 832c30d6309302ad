// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/spec/rule.h"
#include "reports/verdict.h"
#include "suites/run/property.h"

namespace assay::suites {

/// What one thread counts over a batch, before all of it is added to a PropertyRun at once: a state that is
/// written to the results file never counts half a batch.
struct BatchTally final : CoverageSink {
  /// Conforming cases of an aligned range of indexes.
  struct Block {
    uint64_t number = 0, conforming = 0, fingerprint = 0;
  };
  struct Failure {
    std::string signature, waiver;
    report::Verdict verdict{};
    uint64_t index = 0;
    bool has_row = false;
    spec::RuleSet rules;
  };
  struct Place {
    uint64_t cases = 0, failing = 0;
  };
  struct Hit {
    int space;
    uint32_t cell;
    uint64_t times;
  };

  static constexpr int block_bits = 12;
  /// Multiprocessors from here on are not told apart; no GPU has as many.
  static constexpr uint32_t most_places = 1024;

  void hit(int space, uint32_t cell, uint64_t times) override { hits.push_back({space, cell, times}); }

  void conform(uint64_t index, uint64_t fingerprint) {
    const uint64_t number = index >> block_bits;
    if (blocks.empty() || blocks.back().number != number) blocks.push_back({number, 0, 0});
    ++blocks.back().conforming;
    blocks.back().fingerprint += fingerprint;
  }

  /// A CTA of a case ran there.
  void ran_on(uint32_t sm) {
    if (sm >= most_places) return;
    if (places.size() <= sm) places.resize(sm + 1);
    ++places[sm].cases;
  }
  /// One that ran there failed.
  void failed_on(uint32_t sm) {
    if (sm < places.size()) ++places[sm].failing;
  }

  void count(report::Verdict verdict, uint64_t n = 1) { counts[static_cast<size_t>(verdict)] += n; }

  std::array<uint64_t, report::verdicts.size()> counts{};
  /// By rule: cases of which something was demanded, those that failed, those of which nothing was.
  std::array<uint32_t, spec::max_rules> exercised{}, failing{}, no_demand{};
  uint64_t bytes = 0;  ///< compared
  double host_seconds = 0, device_seconds = 0;
  std::vector<Hit> hits;
  std::vector<Block> blocks;
  std::vector<Failure> failures;
  std::vector<Place> places;
  std::vector<uint64_t> not_yet;  ///< positions in the slice whose verdict waits, ascending
};

/// A set of indexes as half-open ranges, made for ranges that arrive nearly in order.
class IndexSet {
 public:
  void add(uint64_t first, uint64_t end) {
    if (first >= end) return;
    auto next = ranges_.upper_bound(first);
    if (next != ranges_.begin()) {
      const auto before = std::prev(next);
      if (before->second >= first) {
        first = before->first;
        end = std::max(end, before->second);
        ranges_.erase(before);
      }
    }
    while (next != ranges_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = ranges_.erase(next);
    }
    ranges_.emplace(first, end);
  }

  /// The first index from `index` on that is not in the set.
  uint64_t next_outside(uint64_t index) const {
    const auto next = ranges_.upper_bound(index);
    if (next == ranges_.begin()) return index;
    const auto before = std::prev(next);
    return before->second > index ? before->second : index;
  }

  /// The first index after `index` that is in the set, or `otherwise`.
  uint64_t next_inside(uint64_t index, uint64_t otherwise) const {
    const auto next = ranges_.upper_bound(index);
    return next == ranges_.end() ? otherwise : next->first;
  }

  bool contains(uint64_t index) const { return next_outside(index) != index; }

  uint64_t size() const {
    uint64_t sum = 0;
    for (const auto& [first, end] : ranges_) sum += end - first;
    return sum;
  }

  std::vector<std::pair<uint64_t, uint64_t>> ranges() const { return {ranges_.begin(), ranges_.end()}; }

 private:
  std::map<uint64_t, uint64_t> ranges_;
};

/// The indexes that a run takes of a property's: of the groups of `in_a_row` indexes every step-th from the
/// one numbered `first` on. Its positions 0, 1, 2, ... are what is scheduled; the index is what makes the
/// case.
struct Slice {
  uint64_t first = 0, step = 1, in_a_row = 1;
  /// Of a property, what shard `first` of `step` has; where cases end processes, dozens of them.
  Slice of(const Property& property) const {
    return {first, step, step > 1 && property.is_sacrificial() ? Property::dozen : 1};
  }
  uint64_t index(uint64_t position) const {
    if (in_a_row == 1) return first + position * step;
    return (first + position / in_a_row * step) * in_a_row + position % in_a_row;
  }
  /// How many of the indexes below `end` are in the slice.
  uint64_t positions_below(uint64_t end) const {
    if (end == ~uint64_t{0}) return end / step;
    const uint64_t groups = end / in_a_row;
    const uint64_t whole = groups > first ? (groups - first + step - 1) / step : 0;
    const bool has_last = groups >= first && (groups - first) % step == 0;
    return whole * in_a_row + (has_last ? end % in_a_row : 0);
  }
  /// Whether the indexes of so many positions from `position` on are `step` apart, or 1 apart in one group.
  bool is_even(uint64_t position, uint64_t count) const {
    return step == 1 || in_a_row == 1 || position / in_a_row == (position + count - 1) / in_a_row;
  }
};

/// A property on a device while a run goes on: what is planned, issued and counted. All members may be called
/// from several threads.
class PropertyRun final {
 public:
  /// `planned` (0: by budget) and `most` count positions of the slice.
  PropertyRun(const Property& property, spec::Arch arch, uint64_t planned, uint64_t most, Slice slice = {});

  const Property& property() const { return property_; }
  uint64_t planned() const { return planned_; }
  uint64_t limit() const { return most_; }
  const Slice& slice() const { return slice_; }

  /// Marks the cells of descriptor fields that the case lies in; from then on coverage() has them too.
  void look_at_fields(const Case&);
  /// The same for a case of a steered run, before it is issued; false leaves it out. Wanted is what brings
  /// more new cells than the last that was taken, ever fewer while none does, in the end any.
  bool wants(const Case&);

  /// Cells with their counts; those of descriptor fields only where fields were looked at.
  std::vector<report::CoverageCell> coverage() const;
  /// Values and pairs of values of descriptor fields that were reached.
  uint64_t field_cells() const;

  /// Positions [begin, end) are back from the device; those in not_yet have no verdict so far.
  void add(const BatchTally&, uint64_t begin, uint64_t end);
  /// Counts that belong to no position: a file's case, our side's failure.
  void add(const BatchTally&);
  /// The property as a whole has a verdict, and no case to count.
  void decide(report::Verdict verdict, std::string why);
  bool is_decided() const;

  /// A failure was run again: `failed` of `repeated` times, the first time included.
  void set_repeats(const std::string& signature, uint32_t failed, uint32_t repeated);
  void set_blame(const std::string& signature, const report::Blame&);
  /// Gives `count` cases of one kind another verdict, under another signature.
  void move(const std::string& from, const std::string& to, report::Verdict verdict, uint64_t count,
            const std::string& waiver);

  uint64_t judged() const;
  report::PropertyTotals totals() const;
  report::PropertyState state() const;
  std::vector<report::FailureKindRow> kinds() const;

  /// Goes on from where an earlier process was. Before anything is counted.
  void restore(const report::PropertyState&);
  uint64_t next_open(uint64_t position) const { return restored_.next_outside(position); }
  uint64_t open_until(uint64_t position) const { return restored_.next_inside(position, most_); }

  /// So many of its cases ended the device's process that the rest is not issued.
  void give_up(std::string why);
  bool is_given_up() const { return given_up_; }

  /// What a case that ends the device's process costs the run, about, with as many others as go at once.
  double sacrifice_seconds = 0;

  std::atomic<bool> was_cut_off{false};  ///< cases of it had no end when time was up

  // The scheduler's part, under its lock.
  uint64_t next_position = 0;
  /// A case conformed that came to its end on the device and wrote what was compared.
  std::atomic<bool> has_ended_well{false};
  /// Explanations of failures are held against conforming cases below this index.
  mutable std::atomic<uint64_t> conforming_end{~uint64_t{0}};
  double cost = 0;              ///< seconds used so far, by share
  double seconds_per_case = 0;  ///< of device time, smoothed; 0 before the first batch

  std::string reason;  ///< of a property that did not run to its end
  bool complete = false;
  double seconds = 0;  ///< wall time of the run, earlier processes included

 private:
  /// Cells of the two spaces of a descriptor, set once hit. Read and set without the lock.
  using Marks = std::vector<std::atomic<bool>>;
  template <typename Visit>
  void visit_fields(const Case&, Visit);
  struct Counts {
    std::array<uint64_t, report::verdicts.size()> verdicts{};
    std::array<uint64_t, spec::max_rules> exercised{}, failing{}, no_demand{};
    uint64_t issued = 0, bytes = 0, fingerprint = 0;
    double host_seconds = 0, device_seconds = 0;
  };
  void add_locked(const BatchTally&);
  report::PropertyTotals totals_locked() const;
  std::vector<report::FailureKindRow> kinds_locked() const;
  std::vector<report::RuleCount> rules() const;
  std::vector<report::RangeRow> ranges() const;
  void count_block(uint64_t number, uint64_t conforming, uint64_t fingerprint);
  void coarsen();

  const Property& property_;
  const spec::Arch arch_;
  const uint64_t planned_, most_;
  const Slice slice_;
  mutable std::mutex mutex_;
  Counts sum_;
  std::optional<report::Verdict> decided_;
  std::vector<std::vector<uint64_t>> cells_;
  std::vector<Marks> marks_;                           ///< of the spaces of descriptors, in order
  std::vector<std::vector<uint64_t>> restored_pairs_;  ///< of descriptors, by pair of fields: reached
  std::atomic<bool> looks_at_fields_{false}, given_up_{false};
  static constexpr double patience = 0.9;
  std::atomic<double> wanted_{1};  ///< new cells
  std::map<std::string, report::FailureKindRow> kinds_;
  std::map<std::string, spec::RuleSet> kind_rules_;
  std::map<uint64_t, report::RangeRow> blocks_;
  int block_bits_ = BatchTally::block_bits;
  std::vector<BatchTally::Place> places_;
  IndexSet done_, restored_;
};

}  // namespace assay::suites
