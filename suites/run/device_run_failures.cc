// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "suites/failure/failure.h"
#include "suites/failure/ladder.h"
#include "suites/run/device_run.h"

/// What a DeviceRun keeps of cases that did not conform.
namespace assay::suites {
namespace {

using report::Verdict;

constexpr uint64_t rows_per_signature = 16;
constexpr size_t most_signatures = 256;

}  // namespace

void DeviceRun::refuse(PropertyRun& run, const Case& c, uint64_t index, const RecordEnd& end,
                       const std::string& why, BatchTally& tally) {
  Outcome outcome;
  outcome.what = c;
  outcome.verdict = Verdict::rig_broken;
  outcome.end = end;
  outcome.note = why;
  outcome.signature = std::string(run.property().name) + "|rig|" + why;
  failed(run, std::move(outcome), index, tally);
}

/// The least index, whichever thread had it: the same on every machine.
void DeviceRun::note_remark(const Property& property, std::string_view words, uint64_t index) {
  if (words.empty()) return;
  const std::lock_guard lock(mutex_);
  Remark& remark = remarks_[std::string(property.name) + ": " + std::string(words)];
  if (remark.cases++ != 0 && remark.first_index < index) return;
  remark.first_index = index;
  remark.first = replay_id(property, {device_.identity().spec, options_.seed, index, {}, {}});
}

/// Each thread may have two batches, of which one is free by now.
void DeviceRun::repeat_at_once(PropertyRun& run, std::vector<Failing>& repeated, BatchTally& tally) {
  constexpr int most = 2;  // of a property
  for (Failing& one : repeated) {
    if (std::string words = options_.moment ? options_.moment(run.property().name) : ""; !words.empty())
      one.outcome.device_words.push_back(std::move(words));
    const auto tell = [&](int more) {
      const std::lock_guard lock(mutex_);
      return repeated_at_once_[&run] += more;
    };
    if (tell(0) < most && !interrupted()) {
      ReadingSet readings(arch_);
      CaseRunner runner(device_, readings, arch_);
      const std::vector<std::string> lines = climb(runner, run.property(), one.outcome);
      one.outcome.device_words.insert(one.outcome.device_words.end(), lines.begin(), lines.end());
      // One whose only wrong results are beside a planted fault says nothing.
      tell(lines.empty() ? 0 : 1);
    }
    failed(run, std::move(one.outcome), one.index, tally);
  }
}

void DeviceRun::failed(const PropertyRun& run, Outcome outcome, uint64_t index, BatchTally& tally) {
  if (options_.waiver && outcome.verdict != Verdict::rig_broken)
    outcome.waiver = options_.waiver(run.property(), outcome.signature, outcome.rules);
  if (!outcome.waiver.empty()) outcome.verdict = Verdict::waived;
  const std::lock_guard lock(mutex_);
  if (failures_.size() >= most_signatures && !failures_.contains(outcome.signature))
    outcome.signature = std::string(run.property().name) + "|further kinds";
  if (report::fails(outcome.verdict)) schedule_->end_earlier(options_.kept_for_failures);
  FailureKind& kind = failures_[outcome.signature];
  const bool has_row = kind.rows < rows_per_signature;
  tally.count(outcome.verdict);
  tally.failures.push_back(
      {outcome.signature, outcome.waiver, outcome.verdict, index, has_row, outcome.rules});
  if (kind.rows == 0 || index < kind.first_index) {
    kind.first = outcome;
    kind.first_index = index;
  }
  if (!has_row) return;
  ++kind.rows;
  if (on_failure_) on_failure_(run.property(), outcome, index);
}

}  // namespace assay::suites
