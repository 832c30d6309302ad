// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/program.h"

#include <algorithm>
#include <sstream>

#include "reference/spec/arch.h"

namespace assay::gen::scalar {
namespace {

constexpr std::string_view table =
#include <scalar_forms.inc>  // made from devices/emulator/alu/legal_forms.txt
    ;

/// The SIMD video instructions, which are no lane operations of the emulator: every combination of the three
/// types (ptx, SIMD Video Instructions; ptxas).
constexpr std::string_view video_bases[] = {"vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2",
                                            "vadd4", "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4"};

void add_video_forms(std::vector<Form>& forms) {
  constexpr const char* types[] = {"u32", "s32"};
  for (const std::string_view base : video_bases)
    for (int signs = 0; signs < 8; ++signs)
      for (const char* modifier : {"", "sat", "add"}) {
        Form form{std::string(base), {}, {types[signs & 1], types[signs >> 1 & 1], types[signs >> 2]}};
        if (*modifier != '\0') form.modifiers.emplace_back(modifier);
        forms.push_back(std::move(form));
      }
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

bool any_of(const std::vector<std::string>& words, std::initializer_list<std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

bool is_float_type(std::string_view type) {
  return type.find('f') != type.npos || type.starts_with("e");
}

/// What came with sm_100 (ptx, the target notes of each instruction).
bool needs_sm_100(const Form& form) {
  const auto& types = form.types;
  if (any_of(types, {"f32x2", "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2", "e4m3x4", "e5m2x4", "e2m1x4", "e2m3x4",
                     "e3m2x4"}))
    return true;
  // Mixed precision: add.f32.f16 and its kin.
  if ((form.base == "add" || form.base == "sub" || form.base == "fma") && types.size() == 2) return true;
  // The minimum and maximum of three.
  if ((form.base == "min" || form.base == "max") && types[0] == "f32" && form.has("abs") &&
      !form.has("xorsign"))
    return true;
  if (form.base == "cvt" && types[0] == "tf32" && form.has("satfinite") && !form.has("rna")) return true;
  return false;
}

}  // namespace

std::string Form::text() const {
  std::string made = base;
  // The mode of prmt stands behind its type.
  if (base == "prmt") return made + ".b32" + (modifiers.empty() ? "" : "." + modifiers[0]);
  std::string words, of_types;
  for (const std::string& modifier : modifiers) words += "." + modifier;
  for (const std::string& type : types) of_types += "." + type;
  return made + (is_video() ? of_types + words : words + of_types);
}

bool Form::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

bool Form::is_video() const {
  return std::find(std::begin(video_bases), std::end(video_bases), base) != std::end(video_bases);
}

bool Form::is_float() const {
  return std::any_of(types.begin(), types.end(), [](const std::string& type) { return is_float_type(type); });
}

bool Form::is_approximate() const {
  return has("approx") || has("full") || base == "tanh" || base == "ex2" || base == "lg2";
}

std::string_view name_of(Family family) {
  constexpr std::string_view names[] = {"integer",       "carry",          "logic",      "compare",
                                        "single",        "dual",           "half",       "convert_integer",
                                        "convert_float", "convert_packed", "approximate"};
  return names[static_cast<int>(family)];
}

Family family_of(const Form& form) {
  const std::string& base = form.base;
  if (form.has("cc") || base == "addc" || base == "subc" || base == "madc") return Family::carry;
  if (form.is_approximate()) return Family::approximate;
  if (base == "set" || base == "setp" || base == "testp") return Family::compare;
  if (base == "cvt") {
    if (!form.is_float()) return Family::convert_integer;
    const bool is_scalar =
        form.types.size() == 2 && std::none_of(form.types.begin(), form.types.end(), [](auto& type) {
          return type.find('x') != type.npos || type == "tf32";
        });
    return is_scalar ? Family::convert_float : Family::convert_packed;
  }
  constexpr std::string_view logic[] = {"and", "or",   "xor", "not",  "cnot", "shl", "shr",
                                        "shf", "prmt", "mov", "lop3", "selp", "slct"};
  if (std::find(std::begin(logic), std::end(logic), base) != std::end(logic)) return Family::logic;
  if (!form.is_float()) return Family::integer;
  if (form.types[0] == "f64") return Family::dual;
  if (form.types[0] == "f32" || form.types[0] == "f32x2") return Family::single;
  return Family::half;
}

std::vector<Form> forms_of(int capability) {
  std::vector<Form> made;
  const bool has_rs = spec::has(spec::find_arch(capability), &spec::Architecture::has_rs);
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() != 3) continue;
    for (const std::string& types : split(cells[1], ' '))
      for (const std::string& modifiers : split(cells[2], ' ')) {
        Form form{split(cells[0], ' ')[0], {}, split(types, '.')};
        if (modifiers != "-") form.modifiers = split(modifiers, '.');
        if ((capability < 100 && needs_sm_100(form)) || (!has_rs && form.has("rs"))) continue;
        made.push_back(std::move(form));
      }
  }
  add_video_forms(made);
  return made;
}

// What each scalar instruction reads and writes (ptx, the syntax of each instruction).

namespace {

using Rule = Source::Rule;

std::optional<Bank> bank_of(std::string_view type) {
  constexpr std::pair<std::string_view, Bank> banks_of_types[] = {
      {"pred", Bank::p},    {"u8", Bank::h},     {"s8", Bank::h},     {"u16", Bank::h},
      {"s16", Bank::h},     {"b16", Bank::h},    {"f16", Bank::h},    {"bf16", Bank::h},
      {"e4m3x2", Bank::h},  {"e5m2x2", Bank::h}, {"e2m3x2", Bank::h}, {"e3m2x2", Bank::h},
      {"ue8m0x2", Bank::h}, {"e2m1x4", Bank::h}, {"u32", Bank::r},    {"s32", Bank::r},
      {"b32", Bank::r},     {"f32", Bank::r},    {"tf32", Bank::r},   {"f16x2", Bank::r},
      {"bf16x2", Bank::r},  {"u16x2", Bank::r},  {"s16x2", Bank::r},  {"e4m3x4", Bank::r},
      {"e5m2x4", Bank::r},  {"e2m3x4", Bank::r}, {"e3m2x4", Bank::r}, {"u64", Bank::d},
      {"s64", Bank::d},     {"b64", Bank::d},    {"f64", Bank::d},    {"f32x2", Bank::d}};
  for (const auto& [name, bank] : banks_of_types)
    if (name == type) return bank;
  return std::nullopt;
}

bool takes_immediate(std::string_view type) {
  constexpr std::string_view types[] = {"u16", "s16", "b16", "u32", "s32", "b32",
                                        "f32", "u64", "s64", "b64", "f64"};
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

std::optional<Source> of(std::string_view type) {
  const auto bank = bank_of(type);
  if (!bank) return std::nullopt;
  return Source{*bank, takes_immediate(type) ? Rule::any : Rule::registers_only, type};
}

constexpr Source word{Bank::r, Rule::any, "u32"};
constexpr Source position{Bank::r, Rule::any, "u32", 32};  // a constant lies in the field
constexpr Source condition{Bank::p, Rule::registers_only};

std::optional<Signature> signature_of_cvt(const Form& form) {
  if (form.has("pack")) {
    Signature made{Bank::r, false, {word, word}};
    if (form.types.size() == 3) made.sources.push_back(word);
    return made;
  }
  const auto to = bank_of(form.types[0]);
  auto from = of(form.types[1]);
  if (!to || !from) return std::nullopt;
  from->rule = Rule::registers_only;
  const std::string& type = form.types[0];
  Signature made{*to, false, {*from}};
  if (form.types[1] == "f32" && type.ends_with("x4")) {
    made.sources.assign(4, *from);
    made.braced = 4;
  } else if (form.types[1] == "f32" && type.ends_with("x2")) {
    made.sources.push_back(*from);
  }
  if (form.has("rs")) made.sources.push_back({Bank::r, Rule::registers_only, "u32"});
  return made;
}

std::optional<Signature> signature_of_compare(const Form& form) {
  const bool is_setp = form.base == "setp";
  const std::string& compared = is_setp ? form.types[0] : form.types[1];
  auto a = of(compared);
  if (!a) return std::nullopt;
  Signature made{is_setp ? Bank::p : *bank_of(form.types[0]),
                 is_setp && compared != "f16" && compared != "bf16",
                 {*a, *a}};
  made.sources[0].rule = Rule::registers_only;
  if (form.has("and") || form.has("or") || form.has("xor")) made.sources.push_back(condition);
  return made;
}

}  // namespace

std::optional<Signature> signature_of(const Form& form) {
  const std::string& base = form.base;
  if (base == "cvt") return signature_of_cvt(form);
  if (base == "set" || base == "setp") return signature_of_compare(form);
  if (base == "dp4a" || base == "dp2a") return Signature{Bank::r, false, {word, word, word}};
  if (form.is_video())
    return Signature{Bank::r, false, std::vector(3, Source{Bank::r, Rule::registers_only, "u32"})};
  const auto bank = bank_of(form.types[0]);
  const auto source = of(form.types[0]);
  if (!bank || !source) return std::nullopt;
  const Source a = *source;
  const auto made = [&](Bank destination, std::vector<Source> sources) {
    return Signature{destination, false, std::move(sources)};
  };
  // What an instruction makes of a constant alone the assembler works out.
  const Source alone{a.bank, Rule::registers_only, a.type};
  if (base == "testp") return made(Bank::p, {alone});
  if (base == "popc" || base == "clz" || base == "bfind") return made(Bank::r, {alone});
  if (base == "bmsk" || base == "szext") return made(Bank::r, {word, word});
  if (base == "fns")
    return made(Bank::r, {word, {Bank::r, Rule::below_32, "u32"}, {Bank::r, Rule::above_lowest, "s32"}});
  if (base == "bfe") return made(*bank, {a, position, position});
  if (base == "bfi") return made(*bank, {a, a, position, position});
  // The amount is 32 bits wide for every type (ptx, shl and shr); of a constant the driver's assembler
  // takes 16.
  if (base == "shl" || base == "shr") return made(*bank, {a, {Bank::r, Rule::any, "u32", 256}});
  if (base == "shf" || base == "prmt") return made(*bank, {a, a, a});
  if (base == "lop3") {
    const Source lut{Bank::r, Rule::immediate, "u32", 256};
    Signature three = made(Bank::r, {a, a, a, lut});
    if (form.has("and") || form.has("or")) {
      three.has_second = true;
      three.sources.push_back(condition);
    }
    return three;
  }
  if (base == "selp") return made(*bank, {a, a, condition});
  if (base == "slct") {  // which operand a constant selects is worked out by the assembler
    Source selector = *of(form.types[1]);
    selector.rule = Rule::registers_only;
    return made(*bank, {a, a, selector});
  }
  if (base == "div" || base == "rem") {
    Source divisor = a;
    // A quotient by a constant is a product, or nothing at all, to an assembler.
    divisor.rule = form.is_float() ? Rule::registers_only : Rule::odd;
    return made(*bank, {a, divisor});
  }
  if (base == "mul" && form.has("wide")) return made(*bank == Bank::h ? Bank::r : Bank::d, {a, a});
  if ((base == "mad") && form.has("wide")) {
    const bool is_signed = form.types[0][0] == 's';
    const Source c = *bank == Bank::h ? *of(is_signed ? "s32" : "u32") : *of(is_signed ? "s64" : "u64");
    return made(c.bank, {a, a, c});
  }
  if (form.types.size() == 2) {  // f32.f16: the first operands are narrow
    const Source narrow = *of(form.types[1]);
    return base == "fma" ? made(*bank, {narrow, narrow, a}) : made(*bank, {narrow, a});
  }
  constexpr std::string_view of_three[] = {"mad", "madc", "mad24", "fma", "sad"};
  if (std::find(std::begin(of_three), std::end(of_three), base) != std::end(of_three))
    return made(*bank, {a, a, a});
  if ((base == "min" || base == "max") && form.types[0] == "f32" && form.has("abs") && !form.has("xorsign"))
    return made(*bank, {a, a, a});
  constexpr std::string_view of_one[] = {"abs", "neg", "not", "cnot", "brev", "rcp",  "sqrt",
                                         "sin", "cos", "lg2", "ex2",  "tanh", "rsqrt"};
  if (std::find(std::begin(of_one), std::end(of_one), base) != std::end(of_one)) return made(*bank, {alone});
  if (base == "mov") return made(*bank, {a});
  return made(*bank, {a, a});
}

}  // namespace assay::gen::scalar
