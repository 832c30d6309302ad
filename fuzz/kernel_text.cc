// SPDX-License-Identifier: Apache-2.0
#include "fuzz/kernel_text.h"

#include <algorithm>
#include <cctype>

#include "fuzz/text_mutator.h"
#include "kernels/forms/expand.h"

namespace assay::fuzz {
namespace {

constexpr uint32_t labels = 6, most_statements = 96;

/// Takes bytes in turn; zeros when they have run out.
struct Source {
  std::span<const uint8_t> bytes;
  size_t at = 0;
  uint32_t next() { return at < bytes.size() ? bytes[at++] : 0; }
};

std::string number(uint32_t value) {
  return std::to_string(value);
}

/// The operand that a letter of a statement stands for.
std::string operand(char letter, Source& source) {
  const uint32_t byte = source.next();
  switch (letter) {
    case 'r':
    case 'd':
    case 'f':
    case 'e':
    case 'h':
      return std::string("%") + letter + number(1 + byte % 6);
    case 'p':
      return "%p" + number(1 + byte % 3);
    case 'i':
      return number(byte % 16);
    case 'n': {
      constexpr uint32_t numbers[] = {0, 1, 2, 31, 32, 255, 65535, 0x7fffffff, 0x80000000, 0xffffffff};
      return number(byte < 128 ? numbers[byte % std::size(numbers)] : byte * 0x01010101u);
    }
    // Mostly inside and aligned; sometimes beside the end, or anywhere.
    case 'g':
      return byte == 255   ? "%d1"
             : byte >= 248 ? "%d7+" + number(508 + byte % 8)
                           : "%d7+" + number(byte % 32 * 16);
    case 's':
      return byte == 255   ? "%r1"
             : byte >= 248 ? "shared+" + number(1020 + byte % 8)
                           : "shared+" + number(byte % 60 * 16);
    case 'm':
      return "shared+" + number(byte == 255 ? 4 : byte % 4 * 8 + 960);
    case 'l':
      return "local+" + number(byte == 255 ? 64 : byte % 16 * 4);
    default:
      return "L" + number(byte % labels);
  }
}

std::string statement(std::string_view form, Source& source) {
  std::string text = "  ";
  for (size_t at = 0; at < form.size(); ++at) {
    if (is_placeholder(form, at))
      text += operand(form[++at], source);
    else
      text += form[at];
  }
  return text + "\n";
}

}  // namespace

size_t statement_count() {
  return plain_forms.size();
}

size_t statement_of(uint8_t byte) {
  return byte % plain_forms.size();
}

std::string kernel_text(std::span<const uint8_t> bytes) {
  Source source{bytes};
  const uint32_t count = std::min<uint32_t>(most_statements, 1 + static_cast<uint32_t>(bytes.size()) / 3);
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n"
      ".visible .entry k(.param .u64 p)\n{\n"
      ".reg .pred %p<4>;\n.reg .b16 %h<8>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n.reg .f32 %f<8>;\n.reg .f64 "
      "%e<8>;\n"
      ".shared .align 128 .b8 shared[1024];\n.local .align 16 .b8 local[64];\n"
      "  ld.param.u64 %d7, [p];\n  mov.u32 %r1, %tid.x;\n  cvt.u64.u32 %d1, %r1;\n";
  // Every register has a value, so that what is read is defined.
  for (int i = 2; i < 8; ++i)
    text += "  mov.u32 %r" + std::to_string(i) + ", " + std::to_string(i * 5) + ";\n";
  for (int i = 2; i < 7; ++i)
    text += "  mov.u64 %d" + std::to_string(i) + ", " + std::to_string(i * 7) + ";\n";
  for (int i = 1; i < 8; ++i)
    text += "  cvt.u16.u32 %h" + std::to_string(i) + ", %r1;\n  cvt.rn.f32.u32 %f" + std::to_string(i) +
            ", %r1;\n  cvt.rn.f64.u32 %e" + std::to_string(i) + ", %r1;\n";
  for (int i = 1; i < 4; ++i)
    text += "  setp.gt.u32 %p" + std::to_string(i) + ", %r1, " + std::to_string(i * 9) + ";\n";
  for (uint32_t i = 0; i < count; ++i) {
    // Labels lie evenly, so that branches go back and forth.
    for (uint32_t label = 0; label < labels; ++label)
      if (i == label * count / labels) text += "L" + number(label) + ":\n";
    text += statement(plain_forms[statement_of(static_cast<uint8_t>(source.next()))], source);
  }
  return text + "  st.global.u32 [%d7], %r1;\n  ret;\n}\n";
}

namespace {

std::string_view place_of(char kind) {
  return kind == 'l' ? "%d" : kind == 'h' ? "%h" : kind == 'd' ? "%e" : "%r";
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Registers that the statement declares itself: `accumulate`, `always`, `w`, and a letter with a number, a
/// predicate p, of 64 bits w.
std::string with_own_registers(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string_view word = text.substr(at, end - at);
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool is_name = std::string_view(" {[@!").find(before) != std::string_view::npos;
    const bool is_numbered = word.size() > 1 && std::string_view("abdgprsvw").find(word[0]) != word.npos &&
                             word.find_first_not_of("0123456789", 1) == word.npos;
    if (is_name && (word == "accumulate" || word == "always" || (is_numbered && word[0] == 'p')))
      out += "%p";
    else if (is_name && (is_numbered || word == "w"))
      out += place_of(is_numbered && word[0] == 'w' ? 'l' : 'r');
    else
      out += word;
    at = end;
  }
  return out;
}

/// Of several statements the longest: the one that the others prepare.
std::string_view longest_statement(std::string_view text) {
  std::string_view longest;
  while (!text.empty()) {
    const size_t semicolon = std::min(text.find(';'), text.size() - 1);
    const size_t end = semicolon + 1;
    std::string_view one = text.substr(0, end);
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    if (one.size() > longest.size()) longest = one;
    text.remove_prefix(end);
  }
  return longest;
}

}  // namespace

std::string with_places(const forms::Forms& forms, uint32_t opcode) {
  std::vector<std::string_view> places;
  for (const forms::Operand& operand : forms.operands()) places.push_back(place_of(operand.kind));
  return with_own_registers(longest_statement(forms.spell(opcode, places)));
}

std::span<const std::string> spelled_forms(spec::Arch arch) {
  static const auto made = [] {
    std::array<std::vector<std::string>, spec::arch_count> all;
    for (size_t t = 0; t < all.size(); ++t)
      for (const forms::Forms& forms : forms::all_forms())
        for (uint32_t opcode = 0; opcode < forms.size(); ++opcode)
          if (forms.targets(opcode) & forms::target_of(spec::all_archs[t]))
            if (std::string text = with_places(forms, opcode);
                std::count(text.begin(), text.end(), '%') <= 64)
              all[t].push_back(std::move(text));
    return all;
  }();
  return made[static_cast<size_t>(arch)];
}

namespace {

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front()))) line.remove_prefix(1);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.remove_suffix(1);
  return line;
}

