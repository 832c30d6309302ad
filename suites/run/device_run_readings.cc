// SPDX-License-Identifier: Apache-2.0
// What of a run waits for its readings: cases whose verdict depends on what other cases show, and the end
// that a reading comes to which too few of them follow, or which others contradict.

#include <algorithm>
#include <iterator>

#include "suites/run/device_run.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using report::Verdict;

constexpr size_t most_deferred_bytes = 64 << 20;
/// Of cases that follow one reading, kept until it is known whether the run adopts it.
constexpr size_t most_examples = 4;

bool violates(const PropertyRun& run) {
  const report::PropertyTotals totals = run.totals();
  return std::any_of(totals.counts.begin(), totals.counts.end(), [](const auto& count) {
    return count.second != 0 && report::is_judged(count.first) && report::fails(count.first) &&
           count.first != Verdict::undecided;
  });
}

}  // namespace

/// Whether the verdict depends on what the rest of the run shows: a reading whose support is still thin, one
/// that this case speaks against, or one in place of a default that later cases may yet contradict.
bool DeviceRun::must_wait(const PropertyRun& run, const Case& c, const Judgement& judgement,
                          const Observation& seen, const std::function<std::string()>& name) {
  if (judgement.open.any()) return true;
  if (judgement.verdict == Verdict::violates)
    return !judgement.contradiction.empty() || !judgement.judged_by.empty();
  if (judgement.verdict != Verdict::adopted_reading) return false;
  bool waits = false;
  for (const auto& [question, letter] : judgement.follows)
    waits |= !readings_.follow(question, letter,
                               {.case_id = [&] { return case_id(run.property(), c); },
                                .name = name,
                                .behaviour = [&] { return words(seen.end); }});
  return waits;
}

bool DeviceRun::are_adopted(const Assignment& follows) const {
  return std::all_of(follows.begin(), follows.end(), [this](const auto& reading) {
    return readings_.is_adopted(reading.first, reading.second);
  });
}

/// Under a signature of its own for each reading, so that the run can take it back.
void DeviceRun::count_adopted(PropertyRun& run, const Case& c, const Judgement& judgement,
                              const Observation& seen, const std::vector<std::string>& notes,
                              const Neighbours& batch, uint64_t index, BatchTally& tally) {
  const auto [question, letter] = judgement.follows.front();
  const std::string signature =
      std::string(run.property().name) + "|follows " + std::string(spec::questions()[question].id);
  tally.failures.push_back({signature, {}, Verdict::adopted_reading, index, false, judgement.expected.rules});
  const std::lock_guard lock(mutex_);
  Follower& follower = followers_[signature];
  follower.run = &run;
  follower.question = question;
  follower.letter = letter;
  if (follower.examples.size() < most_examples) {
    follower.examples.emplace_back(index, outcome_of(run.property(), c, judgement, seen, notes));
    follower.examples.back().second.around.batch = batch;
  }
}

/// Whether it is errors that follow the reading, on a device on which nothing of the family ends without one:
/// it would answer anything else so, too.
bool DeviceRun::knows_only_errors(const Follower& follower) const {
  const bool all_are_errors =
      std::all_of(follower.examples.begin(), follower.examples.end(),
                  [](const auto& example) { return example.second.end.ended != Ended::done; });
  if (!all_are_errors) return false;
  const std::string_view family = follower.run->property().family().name();
  return std::none_of(runs_.begin(), runs_.end(), [&](const auto& run) {
    return run->property().family().name() == family && run->has_ended_well.load();
  });
}

/// What a case that followed a reading shows once the run does not: what it departs from, and its replay, are
/// by the defaults.
Outcome DeviceRun::judged_by_default(const Property& property, Outcome outcome) {
  ReadingSet defaults(arch_);
  defaults.freeze();
  Judge judge(arch_, defaults);
  const Observation seen{outcome.end, std::as_bytes(std::span(outcome.observed))};
  const Judgement judgement =
      judge.judge(property.family(), outcome.what, seen, [] { return std::string(); });
  Outcome again = outcome_of(property, outcome.what, judgement, seen, outcome.device_words);
  again.around.batch = outcome.around.batch;
  again.around.copies = outcome.around.copies;
  again.around.readings.clear();
  return again;
}

