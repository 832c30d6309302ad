// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/module_text.h"

#include <cinttypes>
#include <cstdio>

namespace assay::gen::scalar {
namespace {

template <typename... T>
std::string shown(const char* format, T... values) {
  char text[96];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// Inputs are %hi0, results %hs7 (of slot 7).
std::string input_name(Bank bank, uint32_t index) {
  return shown("%%%ci%u", letter_of(bank), index);
}
std::string result_name(Bank bank, uint32_t slot) {
  return shown("%%%cs%u", letter_of(bank), slot);
}

std::string constant_text(const Source& source, uint64_t value) {
  if (source.type == "f32") return shown("0f%08x", static_cast<uint32_t>(value));
  if (source.type == "f64") return shown("0d%016" PRIx64, value);
  return shown("0x%" PRIx64, value);
}

std::string line_of(const Program& program, const Instruction& one) {
  std::string made = one.form.text() + " " + result_name(one.signature.destination, one.slot);
  if (one.signature.has_second) made += "|" + result_name(Bank::p, one.slot + 1);
  const int braced = one.signature.braced;
  for (size_t i = 0; i < one.sources.size(); ++i) {
    const Operand& source = one.sources[i];
    made += i == 0 && braced ? ", {" : ", ";
    if (source.kind == Operand::Kind::constant)
      made += constant_text(one.signature.sources[i], source.constant);
    else if (source.kind == Operand::Kind::input)
      made += input_name(source.bank, source.index);
    else
      made += result_name(source.bank, program.instructions[source.index].slot);
    if (braced && i + 1 == static_cast<size_t>(braced)) made += "}";
  }
  return made + ";";
}

std::string store(Bank bank, uint32_t slot) {
  const std::string place = shown("[%%to+%u], ", slot * threads * 8);
  const std::string from = result_name(bank, slot);
  if (bank == Bank::p) return "selp.u32 %flag, 1, 0, " + from + ";\nst.global.u32 " + place + "%flag;\n";
  return shown("st.global.b%d ", bits_of(bank)) + place + from + ";\n";
}

/// Reads a result back from where it was stored, so that the instruction that uses it is run as it is: of two
/// in a row an assembler makes one, or another, and what it makes is not what is looked at here.
std::string load(Bank bank, uint32_t slot) {
  const std::string place = shown(", [%%to+%u];\n", slot * threads * 8);
  const std::string to = result_name(bank, slot);
  if (bank == Bank::p) return "ld.volatile.global.u32 %flag" + place + "setp.ne.u32 " + to + ", %flag, 0;\n";
  return shown("ld.volatile.global.b%d ", bits_of(bank)) + to + place;
}

bool is_used(const Program& program, size_t result) {
  for (const Instruction& one : program.instructions)
    for (const Operand& source : one.sources)
      if (source.kind == Operand::Kind::result && source.index == result) return true;
  return false;
}

std::string lines_of(const Program& program) {
  std::string made;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& one = program.instructions[i];
    const Bank bank = one.signature.destination;
    made += line_of(program, one) + "\n" + store(bank, one.slot);
    if (one.signature.has_second) made += store(Bank::p, one.slot + 1);
    if (is_used(program, i)) made += load(bank, one.slot);
  }
  return made;
}

std::string declarations(const Kernel& kernel) {
  std::string made;
  for (const Bank bank : {Bank::p, Bank::h, Bank::r, Bank::d}) {
    const std::string type = bank == Bank::p ? "pred" : "b" + std::to_string(bits_of(bank));
    made += shown(".reg .%s %%%ci<%d>;\n", type.c_str(), letter_of(bank), inputs[static_cast<size_t>(bank)]);
    made += shown(".reg .%s %%%cs<%u>;\n", type.c_str(), letter_of(bank), kernel.slots + 1);
  }
  return made + ".reg .b32 %flag;\n.reg .b64 %from, %to, %mine;\n";
}

std::string loads(const std::string& name) {
  std::string made =
      "ld.param.b64 %from, [" + name + "_in];\nld.param.b64 %to, [" + name +
      "_out];\nmov.u32 %flag, %tid.x;\nmul.wide.u32 %mine, %flag, 8;\nadd.s64 %from, %from, %mine;\n"
      "add.s64 %to, %to, %mine;\n";
  for (const Bank bank : {Bank::h, Bank::r, Bank::d})
    for (int i = 0; i < inputs[static_cast<size_t>(bank)]; ++i) {
      const auto index = static_cast<uint32_t>(i);
      made += shown("ld.global.b%d ", bits_of(bank)) + input_name(bank, index) +
              shown(", [%%from+%u];\n", input_word(bank, index) * threads * 8);
    }
  for (int i = 0; i < inputs[0]; ++i) {
    const auto index = static_cast<uint32_t>(i);
    made += "and.b32 %flag, " + input_name(Bank::r, index) + ", 1;\nsetp.ne.u32 " +
            input_name(Bank::p, index) + ", %flag, 0;\n";
  }
  return made;
}

}  // namespace

std::string text_of(const Program& program) {
  std::string made;
  for (const Instruction& one : program.instructions) made += line_of(program, one) + "\n";
  return made;
}

std::string module_text(const Module& module, std::string_view target) {
  std::string made = ".version 9.0\n.target " + std::string(target) + "\n.address_size 64\n";
  for (size_t k = 0; k < module.kernels.size(); ++k) {
    const Kernel& kernel = module.kernels[k];
    const std::string name = "k" + std::to_string(k);
    made += ".visible .entry " + name + "(.param .b64 " + name + "_in, .param .b64 " + name + "_out)\n{\n";
    made += declarations(kernel) + loads(name);
    for (const Program& program : kernel.programs) made += lines_of(program);
    made += "ret;\n}\n";
  }
  return made;
}

}  // namespace assay::gen::scalar
