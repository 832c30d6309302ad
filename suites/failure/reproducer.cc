// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/reproducer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

#include "kernels/forms/expand.h"
#include "kernels/params/source.h"
#include "suites/failure/unused_functions.h"
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

}  // namespace assay::suites