/// A reading is not followed that other cases contradict, nor by a property of which other cases violate, nor
/// by a device that ends everything so.
void DeviceRun::settle_adopted() {
  std::map<spec::QuestionIndex, bool> stands;
  for (auto& [signature, follower] : followers_) {
    const bool is_adopted = readings_.is_adopted(follower.question, follower.letter);
    const bool only_errors = knows_only_errors(follower);
    const bool stays = is_adopted && !violates(*follower.run) && !only_errors;
    stands[follower.question] |= stays;
    if (stays) continue;
    const std::string id(spec::questions()[follower.question].id);
    const Verdict verdict = is_adopted ? Verdict::undecided : Verdict::violates;
    const std::string to = signature + (!is_adopted   ? "|others contradict it"
                                        : only_errors ? "|nothing ends well"
                                                      : "|others violate");
    uint64_t count = 0;
    for (const report::FailureKindRow& kind : follower.run->kinds())
      if (kind.signature == signature) count = kind.count;
    follower.run->move(signature, to, verdict, count, {});
    const Property& property = follower.run->property();
    for (auto& [index, outcome] : follower.examples) {
      outcome = judged_by_default(property, std::move(outcome));
      outcome.verdict = verdict;
      outcome.signature = to;
      outcome.contradiction =
          "follows " + id +
          (!is_adopted   ? ", which other cases contradict"
           : only_errors ? ", and no case of this kind ends without an error on this device"
                         : ", and other cases of this property violate");
      if (verdict == Verdict::violates) explain_failure(*follower.run, outcome);
      if (on_failure_) on_failure_(follower.run->property(), outcome, index);
    }
  }
  for (const auto& [question, is_followed] : stands)
    if (!is_followed) readings_.overrule(question);
}

bool DeviceRun::defer(PropertyRun& run, const Case& c, uint64_t position, const Observation& seen,
                      const std::vector<std::string>& notes, const Neighbours& batch,
                      const QuestionSet& open) {
  const std::lock_guard lock(mutex_);
  open_ |= open;
  if (deferred_bytes_ + seen.output.size() > most_deferred_bytes) return false;
  deferred_bytes_ += seen.output.size();
  deferred_.push_back({&run, position, c, seen.end, {seen.output.begin(), seen.output.end()}, notes, batch});
  return true;
}

/// Under one of its readings anything may happen to cases of this run, so that they do not decide the
/// question: those that do, of another property perhaps, are run beside them, and those of questions of which
/// a rival explains these, too.
void DeviceRun::run_deciding(spec::QuestionIndex question) {
  constexpr int most_rounds = 4;
  ReadingSnapshot view(arch_);
  CaseRunner runner(device_, readings_, arch_);
  for (int round = 0; round < most_rounds; ++round) {
    readings_.snapshot(view);
    const bool is_decided = !view.undecided[question];
    if (is_decided && view.chosen.is_default(question)) return;
    if (is_decided && readings_.is_adopted(question, view.chosen.chosen(question))) return;
    const QuestionSet asked = (view.undecided & view.not_default).set(question);
    for (size_t q = asked._Find_first(); q < asked.size(); q = asked._Find_next(q))
      for (const DecidingCase& c : deciding_cases(static_cast<spec::QuestionIndex>(q), view.chosen))
        if (!run_deciding(runner, c)) return;
  }
}

/// It counts for the readings alone. False: no more is to be asked.
bool DeviceRun::run_deciding(CaseRunner& runner, const DecidingCase& asked) {
  const bool has_time = !options_.over_by || Schedule::Clock::now() < *options_.over_by;
  if (interrupted() || !has_time || device_.declines(asked.property->family().name())) return false;
  const std::string name = replay_id(*asked.property, {device_.identity().spec, 1, asked.index, {}, {}});
  const Outcome outcome = runner.run(*asked.property, {&asked.what, 1}, name).front();
  if (report::fails(outcome.verdict)) {
    // On a device that does other things wrong, too, nothing is decided so.
    open_.reset();
    return false;
  }
  for (const auto& [question, letter] : outcome.around.readings)
    if (outcome.verdict == Verdict::adopted_reading && question == asked.question)
      readings_.follow(question, letter,
                       {.case_id = [&] { return case_id(*asked.property, asked.what); },
                        .name = [&] { return name; },
                        .behaviour = [&] { return words(outcome.end); }});
  return true;
}

void DeviceRun::judge_deferred() {
  try {
    for (size_t q = 0; q < open_.size() && !broken_down_; ++q)
      if (open_[q]) run_deciding(static_cast<spec::QuestionIndex>(q));
  } catch (const DeviceError& error) {
    break_down("device lost: " + std::string(error.what()), true);
  }
  readings_.freeze();
  Judge judge(arch_, readings_);
  std::vector<const Deferred*> thin;
  const auto decide = [this](const Deferred& d, Judge& by) {
    BatchTally tally;
    judge_one(*d.run, d.what, d.position, {d.end, d.output}, d.notes, d.batch, by, tally, false);
    d.run->add(tally, d.position, d.position + 1);
  };
  for (const Deferred& d : deferred_) {
    const Judgement judgement =
        judge.judge(d.run->property().family(), d.what, {d.end, d.output}, [] { return std::string(); });
    if (judgement.verdict == Verdict::adopted_reading && !are_adopted(judgement.follows))
      thin.push_back(&d);
    else
      decide(d, judge);
  }
  // Where other cases of the property violate, so do these: by the defaults.
  ReadingSet defaults(arch_);
  defaults.freeze();
  Judge by_default(arch_, defaults);
  for (const Deferred* d : thin) decide(*d, violates(*d->run) ? by_default : judge);
  deferred_.clear();
  settle_adopted();
}

// What explains the ways in which cases fail.

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
