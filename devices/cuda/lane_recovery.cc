// SPDX-License-Identifier: Apache-2.0
// What a Lane does when its process is gone: find who did it, and give everyone else an end.
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include "devices/cuda/driver_api.h"
#include "devices/cuda/families/family.h"
#include "devices/cuda/lane.h"

namespace assay::cuda {
namespace {

/// How often a group whose process was killed from outside runs again before its records are suspected.
constexpr int outside_attempts = 3;
/// Of a batch of which no record ran to its end: so many ended the process, or were refused, one by one. What
/// the others would do is no news, and each costs a process.
constexpr uint32_t most_ended = 24, most_refused = 4;
/// So many hung, each of which costs the watchdog's time; where others ran more of them.
constexpr uint32_t most_hung = 3, most_hung_among = 8;
/// Processes that ended without a record to blame before the device counts as one that resets by itself.
constexpr int most_resets = 3;

bool needs_context(const RecordEnd& end) {
  if (end.ended == Ended::not_run) return true;
  return end.ended == Ended::rejected && (end.code == not_initialized || end.code == invalid_context);
}

}  // namespace

/// Where no note names one: halves of a group that hangs cost the watchdog's time each, and where all hang
/// the first is as good as any.
std::vector<uint32_t> Lane::suspects_of(const Buffer& buffer, const Outcome& outcome) {
  std::vector<uint32_t> suspects = suspects_of(buffer);
  if (suspects.empty() && outcome.kind == Outcome::hung && buffer.count > 1) suspects.push_back(0);
  return suspects;
}

std::vector<uint32_t> Lane::suspects_of(const Buffer& buffer) {
  std::vector<uint32_t> suspects;
  for (uint32_t i = 0; i < params::batch_notes; ++i)
    if (const uint32_t note = buffer.memory.notes[i]; note != 0 && note <= buffer.count)
      suspects.push_back(note - 1);
  return suspects;
}

RecordEnd Lane::end_for(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::fault:
      return {outcome.code == launch_timeout ? Ended::hung : Ended::faulted, outcome.code, ~0u, 0};
    case Outcome::died:
      return {Ended::crashed, outcome.code, ~0u, 0};
    case Outcome::hung:
      return {Ended::hung, 0, ~0u, 0};
    case Outcome::rig:
      return {is_refusal_of_code(outcome.code) ? Ended::faulted : Ended::refused, outcome.code, ~0u, 0};
    default:
      return not_run_end;
  }
}

/// Nothing that a record does sends SIGKILL; the machine's memory keeper and people do.
bool Lane::ended_from_outside(const Outcome& outcome) {
  return outcome.kind == Outcome::died && outcome.code == SIGKILL;
}

void Lane::recover(const Outcome& outcome) {
  std::vector<Buffer*> victims = in_flight_;
  Outcome cause = outcome;
  const bool was_fresh = is_fresh();
  if (!end_worker(&cause)) return;
  if (cause.kind == Outcome::rig) count_retry();
  std::vector<std::vector<uint32_t>> suspects;
  bool named = false;
  for (const Buffer* buffer : victims) {
    suspects.push_back(suspects_of(*buffer));
    named = named || !suspects.back().empty();
  }
  in_flight_ = victims;
  const uint32_t blamed = blamed_;
  bool looks_reset = false;
  for (size_t i = 0; i < victims.size() && !lost_; ++i) {
    Buffer& buffer = *victims[i];
    Bisection bisection(buffer.count);
    // A batch of one record is guilty only when nothing else was in flight; otherwise it runs again, alone.
    const bool involved =
        cause.kind != Outcome::rig && !ended_from_outside(cause) &&
        (buffer.count > 1 || victims.size() == 1) &&
        (!suspects[i].empty() || (!named && (victims.size() == 1 || buffer.index == cause.batch)));
    if (cause.kind == Outcome::rig && buffer.index == cause.batch) explain(buffer, cause);
    std::optional<Guilty> guilty;
    const bool was_not_first = involved && !was_fresh && could_be_reset(cause);
    if (was_not_first) explain(buffer, cause);
    if (involved && !was_not_first) {
      bisection.next();
      explain(buffer, cause);
      if (const auto record = bisection.faulted(suspects_of(buffer, cause)))
        take_blame(buffer, *record, cause, guilty);
    }
    // Of several that were under way one is enough to end the process of all: those that end well alone show
    // nothing unless all of them do.
    const bool is_shared = victims.size() > 1;
    looks_reset = looks_reset || (was_not_first && is_shared);
    run_alone(
        buffer, std::move(bisection),
        {cause.kind == Outcome::rig && buffer.index == cause.batch, was_not_first && !is_shared, guilty});
  }
  if (looks_reset && blamed_ == blamed && !lost_) note_reset();
}

