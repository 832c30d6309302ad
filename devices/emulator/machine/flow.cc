// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/flow.h"

#include <vector>

namespace assay::emulator {
namespace {

bool ends(const Instruction& one) {
  return one.lane_op == nullptr && (one.opcode->base == "ret" || one.opcode->base == "exit");
}

template <class F>
void each_successor(const Program& program, uint32_t at, F f) {
  const Instruction& one = program.code[at];
  if (one.lane_op != nullptr) return f(at + 1);
  const bool is_indexed = one.opcode->base == "brx";
  if (one.flow == Instruction::Flow::branch) f(one.target);
  if (is_indexed)
    for (const Operand& label : one.operands[1].items) f(label.target);
  if (one.guard.exists() || (one.flow != Instruction::Flow::branch && !is_indexed && !ends(one))) f(at + 1);
}

/// The instructions that a thread may execute behind `from` without executing `avoided`.
std::vector<bool> reached(const Program& program, uint32_t from, uint32_t avoided) {
  std::vector<bool> found(program.code.size());
  std::vector<uint32_t> left{from};
  while (!left.empty()) {
    const uint32_t at = left.back();
    left.pop_back();
    each_successor(program, at, [&](uint32_t next) {
      if (next >= found.size() || next == avoided || found[next]) return;
      found[next] = true;
      left.push_back(next);
    });
  }
  return found;
}

}  // namespace

bool may_reach(const Program& program, uint32_t from, uint32_t to, uint32_t avoided) {
  return reached(program, from, avoided)[to];
}

bool always_reaches(const Program& program, uint32_t from, uint32_t to) {
  if (!may_reach(program, from, to)) return false;
  const std::vector<bool> others = reached(program, from, to);
  for (size_t at = 0; at < others.size(); ++at)
    if (others[at] && ends(program.code[at])) return false;
  return true;
}

}  // namespace assay::emulator
