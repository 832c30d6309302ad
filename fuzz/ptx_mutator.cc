// SPDX-License-Identifier: Apache-2.0
#include "fuzz/text_mutator.h"

#include <algorithm>
#include <array>
#include <optional>

#include "fuzz/kernel_text.h"
#include "fuzz/target.h"
#include "generators/random.h"

namespace assay::fuzz {
namespace {

/// Lines in which modules were refused, by a hash of their text; later modules push earlier ones out.
struct Refused {
  uint64_t hash = 0;
  uint32_t line = 0;
};
std::array<Refused, 1 << 14> refused;

uint64_t hash_of(const uint8_t* data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ data[i]) * 0x100000001b3ull;
  return hash;
}

class Mutation {
 public:
  Mutation(std::string_view text, unsigned seed) : random_(seed), module_(text) {
    for (size_t i = 0; i < module_.functions.size(); ++i)
      if (!module_.functions[i].instructions.empty()) usable_.push_back(i);
    is_sm_90_ = text.find(".target sm_90") != text.npos;
  }

  bool has_instructions() const { return !usable_.empty(); }
  std::string text() const { return module_.text(); }

  /// Another instruction in the line, when it holds one.
  bool repair(uint32_t line) {
    for (PtxFunction& function : module_.functions)
      for (const size_t i : function.instructions)
        if (i + 1 == line) {
          if (random_.one_in(3))
            module_.lines.erase(at(i));
          else
            module_.lines[i] = instruction(function);
          return declare_missing(), true;
        }
    return false;
  }

  void change() {
    PtxFunction& function = any_function();
    const size_t line = any(function.instructions);
    switch (random_.below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        module_.lines[line] = instruction(function);
        break;
      case 4:
      case 5:
      case 6:
        module_.lines.insert(at(line), instruction(function));
        break;
      case 7:
        module_.lines.insert(at(any(function.instructions)), std::string(module_.lines[line]));
        break;
      case 8:
        module_.lines.erase(at(line));
        break;
      case 9:
        std::swap(module_.lines[line], module_.lines[any(function.instructions)]);
        break;
      case 10:
        change_modifier(module_.lines[line]);
        break;
      case 11:
      case 12:
        change_number(module_.lines[line]);
        break;
      default:
        change_register(function, module_.lines[line]);
    }
    declare_missing();
  }

  /// A few instructions of the other module that name nothing but registers.
  void take_from(const Mutation& other) {
    const PtxFunction& from =
        other.module_.functions[other.usable_[random_.below(static_cast<uint32_t>(other.usable_.size()))]];
    PtxFunction& to = any_function();
    const size_t before = any(to.instructions);
    for (uint32_t count = 1 + random_.below(4); count != 0; --count)
      if (const auto line = renamed(other.module_.lines[any(from.instructions)], from, to))
        module_.lines.insert(at(before), *line);
    declare_missing();
  }

 private:
  std::vector<std::string>::iterator at(size_t line) {
    return module_.lines.begin() + static_cast<ptrdiff_t>(line);
  }
  size_t any(const std::vector<size_t>& from) {
    return from[random_.below(static_cast<uint32_t>(from.size()))];
  }
  PtxFunction& any_function() { return module_.functions[any(usable_)]; }

  std::string_view any_form() {
    const uint32_t chosen = random_.below(9);
    const auto of = [&](const auto& forms) {
      return std::string_view(forms[random_.below(static_cast<uint32_t>(forms.size()))]);
    };
    if (chosen < 4) return of(plain_forms);
    if (chosen < 6) return of(loading_forms);
    if (chosen == 6) return of(spelled_forms(is_sm_90_ ? spec::Arch::sm_90 : spec::Arch::sm_100));
    return is_sm_90_ ? of(sm_90_forms) : of(sm_100_forms);
  }

