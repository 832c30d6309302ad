// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/insns/control.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/step.h"

// bra, brx.idx, call, ret, exit, trap, brkpt (ptx, Control Flow Instructions).
namespace assay::emulator {
namespace {

/// Reads a slot into bytes and writes bytes into one. `shift`: of the call that the slot is part of.
std::vector<std::byte> read_slot(Warp& warp, const CallSlot& slot, int lane, uint32_t shift) {
  std::vector<std::byte> bytes(std::max<uint32_t>(slot.bytes, 8));
  if (slot.is_register)
    std::memcpy(bytes.data(), &warp.column(slot.column)[lane], 8);
  else
    std::memcpy(bytes.data(), warp.local_of(lane) + slot.offset + shift, slot.bytes);
  return bytes;
}
void write_slot(Warp& warp, const CallSlot& slot, int lane, uint32_t shift, std::vector<std::byte> bytes) {
  bytes.resize(std::max<uint32_t>(slot.bytes, 8));
  if (!slot.is_register) {
    std::memcpy(warp.local_of(lane) + slot.offset + shift, bytes.data(), slot.bytes);
    return;
  }
  uint64_t value;
  std::memcpy(&value, bytes.data(), 8);
  if (slot.bytes < 8) value &= (1ull << slot.bytes * 8) - 1;
  warp.column(slot.column)[lane] = value;
}

/// What the largest stack holds if a call takes the least.
constexpr size_t deepest_call = 32768;
/// Bytes of stack that a call takes beside the local memory of its function, at the least. H200: between 27
/// and 70 for a function with 256 bytes of local memory that calls itself.
constexpr size_t least_call_bytes = 16;

/// The stack of a lane, in bytes, if `function` is entered once more.
size_t stack_bytes(const Step& step, int lane, const ProgramFunction& function) {
  const Program& program = step.cluster.launch.program;
  size_t bytes = function.local_bytes + least_call_bytes;
  for (const CallFrame& frame : step.warp.calls[static_cast<size_t>(lane)])
    bytes += program.functions[frame.function].local_bytes + least_call_bytes;
  return bytes;
}

/// The innermost call of the function that a lane is in, or null.
const CallFrame* active(const Step& step, int lane, uint32_t function) {
  const auto& frames = step.warp.calls[static_cast<size_t>(lane)];
  for (size_t i = frames.size(); i-- > 0;)
    if (frames[i].function == function) return &frames[i];
  return nullptr;
}

/// How far the block of local memory that the lane is in lies from that of its function.
uint32_t shift_of(const Step& step, int lane) {
  const auto& frames = step.warp.calls[static_cast<size_t>(lane)];
  return frames.empty() ? 0 : frames.back().shift;
}

/// Gives a call of a function that is active already a block of local memory of its own, behind all others:
/// what pointers lead to in the caller's stays.
uint32_t shift_block(const Step& step, int lane, const ProgramFunction& function, uint32_t before) {
  constexpr uint32_t unit = 16;
  const Program& program = step.cluster.launch.program;
  uint32_t end = program.local_bytes;
  for (const CallFrame& frame : step.warp.calls[static_cast<size_t>(lane)]) {
    const ProgramFunction& of = program.functions[frame.function];
    if (frame.shift != 0) end = std::max(end, of.local_begin + frame.shift + of.local_bytes);
  }
  const uint32_t shift = (end + unit - 1) / unit * unit - function.local_begin;
  for (const EnvironmentColumn& one : program.environment)
    if (one.kind == EnvironmentColumn::Kind::local_address && one.column >= function.first_register &&
        one.column - function.first_register < function.register_count)
      step.warp.column({one.column})[lane] += shift - before;
  return shift;
}

void enter(Step& step, int lane, uint32_t number) {
  const auto& call = step.data<CallData>();
  const Program& program = step.cluster.launch.program;
  const ProgramFunction& function = program.functions[number];
  auto& frames = step.warp.calls[static_cast<size_t>(lane)];
  if (frames.size() >= deepest_call)
    step.fail(Diagnostic::Kind::illegal_address, lane, "calls are nested more than 32,768 deep");
  CallFrame frame;
  frame.call = static_cast<uint32_t>(&step.instruction - program.code.data());
  frame.return_to = frame.call + 1;
  frame.function = number;
  std::vector<std::vector<std::byte>> arguments;
  for (const CallSlot& slot : call.arguments)
    arguments.push_back(read_slot(step.warp, slot, lane, shift_of(step, lane)));
  // A function has one block of registers; a recursive call sets the caller's aside.
  if (const CallFrame* outer = active(step, lane, number); outer != nullptr) {
    // The driver makes room for calls that it can count; for the others there is the limit (H200: 700).
    const size_t limit = step.cluster.launch.limits.stack_bytes;
    if (const size_t bytes = stack_bytes(step, lane, function); bytes > limit)
      step.fail(Diagnostic::Kind::illegal_address, lane,
                "'" + function.name + "' calls itself too often: the stack needs " + std::to_string(bytes) +
                    " bytes and CU_LIMIT_STACK_SIZE is " + std::to_string(limit));
    for (uint32_t i = 0; i < function.register_count; ++i)
      frame.registers.push_back(step.warp.column({function.first_register + i})[lane]);
    frame.shift = shift_block(step, lane, function, outer->shift);
  }
  for (size_t i = 0; i < arguments.size() && i < function.params.size(); ++i)
    write_slot(step.warp, function.params[i], lane, frame.shift, std::move(arguments[i]));
  frames.push_back(std::move(frame));
  step.warp.pc[static_cast<size_t>(lane)] = function.entry;
}

void leave(Step& step, int lane) {
  const Program& program = step.cluster.launch.program;
  auto& frames = step.warp.calls[static_cast<size_t>(lane)];
  CallFrame frame = std::move(frames.back());
  frames.pop_back();
  const auto& call = *static_cast<const CallData*>(program.code[frame.call].data.get());
  const ProgramFunction& function = program.functions[frame.function];
  std::vector<std::vector<std::byte>> results;
  for (const CallSlot& slot : function.returns)
    results.push_back(read_slot(step.warp, slot, lane, frame.shift));
  for (size_t i = 0; i < frame.registers.size(); ++i)
    step.warp.column({function.first_register + static_cast<uint32_t>(i)})[lane] = frame.registers[i];
  for (size_t i = 0; i < results.size() && i < call.results.size(); ++i)
    write_slot(step.warp, call.results[i], lane, shift_of(step, lane), std::move(results[i]));
  step.warp.pc[static_cast<size_t>(lane)] = frame.return_to;
}

std::optional<LoweringError> lower_branch(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "uni")) return unknown_opcode(opcode);
  if (instruction.operands.size() != 1 || instruction.operands[0].kind != Operand::Kind::label ||
      !instruction.operands[0].items.empty())
    return wrong_operands(opcode, "a label");
  instruction.flow = Instruction::Flow::branch;
  return std::nullopt;
}

