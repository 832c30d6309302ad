// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "generators/barrier/sequence_cases.h"
#include "reference/model/barrier/machine.h"
#include "suites/barrier/sequence_family.h"
#include "suites/run/generate.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

const Registered barrier_sequence({
    .name = "barrier.sequence",
    .claim = "after any program of mbarrier operations each barrier is in the phase that its arrivals and "
             "bytes determine, and every test of a phase reports it",
    .family = sequence_family,
    .share = 0.5,
    .generate = generate_case<gen::make_barrier_sequence>,
    .spaces = {step_pairs(SequenceMachine::barriers)},
    .cover = cover_step_pairs,
});

constexpr uint32_t word_bits = 64;

/// Bit that is set alone, or cleared alone.
CellSpace lone_bits() {
  return {"lone bit", 2 * word_bits,
          [](uint32_t cell, spec::Arch) {
            return std::string(cell < word_bits ? "only bit " : "all but bit ") +
                   std::to_string(cell % word_bits);
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            // With bit 42 only an init and an inval end well, which are drawn now and then.
            for (uint32_t cell = 0; cell < word_bits + 1; ++cell)
              if (cell % word_bits != 42) cells.push_back(cell == word_bits ? word_bits + 42 : cell);
            return cells;
          }};
}
void cover_lone_bit(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const uint64_t word = any.as<SequenceCase>().found_word;
  if (std::has_single_bit(word)) sink.hit(0, static_cast<uint32_t>(std::countr_zero(word)));
  if (std::has_single_bit(~word)) sink.hit(0, word_bits + static_cast<uint32_t>(std::countr_zero(~word)));
}

const Registered found({
    .name = "barrier.found",
    .claim = "an mbarrier operation interprets 64 bits of shared memory as the state of a barrier even if no "
             "mbarrier.init wrote them",
    .family = sequence_family,
    .share = 0.3,
    .generate = generate_case<gen::make_found_barrier>,
    .spaces = {lone_bits()},
    .cover = cover_lone_bit,
    // Beside bulk copies such words end the process of an H200, now and then, though each case ends well
    // alone.
    .batch_cases = 16,
    .most_on_silicon = 2000,
});
const Registered found_faults({
    .name = "barrier.found.faults",
    .claim = "an mbarrier operation on 64 bits that are not a valid barrier state, or one that the state "
             "does not allow, ends the launch with launch failure",
    .family = sequence_family,
    .share = 0.3,
    .generate = generate_case<gen::make_found_barrier_fault>,
    .spaces = {expected_ends([](spec::Arch) {
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done),
                                   static_cast<uint32_t>(model::End::launch_failed)};
    })},
    .cover = cover_end,
    .batch_cases = 8,  // most of them end the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
});

constexpr uint32_t most_ops = barrier_ops;

template <SequenceMachine machine>
CellSpace pairs() {
  constexpr uint32_t ops = machine == SequenceMachine::barriers ? barrier_ops : tmem_ops;
  const auto word = [](uint32_t op) {
    const std::string words = model::step_words(machine, {op, 0, 0, 0});
    return words.substr(0, words.find(' '));
  };
  return {"step x next step", most_ops * most_ops,
          [word](uint32_t cell, spec::Arch) { return word(cell / most_ops) + "/" + word(cell % most_ops); },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t first = 0; first < ops; ++first)
              for (uint32_t second = 0; second < ops; ++second) cells.push_back(first * most_ops + second);
            return cells;
          }};
}

}  // namespace

CellSpace step_pairs(SequenceMachine machine) {
  return machine == SequenceMachine::barriers ? pairs<SequenceMachine::barriers>()
                                              : pairs<SequenceMachine::tensor_memory>();
}

void cover_step_pairs(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const SequenceCase& c = any.as<SequenceCase>();
  for (uint32_t i = 1; i < c.count; ++i) sink.hit(0, c.steps[i - 1].op * most_ops + c.steps[i].op);
}

}  // namespace assay::suites
