// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/second_look.h"

#include <algorithm>
#include <map>

#include "suites/failure/replay.h"

namespace assay::suites {
namespace {

using report::Verdict;

bool is_good(Verdict verdict) {
  return verdict == Verdict::conforms || verdict == Verdict::adopted_reading || verdict == Verdict::no_demand;
}

bool is_deadly(Verdict verdict) {
  return verdict == Verdict::crashed || verdict == Verdict::hung;
}

}  // namespace

SecondLook::SecondLook(DeviceRun& run, uint64_t seed, int most_shrunk, const ShrinkLimits& limits,
                       std::atomic<int>& repeats_left, Hooks hooks)
    : run_(run),
      runner_(run.device(), run.readings(), run.arch()),
      seed_(seed),
      most_shrunk_(most_shrunk),
      limits_(limits),
      repeats_left_(repeats_left),
      hooks_(std::move(hooks)) {}

bool SecondLook::is_over() const {
  return limits_.stop() || std::chrono::steady_clock::now() >= limits_.deadline;
}

void SecondLook::look() {
  if (run_.lost()) return;
  struct Kind {
    size_t round;  // how many of the same property come before it
    PropertyRun* run;
    const FailureKind* failure;
  };
  std::vector<Kind> kinds;
  std::map<const PropertyRun*, size_t> rounds;
  for (const auto& [signature, kind] : run_.failures()) {
    const Verdict verdict = kind.first.verdict;
    if (!report::fails(verdict) || verdict == Verdict::flaky || verdict == Verdict::rig_broken) continue;
    for (const auto& run : run_.properties())
      if (signature.starts_with(std::string(run->property().name) + "|"))
        kinds.push_back({rounds[run.get()]++, run.get(), &kind});
  }
  // No property takes all the runs for its own failures.
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const Kind& a, const Kind& b) { return a.round < b.round; });
  const size_t most = std::min<size_t>(kinds.size(), static_cast<size_t>(std::max(0, most_shrunk_)));
  try {
    for (size_t k = 0; k < most; ++k) {
      if (is_over()) break;
      hooks_.stage("repeating and shrinking " + std::to_string(k + 1) + " of " + std::to_string(most) +
                   " failures");
      look_at(*kinds[k].run, *kinds[k].failure);
    }
  } catch (const DeviceError&) {
    // The failures themselves are recorded already.
  }
}

SecondLook::Repeats SecondLook::repeat_among(const Property& property, const Outcome& first,
                                             const Surroundings& around, int times) {
  Repeats seen{1, 1, {}, around};
  times = std::min(times, repeats_left_.load());
  for (; times > 0 && !is_over(); --times) {
    --repeats_left_;
    Outcome outcome = run_among(runner_, property, first.what, around, run_.arch());
    if (outcome.verdict == Verdict::incomplete) break;  // cut off: time is up
    ++seen.of;
    if (is_good(outcome.verdict)) continue;
    ++seen.failed;
    seen.last = std::move(outcome);
    seen.last.around = around;
  }
  return seen;
}

SecondLook::Repeats SecondLook::repeat(const Property& property, const Outcome& first) {
  const bool is_deadly_here = is_deadly(first.verdict);
  const Surroundings alone{first.around.readings, {}, 1};
  Repeats seen =
      repeat_among(property, first, alone, is_deadly_here ? repeat_limits_.deadly : repeat_limits_.first);
  if (seen.failed > 1 || seen.of == 1) return seen;
  // What was never seen again alone may need others beside it.
  Surroundings copies = alone, batch = alone;
  copies.copies = static_cast<uint32_t>(repeat_limits_.copies);
  if (property.batch_cases != 0) copies.copies = std::min(copies.copies, property.batch_cases);
  batch.batch = first.around.batch;
  for (const Surroundings& around : {copies, batch}) {
    if (around.copies <= 1 && around.batch.count <= 1) continue;
    Repeats together = repeat_among(property, first, around, repeat_limits_.together);
    if (together.of == 1) break;
    if (together.failed == together.of) {
      narrow(property, together);
      return together;
    }
    seen.failed += together.failed - 1, seen.of += together.of - 1;
    if (together.failed > 1) seen.last = std::move(together.last);
  }
  if (seen.failed <= 2 && !is_deadly_here) {
    const Repeats rare = repeat_among(property, first, alone, repeat_limits_.rare - repeat_limits_.first);
    seen.failed += rare.failed - 1, seen.of += rare.of - 1;
  }
  return seen;
}

