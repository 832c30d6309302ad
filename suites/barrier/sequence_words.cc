// SPDX-License-Identifier: Apache-2.0
#include "suites/barrier/sequence_words.h"

#include <cstring>

#include "kernels/params/sequence.h"
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/sequence.h"
#include "suites/run/bytes.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using model::Mbarrier;

std::string step_name(const SequenceCase& c, uint32_t step) {
  return "step " + std::to_string(step) + " (" + model::step_words(c.machine, c.steps[step]) + ")";
}

std::string counted(int64_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

/// What a barrier still waits for.
std::string open_words(const Mbarrier& b) {
  return counted(b.missing(), "arrival", "arrivals") + " of " + std::to_string(b.count()) + " missing, " +
         (b.bytes() < 0 ? counted(-b.bytes(), "byte", "bytes") + " too early"
                        : counted(b.bytes(), "byte", "bytes") + " to come");
}
std::string state_words(const Mbarrier* b) {
  if (b == nullptr) return "not initialised";
  return "phase " + std::to_string(b->phase()) + " (parity " + std::to_string(b->phase() & 1) + "), " +
         open_words(*b);
}
/// Of the 64 bits that a barrier leaves in memory.
std::string word_words(uint64_t word) {
  const Mbarrier b = Mbarrier::found(word);
  return "parity " + std::to_string(b.phase()) + ", " + open_words(b);
}
/// Of what an arrival answers.
std::string token_words(uint64_t token) {
  return "parity " + std::to_string(token >> 63) + ", " +
         counted(model::pending_count_of(token), "arrival", "arrivals") + " missing";
}

std::string completeness(uint64_t expected, uint64_t observed) {
  if (observed > 1)
    return "should answer " + std::to_string(expected) + ", device answers " + hex_words(observed);
  return expected == 1 ? "phase should be complete, device says it is not"
                       : "phase should not be complete, device says it is";
}

std::string wrong_answer(const SequenceStep& step, uint64_t expected, uint64_t observed) {
  switch (static_cast<BarrierOp>(step.op)) {
    case BarrierOp::test_parity:
    case BarrierOp::test_state:
    case BarrierOp::try_parity:
    case BarrierOp::try_state:
    case BarrierOp::copies_arrive:
    case BarrierOp::copies_arrive_noinc:
    case BarrierOp::pass_phases:
      return completeness(expected, observed);
    case BarrierOp::bytes_arrive:
      if (expected >> 32 != observed >> 32) return completeness(expected >> 32, observed >> 32);
      return "the words should have the digest " + hex_words(expected & 0xffffffff) + ", the device's have " +
             hex_words(observed & 0xffffffff);
    case BarrierOp::pending_count:
      return "the state should have " + counted(static_cast<int64_t>(expected), "arrival", "arrivals") +
             " pending, device counts " + std::to_string(observed);
    case BarrierOp::read_word:
      return "the barrier should leave " + word_words(expected) + "; device leaves " + word_words(observed);
    default:
      break;
  }
  constexpr uint64_t no_answer = 2;
  if (expected == no_answer) return "answers nothing, device answers " + hex_words(observed);
  return "the state should be " + token_words(expected) + "; device answers " + token_words(observed);
}

/// Bits 0 and 1: whether the phase of that parity is complete.
std::string parities_words(uint32_t word) {
  if (word == ~0u) return "there should be none";
  if (word == 1) return "parity 0 complete, parity 1 not";
  if (word == 2) return "parity 1 complete, parity 0 not";
  return word == 0 ? "neither parity complete" : word == 3 ? "both parities complete" : hex_words(word);
}

Diagnosis diagnose_barriers(const SequenceCase& c, std::span<const uint8_t> expected,
                            std::span<const uint8_t> observed, uint64_t byte) {
  const auto word = static_cast<uint32_t>(byte / 4), step = word / 2;
  Diagnosis made;
  model::BarrierMachine machine(c);
  const auto run_to = [&](uint32_t end) {
    for (uint32_t i = 0; i < end; ++i) (void)machine.step(c.steps[i]);
  };
  if (step < c.count) {
    const auto answer = [&](std::span<const uint8_t> of) {
      return word_at(of, 2 * step) | uint64_t{word_at(of, 2 * step + 1)} << 32;
    };
    const uint64_t right = answer(expected), wrong = answer(observed);
    made.first = step_name(c, step) + ": " + wrong_answer(c.steps[step], right, wrong);
    if (right > 2) made.lines.push_back("answer " + hex_words(wrong) + ", expected " + hex_words(right));
    const uint32_t target = c.steps[step].target;
    const std::string barrier = "barrier " + std::to_string(target);
    run_to(step);
    made.lines.push_back(barrier + " before step " + std::to_string(step) + ": " +
                         state_words(machine.find(target)));
    (void)machine.step(c.steps[step]);
    made.lines.push_back(barrier + " after it: " + state_words(machine.find(target)));
    return made;
  }
  const uint32_t target = word - 2 * params::most_commands;
  if (word < 2 * params::most_commands) return {};
  if (target >= params::sequence_targets) {
    if (!c.has_bystanders || target - params::sequence_targets >= c.cluster_size) return {};
    made.first =
        "the barriers of CTA " + std::to_string(target - params::sequence_targets) +
        ", which no step names, should answer " + hex_words(word_at(expected, word)) +
        " at the end, two bits each (complete with one arrival missing, and with none); device has " +
        hex_words(word_at(observed, word));
    return made;
  }
  run_to(c.count);
  made.first = "after the last step barrier " + std::to_string(target) + " should have " +
               parities_words(word_at(expected, word)) + ", device has " +
               parities_words(word_at(observed, word));
  made.lines.push_back("barrier " + std::to_string(target) + " then: " + state_words(machine.find(target)));
  return made;
}

/// The step before that wrote columns which the load reads, or nothing.
std::string last_writer(const SequenceCase& c, uint32_t load) {
  constexpr uint32_t width = 8, product_columns = 16;
  const SequenceStep& reads = c.steps[load];
  for (uint32_t i = load; i-- > 0;) {
    const SequenceStep& s = c.steps[i];
    const auto op = static_cast<TmemOp>(s.op);
    const bool writes = op == TmemOp::store || op == TmemOp::multiply || op == TmemOp::copy ||
                        op == TmemOp::shift || op == TmemOp::replace;
    if (s.target != reads.target || !writes) continue;
    const uint32_t written = op == TmemOp::multiply ? product_columns : width;
    if (s.column < reads.column + width && reads.column < s.column + written) return step_name(c, i);
  }
  return {};
}

Diagnosis diagnose_tensor_memory(const SequenceCase& c, std::span<const uint8_t> expected,
                                 std::span<const uint8_t> observed, uint64_t byte) {
  constexpr uint32_t lanes = 128;
  const auto word = static_cast<uint32_t>(byte / 4), step = word / lanes, lane = word % lanes;
  if (step >= c.count) return {};
  uint32_t wrong = 0;
  for (uint32_t i = step * lanes; i < (step + 1) * lanes; ++i)
    wrong += word_at(expected, i) != word_at(observed, i);
  Diagnosis made;
  const auto op = static_cast<TmemOp>(c.steps[step].op);
  if (op != TmemOp::load && op != TmemOp::replace && op != TmemOp::load_wait_store) {
    made.first = step_name(c, step) + ": loads nothing, device wrote " + hex_words(word_at(observed, word));
    return made;
  }
  made.first = step_name(c, step) + ": other values than the allocation holds, in " + std::to_string(wrong) +
               " of 128 lanes, lane " + std::to_string(lane) + " the first";
  if (const std::string writer = last_writer(c, step); !writer.empty())
    made.lines.push_back("what step " + std::to_string(step) + " loads was written last by " + writer);
  made.lines.push_back("digest of lane " + std::to_string(lane) +
                       "'s 8 columns: " + hex_words(word_at(observed, word)) + ", expected " +
                       hex_words(word_at(expected, word)));
  return made;
}

}  // namespace

Diagnosis diagnose_sequence(const SequenceCase& c, std::span<const uint8_t> expected,
                            std::span<const uint8_t> observed, uint64_t byte) {
  return c.machine == SequenceMachine::barriers ? diagnose_barriers(c, expected, observed, byte)
                                                : diagnose_tensor_memory(c, expected, observed, byte);
}

}  // namespace assay::suites
