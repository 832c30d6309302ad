// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "suites/scalar/form.h"

// What each scalar instruction reads and writes (ptx, the syntax of each instruction).
namespace assay::gen::scalar {
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
