// SPDX-License-Identifier: Apache-2.0
#include "suites/run/device_run.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "reports/results_file.h"
#include "suites/failure/failure.h"
#include "suites/run/bytes.h"
#include "suites/run/many_at_once.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using Clock = std::chrono::steady_clock;
using report::Verdict;

/// Cases that the rig refuses before the whole run is taken for broken.
constexpr int most_refused = 100;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// By time, a property gets its share of it: where a process costs little, that is many cases.
uint64_t limit_of(const Property& property, Evidence evidence, const DeviceRunOptions& options) {
  if (!options.cases) return ~uint64_t{0};
  const uint64_t most = evidence == Evidence::silicon ? property.most_on_silicon : property.most_on_emulator;
  return std::min(most == 0 ? ~uint64_t{0} : most, *options.cases);
}

}  // namespace

/// A batch of one thread, on its way to the device or back.
struct DeviceRun::Slot {
  Batch* batch = nullptr;
  PropertyRun* run = nullptr;
  uint64_t first = 0;
  std::vector<Case> cases;
  std::vector<uint64_t> offsets, positions;
  std::vector<uint64_t> refused;  ///< positions of cases that the rig did not take
  uint64_t end = 0;               ///< position after the last that was issued or left out
  double fill_seconds = 0;
};

DeviceRun::DeviceRun(Device& device, std::vector<const Property*> properties, const DeviceRunOptions& options,
                     OnFailure on_failure)
    : device_(device),
      arch_(spec::parse_arch(device.identity().architecture).value_or(spec::Arch::sm_90)),
      options_(options),
      on_failure_(std::move(on_failure)),
      defaults_(arch_),
      readings_(arch_, device.identity().evidence == Evidence::emulator) {
  std::vector<PropertyRun*> runnable;
  for (const Property* property : properties) {
    const Slice slice = options.slice.of(*property);
    const uint64_t most = slice.positions_below(limit_of(*property, device.identity().evidence, options));
    const uint64_t planned = options.cases ? most : 0;
    std::optional<std::string> why = device.declines(property->family().name());
    if (!why && property->declines != nullptr) why = property->declines(arch_);
    runs_.push_back(
        std::make_unique<PropertyRun>(*property, arch_, why ? 0 : planned, why ? 0 : most, slice));
    if (why)
      runs_.back()->decide(Verdict::declined, *why);
    else if (most == 0 && options.cases == 0)
      continue;  // case files alone
    else if (most == 0)
      runs_.back()->decide(Verdict::declined, "no case of it falls into this shard");
    else
      runnable.push_back(runs_.back().get());
  }
  if (options.left != nullptr) restore(*options.left);
  for (const auto& run : runs_)
    run->sacrifice_seconds = options.devices * device.sacrifice_seconds(run->property().family().name());
  const DeviceIdentity& identity = device.identity();
  const int sacrifices = std::min(2 * std::max(1, options.threads), identity.sacrifices);
  schedule_ = std::make_unique<Schedule>(std::move(runnable), options.deadline, std::max(1, options.threads),
                                         sacrifices, options.piece, options.now, options.grace,
                                         identity.processes == 1,
                                         // Each is a process of its own, whatever else its batch has.
                                         identity.sacrifices > identity.processes ? 1 : 0);
}

/// What an earlier process counted; of each failure signature the first case again, for shrinking.
void DeviceRun::restore(const report::LeftBehind& left) {
  const std::string& spec = device_.identity().spec;
  if (const auto readings = left.reading_states.find(spec); readings != left.reading_states.end())
    readings_.restore(readings->second);
  for (const auto& run : runs_) {
    const Property& property = run->property();
    const auto state = left.states.find({spec, std::string(property.name)});
    if (state == left.states.end() || run->complete) continue;
    run->restore(state->second);
    // Which pairs of values were reached is not in the file: the cases are.
    Case c;
    const auto done = report::parse_ranges(options_.cover ? state->second.totals.done : "");
    for (const auto& [first, end] : done)
      for (uint64_t position = first; position < end; ++position) {
        property.generate(options_.seed, property.name, run->slice().index(position), arch_, c);
        run->look_at_fields(c);
      }
    for (const report::FailureKindRow& kind : state->second.kinds) {
      if (kind.indexes.empty() || kind.verdict == Verdict::rig_broken) continue;
      FailureKind& failure = failures_[kind.signature];
      failure.rows = kind.indexes.size();
      failure.first_index = *std::min_element(kind.indexes.begin(), kind.indexes.end());
      failure.first.verdict = kind.verdict;
      failure.first.signature = kind.signature;
      failure.first.waiver = kind.waiver;
      property.generate(options_.seed, property.name, failure.first_index, arch_, failure.first.what);
    }
  }
}