bool Lane::could_be_reset(const Outcome& outcome) {
  return outcome.kind == Outcome::fault || outcome.kind == Outcome::hung ||
         (outcome.kind == Outcome::died && !ended_from_outside(outcome));
}

bool Lane::note_reset() {
  if (++resets_ < most_resets) return true;
  give_up("the device reset " + std::to_string(resets_) +
          " times: each time, the launch that had ended its process completed in a new process");
  return false;
}

void Lane::count_retry() {
  const std::lock_guard lock(board_.mutex);
  ++board_.counters.retries;
}

/// What a batch came to of which some records were refused: where others ran, those that were refused alone
/// are to blame; where none did, or memory ran out, our side is.
void Lane::blame_refused(Buffer& buffer) {
  const std::span<RecordEnd> ends = buffer.ends.first(buffer.count);
  const auto is_refused = [](const RecordEnd& end) { return end.ended == Ended::refused; };
  if (std::all_of(ends.begin(), ends.end(), is_refused)) return;
  for (RecordEnd& end : ends)
    if (is_refused(end) && end.code != 0 && end.code != out_of_memory) end.ended = Ended::faulted;
}

void Lane::give_up_rest(Buffer& buffer, const RecordEnd& rest) {
  for (RecordEnd& end : buffer.ends.first(buffer.count))
    if (end.ended == Ended::not_run) end = rest;
}

void Lane::note_unrepeated(Buffer& buffer, uint32_t faults) {
  if (faults > 0)
    buffer.notes.push_back("the device ended its process " + std::to_string(faults) +
                           (faults == 1 ? " time" : " times") + " in a way that no single record reproduces");
}

void Lane::run_alone(Buffer& buffer, Bisection bisection, Before before) {
  Buffer* const only[] = {&buffer};
  uint32_t ran = 0, ended = 0, refused = 0, hung = 0;
  const bool was_split = bisection.unrepeated() > 0;
  bool first = !was_split;
  int outside = 0;
  std::optional<Guilty>& guilty = before.guilty;
  while (const auto group = bisection.next()) {
    {
      const std::lock_guard lock(board_.mutex);
      if (board_.stopping) return;  // run() ends what is in flight
      if (!first && kind_ == ProcessKind::ordinary) ++board_.counters.bisections;
    }
    first = false;
    // The batch stays in flight until run() cuts it off.
    if (is_late() || !ensure_worker() || !blame(buffer, guilty)) return;
    if (!start_group(buffer, *group) && lost_) return;
    Outcome outcome;
    do outcome = wait_outcome(only);
    while (outcome.kind == Outcome::done && outcome.batch != buffer.index);
    if (outcome.kind == Outcome::done) {
      for (const uint32_t record : *group)
        std::memcpy(static_cast<void*>(&buffer.ends[record]), &buffer.memory.ends[record], sizeof(RecordEnd));
      ran += static_cast<uint32_t>(group->size());
      bisection.ended_well();
      if (std::exchange(before.was_not_first, false) && !note_reset()) return;
      continue;
    }
    if (outcome.kind == Outcome::late) return;
    const std::vector<uint32_t> suspects = suspects_of(buffer);
    const bool was_fresh = is_fresh();
    if (!end_worker(&outcome)) return;
    // A process may have died while it stood by, before it had the record.
    const bool was_idle = outcome.kind == Outcome::died && suspects.empty();
    if ((was_idle || ended_from_outside(outcome)) && ++outside < outside_attempts) {
      bisection.again();
      continue;
    }
    explain(buffer, outcome);
    if (could_be_reset(outcome) && !was_fresh) {
      before.was_not_first = true;
      bisection.again();
      continue;
    }
    before.was_not_first = false;
    if (outcome.kind == Outcome::rig && !std::exchange(before.was_refused, true)) {
      count_retry();
      bisection.again();
      continue;
    }
    const bool is_rig = outcome.kind == Outcome::rig;
    if (const auto record = bisection.faulted(is_rig ? std::vector<uint32_t>{} : suspects)) {
      take_blame(buffer, *record, outcome, guilty);
      is_rig ? ++refused : ++ended;
      hung += outcome.kind == Outcome::hung;
    }
    if (hung >= (ran == 0 ? most_hung : most_hung_among) ||
        (ran == 0 && (ended >= most_ended || refused >= most_refused))) {
      // That the device refused what it was not asked to run nobody says of it.
      const RecordEnd rest = end_for(outcome);
      give_up_rest(buffer, rest.ended == Ended::refused ? rest : RecordEnd{Ended::given_up, 0, ~0u, 0});
      break;
    }
  }
  if (!blame(buffer, guilty)) return;
  blame_refused(buffer);
  note_unrepeated(buffer, bisection.unrepeated());
  finish_in_flight(buffer);
}

