// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/lower.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>

#include "devices/emulator/ptx/parser.h"

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
    const Kind kind = error.is_of_other_target ? Kind::other_target : Kind::unknown_instruction;
    return Diagnostic{kind, kernel.name, error.line, "", error.message};
  }
}

/// Nobody reads more, and each costs a look at the whole kernel.
constexpr size_t most_refusals = 1000;

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

using Location = Places::Location;

/// `.loc 29 3392 11, function_name label, inlined_at 28 185 3`; the caller is zero where there is none.
bool read_location(std::string_view line, Location& location, Location& caller) {
  const size_t at = line.find(".loc");
  if (at == line.npos || trimmed(line.substr(0, at)) != "") return false;
  const std::string text(line.substr(at + 4));
  if (std::sscanf(text.c_str(), "%u %u %u", &location[0], &location[1], &location[2]) < 2) return false;
  const size_t inlined = text.find("inlined_at");
  caller = {};
  if (inlined != text.npos)
    std::sscanf(text.c_str() + inlined + 10, "%u %u %u", &caller[0], &caller[1], &caller[2]);
  return true;
}

/// Files of libraries whose functions stand for an instruction or a few: of more interest is who calls them.
bool is_wrapper(std::string_view file) {
  constexpr std::string_view folders[] = {
      "/cute/",       "/cutlass/arch/",  "/cutlass/pipeline/",  "/cuda/",
      "/crt/",        "/cuda_runtime",   "/nv/target",          "/cub/",
      "/usr/include", "/usr/local/cuda", "/cooperative_groups", "_intrinsics.h"};
  return std::any_of(std::begin(folders), std::end(folders),
                     [&](std::string_view folder) { return file.find(folder) != file.npos; });
}

/// The files that .loc names, by number.
std::map<uint32_t, std::string> files_of(std::string_view ptx) {
  std::map<uint32_t, std::string> files;
  for (size_t at = ptx.find(".file"); at != ptx.npos; at = ptx.find(".file", at + 1)) {
    const size_t begin = ptx.rfind('\n', at) + 1;
    const std::string_view line = ptx.substr(begin, ptx.find('\n', at) - begin);
    uint32_t number = 0, unused = 0;
    const size_t open = line.find('"');
    if (open != line.npos && numbers_after(".file", line, number, unused))
      files.emplace(number, line.substr(open + 1, line.find('"', open + 1) - open - 1));
  }
  return files;
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
      if (found.size() >= most_refusals) return found;
      if (!erase_line(module, refusal->line)) break;
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  return found;
}

Places::Places(std::string_view ptx) : ptx_(ptx) {
  if (ptx.find(".loc") == ptx.npos) return;
  files_ = files_of(ptx);
  uint32_t now = 1;
  for (std::string_view rest = ptx; !rest.empty(); ++now) {
    const std::string_view one = rest.substr(0, rest.find('\n'));
    if (one.find(".entry") != one.npos || one.find(".func") != one.npos) locations_[now] = {};
    Location location{}, caller;
    if (read_location(one, location, caller)) {
      locations_[now] = location;
      if (caller[0] != 0) callers_[location][now] = caller;
    }
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
}

SourcePlace Places::find(uint32_t line) const {
  SourcePlace place;
  if (line == 0) return place;
  place.text = trimmed(line_of(ptx_, line));
  // The last one in front of the line.
  const auto before = [line](const std::map<uint32_t, Location>& lines) {
    const auto after = lines.lower_bound(line);
    return after == lines.begin() ? Location{} : std::prev(after)->second;
  };
  const auto caller_of = [&](const Location& location) {
    const auto found = callers_.find(location);
    return found == callers_.end() ? Location{} : before(found->second);
  };
  const auto file_of = [&](const Location& location) {
    const auto found = files_.find(location[0]);
    return found == files_.end() ? std::string() : found->second;
  };
  // The innermost line that is not a library's wrapper; where all are, that of the kernel.
  const Location last = before(locations_);
  Location shown = last;
  constexpr int most_calls = 64;
  int depth = 0;
  for (Location caller; depth < most_calls && is_wrapper(file_of(shown)); ++depth) {
    if (caller = caller_of(shown); caller[0] == 0) break;
    shown = caller;
  }
  if (shown[0] != 0) place.file = file_of(shown);
  if (place.file.empty()) return place;
  place.source_line = shown[1];
  if (shown != last) {
    place.inlined_file = file_of(last);
    place.inlined_line = last[1];
  }
  for (depth = 0; depth < most_calls; ++depth) {
    if (shown = caller_of(shown); shown[0] == 0) break;
    if (!is_wrapper(file_of(shown))) place.called_from.emplace_back(file_of(shown), shown[1]);
  }
  return place;
}

}  // namespace assay::emulator::ptx
