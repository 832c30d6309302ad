// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/replay.h"

#include <cctype>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "kernels/forms/expand.h"
#include "kernels/params/source.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

/// A source file of more than this is no pleasure to anybody.
constexpr size_t most_output_bytes = 512 << 10;

constexpr const char* front_text =
#include "suites/failure/reproducer_front.inc"
    ;
constexpr const char* launch_text =
#include "suites/failure/reproducer_launch.inc"
    ;
constexpr const char* run_text =
#include "suites/failure/reproducer_run.inc"
    ;
constexpr const char* main_text =
#include "suites/failure/reproducer_main.inc"
    ;

/// A program is the front, what launches kernels, what the kind of record adds, what runs it, and the end.
/// One that calls the host alone has no kernel to launch.
std::string host_text(const Launch& launch) {
  if (launch.kernel.empty()) return front_text + launch.host_text + main_text;
  return std::string(front_text) + launch_text +
         (launch.host_text.empty() ? "using Host = Plain;\n" : launch.host_text) + run_text + main_text;
}

void expand(const std::string& path, std::set<std::string>& once, std::string& text) {
  const char* content = nullptr;
  for (size_t i = 0; i < assay_kernel_source_count; ++i)
    if (path == assay_kernel_sources[i].path) content = assay_kernel_sources[i].text;
  if (content == nullptr) throw std::runtime_error("the program has no text of " + path);
  if (!path.ends_with(".inc") && !once.insert(path).second) return;
  std::string_view rest = content;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    constexpr std::string_view include = "#include \"";
    if (line.starts_with(include))
      expand(std::string(line.substr(include.size(), line.find('"', include.size()) - include.size())), once,
             text);
    else if (line != "#pragma once")
      text += std::string(line) + "\n";
  }
}

std::string hex_literal(const std::vector<uint8_t>& bytes) {
  constexpr size_t a_line = 50;
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % a_line == 0) text += i == 0 ? "\n    \"" : "\"\n    \"";
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return bytes.empty() ? "\"\"" : text + "\"";
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) >= 32 && static_cast<unsigned char>(c) < 127)
      out += c;
    else
      out += '?';
  }
  return out + "\"";
}

/// As the program's End, with a second end that is as good, or -1.
struct EndCode {
  int ended, code, or_ended;
};
EndCode code_of(model::End end) {
  switch (end) {
    case model::End::done:
      return {0, 0, -1};
    case model::End::rejected:
      return {3, 1, -1};
    case model::End::illegal_instruction:
      return {4, 715, -1};
    case model::End::misaligned_address:
      return {4, 716, -1};
    case model::End::illegal_address:
      return {4, 700, -1};
    case model::End::launch_failed:
      return {4, 719, -1};
    case model::End::never_completes:
      return {1, 0, -1};
    case model::End::early_surplus:
      return {2, 0, 1};
    case model::End::undefined:
      break;
  }
  return {-1, 0, -1};
}

/// "90a": instructions of these families exist for such targets alone, and -arch=sm_90a would compile for
/// compute_90 as well.
std::string ptx_target(spec::Arch arch) {
  return std::string(spec::name(arch).substr(std::string_view("sm_").size())) + "a";
}

}  // namespace

std::string kernel_text(const std::string& path) {
  std::set<std::string> once;
  std::string text;
  expand(path, once, text);
  return text;
}