uint64_t DeviceRun::judged() const {
  uint64_t sum = 0;
  for (const auto& run : runs_) sum += run->judged();
  return sum;
}

void DeviceRun::run() {
  const auto start = Clock::now();
  std::vector<std::thread> threads;
  for (int t = 1; t < options_.threads; ++t) threads.emplace_back([this] { work(); });
  work();
  for (std::thread& thread : threads) thread.join();
  judge_deferred();
  settle_blame();
  for (const auto& run : runs_) run->seconds += seconds_since(start);
  settle();
}

void DeviceRun::settle() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(settled_, true)) return;
  for (const auto& run : runs_) {
    if (run->complete) continue;
    const bool all_issued = run->next_position >= run->limit();
    if (run->is_given_up()) {
      run->complete = false;
    } else if (broken_down_) {
      run->reason = broken_;
      BatchTally tally;
      // One mark is enough: planned cases without a verdict are counted as not run from the totals.
      if (!lost_) tally.count(Verdict::rig_broken);
      run->add(tally);
    } else if (interrupted() && !all_issued) {
      run->reason = has_enough() ? "stopped at the first failure" : "interrupted";
    } else {
      run->complete = true;
      if ((!all_issued || run->was_cut_off) && run->planned() != 0) run->reason = "the deadline came first";
    }
  }
}

void DeviceRun::give_up(const std::string& why) {
  break_down("device lost: " + why, true);
  settle();
}

