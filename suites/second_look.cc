#include "suites/second_look.h"

#include <algorithm>
#include <map>

namespace assay::suites {
namespace {

using report::Verdict;

bool is_good(Verdict verdict) {
  return verdict == Verdict::conforms || verdict == Verdict::adopted_reading;
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
      if (limits_.stop() || std::chrono::steady_clock::now() >= limits_.deadline) break;
      hooks_.stage("repeating and shrinking " + std::to_string(k + 1) + " of " + std::to_string(most) +
                   " failures");
      look_at(*kinds[k].run, *kinds[k].failure);
    }
  } catch (const DeviceError&) {
    // The failures themselves are recorded already.
  }
}

SecondLook::Repeats SecondLook::repeat(const Property& property, const Case& what, Verdict verdict) {
  Repeats seen{1, 1, {}};
  const auto run_times = [&](int times) {
    times = std::min(times, repeats_left_.load());
    const int at_once = property.batch_cases != 0 ? static_cast<int>(property.batch_cases) : times;
    while (times > 0 && !limits_.stop() && std::chrono::steady_clock::now() < limits_.deadline) {
      const std::vector<Case> copies(static_cast<size_t>(std::min(times, at_once)), what);
      repeats_left_ -= static_cast<int>(copies.size());
      times -= static_cast<int>(copies.size());
      for (Outcome& outcome : runner_.run(property, copies)) {
        ++seen.of;
        if (is_good(outcome.verdict)) continue;
        ++seen.failed;
        seen.last = std::move(outcome);
      }
    }
  };
  run_times(is_deadly(verdict) ? repeat_limits_.deadly : repeat_limits_.first);
  if (seen.failed <= 2 && seen.of > 3) run_times(repeat_limits_.rare - repeat_limits_.first);
  return seen;
}

void SecondLook::look_at(PropertyRun& run, const FailureKind& kind) {
  const Property& property = run.property();
  const Repeats seen = repeat(property, kind.first.what, kind.first.verdict);
  if (seen.of > 1) run.set_repeats(kind.first.signature, seen.failed, seen.of);
  if (seen.failed < seen.of) {
    call_flaky(run, kind, seen);
    return;
  }
  // Without a run left to repeat it, shrinking itself shows whether it does.
  Outcome again = seen.last;
  if (seen.of == 1) again = runner_.run(property, {&kind.first.what, 1}).front();
  if (!is_good(again.verdict)) shrink_one(property, kind, again);
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
    const Repeats seen = repeat(property, outcome.what, outcome.verdict);
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
