// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generators/random.h"
#include "suites/scalar/form.h"

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