char letter_of_type(std::string_view type) {
  if (type == "pred") return 'p';
  if (type == "f32") return 'f';
  if (type == "f64") return 'e';
  const bool is_integer = !type.empty() && (type[0] == 'b' || type[0] == 'u' || type[0] == 's');
  if (!is_integer) return 0;
  const std::string_view bits = type.substr(1);
  return bits == "16" ? 'h' : bits == "32" ? 'r' : bits == "64" ? 'd' : 0;
}

/// ".reg .b32 %r<8>, %one;"
void declare(std::string_view line, PtxFunction& function) {
  const size_t dot = line.find('.', 4);
  if (dot == line.npos) return;
  size_t end = dot + 1;
  while (end < line.size() && in_name(line[end])) ++end;
  const char letter = letter_of_type(line.substr(dot + 1, end - dot - 1));
  if (letter == 0) return;
  for (const PtxName& name : register_names(line)) {
    const std::string stem(line.substr(name.at, name.size));
    const size_t behind = name.at + name.size;
    if (behind >= line.size() || line[behind] != '<') {
      function.registers[letter].push_back(stem);
      continue;
    }
    int count = 0;
    for (size_t i = behind + 1; i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])); ++i)
      count = std::min(64, count * 10 + (line[i] - '0'));
    for (int i = 0; i < count; ++i) function.registers[letter].push_back(stem + std::to_string(i));
  }
}

}  // namespace

std::vector<PtxName> register_names(std::string_view line) {
  std::vector<PtxName> names;
  for (size_t at = line.find('%'); at != line.npos; at = line.find('%', at + 1)) {
    size_t end = at + 1;
    while (end < line.size() && in_name(line[end])) ++end;
    names.push_back({at, end - at});
  }
  return names;
}

char PtxFunction::letter_of(std::string_view name) const {
  for (const auto& [letter, names] : registers)
    if (std::find(names.begin(), names.end(), name) != names.end()) return letter;
  return 0;
}

PtxModule::PtxModule(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  read_functions();
}

std::string PtxModule::text() const {
  std::string all;
  for (const std::string& line : lines) all += line + '\n';
  return all;
}

void PtxModule::read_functions() {
  int depth = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trimmed(lines[i]);
    const bool was_outside = depth == 0;
    depth += static_cast<int>(std::count(line.begin(), line.end(), '{') -
                              std::count(line.begin(), line.end(), '}'));
    depth = std::max(depth, 0);
    if (was_outside) {
      if (depth > 0) functions.emplace_back().first = i + 1;
      continue;
    }
    if (depth == 0 || line.empty()) continue;
    PtxFunction& function = functions.back();
    if (line.starts_with(".reg"))
      declare(line, function);
    else if (line.back() == ':' && line.find_first_of(" \t") == line.npos)
      function.labels.emplace_back(line.substr(0, line.size() - 1));
    else if (line.back() == ';' && line[0] != '.' && line[0] != '/' && line[0] != '{' && line[0] != '}')
      function.instructions.push_back(i);
  }
}

}  // namespace assay::fuzz
