// SPDX-License-Identifier: Apache-2.0
#include "suites/barrier/sequence_coverage.h"

#include "reference/model/barrier/sequence.h"

namespace assay::suites {
namespace {

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