void SecondLook::narrow(const Property& property, Repeats& seen) {
  const auto still_fails = [&](const Surroundings& around) {
    if (repeats_left_ <= 0 || is_over()) return false;
    --repeats_left_;
    Outcome outcome = run_among(runner_, property, seen.last.what, around, run_.arch());
    if (is_good(outcome.verdict) || outcome.verdict == Verdict::incomplete) return false;
    seen.last = std::move(outcome);
    seen.last.around = seen.around = around;
    return true;
  };
  const auto drop = [&](uint64_t before, uint64_t after) {
    Surroundings fewer = seen.around;
    fewer.batch.first += before * fewer.batch.step;
    fewer.batch.count -= before + after;
    return still_fails(fewer);
  };
  const Neighbours& batch = seen.around.batch;
  for (uint64_t n = batch.count / 2; n > 0; n /= 2)
    while (batch.first + n * batch.step <= batch.index && drop(n, 0)) {
    }
  for (uint64_t n = batch.count / 2; n > 0; n /= 2)
    while (batch.index + n * batch.step <= batch.first + (batch.count - 1) * batch.step && drop(0, n)) {
    }
}

void SecondLook::look_at(PropertyRun& run, const FailureKind& kind) {
  const Property& property = run.property();
  const Repeats seen = repeat(property, kind.first);
  // What is undecided is no failure of one case: all that is asked is beside what it shows itself again.
  const bool is_undecided = kind.first.verdict == Verdict::undecided;
  if (is_undecided && seen.failed < seen.of) return;
  if (seen.of > 1) run.set_repeats(kind.first.signature, seen.failed, seen.of);
  if (seen.failed < seen.of) {
    call_flaky(run, kind, seen);
    return;
  }
  if (seen.of > 1) {
    // As it was run again, not as it was first met, so shall it be run by a reader.
    Outcome outcome = seen.last;
    outcome.verdict = kind.first.verdict;
    outcome.signature = kind.first.signature;
    // What was seen when it was met first, a ladder among it, was seen once.
    if (outcome.device_words.empty()) outcome.device_words = kind.first.device_words;
    hooks_.write(property, outcome, {run_.device().identity().spec, seed_, kind.first_index, {}, {}}, {});
  }
  // Simpler cases are tried alone.
  if (is_undecided || seen.around.copies > 1 || seen.around.batch.count > 1) return;
  // Without a run left to repeat it, shrinking itself shows whether it does.
  Outcome again = seen.last;
  if (seen.of == 1) again = runner_.run(property, {&kind.first.what, 1}).front();
  if (!is_good(again.verdict) && again.verdict != Verdict::incomplete) shrink_one(property, kind, again);
}

/// The case did not fail each time. Others of its kind are tried too: only where none of them repeats is the
/// whole kind called flaky, so that no violation hides behind one.
void SecondLook::call_flaky(PropertyRun& run, const FailureKind& kind, const Repeats& first) {
  const Property& property = run.property();
  const std::string& signature = kind.first.signature;
  const std::string flaky_signature = signature + "|flaky";
  std::vector<uint64_t> indexes;
  uint64_t count = 0;
  for (const report::FailureKindRow& row : run.kinds())
    if (row.signature == signature) indexes = row.indexes, count = row.count;
  const std::string waiver =
      hooks_.waiver ? hooks_.waiver(property, flaky_signature, kind.first.rules) : std::string();
  const auto write = [&](const Outcome& outcome, uint64_t index, const Repeats& seen) {
    Outcome flaky = outcome;
    flaky.verdict = waiver.empty() ? Verdict::flaky : Verdict::waived;
    flaky.waiver = waiver;
    flaky.signature = flaky_signature;
    flaky.note = "failed " + std::to_string(seen.failed) + " of " + std::to_string(seen.of) + " times";
    hooks_.write(property, flaky, {run_.device().identity().spec, seed_, index, {}, {}}, {});
  };
  write(kind.first, kind.first_index, first);
  uint64_t tried = 1, flaky = 1;
  for (const uint64_t index : indexes) {
    if (index == kind.first_index || static_cast<int>(tried) >= repeat_limits_.most_of_kind ||
        repeats_left_ <= 0)
      continue;
    Outcome outcome = kind.first;
    property.generate(seed_, property.name, index, run_.arch(), outcome.what);
    outcome.around = {};
    const Repeats seen = repeat(property, outcome);
    if (seen.of == 1) break;
    ++tried;
    if (seen.failed == seen.of) continue;
    ++flaky;
    write(outcome, index, seen);
  }
  const bool none_repeats = flaky == tried && (tried == count || tried >= 4);
  if (none_repeats)
    hooks_.rename(std::string(property.name), signature, flaky_signature,
                  waiver.empty() ? Verdict::flaky : Verdict::waived);
  run.move(signature, flaky_signature, waiver.empty() ? Verdict::flaky : Verdict::waived,
           none_repeats ? count : flaky, waiver);
}

void SecondLook::shrink_one(const Property& property, const FailureKind& kind, const Outcome& again) {
  const Shrunk shrunk = shrink(runner_, property, again, run_.arch(), limits_);
  if (shrunk.path.empty()) return;
  const CaseOrigin origin{run_.device().identity().spec, seed_, kind.first_index, shrunk.path, {}};
  Outcome outcome = shrunk.least;
  outcome.signature = kind.first.signature;
  hooks_.write(property, outcome, origin, case_id(property, kind.first.what));
}

}  // namespace assay::suites