  /// Where the function has none, one is declared afterwards.
  std::string any_register(PtxFunction& function, char letter) {
    std::vector<std::string>& names = function.registers[letter];
    if (names.empty()) {
      names.push_back(std::string("%fuzz_") + letter);
      const std::string_view type = letter == 'p'   ? ".pred"
                                    : letter == 'f' ? ".f32"
                                    : letter == 'e' ? ".f64"
                                    : letter == 'h' ? ".b16"
                                    : letter == 'r' ? ".b32"
                                                    : ".b64";
      missing_.emplace_back(function.first, "\t.reg " + std::string(type) + " " + names[0] + ";");
    }
    return names[random_.below(static_cast<uint32_t>(names.size()))];
  }

  std::string operand(PtxFunction& function, char letter) {
    switch (letter) {
      case 'i':
        return std::to_string(random_.below(16));
      case 'n':
        return std::to_string(random_.next() >> 32 >> random_.below(32));
      case 'g':
      case 'l':
        return any_register(function, 'd') + "+" + std::to_string(16 * random_.below(8));
      case 's':
      case 'm':
        return any_register(function, 'r') + "+" + std::to_string(8 * random_.below(8));
      case 'L':
        return function.labels[random_.below(static_cast<uint32_t>(function.labels.size()))];
      default:
        return any_register(function, letter);
    }
  }

  std::string instruction(PtxFunction& function) {
    std::string_view form = any_form();
    while (function.labels.empty() && form.find("%L") != form.npos) form = any_form();
    std::string text = "\t";
    if (random_.one_in(8) && form[0] != '@') text += "@" + any_register(function, 'p') + " ";
    for (size_t i = 0; i < form.size(); ++i)
      text += is_placeholder(form, i) ? operand(function, form[++i]) : std::string(1, form[i]);
    return text;
  }

  void change_register(PtxFunction& function, std::string& line) {
    const std::vector<PtxName> names = register_names(line);
    if (names.empty()) return;
    const PtxName& name = names[random_.below(static_cast<uint32_t>(names.size()))];
    const char letter = function.letter_of(std::string_view(line).substr(name.at, name.size));
    if (letter != 0) line.replace(name.at, name.size, any_register(function, letter));
  }

  /// A word between two dots becomes another of those that instructions have.
  void change_modifier(std::string& line) {
    static constexpr const char* words[] = {
        "u32", "s32", "b32", "u64",     "s64",    "b64",     "f32", "f64",  "u16",     "b16",     "rn",
        "rz",  "rm",  "rp",  "ftz",     "sat",    "lo",      "hi",  "wide", "eq",      "lt",      "ge",
        "and", "or",  "xor", "global",  "shared", "local",   "v2",  "v4",   "acquire", "release", "relaxed",
        "cta", "gpu", "sys", "cluster", "sync",   "aligned", "x1",  "x2",   "x4"};
    std::vector<PtxName> modifiers;
    const size_t end = line.find_first_of("%[{;", line.find_first_not_of("\t @!%") + 1);
    for (size_t dot = line.find('.'); dot < end; dot = line.find('.', dot + 1)) {
      const size_t behind = std::min(line.find_first_of(". \t;", dot + 1), line.size());
      modifiers.push_back({dot + 1, behind - dot - 1});
    }
    if (modifiers.empty()) return;
    const PtxName& chosen = modifiers[random_.below(static_cast<uint32_t>(modifiers.size()))];
    line.replace(chosen.at, chosen.size, words[random_.below(std::size(words))]);
  }

  /// A number that stands by itself; those in names and modifiers stay.
  void change_number(std::string& line) {
    static constexpr const char* ends[] = {"0",  "1",   "-1",    "2",          "31",
                                           "32", "255", "65535", "2147483647", "4294967295"};
    std::vector<PtxName> numbers;
    for (size_t i = 1; i < line.size(); ++i) {
      if (line[i] < '0' || line[i] > '9' ||
          std::string_view(" +[{,").find(line[i - 1]) == std::string_view::npos)
        continue;
      const size_t behind = std::min(line.find_first_not_of("0123456789", i), line.size());
      if (behind < line.size() && std::string_view(" ,;]}").find(line[behind]) != std::string_view::npos)
        numbers.push_back({i, behind - i});
    }
    if (numbers.empty()) return;
    const PtxName& chosen = numbers[random_.below(static_cast<uint32_t>(numbers.size()))];
    line.replace(chosen.at, chosen.size, ends[random_.below(std::size(ends))]);
  }

