// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/form.h"

#include <algorithm>
#include <sstream>

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
  if (form.has("rs")) return true;
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
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() != 3) continue;
    for (const std::string& types : split(cells[1], ' '))
      for (const std::string& modifiers : split(cells[2], ' ')) {
        Form form{split(cells[0], ' ')[0], {}, split(types, '.')};
        if (modifiers != "-") form.modifiers = split(modifiers, '.');
        if (capability < 100 && needs_sm_100(form)) continue;
        made.push_back(std::move(form));
      }
  }
  add_video_forms(made);
  return made;
}

}  // namespace assay::gen::scalar
