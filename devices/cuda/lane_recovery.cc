// What a Lane does when its process is gone: find who did it, and give everyone else an end.
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "devices/cuda/driver_api.h"
#include "devices/cuda/lane.h"

namespace assay::cuda {
namespace {

/// How often a group whose process was killed from outside runs again before its records are suspected.
constexpr int outside_attempts = 3;

}  // namespace

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
  if (!end_worker(&cause)) return;
  if (cause.kind == Outcome::rig) {
    // No record is to blame; what else was in flight runs again.
    const auto at = std::find_if(victims.begin(), victims.end(),
                                 [&](const Buffer* buffer) { return buffer->index == cause.batch; });
    if (at != victims.end()) {
      Buffer& buffer = **at;
      victims.erase(at);
      board_.finish(buffer);
    }
  }
  std::vector<std::vector<uint32_t>> suspects;
  bool named = false;
  for (const Buffer* buffer : victims) {
    suspects.push_back(suspects_of(*buffer));
    named = named || !suspects.back().empty();
  }
  in_flight_ = victims;
  for (size_t i = 0; i < victims.size() && !lost_; ++i) {
    Buffer& buffer = *victims[i];
    Bisection bisection(buffer.count);
    // A batch of one record is guilty only when nothing else was in flight; otherwise it runs again, alone.
    const bool involved =
        cause.kind != Outcome::rig && !ended_from_outside(cause) &&
        (buffer.count > 1 || victims.size() == 1) &&
        (!suspects[i].empty() || (!named && (victims.size() == 1 || buffer.index == cause.batch)));
    if (involved) {
      bisection.next();
      explain(buffer, cause);
      if (const auto guilty = bisection.faulted(suspects[i])) buffer.ends[*guilty] = end_for(cause);
    }
    run_alone(buffer, std::move(bisection));
  }
}

void Lane::run_alone(Buffer& buffer, Bisection bisection) {
  Buffer* const only[] = {&buffer};
  const bool was_split = bisection.unrepeated() > 0;
  bool first = !was_split;
  int outside = 0;
  while (const auto group = bisection.next()) {
    {
      const std::lock_guard lock(board_.mutex);
      if (board_.stopping) return;  // run() ends what is in flight
      if (!first) ++board_.counters.bisections;
    }
    first = false;
    if (!ensure_worker()) return;
    if (!start_group(buffer, *group) && lost_) return;
    Outcome outcome;
    do outcome = wait_outcome(only);
    while (outcome.kind == Outcome::done && outcome.batch != buffer.index);
    if (outcome.kind == Outcome::done) {
      for (const uint32_t record : *group)
        std::memcpy(&buffer.ends[record], &buffer.memory.ends[record], sizeof(RecordEnd));
      bisection.ended_well();
      continue;
    }
    const std::vector<uint32_t> suspects = suspects_of(buffer);
    if (!end_worker(&outcome)) return;
    if (ended_from_outside(outcome) && ++outside < outside_attempts) {
      bisection.again();
      continue;
    }
    explain(buffer, outcome);
    if (outcome.kind == Outcome::rig) {
      bisection.ended_well();  // its records stay not run
      continue;
    }
    if (const auto guilty = bisection.faulted(suspects)) buffer.ends[*guilty] = end_for(outcome);
  }
  if (bisection.unrepeated() > 0)
    buffer.notes.push_back("the device ended its process " + std::to_string(bisection.unrepeated()) +
                           " time(s) in a way that no record repeats alone");
  finish_in_flight(buffer);
}

void Lane::finish_in_flight(Buffer& buffer) {
  in_flight_.erase(std::remove(in_flight_.begin(), in_flight_.end(), &buffer), in_flight_.end());
  board_.finish(buffer);
}

void Lane::explain(Buffer& buffer, const Outcome& outcome) const {
  std::string note;
  if (outcome.kind == Outcome::fault) note = "the device reported error " + std::to_string(outcome.code);
  if (outcome.kind == Outcome::died)
    note = outcome.code > 0 ? "the device's process died of signal " + std::to_string(outcome.code)
                            : "the device's process ended with code " + std::to_string(-outcome.code);
  if (outcome.kind == Outcome::hung)
    note = "no record started or ended for " + std::to_string(limits_.case_time.count()) + " ms";
  if (!note.empty() && std::find(buffer.notes.begin(), buffer.notes.end(), note) == buffer.notes.end())
    buffer.notes.push_back(note);
}

}  // namespace assay::cuda