void DeviceRun::work() {
  try {
    Judge judge(arch_, readings_);
    Slot slots[2];
    std::optional<Work> pending;
    for (int k = 0;; k ^= 1) {
      const Schedule::Answer answer = fill(slots[k], pending);
      const bool waited = slots[k ^ 1].batch != nullptr;
      if (waited) finish(slots[k ^ 1], judge);
      if (answer == Schedule::Answer::done) break;
      if (answer == Schedule::Answer::later && !waited)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } catch (const DeviceError& error) {
    break_down("device lost: " + std::string(error.what()), true);
  } catch (const std::exception& error) {
    break_down(error.what(), false);
  }
}

void DeviceRun::break_down(const std::string& why, bool lost) {
  const std::lock_guard lock(mutex_);
  if (broken_.empty()) broken_ = why;
  if (lost) lost_ = true;
  broken_down_ = true;
  schedule_->stop();
}

/// Generates cases into a free batch and submits it. What does not fit is left in `pending`.
Schedule::Answer DeviceRun::fill(Slot& slot, std::optional<Work>& pending) {
  if (interrupted()) schedule_->stop();
  if (broken_down_ || interrupted()) return Schedule::Answer::done;
  if (!pending) {
    Work work;
    if (const Schedule::Answer answer = schedule_->next(work); answer != Schedule::Answer::work)
      return answer;
    pending = work;
  }
  Batch& batch = device_.acquire();
  const auto start = Clock::now();
  const Property& property = pending->run->property();
  const Family& family = property.family();
  slot.run = pending->run;
  slot.first = pending->begin;
  slot.cases.resize(std::max<size_t>(slot.cases.size(), pending->end - pending->begin));
  slot.offsets.clear();
  slot.positions.clear();
  slot.refused.clear();
  batch.family = family.name();
  batch.is_sacrifice = property.is_sacrificial();
  const size_t record_bytes = family.record_bytes();
  const bool steers = options_.cover && !property.is_sacrificial();
  uint64_t used = 0, index = pending->begin;
  uint32_t key = 0;
  for (; index < pending->end; ++index) {
    const size_t k = slot.offsets.size();
    if ((k + 1) * record_bytes > batch.records.size() || k >= batch.ends.size()) break;
    Case& c = slot.cases[k];
    look_ahead_to_fill(slot.cases, batch.records, record_bytes, k + 1);
    property.generate(options_.seed, property.name, pending->run->slice().index(index), arch_, c);
    if (steers && index >= pending->asked_until) {
      pending->asked_until = index + 1;
      if (!pending->run->wants(c)) continue;
    }
    if (k == 0) key = family.batch_key(c);
    if (family.batch_key(c) != key) break;
    const auto offset = place_output(family, c, used, batch.output.size());
    if (!offset) break;
    family.write_record(c, *offset, defaults_, batch.records.data() + k * record_bytes);
    used = *offset + family.output_bytes(c);
    slot.offsets.push_back(*offset);
    slot.positions.push_back(index);
  }
  slot.end = index;
  if (slot.offsets.empty() && index == pending->end) {
    // Nothing of it was new.
    device_.release(batch);
    pending->run->add({}, slot.first, slot.end);
    schedule_->spent(*pending->run, 0, 0, 0);
    pending.reset();
    return Schedule::Answer::work;
  }
  if (slot.offsets.empty()) {
    device_.release(batch);
    throw std::runtime_error("a case of " + std::string(property.name) +
                             " needs more output than a batch holds");
  }
  batch.count = static_cast<uint32_t>(slot.offsets.size());
  slot.batch = &batch;
  slot.fill_seconds = seconds_since(start);
  submit(slot);
  if (index < pending->end) {
    pending->begin = index;
    schedule_->split(*pending->run);
  } else {
    pending.reset();
  }
  return Schedule::Answer::work;
}

/// A case that the rig refuses is our fault and has its verdict; the others of its batch go on without it.
void DeviceRun::submit(Slot& slot) {
  for (;;) {
    try {
      device_.submit(*slot.batch);
      return;
    } catch (const RefusedRecord& refused) {
      if (++refused_ > most_refused) throw;
      refuse(slot, refused.record(), refused.what());
    }
  }
}

void DeviceRun::refuse(Slot& slot, uint32_t k, const std::string& why) {
  Batch& batch = *slot.batch;
  const Property& property = slot.run->property();
  const uint64_t position = slot.positions[k];
  BatchTally tally;
  refuse(*slot.run, slot.cases[k], slot.run->slice().index(position), {Ended::not_run, 0, ~0u, 0}, why,
         tally);
  slot.run->add(tally);
  slot.refused.push_back(position);
  // The output that was its own stays empty.
  const size_t bytes = property.family().record_bytes();
  std::byte* const record = batch.records.data() + k * bytes;
  std::copy(record + bytes, batch.records.data() + batch.count * bytes, record);
  std::move(slot.cases.begin() + k + 1, slot.cases.begin() + batch.count, slot.cases.begin() + k);
  slot.positions.erase(slot.positions.begin() + k);
  slot.offsets.erase(slot.offsets.begin() + k);
  --batch.count;
}

Neighbours DeviceRun::neighbours(const Slot& slot) const {
  const std::vector<uint64_t>& at = slot.positions;
  if (at.empty() || at.back() - at.front() + 1 != at.size()) return {};
  const Slice& slice = slot.run->slice();
  if (!slice.is_even(at.front(), at.size())) return {};
  return {options_.seed, 0, slice.index(at.front()), at.size(), slice.in_a_row == 1 ? slice.step : 1};
}

/// Waits for a batch, predicts and judges its cases, gives it back.
void DeviceRun::finish(Slot& slot, Judge& judge) {
  Batch& batch = *slot.batch;
  device_.wait(batch);
  const auto start = Clock::now();
  const Property& property = slot.run->property();
  const Family& family = property.family();
  BatchTally tally;
  std::vector<Failing> repeated;
  Neighbours batch_of = neighbours(slot);
  for (uint32_t k = 0; k < batch.count; ++k) {
    const Case& c = slot.cases[k];
    const uint32_t bytes = family.output_bytes(c);
    if (k + 1 < batch.count) look_ahead_to_judge(slot.cases[k + 1], batch.output, slot.offsets[k + 1], bytes);
    batch_of.index = slot.run->slice().index(slot.positions[k]);
    judge_one(*slot.run, c, slot.positions[k], {batch.ends[k], batch.output.subspan(slot.offsets[k], bytes)},
              batch.notes, batch_of, judge, tally, true, &repeated);
  }
  tally.not_yet.insert(tally.not_yet.end(), slot.refused.begin(), slot.refused.end());
  std::sort(tally.not_yet.begin(), tally.not_yet.end());
  tally.device_seconds = batch.device_seconds;
  tally.host_seconds = slot.fill_seconds + seconds_since(start);
  const uint32_t count = batch.count;
  // What was first said of the batch, and what the end of it was.
  std::string last_note = batch.notes.empty() ? std::string() : batch.notes.back();
  if (batch.notes.size() > 1) last_note = batch.notes.front() + "; " + last_note;
  slot.batch = nullptr;
  device_.release(batch);
  repeat_at_once(*slot.run, repeated, tally);
  slot.run->add(tally, slot.first, slot.end);
  schedule_->spent(*slot.run, count, tally.device_seconds, tally.host_seconds);
  if (tally.counts[static_cast<size_t>(Verdict::not_run)] != 0)
    break_down("device lost: " + std::string(property.name) + " came back with cases that were never issued" +
                   (last_note.empty() ? "" : "; " + last_note.substr(0, last_note.find('\n'))),
               true);
}

/// Predicts and judges one case, and counts what follows from it.
void DeviceRun::judge_one(PropertyRun& run, const Case& c, uint64_t position, const Observation& seen,
                          const std::vector<std::string>& notes, const Neighbours& batch, Judge& judge,
                          BatchTally& tally, bool may_defer, std::vector<Failing>* repeated) {
  const Property& property = run.property();
  const Family& family = property.family();
  const uint64_t index = run.slice().index(position);
  const auto name = [&] {
    return replay_id(property, {device_.identity().spec, options_.seed, index, {}, {}});
  };
  const Judgement judgement = judge.judge(family, c, seen, std::ref(name));  // by reference: no heap a case
  if (may_defer && must_wait(run, c, judgement, seen, std::ref(name)) &&
      defer(run, c, position, seen, notes, batch, judgement.open)) {
    tally.not_yet.push_back(position);
    return;
  }
  if (judgement.verdict == Verdict::not_run) {
    tally.count(Verdict::not_run);
    tally.not_yet.push_back(position);
    return;
  }
  if (judgement.verdict == Verdict::incomplete) {
    tally.not_yet.push_back(position);
    if (seen.end.ended == Ended::cut_off)
      run.was_cut_off = true;
    else
      run.give_up("every case of a batch ended the device's process, hung, or was refused");
    return;
  }
  if (judgement.verdict == Verdict::rig_broken) {
    const std::string why = notes.empty() || seen.end.code != 0 ? words(seen.end) : notes.back();
    tally.not_yet.push_back(position);
    refuse(run, c, index, seen.end, why, tally);
    if (++refused_ > most_refused) break_down(why, false);
    return;
  }
  if (judgement.verdict == Verdict::not_assembled) {
    tally.count(Verdict::not_assembled);
    return;
  }
  if (judgement.verdict == Verdict::no_demand) {
    count_rules(judgement.expected.rules, tally.no_demand);
    tally.count(Verdict::no_demand);
    if (compares_bytes(judgement.expected, seen.end))
      tally.bytes += defined_bits(family, c, judgement.expected, seen.output, 0).bytes;
    const std::string result =
        family.open_result(c, judgement.expected, spec::Readings(judgement.arch), seen.end, seen.output);
    tally.failures.push_back({std::string(property.name) + "|" + result,
                              {},
                              Verdict::no_demand,
                              index,
                              false,
                              judgement.expected.rules});
    if (seen.end.ended == Ended::crashed) {
      const std::lock_guard lock(mutex_);
      crash_notes_.push_back(name() + ": " + words(seen.end));
    }
    if (property.cover != nullptr) property.cover(c, judgement.expected, index, arch_, tally);
    return;
  }
  const bool follows = judgement.verdict == Verdict::adopted_reading;
  const bool good = judgement.verdict == Verdict::conforms || follows;
  const std::vector<uint32_t> ran_on = family.multiprocessors(seen.output, false);
  for (const uint32_t sm : ran_on) tally.ran_on(sm);
  if (ran_on.empty()) for_multiprocessors(seen.end, [&](uint32_t sm) { tally.ran_on(sm); });
  if (judgement.verdict == Verdict::conforms && seen.end.ended == Ended::done &&
      compares_bytes(judgement.expected, seen.end) && !run.has_ended_well.load(std::memory_order_relaxed))
    run.has_ended_well.store(true, std::memory_order_relaxed);
  const auto* const many = ran_on.empty() ? nullptr : dynamic_cast<const ManyAtOnce*>(&family);
  if (many != nullptr && device_.identity().evidence == Evidence::silicon) {
    const ManyAtOnce::Took took = many->took(seen.output);
    tally.hit(0, ManyAtOnce::nanoseconds_cell, took.nanoseconds);
    tally.hit(0, ManyAtOnce::clocks_cell, took.clocks);
  }
  count_rules(judgement.expected.rules, tally.exercised);
  if (!good) count_rules(judgement.expected.rules, tally.failing);
  if (property.cover != nullptr) property.cover(c, judgement.expected, index, arch_, tally);
  if (!good) {
    Outcome outcome = outcome_of(property, c, judgement, seen, notes);
    outcome.around.batch = batch;
    const std::vector<uint32_t> sms = multiprocessors_of(seen.end);
    for (const uint32_t sm : family.multiprocessors(seen.output, true)) tally.failed_on(sm);
    for (const uint32_t rank : ranks_to_blame(family, outcome))
      if (rank < sms.size() && ran_on.empty()) tally.failed_on(sms[rank]);
    explain_failure(run, outcome, judgement.judged_by, seen);
    if (repeated != nullptr && !ran_on.empty())
      repeated->push_back({std::move(outcome), index});
    else
      failed(run, std::move(outcome), index, tally);
    return;
  }
  if (follows && !may_defer)
    for (const auto& [question, letter] : judgement.follows) {
      if (readings_.is_adopted(question, letter)) continue;
      const std::string id(spec::questions()[question].id);
      Outcome outcome = outcome_of(property, c, judgement, seen, notes);
      outcome.verdict = Verdict::undecided;
      outcome.around.batch = batch;
      outcome.around.readings.clear();  // the run follows none that this case could be replayed by
      outcome.note =
          "fits " + id + ":" + letter + " alone; too few cases decide " + id + ", or they disagree";
      outcome.signature = std::string(property.name) + "|undecided|" + id;
      failed(run, std::move(outcome), index, tally);
      return;
    }
  note_remark(property, family.remark(c, judge.chosen(), judgement.expected, seen.end, seen.output), index);
  tally.count(judgement.verdict);
  note_conforming(run, index);
  if (follows) count_adopted(run, c, judgement, seen, notes, batch, index, tally);
  const uint64_t seed = fingerprint_seed(index, static_cast<int>(judgement.expected.end));
  if (compares_bytes(judgement.expected, seen.end)) {
    const DefinedBits bits = defined_bits(family, c, judgement.expected, seen.output, seed);
    tally.bytes += bits.bytes;
    tally.conform(index, bits.fingerprint);
  } else {
    tally.conform(index, fingerprint({}, {}, seed));
  }
}

}  // namespace assay::suites
