// SPDX-License-Identifier: Apache-2.0
// What explains the ways in which cases fail.
#include "suites/run/device_run.h"

#include <iterator>

namespace assay::suites {
namespace {

/// Of each property, to hold explanations against.
constexpr size_t most_conforming = 48;
constexpr size_t most_explained = 256;
/// Of the run's time; what fails later goes without an explanation.
constexpr std::chrono::seconds most_explaining{30};

}  // namespace

void DeviceRun::explain_failure(PropertyRun& run, const Outcome& outcome, const Assignment& by,
                                const Observation& seen) {
  if (outcome.verdict != report::Verdict::violates) return;
  const std::lock_guard lock(explaining_);
  if (explained_for_ > most_explaining || explained_.size() >= most_explained) return;
  Explained& explained = explained_[outcome.signature];
  if (explained.why.cases() >= Explanation::most_cases) return;
  const auto start = Schedule::Clock::now();
  if (explained.run == nullptr) explained.run = &run, explained.judged_by = by;
  explained.why.add(run.property().family(), outcome.what, judged_by(arch_, by), seen);
  explained_for_ += Schedule::Clock::now() - start;
}

void DeviceRun::explain_failure(PropertyRun& run, const Outcome& outcome) {
  explain_failure(run, outcome, {}, {outcome.end, std::as_bytes(std::span(outcome.observed))});
}

void DeviceRun::note_conforming(const PropertyRun& run, uint64_t index) {
  // Those of lowest index, so that it makes no difference which thread is done first.
  if (index >= run.conforming_end.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(explaining_);
  std::set<uint64_t>& indexes = conforming_[&run];
  indexes.insert(index);
  if (indexes.size() > most_conforming) indexes.erase(std::prev(indexes.end()));
  if (indexes.size() == most_conforming) run.conforming_end = *indexes.rbegin();
}

void DeviceRun::settle_blame() {
  const std::lock_guard lock(explaining_);
  const auto start = Schedule::Clock::now();
  const auto last = std::min(start + 2 * most_explaining - explained_for_,
                             options_.over_by.value_or(Schedule::Clock::time_point::max()));
  for (auto& [signature, explained] : explained_) {
    const Property& property = explained.run->property();
    const spec::Readings readings = judged_by(arch_, explained.judged_by);
    Case c;
    for (const uint64_t index : conforming_[explained.run]) {
      if (Schedule::Clock::now() > last) break;
      property.generate(options_.seed, property.name, index, arch_, c);
      explained.why.weigh(property.family(), c, readings);
    }
    explained.run->set_blame(signature, explained.why.blame());
  }
}

}  // namespace assay::suites