  /// Nothing when the line names a label, a symbol or a register of an unknown type.
  std::optional<std::string> renamed(std::string line, const PtxFunction& from, PtxFunction& to) {
    const size_t opcode = line.find_first_not_of("\t ");
    if (opcode == line.npos || line[opcode] == '@') return std::nullopt;
    const size_t operands = std::min(line.find_first_of(" \t;", opcode), line.size());
    std::string made = line.substr(0, operands);
    for (size_t i = operands; i < line.size(); ++i) {
      const char c = line[i];
      const bool begins_name = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
      if (begins_name &&
          (i == 0 || std::string_view(" \t[{,(").find(line[i - 1]) != std::string_view::npos) && c != '_')
        return std::nullopt;
      if (c != '%') {
        made += c;
        continue;
      }
      const PtxName name = register_names(std::string_view(line).substr(i))[0];
      const char letter = from.letter_of(std::string_view(line).substr(i, name.size));
      if (letter == 0) return std::nullopt;
      made += any_register(to, letter);
      i += name.size - 1;
    }
    return made;
  }

  void declare_missing() {
    // From the end on, so that the lines before keep their numbers.
    std::sort(missing_.rbegin(), missing_.rend());
    for (const auto& [line, text] : missing_) module_.lines.insert(at(line), text);
    missing_.clear();
  }

  gen::Random random_;
  PtxModule module_;
  std::vector<size_t> usable_;
  std::vector<std::pair<size_t, std::string>> missing_;
  bool is_sm_90_ = false;
};

size_t put(const std::string& made, uint8_t* data, size_t size, size_t max_size) {
  if (made.size() > max_size) return std::min(size, max_size);
  std::copy(made.begin(), made.end(), data);
  return made.size();
}

std::string fresh_module(gen::Random& random) {
  std::array<uint8_t, 48> bytes;
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.next());
  return kernel_text(std::span(bytes).first(random.below(48)));
}

}  // namespace

void remember_refused(const uint8_t* data, size_t size, uint32_t line) {
  const uint64_t hash = hash_of(data, size);
  refused[hash % refused.size()] = {hash, line};
}

size_t mutate_ptx(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  gen::Random random(seed);
  if (random.one_in(16)) return mutate_text(data, size, max_size, seed);
  Mutation mutation({reinterpret_cast<const char*>(data), size}, seed);
  if (!mutation.has_instructions()) return put(fresh_module(random), data, size, max_size);
  const uint64_t hash = hash_of(data, size);
  const Refused& known = refused[hash % refused.size()];
  if (known.hash == hash && !random.one_in(4)) {
    // What is wrong outside the instructions is left behind.
    if (!mutation.repair(known.line)) return put(fresh_module(random), data, size, max_size);
  } else {
    mutation.change();
  }
  return put(mutation.text(), data, size, max_size);
}

size_t cross_ptx(const uint8_t* one, size_t one_size, const uint8_t* other, size_t other_size, uint8_t* out,
                 size_t max_size, unsigned seed) {
  Mutation into({reinterpret_cast<const char*>(one), one_size}, seed);
  const Mutation from({reinterpret_cast<const char*>(other), other_size}, seed);
  if (!into.has_instructions() || !from.has_instructions())
    return cross_texts(one, one_size, other, other_size, out, max_size, seed);
  into.take_from(from);
  const std::string made = into.text();
  if (made.size() > max_size) return 0;
  std::copy(made.begin(), made.end(), out);
  return made.size();
}

}  // namespace assay::fuzz