/// What hung is known by the watchdog alone.
void Lane::take_blame(Buffer& buffer, uint32_t record, const Outcome& outcome,
                      std::optional<Guilty>& guilty) {
  ++blamed_;
  if (outcome.kind == Outcome::hung)
    buffer.ends[record] = end_for(outcome);
  else
    guilty = {record, end_for(outcome), monotonic_seconds()};
}

/// Where nothing else shows that the device is there, the process that the next batch needs is opened.
bool Lane::blame(Buffer& buffer, std::optional<Guilty>& guilty) {
  if (!guilty) return true;
  bool is_alive = false;
  {
    const std::lock_guard lock(board_.mutex);
    is_alive = board_.alive_at > guilty->at;
  }
  if (!is_alive && !ensure_worker()) return false;
  buffer.ends[guilty->record] = guilty->end;
  guilty.reset();
  return true;
}

/// One record at a time, each process until a record ends it.
void Lane::sacrifice(Buffer& buffer) {
  if (can_fork_) run_alone(buffer, Bisection::of_each(buffer.open), {});
  if (!can_fork_ && !in_flight_.empty()) finish_in_flight(buffer);
}

/// What a fork could not run goes to a process that has opened the device itself.
void Lane::finish_in_flight(Buffer& buffer) {
  in_flight_.erase(std::remove(in_flight_.begin(), in_flight_.end(), &buffer), in_flight_.end());
  if (kind_ == ProcessKind::calls) {
    std::erase_if(buffer.open, [&](uint32_t record) { return !needs_context(buffer.ends[record]); });
    if (!buffer.open.empty()) {
      for (const uint32_t record : buffer.open) buffer.ends[record] = not_run_end;
      board_.submit(buffer, ProcessKind::sacrifice);
      return;
    }
  }
  board_.finish(buffer);
}

void Lane::explain(Buffer& buffer, const Outcome& outcome) const {
  const auto add = [&](const std::string& line) { add_note(buffer, line); };
  std::string note;
  if (outcome.kind == Outcome::fault) note = "the device reported error " + std::to_string(outcome.code);
  if (outcome.kind == Outcome::died)
    note = outcome.code > 0 ? "the device's process died of signal " + std::to_string(outcome.code)
                            : "the device's process exited with code " + std::to_string(-outcome.code);
  if (outcome.kind == Outcome::rig) note = "the batch was refused, and ran again in a fresh context";
  if (outcome.kind == Outcome::hung)
    note = "no record started or ended for " + std::to_string(limits_.case_time.count()) + " ms";
  add(note);
  const Family* const family = find_family(buffer.family);
  if (end_for(outcome).ended != Ended::hung || family == nullptr || family->names == nullptr) return;
  const std::vector<std::string> waits =
      family->names->waits(std::span(buffer.memory.notes, params::batch_notes));
  for (const std::string& line : waits) add(line);
  if (!waits.empty() && !spec_.emulator)
    add("the arrivals and bytes that these phases still wait for are unknown: no load can read the counts of "
        "a live mbarrier from hardware (H200: MB-02)");
}

}  // namespace assay::cuda
