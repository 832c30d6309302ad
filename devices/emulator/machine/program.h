// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/lane_op.h"
#include "devices/emulator/race/order.h"

namespace assay::emulator {

/// Ends a launch. Thrown by instructions and by asynchronous operations; caught once, in Launch::run, which
/// adds kernel, PTX line and thread.
struct Trap {
  Diagnostic::Kind kind;
  std::string message;
  int lane = -1;  ///< of the executing warp; -1: all of them
};

[[noreturn]] inline void trap(Diagnostic::Kind kind, std::string message, int lane = -1) {
  throw Trap{kind, std::move(message), lane};
}

/// Where a value of 32 lanes lives: a column of the warp's register file, or of the kernel's constants (top
/// bit set).
struct Column {
  static constexpr uint32_t none = 0x7fffffff;
  static constexpr uint32_t constant_bank = 0x80000000;
  uint32_t index = none;
  bool exists() const { return index != none; }
};

/// An operand after names are resolved.
///
///   %r1  5  smem  %tid.x     value: `column` holds it. A 128-bit register has its upper half in the next
///   column
///   [%rd1+8]  [smem]         address: base in `column`, plus `offset`
///   [%rd1, {%r1, %r2}]       address with items: {vector of two values}
///   {%r1, _, %r3}            vector: items (value or sink)
///   _                        sink
///   LOOP  printf             label, name
struct Operand {
  enum class Kind : uint8_t { value, address, vector, sink, label, name };
  Kind kind = Kind::value;
  bool is_immediate = false;  ///< a literal: `immediate` holds it too
  bool is_register = false;   ///< can be a destination
  uint16_t bits = 0;          ///< of the register's type (predicates: 1), 0 for immediates and symbols
  Column column;
  int64_t offset = 0;
  uint64_t immediate = 0;
  std::vector<Operand> items;
  std::string name;     ///< label or symbol
  uint32_t target = 0;  ///< label: index of the instruction

