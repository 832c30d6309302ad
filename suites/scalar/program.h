// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/random.h"

/// The scalar instructions of PTX as a generator of programs sees them: which forms there are, and what each
/// reads and writes.
namespace assay::gen::scalar {

/// Registers by size: predicate, 16, 32 and 64 bits.
enum class Bank : uint8_t { p, h, r, d };
inline constexpr int banks = 4;
constexpr int bits_of(Bank bank) {
  constexpr int bits[] = {1, 16, 32, 64};
  return bits[static_cast<int>(bank)];
}
constexpr char letter_of(Bank bank) {
  return "phrd"[static_cast<int>(bank)];
}

/// A legal opcode: a row of the table of legal forms spelled out.
struct Form {
  std::string base;
  std::vector<std::string> modifiers, types;

  std::string text() const;
  bool has(std::string_view modifier) const;
  bool is_float() const;
  bool is_video() const;
  bool is_approximate() const;
};

/// Instructions that are drawn together.
enum class Family : uint8_t {
  integer,
  carry,
  logic,
  compare,
  single,
  dual,
  half,
  convert_integer,
  convert_float,
  convert_packed,
  approximate,
};
inline constexpr Family all_families[] = {
    Family::integer,       Family::carry,          Family::logic,      Family::compare,
    Family::single,        Family::dual,           Family::half,       Family::convert_integer,
    Family::convert_float, Family::convert_packed, Family::approximate};
std::string_view name_of(Family family);
Family family_of(const Form& form);

/// What a source may be.
struct Source {
  Bank bank;
  enum class Rule : uint8_t {
    any,
    registers_only,  ///< no immediate
    immediate,       ///< a constant
    odd,             ///< never zero: the document leaves the result open for it
    below_32,
    above_lowest,  ///< not -2^31: how many bits fns is to count is the magnitude, which that has not
  } rule = Rule::any;
  std::string_view type = {};  ///< of an immediate: "f32", "s16", ...
  uint32_t limit = 0;          ///< constants are below it, if not 0
};
struct Signature {
  Bank destination;
  bool has_second = false;  ///< d|p: a second destination, always a predicate
  std::vector<Source> sources;
  int braced = 0;  ///< that many first sources stand in braces
};

/// Nothing for the few forms that need a register of 8 bits.
std::optional<Signature> signature_of(const Form& form);

/// The forms that a GPU of that compute capability has (90, 100, ...), in the order of the table, and the
/// SIMD video instructions.
std::vector<Form> forms_of(int capability);

}  // namespace assay::gen::scalar

/// Random straight-line programs of scalar instructions, many to a kernel and many kernels to a module of PTX
/// text.
namespace assay::gen::scalar {

inline constexpr uint32_t threads = 128;  ///< of a kernel: one CTA, each thread with operands of its own
inline constexpr uint32_t programs_a_kernel = 32;
inline constexpr std::array<int, banks> inputs{3, 6, 6,
                                               4};  ///< registers of each bank that every program may read

/// Where a source comes from.
struct Operand {
  enum class Kind : uint8_t { input, result, constant } kind = Kind::input;
  Bank bank = Bank::r;
  uint32_t index = 0;  ///< of the input in its bank, or of the instruction of the program whose result it is
  uint64_t constant = 0;
};

struct Instruction {
  Form form;
  Signature signature;
  std::vector<Operand> sources;
  uint32_t slot = 0;  ///< of its result among the kernel's results; a second result has the next
};

struct Program {
  Family family = Family::integer;
  std::vector<Instruction> instructions;
};

struct Kernel {
  std::vector<Program> programs;
  uint32_t slots = 0;            ///< results of 8 bytes a thread: slot s of thread t at (s * threads + t)
  std::vector<uint64_t> values;  ///< inputs of 8 bytes a thread, as words_of_inputs() numbers them
};

struct Module {
  std::vector<Kernel> kernels;
  std::string text;  ///< kernel i is the entry "k<i>" with two parameters: addresses of inputs and results
};

/// Which word of a thread's inputs holds a register; predicates are the lowest bits of the first words of
/// bank r.
uint32_t input_word(Bank bank, uint32_t index);
inline constexpr uint32_t input_words = 16;
uint64_t input_value(const Kernel& kernel, Bank bank, uint32_t index, uint32_t thread);

/// What modules are made of; the table is read once.
struct Forms {
  struct OfBase {
    std::string base;
    std::vector<std::pair<Form, Signature>> forms;
  };
  std::string target;  ///< "sm_90a"
  std::array<std::vector<OfBase>, std::size(all_families)> families;
  std::vector<std::string> left_out;  ///< forms without a signature

  explicit Forms(int capability);
};

/// Module `index` of a seed: the same on every machine. `families`: those to draw from, all if empty.
Module make_module(const Forms& forms, uint64_t seed, uint64_t index, uint32_t kernels,
                   const std::vector<Family>& families = {});

/// The lines of a program as they stand in the module.
std::string text_of(const Program& program);

std::string module_text(const Module& module, std::string_view target);

/// Operands that find edges: of the family's types mostly, and now and then of another's.
uint64_t random_value(Random& random, Family family, int bits);

}  // namespace assay::gen::scalar