std::optional<LoweringError> lower_indexed_branch(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "idx uni")) return unknown_opcode(opcode);
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[0].kind != Operand::Kind::value ||
      operands[1].kind != Operand::Kind::label || operands[1].items.empty())
    return wrong_operands(opcode, "an index and the name of a .branchtargets list");
  instruction.flow = Instruction::Flow::control;
  instruction.execute = [](Step& step) -> uint32_t {
    const auto& targets = step.operand(1).items;
    for_lanes(step.mask, [&](int lane) {
      const uint64_t index = step.value(step.operand(0), lane);
      if (index >= targets.size())
        step.fail(Diagnostic::Kind::illegal_instruction, lane,
                  "brx.idx with index " + std::to_string(index) + " of a list of " +
                      std::to_string(targets.size()));
      step.warp.pc[static_cast<size_t>(lane)] = targets[index].target;
    });
    return step.mask;
  };
  return std::nullopt;
}

std::optional<LoweringError> lower_return(const Opcode& opcode, Target, Instruction& instruction) {
  if (!only_known_qualifiers(opcode, "uni")) return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.flow = Instruction::Flow::control;
  instruction.execute = execute_return;
  return std::nullopt;
}

std::optional<LoweringError> lower_exit(const Opcode& opcode, Target, Instruction& instruction) {
  if (!opcode.qualifiers.empty()) return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.flow = Instruction::Flow::control;
  instruction.execute = [](Step& step) -> uint32_t {
    exit_lanes(step, step.mask);
    return step.mask;
  };
  return std::nullopt;
}

std::optional<LoweringError> lower_trap(const Opcode& opcode, Target, Instruction& instruction) {
  if (!opcode.qualifiers.empty()) return unknown_opcode(opcode);
  if (!instruction.operands.empty()) return wrong_operands(opcode, "no operands");
  instruction.execute = [](Step& step) -> uint32_t {
    step.fail(Diagnostic::Kind::illegal_instruction, __builtin_ctz(step.mask),
              "the kernel executed '" + step.instruction.opcode->text + "'");
  };
  return std::nullopt;
}

const RegisteredFamily bra("bra", lower_branch);
const RegisteredFamily brx("brx", lower_indexed_branch);
const RegisteredFamily ret("ret", lower_return);
const RegisteredFamily exit_family("exit", lower_exit);
const RegisteredFamily trap_family("trap", lower_trap);
const RegisteredFamily brkpt("brkpt", lower_trap);

}  // namespace

uint32_t execute_call(Step& step) {
  for_lanes(step.mask, [&](int lane) { enter(step, lane, step.data<CallData>().function); });
  return step.mask;
}

uint32_t execute_indirect_call(Step& step) {
  const auto& call = step.data<CallData>();
  const Program& program = step.cluster.launch.program;
  for_lanes(step.mask, [&](int lane) {
    const uint64_t address = step.column(call.target)[lane];
    const auto found = std::find_if(program.function_addresses.begin(), program.function_addresses.end(),
                                    [&](const auto& one) { return one.first == address; });
    if (found == program.function_addresses.end()) {
      std::ostringstream message;
      message << "a call through a register goes to 0x" << std::hex << address
              << ", which is the address of no function of the module";
      step.fail(Diagnostic::Kind::illegal_address, lane, message.str());
    }
    const ProgramFunction& function = program.functions[found->second];
    if (function.params.size() != call.arguments.size() || function.returns.size() != call.results.size())
      step.fail(Diagnostic::Kind::illegal_instruction, lane,
                "a call through a register reaches '" + function.name +
                    "', which has other parameters than the call");
    enter(step, lane, found->second);
  });
  return step.mask;
}

uint32_t execute_return(Step& step) {
  uint32_t leaving_kernel = 0;
  for_lanes(step.mask, [&](int lane) {
    if (step.warp.calls[static_cast<size_t>(lane)].empty())
      leaving_kernel |= 1u << lane;
    else
      leave(step, lane);
  });
  if (leaving_kernel != 0) exit_lanes(step, leaving_kernel);
  return step.mask;
}

}  // namespace assay::emulator
