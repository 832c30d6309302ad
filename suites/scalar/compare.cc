// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/compare.h"

#include <cstring>
#include <sstream>

#include "suites/scalar/bounds.h"

namespace assay::suites::scalar {
namespace {

using gen::scalar::Instruction;
using gen::scalar::Kernel;
using gen::scalar::Operand;
using gen::scalar::Program;
using gen::scalar::threads;

std::string line_number(const std::string& text, size_t number) {
  std::istringstream lines(text);
  std::string line;
  for (size_t i = 0; i <= number; ++i) std::getline(lines, line);
  return line;
}

class Comparison {
 public:
  Comparison(const Kernel& kernel, const std::vector<uint64_t>& left, const std::vector<uint64_t>& right,
             Tally& tally)
      : kernel_(kernel), left_(left), right_(right), tally_(tally) {}

  /// True and filled in if the program differs.
  bool differs(const Program& program, Difference& found) {
    for (size_t i = 0; i < program.instructions.size(); ++i) {
      const Instruction& one = program.instructions[i];
      if (!differs(program, one, found)) continue;
      found.opcode = one.form.text();
      found.program = text_of(program);
      found.line = line_number(found.program, i);
      return true;
    }
    return false;
  }

 private:
  bool is_equal(uint32_t slot) const {
    const size_t begin = size_t{slot} * threads;
    return std::memcmp(left_.data() + begin, right_.data() + begin, threads * 8) == 0;
  }

  bool differs(const Program& program, const Instruction& one, Difference& found) {
    const bool is_approximate = one.form.is_approximate();
    Tally::Approximate* approximate = is_approximate ? &tally_.approximate[one.form.text()] : nullptr;
    if (approximate != nullptr) approximate->results += threads;
    found.threads = 0;
    for (const bool second : {false, true}) {
      if (second && !one.signature.has_second) break;
      const uint32_t slot = one.slot + (second ? 1 : 0);
      if (is_equal(slot)) continue;
      for (uint32_t thread = 0; thread < threads; ++thread) {
        const uint64_t x = left_[size_t{slot} * threads + thread],
                       y = right_[size_t{slot} * threads + thread];
        if (x == y) continue;
        const auto operands = operands_of(kernel_, program, one, left_, thread);
        if (approximate != nullptr) {
          const Distance apart = distance(one.form, operands.data(), x, y);
          ++approximate->differ;
          if (apart.is_allowed) {
            approximate->most_ulps = std::max(approximate->most_ulps, apart.ulps);
            continue;
          }
        }
        if (found.threads++ != 0) continue;
        found.thread = thread;
        found.operands = operands;
        found.left = x;
        found.right = y;
        found.is_second = second;
      }
    }
    return found.threads != 0;
  }

  const Kernel& kernel_;
  const std::vector<uint64_t>&left_, &right_;
  Tally& tally_;
};

}  // namespace

std::vector<uint64_t> operands_of(const Kernel& kernel, const Program& program,
                                  const Instruction& instruction, const std::vector<uint64_t>& results,
                                  uint32_t thread) {
  std::vector<uint64_t> made;
  for (const Operand& source : instruction.sources) {
    if (source.kind == Operand::Kind::constant)
      made.push_back(source.constant);
    else if (source.kind == Operand::Kind::input)
      made.push_back(input_value(kernel, source.bank, source.index, thread));
    else
      made.push_back(results[size_t{program.instructions[source.index].slot} * threads + thread]);
  }
  return made;
}

void Tally::add(Tally other) {
  programs += other.programs;
  instructions += other.instructions;
  results += other.results;
  modules += other.modules;
  for (auto& [opcode, theirs] : other.differences) {
    OfOpcode& mine = differences[opcode];
    mine.programs += theirs.programs;
    mine.threads += theirs.threads;
    for (Difference& example : theirs.examples)
      if (mine.examples.size() < most_examples) mine.examples.push_back(std::move(example));
  }
  for (const auto& [opcode, theirs] : other.approximate) {
    Approximate& mine = approximate[opcode];
    mine.results += theirs.results;
    mine.differ += theirs.differ;
    mine.most_ulps = std::max(mine.most_ulps, theirs.most_ulps);
  }
  refused.insert(refused.end(), other.refused.begin(), other.refused.end());
}

uint64_t Tally::differing_programs() const {
  uint64_t total = 0;
  for (const auto& [opcode, one] : differences) total += one.programs;
  return total;
}

void compare(const gen::scalar::Module& module, uint64_t index, const Results& left, const Results& right,
             Tally& tally) {
  ++tally.modules;
  for (size_t k = 0; k < module.kernels.size(); ++k) {
    const Kernel& kernel = module.kernels[k];
    tally.programs += kernel.programs.size();
    tally.results += size_t{kernel.slots} * threads;
    for (const Program& program : kernel.programs) tally.instructions += program.instructions.size();
    Comparison comparison(kernel, left[k], right[k], tally);
    for (size_t i = 0; i < kernel.programs.size(); ++i) {
      Difference found;
      if (!comparison.differs(kernel.programs[i], found)) continue;
      found.module = index;
      found.kernel = static_cast<uint32_t>(k);
      found.index = static_cast<uint32_t>(i);
      Tally::OfOpcode& of_opcode = tally.differences[found.opcode];
      ++of_opcode.programs;
      of_opcode.threads += found.threads;
      if (of_opcode.examples.size() < Tally::most_examples) of_opcode.examples.push_back(std::move(found));
    }
  }
}

}  // namespace assay::suites::scalar