  bool is_register_of(uint16_t width) const { return kind == Kind::value && is_register && bits == width; }
  /// Part i of a vector; of anything else that itself.
  const Operand& part(uint32_t i) const { return kind == Kind::vector ? items[i] : *this; }
};

class Step;

/// Executes an instruction for the lanes step.mask. Returns the lanes that are done; the others wait at the
/// instruction and are tried again when something in the cluster has moved, so a second try must be harmless:
/// what a first try did (an arrival, say) is kept in Warp::lane_state.
using Execute = uint32_t (*)(Step& step);

/// Which sources decide a lane operation's result, for following never-written memory: all; the one that the
/// predicate s[2] selects; all, unless a known source that is zero (one) decides alone.
enum class Decides : uint8_t { all, selected, unless_zero, unless_one };

/// One lowered instruction. `flow` says how it moves the program counter: next; branch (to `target`, taken
/// where the guard holds; no execute); control (execute sets Warp::pc or ends lanes; pc is the next
/// instruction's when called).
struct Instruction {
  Execute execute = nullptr;  ///< null: an arithmetic instruction, run through lane_op
  LaneOp lane_op = nullptr;
  Column guard;  ///< predicate, or none
  bool guard_negated = false;
  race::MemoryOrder order;  ///< what its qualifiers say
  /// All its addresses are of shared memory, and a register of 64 bits gives one of them.
  bool has_wide_shared_address = false;
  uint8_t sources = 0;  ///< lane_op: columns in s
  Column d, d2, s[5];   ///< lane_op
  enum class Flow : uint8_t { next, branch, control } flow = Flow::next;
  uint32_t target = 0;  ///< branch: index of the instruction
  Decides decides = Decides::all;
  uint32_t line = 0;
  std::shared_ptr<const Opcode> opcode;
  std::vector<Operand>
      operands;  ///< in the order of the text; `a|b` gives two; empty for lane_op instructions
  std::shared_ptr<const void> data;  ///< what the family decoded at load time
};

/// Why an instruction cannot be lowered.
struct LoweringError {
  Diagnostic::Kind kind;  ///< unknown_instruction (opcode or qualifiers not known) or syntax (operands)
  std::string message;    ///< a sentence without the line, which is added
};

/// A family of instructions. A file in insns/ registers one or more:
///
///   std::optional<LoweringError> lower(const Opcode& opcode, Target target, Instruction& instruction) {
///     if (!opcode.has("mbarrier::complete_tx::bytes")) return unknown_opcode(opcode);
///     instruction.execute = [](Step& step) -> uint32_t { ...; return step.mask; };
///     return std::nullopt;
///   }
///   const RegisteredFamily family("cp.async.bulk.tensor", lower);
///
/// `prefix` is compared with the leading words of the opcode's text; the longest registered prefix wins. When
/// lower() is called, instruction.operands, line and opcode are set. Operands' number and kinds must be
/// checked there.
using Lower = std::optional<LoweringError> (*)(const Opcode& opcode, Target target, Instruction& instruction);

class RegisteredFamily {
 public:
  RegisteredFamily(std::string_view prefix, Lower lower);
};

/// The family with the longest prefix of the opcode's words, or null.
Lower find_family(const Opcode& opcode);

LoweringError unknown_opcode(const Opcode& opcode);
/// "'add.f64': this emulator does not support <what>".
LoweringError unsupported(const Opcode& opcode, std::string_view what);
/// "<opcode> takes <usage>", for operands that do not fit.
LoweringError wrong_operands(const Opcode& opcode, std::string_view usage);

/// Bytes of a fundamental type ("u32", "f16x2", "b128", "pred" counts 1), or 0 for no type.
uint32_t type_bytes(std::string_view type);

/// True if each qualifier is one of `known` (space-separated words); for families that decode by set.
bool only_known_qualifiers(const Opcode& opcode, std::string_view known);

/// Bits of the mask of CTAs that .multicast::cluster or its ::16b or ::32b (PTX ISA 9.4, cp.async.bulk) gives
/// an instruction; 0: it has none. Nothing: it has two, or one that the target lacks.
std::optional<int> multicast_bits(const Opcode& opcode, Target target);
inline constexpr std::string_view multicast_words =
    " multicast::cluster multicast::cluster::16b multicast::cluster::32b ";

/// A register column that holds the same values for the whole life of a warp, filled when the warp starts.
struct EnvironmentColumn {
  enum class Kind : uint8_t {
    local_address,     ///< of the lane, plus `offset`
    shared_address,    ///< of the CTA's static block, plus `offset`
    dynamic_shared,    ///< of the CTA's dynamic block
    param_address,     ///< of the kernel's parameters, plus `offset`
    special_register,  ///< `name`, one that does not change
  };
  Kind kind;
  uint32_t column;
  uint64_t offset = 0;
  std::string name;
};

/// A parameter or return value of a .func, or the operand of a call that stands for it.
struct CallSlot {
  bool is_register = false;
  Column column;        ///< is_register
  uint32_t offset = 0;  ///< else: in local memory
  uint32_t bytes = 0;
};

/// A .func that a kernel reaches.
struct ProgramFunction {
  std::string name;
  uint32_t entry = 0;                               ///< index of its first instruction
  uint32_t first_register = 0, register_count = 0;  ///< its block of the register file
  uint32_t local_begin = 0, local_bytes = 0;        ///< its block of local memory
  std::vector<CallSlot> params, returns;
};

/// What a call instruction carries.
struct CallData {
  uint32_t function = 0;  ///< index in Program::functions
  Column target;          ///< of an indirect call: holds the function's address
  std::vector<CallSlot> arguments, results;
};

/// A kernel, lowered: the entry first, then every function that it reaches.
struct Program {
  std::string name;
  std::vector<Instruction> code;
  std::vector<uint64_t> constants;  ///< 32 equal lanes each
  uint32_t registers = 0;           ///< columns of the register file
  /// For each column, the 32-bit registers that a GPU needs for it: none for predicates, special registers
  /// and what else is not declared as a register. Columns past its end need none.
  std::vector<uint8_t> register_words;
  std::vector<EnvironmentColumn> environment;
  std::vector<ProgramFunction> functions;  ///< .funcs; [i] is called by CallData::function
  std::vector<std::pair<uint64_t, uint32_t>> function_addresses;  ///< for indirect calls: address, index
  uint32_t local_bytes = 0;                                       ///< of a thread
  bool recurses = false;                                          ///< a function may call itself
  uint32_t shared_bytes = 0;                                      ///< static block
  struct SharedVariable {
    std::string name;
    uint32_t bytes = 0;
  };
  std::map<uint32_t, SharedVariable> shared_variables;  ///< by offset in it
  std::vector<ParamDeclaration> params;
  uint32_t param_bytes = 0;
  std::array<uint32_t, 3> max_threads{}, required_threads{}, required_cluster{};  ///< 0: not given
  bool is_explicit_cluster = false;
  bool releases_dependents = false;  ///< has a griddepcontrol.launch_dependents
  bool names_tensor_maps = false;    ///< an instruction is of tensor copies or tensor maps
  bool copies = false;               ///< an instruction is of cp
  bool reads_only = false;           ///< an instruction is ld.global.nc
  bool uses_wgmma = false;           ///< an instruction is of wgmma
  std::vector<std::pair<uint64_t, uint64_t>>
      constant_ranges;  ///< .const variables of the module: address, bytes
  bool is_constant(uint64_t address) const {
    for (const auto& [begin, bytes] : constant_ranges)
      if (address >= begin && address - begin < bytes) return true;
    return false;
  }
};

/// The 32-bit registers of a thread that hold values at once where most do. What ptxas allots comes from
/// another order of the instructions and may be a few more or fewer; it is not below this for kernels that
/// keep what they loaded. A called function's are not added to its caller's.
uint32_t live_registers(const Program& program);

}  // namespace assay::emulator
