// SPDX-License-Identifier: Apache-2.0
#include "fuzz/ptx_mutator.h"

#include <algorithm>
#include <cctype>

namespace assay::fuzz {
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
