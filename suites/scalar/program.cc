// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/program.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace assay::gen::scalar {
namespace {

using Rule = Source::Rule;
using OfBase = Forms::OfBase;

/// Adds instructions to one program.
class Writer {
 public:
  Writer(Random& random, Program& program, uint32_t& slots)
      : random_(random), program_(program), slots_(slots) {}

  void add(const std::pair<Form, Signature>& drawn) {
    Instruction made{drawn.first, drawn.second, {}, 0};
    for (const Source& source : made.signature.sources) made.sources.push_back(operand(source, made.sources));
    place(std::move(made));
  }

 private:
  void place(Instruction made) {
    made.slot = slots_;
    slots_ += made.signature.has_second ? 2 : 1;
    program_.instructions.push_back(std::move(made));
  }

  uint64_t constant(const Source& source) {
    if (source.limit != 0) return random_.below(source.limit);
    if (source.rule == Rule::below_32) return random_.below(32);
    const bool is_float = source.type == "f32" || source.type == "f64";
    const Family family = is_float ? program_.family : Family::integer;
    const uint64_t made =
        random_value(random_, family, bits_of(source.bank)) | (source.rule == Rule::odd ? 1 : 0);
    // A carry that the assembler knows beforehand is not taken from the flag.
    if (program_.family == Family::carry && made == 0) return 1;
    // An assembler moves and negates constants, so which NaN of two, and with which sign, is up to it.
    const bool is_nan = source.type == "f64" && (made & ~uint64_t{0} >> 1) > uint64_t{0x7ff} << 52;
    return is_nan ? made & ~(uint64_t{1} << 62) : made;
  }

  /// What an instruction reads: at most one constant, and no register twice. Of two equal operands or two
  /// constants an assembler makes a move, a bit field's mask or a carry of its own, and the instruction is
  /// not run.
  Operand operand(const Source& source, const std::vector<Operand>& others) {
    const bool has_constant = std::any_of(others.begin(), others.end(), [](const Operand& other) {
      return other.kind == Operand::Kind::constant;
    });
    const bool may_be_constant = source.rule != Rule::registers_only && !has_constant;
    if (source.rule == Rule::immediate || (may_be_constant && random_.one_in(7)))
      return {Operand::Kind::constant, source.bank, 0, constant(source)};
    Operand made = from_register(source.bank);
    while (std::any_of(others.begin(), others.end(), [&](const Operand& other) { return same(other, made); }))
      made = from_register(source.bank);
    if (source.rule == Rule::odd) return limited("or", "b", made, 1);
    if (source.rule == Rule::below_32) return limited("and", "b", made, 31);
    if (source.rule == Rule::above_lowest) return limited("max", "s", made, 0x80000001);
    return made;
  }

  static bool same(const Operand& a, const Operand& b) {
    return a.kind == b.kind && a.bank == b.bank && a.index == b.index;
  }

  Operand from_register(Bank bank) {
    std::vector<uint32_t> results;
    for (uint32_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction& earlier = program_.instructions[i];
      // What is only known within an error is looked at but not used.
      if (earlier.signature.destination == bank && !earlier.form.is_approximate()) results.push_back(i);
    }
    if (!results.empty() && random_.below(5) < 2)
      return {Operand::Kind::result, bank, results[random_.below(static_cast<uint32_t>(results.size()))]};
    return {Operand::Kind::input, bank,
            random_.below(static_cast<uint32_t>(inputs[static_cast<size_t>(bank)]))};
  }

  /// The operand brought within its limits by an instruction of its own.
  Operand limited(const char* base, const std::string& kind, Operand from, uint64_t mask) {
    const std::string type = kind + std::to_string(bits_of(from.bank));
    Instruction made{{base, {}, {type}}, {from.bank, false, {{from.bank}, {from.bank}}}, {}, 0};
    made.sources = {from, {Operand::Kind::constant, from.bank, 0, mask}};
    place(std::move(made));
    return {Operand::Kind::result, from.bank, static_cast<uint32_t>(program_.instructions.size() - 1)};
  }

  Random& random_;
  Program& program_;
  uint32_t& slots_;
};

const std::pair<Form, Signature>& draw(Random& random, const std::vector<OfBase>& family) {
  const OfBase& of_base = family[random.below(static_cast<uint32_t>(family.size()))];
  return of_base.forms[random.below(static_cast<uint32_t>(of_base.forms.size()))];
}

bool reads_carry(const Form& form) {
  return form.base == "addc" || form.base == "subc" || form.base == "madc";
}

Program make_program(Random& random, const Forms& forms, Family family, uint32_t& slots) {
  Program made;
  made.family = family;
  Writer writer(random, made, slots);
  const auto& drawn_from = forms.families[static_cast<size_t>(family)];
  const uint32_t length = family == Family::carry ? random.between(2, 8) : random.between(1, 5);
  bool has_carry = false;
  for (uint32_t i = 0; i < length; ++i) {
    const std::pair<Form, Signature>* next = &draw(random, drawn_from);
    // A chain begins with what only writes the flag; an instruction without .cc leaves it alone.
    while (!has_carry && reads_carry(next->first)) next = &draw(random, drawn_from);
    has_carry |= next->first.has("cc");
    writer.add(*next);
  }
  return made;
}

}  // namespace

uint32_t input_word(Bank bank, uint32_t index) {
  switch (bank) {
    case Bank::d:
      return index;
    case Bank::h:
      return 4 + 6 + index;
    default:
      return 4 + index;  // predicates live in bank r
  }
}

uint64_t input_value(const Kernel& kernel, Bank bank, uint32_t index, uint32_t thread) {
  const uint64_t word = kernel.values[input_word(bank, index) * threads + thread];
  return bank == Bank::p ? word & 1 : word;
}

Forms::Forms(int capability) : target("sm_" + std::to_string(capability) + "a") {
  for (Form& form : forms_of(capability)) {
    std::optional<Signature> signature = signature_of(form);
    if (!signature) {
      left_out.push_back(form.text());
      continue;
    }
    auto& family = families[static_cast<size_t>(family_of(form))];
    // Conversions are told apart by their destination too, or the many to float drown the rest.
    const std::string key = form.base == "cvt" ? "cvt." + form.types[0] : form.base;
    auto found =
        std::find_if(family.begin(), family.end(), [&](const OfBase& one) { return one.base == key; });
    if (found == family.end()) found = family.insert(family.end(), OfBase{key, {}});
    found->forms.emplace_back(std::move(form), std::move(*signature));
  }
}

Module make_module(const Forms& forms, uint64_t seed, uint64_t index, uint32_t kernels,
                   const std::vector<Family>& families) {
  Random random(case_stream(seed, "scalar", index));
  Module made;
  for (uint32_t k = 0; k < kernels; ++k) {
    const Family family = families.empty() ? all_families[(index * kernels + k) % std::size(all_families)]
                                           : families[(index * kernels + k) % families.size()];
    Kernel& kernel = made.kernels.emplace_back();
    for (uint32_t word = 0; word < input_words; ++word)
      for (uint32_t thread = 0; thread < threads; ++thread)
        kernel.values.push_back(random_value(random, family, word < 4 ? 64 : word < 10 ? 32 : 16));
    for (uint32_t i = 0; i < programs_a_kernel; ++i)
      kernel.programs.push_back(make_program(random, forms, family, kernel.slots));
  }
  made.text = module_text(made, forms.target);
  return made;
}

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
