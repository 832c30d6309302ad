#include "devices/emulator/ptx/tolerant.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "devices/emulator/ptx/lexer.h"

namespace assay::emulator::ptx {
namespace {

std::optional<Diagnostic> why_refused(const ModuleSyntax& module, const FunctionSyntax& kernel,
                                      const Addresses& addresses, Target target, Program& program) {
  using Kind = Diagnostic::Kind;
  try {
    program = lower_kernel(module, kernel, addresses, target);
    return std::nullopt;
  } catch (const SyntaxError& error) {
    return Diagnostic{error.faults_when_run ? Kind::illegal_instruction : Kind::syntax, kernel.name,
                      error.line, "", error.message};
  } catch (const UnknownInstruction& error) {
    return Diagnostic{Kind::unknown_instruction, kernel.name, error.line, "", error.message};
  }
}

/// Leaves out what stands at a line. False: nothing does.
bool erase_line(ModuleSyntax& module, uint32_t line) {
  bool has_erased = false;
  for (FunctionSyntax& function : module.functions)
    has_erased |= std::erase_if(function.body, [line](const Statement& statement) {
                    const bool is_code = statement.kind == Statement::Kind::instruction ||
                                         statement.kind == Statement::Kind::declare;
                    return is_code && statement.line == line;
                  }) != 0;
  return has_erased;
}

std::string_view line_of(std::string_view text, uint32_t line) {
  for (; line > 1 && !text.empty(); --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const size_t begin = text.find_first_not_of(blank);
  if (begin == text.npos) return {};
  std::string made;
  for (const char c : text.substr(begin, text.find_last_not_of(blank) - begin + 1)) {
    const char shown = c == '\t' ? ' ' : c;
    if (shown != ' ' || made.empty() || made.back() != ' ') made += shown;
  }
  return made;
}

/// The numbers that a directive's line begins with.
bool numbers_after(std::string_view directive, std::string_view line, uint32_t& first, uint32_t& second) {
  const size_t at = line.find(directive);
  if (at == line.npos || trimmed(line.substr(0, at)) != "") return false;
  return std::sscanf(std::string(line.substr(at + directive.size())).c_str(), "%u %u", &first, &second) >= 1;
}

std::string file_named(std::string_view ptx, uint32_t number) {
  for (size_t at = ptx.find(".file"); at != ptx.npos; at = ptx.find(".file", at + 1)) {
    const std::string_view line = ptx.substr(at, ptx.find('\n', at) - at);
    uint32_t found = 0, unused = 0;
    const size_t open = line.find('"');
    if (!numbers_after(".file", line, found, unused) || found != number || open == line.npos) continue;
    return std::string(line.substr(open + 1, line.find('"', open + 1) - open - 1));
  }
  return {};
}

}  // namespace

TolerantKernel lower_tolerantly(const ModuleSyntax& module, const FunctionSyntax& kernel,
                                const Addresses& addresses, Target target) {
  TolerantKernel made;
  made.refusal = why_refused(module, kernel, addresses, target, made.program);
  if (!made.refusal) return made;
  FunctionSyntax head = kernel;
  head.body.clear();
  head.error.clear();
  made.program = {};
  if (why_refused(module, head, addresses, target, made.program)) made.program.name = kernel.name;
  return made;
}

std::vector<Diagnostic> all_refusals(ModuleSyntax module, const Addresses& addresses, Target target) {
  std::vector<Diagnostic> found;
  std::set<uint32_t> lines;
  for (size_t i = 0; i < module.functions.size(); ++i) {
    if (!module.functions[i].is_entry || !module.functions[i].has_body) continue;
    for (;;) {
      Program unused;
      const auto refusal = why_refused(module, module.functions[i], addresses, target, unused);
      if (!refusal) break;
      if (lines.insert(refusal->line).second) found.push_back(*refusal);
      if (!erase_line(module, refusal->line)) break;
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  return found;
}

SourcePlace find_place(std::string_view ptx, uint32_t line) {
  SourcePlace place;
  if (line == 0) return place;
  place.text = trimmed(line_of(ptx, line));
  if (ptx.find(".loc") == ptx.npos) return place;
  uint32_t file = 0;
  uint32_t now = 1;
  for (std::string_view rest = ptx; now < line && !rest.empty(); ++now) {
    const std::string_view one = rest.substr(0, rest.find('\n'));
    if (one.find(".entry") != one.npos || one.find(".func") != one.npos) file = 0;
    uint32_t number = 0, at = 0;
    if (numbers_after(".loc", one, number, at)) {
      file = number;
      place.source_line = at;
    }
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  if (file != 0) place.file = file_named(ptx, file);
  if (place.file.empty()) place.source_line = 0;
  return place;
}

}  // namespace assay::emulator::ptx
