// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <set>

#include "suites/scalar/oracle.h"

namespace assay::suites::scalar {
namespace {

template <typename... T>
std::string shown(const char* format, T... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string totals(const OracleOptions& options, const OracleRun& run) {
  const Tally& tally = run.tally;
  return shown("scalar oracle: %s against %s, seed %" PRIu64 ", modules of %u kernels\n",
               options.left.c_str(), options.right.c_str(), options.seed, options.kernels) +
         shown("%" PRIu64 " programs, %" PRIu64 " instructions, %" PRIu64 " results compared in %" PRIu64
               " of %" PRIu64 " modules, %.0f s\n",
               tally.programs, tally.instructions, tally.results, tally.modules, run.modules_wanted,
               run.seconds) +
         shown("%" PRIu64
               " programs differ, first at one of %zu opcodes; %zu modules refused; %zu processes failed\n",
               tally.differing_programs(), tally.differences.size(), tally.refused.size(),
               run.failures.size());
}

std::string operands_text(const std::vector<uint64_t>& operands) {
  std::string made;
  for (const uint64_t one : operands) made += shown(" %" PRIx64, one);
  return made;
}

/// Opcodes, those of most programs first.
std::vector<std::pair<std::string, const Tally::OfOpcode*>> sorted(const Tally& tally) {
  std::vector<std::pair<std::string, const Tally::OfOpcode*>> made;
  for (const auto& [opcode, one] : tally.differences) made.emplace_back(opcode, &one);
  std::stable_sort(made.begin(), made.end(),
                   [](auto& a, auto& b) { return a.second->programs > b.second->programs; });
  return made;
}

/// What a line of an opcode ends in: no GPU of sm_100 has ever been on the other side.
std::string evidence_of(const std::string& opcode) {
  static const std::set<std::string> unseen = [] {
    std::set<std::string> texts;
    for (const gen::scalar::Form& form : gen::scalar::forms_of(103)) texts.insert(form.text());
    for (const gen::scalar::Form& form : gen::scalar::forms_of(90)) texts.erase(form.text());
    return texts;
  }();
  return unseen.contains(opcode) ? " (of sm_100: no silicon here)" : "";
}

std::string one_line(const std::string& opcode, const Tally::OfOpcode& one) {
  std::string made =
      shown("%-30s %6" PRIu64 " programs %7" PRIu64 " threads", opcode.c_str(), one.programs, one.threads);
  for (size_t i = 0; i < std::min<size_t>(2, one.examples.size()); ++i) {
    const Difference& example = one.examples[i];
    made += (i ? ";" : ":") + operands_text(example.operands) +
            shown(" -> %" PRIx64 " | %" PRIx64, example.left, example.right);
  }
  return made + evidence_of(opcode) + "\n";
}

std::string approximations(const Tally& tally) {
  std::string made;
  for (const auto& [opcode, one] : tally.approximate)
    made += shown("%-24s %10" PRIu64 " results, %9" PRIu64 " differ, by at most %" PRIu64 " ulp%s\n",
                  opcode.c_str(), one.results, one.differ, one.most_ulps, evidence_of(opcode).c_str());
  return made;
}

}  // namespace

std::string summary(const OracleOptions& options, const OracleRun& run) {
  constexpr size_t most_lines = 40;
  std::string made;
  const auto all = sorted(run.tally);
  if (!all.empty()) made += "opcode: operands -> left | right (hexadecimal)\n";
  for (size_t i = 0; i < std::min(all.size(), most_lines); ++i)
    made += one_line(all[i].first, *all[i].second);
  if (all.size() > most_lines) made += shown("and %zu further opcodes\n", all.size() - most_lines);
  for (size_t i = 0; i < std::min<size_t>(5, run.tally.refused.size()); ++i)
    made += run.tally.refused[i] + "\n";
  for (size_t i = 0; i < std::min<size_t>(5, run.failures.size()); ++i) made += run.failures[i] + "\n";
  // Last, where the end of a long output is what is kept.
  return made + totals(options, run);
}

std::string full_report(const OracleOptions& options, const OracleRun& run) {
  std::string made = totals(options, run);
  for (const auto& [opcode, one] : sorted(run.tally)) {
    made += "\n" + one_line(opcode, *one);
    for (const Difference& example : one->examples)
      made +=
          shown("  module %" PRIu64 " kernel %u program %u, %u threads, the first is %u; differs at: %s%s\n",
                example.module, example.kernel, example.index, example.threads, example.thread,
                example.line.c_str(), example.is_second ? " (second destination)" : "") +
          "   operands" + operands_text(example.operands) +
          shown(", left %" PRIx64 ", right %" PRIx64 "\n", example.left, example.right) + example.program;
  }
  made += "\napproximate instructions, within the documented error where not listed above\n" +
          approximations(run.tally);
  if (!run.left_out.empty()) made += "\nforms that no program holds\n";
  for (const std::string& form : run.left_out) made += form + "\n";
  for (const std::string& text : run.tally.refused) made += text + "\n";
  for (const std::string& text : run.failures) made += text + "\n";
  return made;
}

}  // namespace assay::suites::scalar
