// SPDX-License-Identifier: Apache-2.0
// The emulator's scalar instructions against two others: the reference for integers, and itself through the
// whole oracle. On a GPU's machine `assay scalar-oracle` compares it with silicon.
#include "suites/scalar/oracle.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <tuple>

#include "suites/scalar/integer.h"

namespace assay::suites::scalar {
namespace {

using gen::scalar::Family;
using gen::scalar::Form;
using gen::scalar::Forms;
using gen::scalar::Instruction;
using gen::scalar::Kernel;
using gen::scalar::Module;
using gen::scalar::Program;
using gen::scalar::threads;

Module module_of(uint64_t index, uint32_t kernels, std::vector<Family> families = {}) {
  static const Forms forms(90);
  return gen::scalar::make_module(forms, 1, index, kernels, families);
}

struct Judged {
  std::map<std::string, uint64_t> by_opcode;
  uint64_t wrong = 0;
  std::string first;
};

/// Judges every result of a program in one thread, each from the operands that the device itself had.
void judge(const Kernel& kernel, const Program& program, const std::vector<uint64_t>& results,
           uint32_t thread, Judged& judged) {
  assay::scalar::Carry carry;
  for (const Instruction& one : program.instructions) {
    const auto operands = operands_of(kernel, program, one, results, thread);
    const auto expected =
        assay::scalar::integer_result({one.form.base, one.form.modifiers, one.form.types}, operands, carry);
    if (!expected) continue;
    ++judged.by_opcode[one.form.text()];
    const uint64_t got = results[size_t{one.slot} * threads + thread];
    if (got == *expected) continue;
    if (judged.wrong++ != 0) continue;
    std::ostringstream text;
    text << one.form.text() << std::hex;
    for (const uint64_t operand : operands) text << " " << operand;
    text << ": expected " << *expected << ", got " << got << " in\n" << text_of(program);
    judged.first = text.str();
  }
}

TEST(ScalarOracle, IntegersLogicAndCarryChainsAreAsTheReferenceSays) {
  Side emulator(cuda::parse_device_spec("emulator:sm_90a"));
  Judged judged;
  for (uint64_t index = 0; index < 24; ++index) {
    const Module module = module_of(index, 6, {Family::integer, Family::carry, Family::logic});
    const Results results = emulator.run(module);
    for (size_t k = 0; k < module.kernels.size(); ++k)
      for (const Program& program : module.kernels[k].programs)
        for (uint32_t thread = 0; thread < threads; thread += 5)
          judge(module.kernels[k], program, results[k], thread, judged);
  }
  EXPECT_EQ(judged.wrong, 0u) << judged.first;
  // Nearly every form of these families has been judged, and in particular each that touches the flag.
  EXPECT_GT(judged.by_opcode.size(), 150u);
  for (const char* opcode :
       {"addc.cc.u32", "subc.cc.s64", "madc.hi.cc.u64", "sub.cc.u32", "mad.lo.cc.s32", "addc.s64", "subc.u32",
        "madc.lo.u32", "add.cc.u64", "div.s16", "bfe.s64", "prmt.b32.ecr", "fns.b32"})
    EXPECT_GT(judged.by_opcode[opcode], 50u) << opcode;
}

TEST(ScalarOracle, LinesOfSm100FormsSayThatNoSiliconGaveThem) {
  OracleRun run;
  for (const char* opcode : {"cvt.rs.satfinite.e4m3x4.f32", "add.u32"})
    run.tally.differences[opcode] = {.programs = 1, .threads = 1, .examples = {}};
  std::istringstream lines(summary({}, run));
  int labelled = 0, plain = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool says_so = line.ends_with("(of sm_100: no silicon here)");
    labelled += says_so && line.starts_with("cvt.rs");
    plain += !says_so && line.starts_with("add.u32");
  }
  EXPECT_EQ(labelled, 1);
  EXPECT_EQ(plain, 1);
}

TEST(ScalarOracle, TheReferenceFlagIsNoBorrow) {
  using assay::scalar::Carry;
  using assay::scalar::integer_result;
  const std::vector<std::string> cc = {"cc"}, none, u32 = {"u32"};
  const auto after = [&](std::string_view first, uint64_t a, uint64_t b, std::string_view then) {
    Carry carry;
    integer_result({first, cc, u32}, std::vector<uint64_t>{a, b}, carry);
    return *integer_result({then, none, u32}, std::vector<uint64_t>{0, 0}, carry);
  };
  // What an H100 printed.
  EXPECT_EQ(after("sub", 0, 1, "addc"), 0u);
  EXPECT_EQ(after("sub", 0, 0, "addc"), 1u);
  EXPECT_EQ(after("sub", 0, 1, "subc"), 0xffffffffu);
  EXPECT_EQ(after("sub", 0, 0, "subc"), 0u);
  EXPECT_EQ(after("add", 0, 0, "subc"), 0xffffffffu);
  EXPECT_EQ(after("add", 0xffffffff, 1, "subc"), 0u);
}

TEST(ScalarOracle, TheReferenceTakesPlacesOf64BitFieldsWhole) {
  assay::scalar::Carry carry;
  const std::vector<std::string> none, u64 = {"u64"}, s64 = {"s64"}, b64 = {"b64"};
  const auto result = [&](std::string_view base, const std::vector<std::string>& type,
                          const std::vector<uint64_t>& operands) {
    return *assay::scalar::integer_result({base, none, type}, operands, carry);
  };
  // What an H200 gave.
  EXPECT_EQ(result("bfe", u64, {0x70dd7181bfe4760a, 0x81000000, 2}), 0u);
  EXPECT_EQ(result("bfe", s64, {0x8000000000000001, 0x3e, 0x80000001}), 0xfffffffffffffffeu);
  EXPECT_EQ(result("bfi", b64, {0, 0x8000000000000000, 0x40000, 0x73}), 0x8000000000000000u);
}

/// Of two instructions in a row, of equal operands and of constants alone an assembler makes something else.
TEST(ScalarOracle, EveryInstructionIsRunAsItStands) {
  for (uint64_t index = 0; index < 4; ++index) {
    const Module module = module_of(index, 33);
    for (size_t k = 0; k < module.kernels.size(); ++k) {
      const size_t begin = module.text.find(".entry k" + std::to_string(k) + "(");
      const std::string text = module.text.substr(begin, module.text.find("\nret;", begin) - begin);
      for (const Program& program : module.kernels[k].programs)
        for (const Instruction& one : program.instructions) {
          std::set<std::tuple<int, int, uint32_t>> registers;
          size_t constants = 0;
          for (size_t i = 0; i < one.sources.size(); ++i) {
            const auto& [kind, bank, number, constant] = one.sources[i];
            if (kind == gen::scalar::Operand::Kind::constant)
              constants += one.signature.sources[i].rule != gen::scalar::Source::Rule::immediate;
            else
              EXPECT_TRUE(registers.emplace(static_cast<int>(kind), static_cast<int>(bank), number).second)
                  << text_of(program);
            if (kind != gen::scalar::Operand::Kind::result) continue;
            const uint32_t slot = program.instructions[number].slot;
            const std::string place = ", [%to+" + std::to_string(slot * threads * 8) + "];";
            EXPECT_NE(text.find(place), std::string::npos) << "not read back: " << text_of(program);
          }
          const bool is_limit = one.form.base == "or" || one.form.base == "and" || one.form.base == "max";
          EXPECT_TRUE(constants <= 1 || is_limit) << text_of(program);
        }
    }
  }
}

TEST(ScalarOracle, ModulesDependOnSeedAndNumberAlone) {
  EXPECT_EQ(module_of(3, 2).text, module_of(3, 2).text);
  EXPECT_NE(module_of(3, 2).text, module_of(4, 2).text);
  EXPECT_EQ(module_of(3, 2).kernels[1].values, module_of(3, 2).kernels[1].values);
}

TEST(ScalarOracle, EveryFormIsDrawn) {
  std::set<std::string> drawn;
  for (uint64_t index = 0; index < 40; ++index)
    for (const Kernel& kernel : module_of(index, 33).kernels)
      for (const Program& program : kernel.programs)
        for (const Instruction& one : program.instructions) drawn.insert(one.form.text());
  size_t forms = 0;
  for (const Form& form : gen::scalar::forms_of(90)) forms += signature_of(form).has_value();
  EXPECT_GT(forms, 5000u);
  EXPECT_GT(drawn.size(), forms * 4 / 5);
  // What needs a register of 8 bits, and no more.
  EXPECT_TRUE(Forms(90).left_out.empty());
  for (const std::string& form : Forms(103).left_out) EXPECT_NE(form.find("e2m1x2"), form.npos) << form;
}

TEST(ScalarOracle, EveryModuleLoadsAndRunsTheSameTwice) {
  Side emulator(cuda::parse_device_spec("emulator:sm_90a"));
  Tally tally;
  for (uint64_t index = 100; index < 102; ++index) {
    const Module module = module_of(index, 33);
    compare(module, index, emulator.run(module), emulator.run(module), tally);
  }
  EXPECT_EQ(tally.programs, 2u * 33 * gen::scalar::programs_a_kernel);
  EXPECT_TRUE(tally.differences.empty());
}

TEST(ScalarOracle, OneWrongBitIsFoundAtItsInstruction) {
  const Module module = module_of(7, 2, {Family::integer});
  Results left, right;
  for (const Kernel& kernel : module.kernels) left.emplace_back(size_t{kernel.slots} * threads, 5);
  right = left;
  const Program& program = module.kernels[1].programs[9];
  const Instruction& one = program.instructions.back();
  right[1][size_t{one.slot} * threads + 77] ^= 1;
  Tally tally;
  compare(module, 7, left, right, tally);
  ASSERT_EQ(tally.differences.size(), 1u);
  EXPECT_EQ(tally.differing_programs(), 1u);
  const Difference& found = tally.differences.at(one.form.text()).examples.at(0);
  EXPECT_EQ(found.kernel, 1u);
  EXPECT_EQ(found.index, 9u);
  EXPECT_EQ(found.thread, 77u);
  EXPECT_EQ(found.threads, 1u);
  EXPECT_EQ(found.left ^ found.right, 1u);
  EXPECT_NE(found.program.find(found.line), std::string::npos);
}

TEST(ScalarOracle, ApproximateResultsMayDifferAsTheDocumentSays) {
  const Form rcp{"rcp", {"approx"}, {"f32"}}, tanh{"tanh", {"approx"}, {"f16x2"}},
      ex2{"ex2", {"approx"}, {"f32"}};
  const uint64_t two = 0x40000000;
  EXPECT_TRUE(distance(rcp, &two, 0x3f000000, 0x3f000001).is_allowed);
  EXPECT_FALSE(distance(rcp, &two, 0x3f000000, 0x3f000010).is_allowed);
  EXPECT_FALSE(distance(rcp, &two, 0x7fffffff, 0x3f000000).is_allowed);
  EXPECT_TRUE(distance(tanh, &two, 0x3a003a00, 0x3a013a02).is_allowed);
  EXPECT_FALSE(distance(tanh, &two, 0x3a003a00, 0x3a003b00).is_allowed);
  EXPECT_EQ(distance(ex2, &two, 0x40800000, 0x40800002).ulps, 2u);
  // An H200 divides 0x7efffffe by 0x3effffff to infinity, one place above the largest number.
  const Form div{"div", {"full"}, {"f32"}};
  const uint64_t dividend = 0x7efffffe;
  EXPECT_TRUE(distance(div, &dividend, 0x7f7fffff, 0x7f800000).is_allowed);
  EXPECT_FALSE(distance(div, &dividend, 0x7f7ffff0, 0x7f800000).is_allowed);
  EXPECT_FALSE(distance(div, &dividend, 0xff7fffff, 0x7f800000).is_allowed);
  // Every approximate form has a bound.
  for (const Form& form : gen::scalar::forms_of(103))
    if (form.is_approximate()) {
      EXPECT_NE(bound_of(form), "exact") << form.text();
    }
}

}  // namespace
}  // namespace assay::suites::scalar
