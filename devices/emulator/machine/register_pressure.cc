// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/program.h"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "devices/emulator/lane_op.h"

namespace assay::emulator {
namespace {

using Set = std::vector<uint64_t>;

/// One walk backwards over instructions: which columns hold a value that is read later.
class Live {
 public:
  Live(const Program& program, Set set) : program_(program), set_(std::move(set)) {
    for (size_t word = 0; word < set_.size(); ++word)
      for (uint64_t rest = set_[word]; rest != 0; rest &= rest - 1)
        words_ += words({static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(rest)))});
    most = words_;
  }

  /// From after the instruction to before it.
  void step(const Instruction& instruction) {
    if (!instruction.guard.exists()) define_results(instruction);
    most = std::max(most, words_);
    use(instruction.guard);
    for (int i = 0; i < instruction.sources; ++i) use(instruction.s[i]);
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
      // wgmma's accumulator is read as well; every other result only written.
      if (i == 0 && is_result(instruction.operands[0]) && instruction.opcode->base != "wgmma") {
        continue;
      }
      use(instruction.operands[i]);
    }
    most = std::max(most, words_);
  }

  const Set& set() const { return set_; }
  uint32_t most;

 private:
  static bool is_result(const Operand& operand) {
    return operand.kind == Operand::Kind::vector ||
           (operand.kind == Operand::Kind::value && operand.is_register);
  }
  uint32_t words(Column c) const {
    return c.index < program_.register_words.size() ? program_.register_words[c.index] : 0;
  }
  bool has(Column c) const { return set_[c.index / 64] >> c.index % 64 & 1; }
  void define(Column c) {
    if (words(c) == 0 || !has(c)) return;
    set_[c.index / 64] &= ~(uint64_t{1} << c.index % 64);
    words_ -= words(c);
  }
  void define(const Operand& operand) {
    if (operand.kind == Operand::Kind::value && operand.is_register) define(operand.column);
    for (const Operand& item : operand.items) define(item);
  }
  void define_results(const Instruction& instruction) {
    define(instruction.d);
    define(instruction.d2);
    if (!instruction.operands.empty() && is_result(instruction.operands[0])) define(instruction.operands[0]);
  }
  void use(Column c) {
    if (words(c) == 0 || has(c)) return;
    set_[c.index / 64] |= uint64_t{1} << c.index % 64;
    words_ += words(c);
  }
  void use(const Operand& operand) {
    if (operand.kind == Operand::Kind::value || operand.kind == Operand::Kind::address) use(operand.column);
    for (const Operand& item : operand.items) use(item);
  }

  const Program& program_;
  Set set_;
  uint32_t words_ = 0;
};

/// Instructions that run one after another, and the blocks that may come next.
struct BasicBlock {
  uint32_t begin = 0, end = 0;
  std::vector<uint32_t> next;
  Set live_in;
  uint32_t changed_in = 0;  ///< the sweep that found more in live_in, from 1 on; 0: none has
  uint32_t most = 0;
};

bool ends_lanes(const Instruction& instruction) {
  return instruction.flow == Instruction::Flow::control && !instruction.guard.exists() &&
         (instruction.opcode->base == "ret" || instruction.opcode->base == "exit");
}

std::vector<uint32_t> targets_of(const Instruction& instruction) {
  if (instruction.flow == Instruction::Flow::branch) return {instruction.target};
  std::vector<uint32_t> list;
  if (instruction.flow == Instruction::Flow::control && instruction.opcode->base == "brx")
    for (const Operand& item : instruction.operands[1].items) list.push_back(item.target);
  return list;
}

std::vector<BasicBlock> blocks_of(const Program& program) {
  const uint32_t size = static_cast<uint32_t>(program.code.size());
  std::set<uint32_t> begins{0, size};
  for (const ProgramFunction& function : program.functions) begins.insert(function.entry);
  for (uint32_t i = 0; i < size; ++i) {
    if (program.code[i].flow == Instruction::Flow::next) continue;
    begins.insert(i + 1);
    for (const uint32_t target : targets_of(program.code[i])) begins.insert(target);
  }
  const std::vector<uint32_t> order(begins.begin(), begins.end());
  const auto block_at = [&](uint32_t index) {
    return static_cast<uint32_t>(std::lower_bound(order.begin(), order.end(), index) - order.begin());
  };
  std::vector<BasicBlock> blocks(order.size() - 1);
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    blocks[b].begin = order[b];
    blocks[b].end = order[b + 1];
    blocks[b].live_in.resize((program.registers + 63) / 64, 0);
    const Instruction& last = program.code[order[b + 1] - 1];
    for (const uint32_t target : targets_of(last))
      if (target < size) blocks[b].next.push_back(block_at(target));
    const bool goes_on = last.flow == Instruction::Flow::branch ? last.guard.exists() : !ends_lanes(last);
    if (goes_on && b + 1 < blocks.size()) blocks[b].next.push_back(b + 1);
  }
  return blocks;
}

}  // namespace

uint32_t live_registers(const Program& program) {
  if (program.code.empty()) return 0;
  std::vector<BasicBlock> blocks = blocks_of(program);
  bool has_changed = true;
  for (uint32_t sweep = 1; has_changed; ++sweep) {
    has_changed = false;
    for (size_t b = blocks.size(); b-- > 0;) {
      BasicBlock& block = blocks[b];
      // What follows a block may have changed in this sweep or, behind it, in the last one; else it is as it
      // was.
      if (sweep > 1 && std::none_of(block.next.begin(), block.next.end(),
                                    [&](uint32_t next) { return blocks[next].changed_in + 1 >= sweep; }))
        continue;
      Set out((program.registers + 63) / 64, 0);
      for (const uint32_t next : block.next)
        for (size_t w = 0; w < out.size(); ++w) out[w] |= blocks[next].live_in[w];
      Live live(program, std::move(out));
      for (uint32_t i = block.end; i-- > block.begin;) live.step(program.code[i]);
      block.most = live.most;
      if (live.set() == block.live_in) continue;
      block.live_in = live.set();
      block.changed_in = sweep;
      has_changed = true;
    }
  }
  uint32_t most = 0;
  for (const BasicBlock& block : blocks) most = std::max(most, block.most);
  return most;
}

}  // namespace assay::emulator