std::optional<std::string> reproducer(const Property& property, const Outcome& outcome,
                                      const report::CaseRow& row, spec::Arch arch) {
  const Family& family = property.family();
  const size_t output_bytes = family.output_bytes(outcome.what);
  if (family.record_bytes() == 0 || output_bytes > most_output_bytes) return std::nullopt;
  std::vector<std::byte> record(family.record_bytes());
  const spec::Readings defaults(arch);
  family.write_record(outcome.what, 0, defaults, record.data());
  const std::optional<Launch> launch = family.launch(record);
  if (!launch) return std::nullopt;
  // The record is what the device was given; what is expected is what the run expected.
  spec::Readings judged(arch);
  for (const auto& [question, letter] : outcome.around.readings) judged.choose(question, letter);
  Scratch scratch;
  Expected expected;
  family.predict(outcome.what, judged, scratch, expected);
  if (expected.may_crash) return std::nullopt;  // then it is no defect that the program ends
  ExpectedOutput whole;
  if (expected.judges_bytes) whole = family.expected_output(outcome.what, expected);
  whole.bytes.resize(output_bytes);
  whole.defined.resize(output_bytes);
  const EndCode end = code_of(expected.end);

  const std::string target = ptx_target(arch);
  std::string text = "// " + std::string(property.name) + ": " + std::string(property.claim) + "\n// " +
                     row.message.substr(0, row.message.find('\n')) + "\n";
  for (const auto& [name, value] : row.fields) text += "//   " + name + ": " + value + "\n";
  text +=
      "// Stand-alone: nvcc -std=c++20 --expt-relaxed-constexpr -gencode arch=compute_" + target +
      ",code=sm_" + target +
      " -o case THIS_FILE && ./case\n// Exit code: 0 as expected, 1 not as expected, 2 could not run.\n\n";
  text += without_unused_functions(forms::expand_source(kernel_text(launch->file), launch->needed));
  text += "\n";
  if (!launch->kernel.empty()) text += "#define KERNEL " + launch->kernel + "\n";
  text += "\nnamespace {\n\nconst char about[] = " + literal(row.message) + ";\n";
  if (!launch->kernel.empty())
    text += "const char kernel_name[] = " + literal(launch->kernel) +
            ";\nconst unsigned cluster_size = " + std::to_string(launch->cluster_size) +
            ", ctas = " + std::to_string(launch->clusters * launch->cluster_size) +
            ", threads = " + std::to_string(launch->threads) +
            ", shared_bytes = " + std::to_string(launch->shared_bytes) + ";\n";
  text += "const int expected_ended = " + std::to_string(end.ended) +
          ", or_ended = " + std::to_string(end.or_ended) + ", expected_code = " + std::to_string(end.code) +
          ";\n";
  text += "const char expected_words[] = " + literal(words(expected.end)) + ";\n";
  text += std::string("const bool judges_bytes = ") + (expected.judges_bytes ? "true" : "false") + ";\n";
  text += "const unsigned long output_bytes = " + std::to_string(output_bytes) + ";\n";
  text += "alignas(16) const unsigned char record_bytes[] = {";
  for (size_t i = 0; i < record.size(); ++i)
    text += (i % 24 == 0 ? "\n    " : "") + std::to_string(static_cast<int>(record[i])) + ",";
  text += "};\nconst char expected_hex[] = " + hex_literal(whole.bytes) + ";\n";
  text += "const char defined_hex[] = " + hex_literal(whole.defined) + ";\n\n}  // namespace\n";
  text += host_text(*launch);
  return text;
}

namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Counts the identifiers of a line, but for those of a comment.
template <typename Count>
void for_words(std::string_view line, Count count) {
  line = line.substr(0, line.find("//"));
  for (size_t i = 0; i < line.size();) {
    size_t end = i;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end > i) count(line.substr(i, end - i));
    i = end == i ? i + 1 : end;
  }
}

/// Lines [first, end) of a function, and its name.
struct Function {
  size_t first, end;
  std::string_view name;
};

std::vector<Function> functions_of(const Lines& lines) {
  std::vector<Function> functions;
  for (size_t i = 0; i < lines.size(); ++i) {
    constexpr std::string_view begins = "__device__ inline ";
    if (!lines[i].starts_with(begins)) continue;
    const size_t bracket = lines[i].find('(');
    if (bracket == std::string_view::npos) continue;
    size_t at = bracket;
    while (at > 0 && is_word(lines[i][at - 1])) --at;
    size_t end = i + 1;
    while (end < lines.size() && lines[end] != "}") ++end;
    if (end == lines.size()) continue;
    size_t first = i;
    if (first > 0 && lines[first - 1].starts_with("template ")) --first;
    while (first > 0 && lines[first - 1].starts_with("///")) --first;
    functions.push_back({first, end + 1, lines[i].substr(at, bracket - at)});
  }
  return functions;
}

}  // namespace

std::string without_unused_functions(const std::string& source) {
  const Lines lines = lines_of(source);
  const std::vector<Function> functions = functions_of(lines);
  std::map<std::string_view, int> named;
  for (const std::string_view line : lines) for_words(line, [&](std::string_view word) { ++named[word]; });
  // Overloads keep each other: what counts is a name that only bodies of its own functions say.
  std::map<std::string_view, int> own;
  const auto count_own = [&](const Function& f) {
    for (size_t i = f.first; i < f.end; ++i)
      for_words(lines[i], [&](std::string_view word) { own[f.name] += word == f.name ? 1 : 0; });
  };
  for (const Function& f : functions) count_own(f);
  std::vector<bool> is_dropped(functions.size());
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (size_t n = 0; n < functions.size(); ++n) {
      const Function& f = functions[n];
      if (is_dropped[n] || named[f.name] > own[f.name]) continue;
      is_dropped[n] = goes_on = true;
      for (size_t i = f.first; i < f.end; ++i)
        for_words(lines[i], [&](std::string_view word) {
          --named[word];
          if (word == f.name) --own[f.name];
        });
    }
  }
  std::string kept;
  size_t next = 0, blanks = 1;
  for (size_t i = 0; i < lines.size(); ++i) {
    while (next < functions.size() && (functions[next].end <= i || !is_dropped[next])) ++next;
    if (next < functions.size() && functions[next].first <= i) continue;
    blanks = lines[i].empty() ? blanks + 1 : 0;
    if (blanks <= 1) kept += std::string(lines[i]) + "\n";
  }
  return kept;
}

}  // namespace assay::suites
