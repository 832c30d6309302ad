// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "generators/barrier/sequence_cases.h"
#include "kernels/forms/records.h"
#include "kernels/params/sequence.h"
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/sequence_case.h"
#include "reference/model/tmem/machine.h"
#include "suites/barrier/sequence_family.h"
#include "suites/run/bytes.h"
#include "suites/run/family_of.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using params::SequenceRecord;

static_assert(are_same_enumerators<BarrierOp, params::BarrierCommand, params::barrier_commands>() &&
              are_same_enumerators<TmemOp, params::TmemCommand, params::tmem_commands>());
static_assert(params::bystander_arrivals == bystander_arrivals &&
              static_cast<uint32_t>(params::copies_complete) == idle_copies_ways - 1);

/// Words of a step's answer.
uint32_t answer_words(const SequenceCase& c) {
  return c.machine == SequenceMachine::barriers ? 2 : 128;
}

/// Programs for the command-stream kernels: of mbarriers, and of tensor memory.
class Sequence final : public PlainFamily<SequenceCase, SequenceRecord, gen::simpler> {
 public:
  std::string_view name() const override { return "sequence"; }
  uint32_t output_bytes(const Case& any) const override {
    return model::output_words(any.as<SequenceCase>().machine) * 4;
  }
  uint32_t batch_key(const Case& any) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    return c.needs_cluster() ? c.cluster_size << 8 : c.warps * 4 + static_cast<uint32_t>(c.machine);
  }

  void complete(const SequenceCase& c, const spec::Readings&, SequenceRecord& r) const override {
    r.count = c.count;
    r.is_tmem = c.machine == SequenceMachine::tensor_memory ? 1 : 0;
    r.cluster_size = c.needs_cluster() ? c.cluster_size : 1;
    if (!r.is_tmem && !c.needs_cluster()) r.issuer = 0;
    r.has_bystanders = c.needs_cluster() && c.has_bystanders;
    r.is_found = c.is_found;
    for (uint32_t i = 0; i < c.count; ++i) {
      r.commands[i] = {static_cast<uint8_t>(c.steps[i].op), static_cast<uint8_t>(c.steps[i].target),
                       static_cast<uint16_t>(c.steps[i].column), c.steps[i].amount};
      r.lanes[i] = c.steps[i].lanes;
      if (c.steps[i].is_generic) r.generic |= 1u << i;
      r.idle_copies |= uint64_t{c.steps[i].idle_copies} << 2 * i;
      r.apart |= uint64_t{c.steps[i].apart} << 2 * i;
      if (!r.is_tmem)
        r.opcode[i] = static_cast<uint16_t>(
            forms::opcode_of(r.commands[i], c.steps[i].is_generic, c.steps[i].spelling));
    }
  }

  uint64_t pace() const override { return 32; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    const std::span<std::byte> mask = scratch.take(scratch.mask, bytes.size());
    const auto words = [](std::span<std::byte> of) {
      return std::span(reinterpret_cast<uint32_t*>(of.data()), of.size() / 4);
    };
    e = {};
    const SequenceCase& c = any.as<SequenceCase>();
    e.end = model::predict_sequence(c, readings, words(bytes), words(mask));
    e.judges_bytes = e.end == model::End::done;
    e.bytes = bytes;
    if (c.machine == SequenceMachine::barriers) e.mask = mask;
    if (e.end != model::End::undefined) e.rules = model::exercised_sequence_rules(c);
  }
  std::span<const model::Bend> bends() const override { return model::sequence_bends(); }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    std::vector<std::pair<std::string, std::string>> list;
    if (c.warps != tmem_warps)
      list.emplace_back("run by", "the last 4 of " + std::to_string(c.warps) + " warps");
    if (c.needs_cluster())
      list.emplace_back("cluster", std::to_string(c.cluster_size) + ", the barriers in CTA " +
                                       std::to_string(c.issuer) +
                                       (c.has_bystanders ? ", and others in all CTAs" : ""));
    else if (c.issuer != 0)
      list.emplace_back("issued by", "thread " + std::to_string(c.issuer) + " of those that run it");
    if (c.is_found) list.emplace_back("barrier 0", "no mbarrier.init: ordinary stores wrote the word");
    tell(c, list);
    for (uint32_t i = 0; i < c.count; ++i)
      list.emplace_back("step " + std::to_string(i), model::step_words(c.machine, c.steps[i]));
    return list;
  }
  std::string brief(const Case& any) const override {
    return " " + std::to_string(any.as<SequenceCase>().count) + " steps";
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    const auto step = static_cast<uint32_t>(byte / 4 / answer_words(c));
    if (step >= c.count) return "what is left";
    const std::string words = model::step_words(c.machine, c.steps[step]);
    return words.substr(0, words.find(' '));
  }

  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    return diagnose_sequence(any.as<SequenceCase>(), expected.bytes, observed, byte);
  }

  /// A thread of the tensor-memory machine mostly loads from its own lane; an answer about a barrier comes
  /// from where it lies, eight bytes each from the start of the kernel's shared memory.
  PlaceOfByte element_places(const Case& any) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    if (c.machine == SequenceMachine::barriers)
      return [&c](uint64_t byte) -> ElementPlace {
        const auto word = static_cast<uint32_t>(byte / 4), step = word / answer_words(c);
        const uint32_t barrier =
            step < c.count ? c.steps[step].target : word - answer_words(c) * params::most_commands;
        if (barrier >= params::sequence_targets) return {};
        return {.cluster_rank = 0, .shared_address = int64_t{8} * barrier};
      };
    return [&c](uint64_t byte) -> ElementPlace {
      const auto step = static_cast<uint32_t>(byte / 4 / answer_words(c));
      // Other shapes give a thread cells of several lanes.
      if (step < c.count && model::has_other_shape(c.steps[step])) return {.cluster_rank = 0};
      return {.cluster_rank = 0, .tmem_lane = static_cast<int>(byte / 4 % 128)};
    };
  }
};

}  // namespace

const Family& sequence_family() {
  static const Sequence family;
  return family;
}

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
      return "the digest of the words should be " + hex_words(expected & 0xffffffff) +
             ", on the device it is " + hex_words(observed & 0xffffffff);
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
  made.first = step_name(c, step) + ": values differ from what the allocation holds in " +
               std::to_string(wrong) + " of 128 lanes, lane " + std::to_string(lane) + " the first";
  if (const std::string writer = last_writer(c, step); !writer.empty())
    made.lines.push_back("the data loaded by step " + std::to_string(step) + " was last written by " +
                         writer);
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
