// SPDX-License-Identifier: Apache-2.0
#include "cli/check/necessity.h"

#include <algorithm>
#include <set>

#include "cli/check/outcome.h"
#include "reports/text.h"

namespace assay::cli::check {

void forget_what_varies(ExploredRun& with, const ExploredRun& again) {
  const auto& other = again.findings.explored;
  for (size_t i = 0; i < with.findings.explored.size(); ++i) {
    Explored& one = with.findings.explored[i];
    if (i >= other.size() || other[i].result != one.result) one.result = 0;
  }
}

std::string difference(const ExploredRun& with, const ExploredRun& without) {
  const auto is_known = [&](const std::string& clause, const Place& place) {
    const auto& known = with.findings.findings;
    return std::any_of(known.begin(), known.end(), [&](const Finding& one) {
      return one.clause == clause && std::any_of(one.places.begin(), one.places.end(), [&](const Place& two) {
               return two.kernel == place.kernel && two.line == place.line;
             });
    });
  };
  for (const Finding& one : without.findings.findings)
    for (const Place& place : one.places)
      if (!is_known(one.clause, place)) return one.clause + (place.line == 0 ? "" : " at " + spelling(place));
  if (!end_alike(with.end, without.end)) return "the program " + in_words(without.end);
  const auto& before = with.findings.explored;
  const auto& after = without.findings.explored;
  if (before.size() != after.size()) return "the program launches other kernels";
  // What a program with findings computes may depend on when it does it.
  for (size_t i = 0; i < before.size() && with.findings.findings.empty(); ++i) {
    if (before[i].result != 0 && after[i].result != before[i].result)
      return "other bytes in global memory after launch " + std::to_string(after[i].launch);
    // Orders of the program as it is that were not tried may leave other bytes as well.
    if (after[i].others != 0 && before[i].others == 0 && before[i].why_not_all.empty())
      return "what launch " + std::to_string(after[i].launch) + " leaves depends on the order";
  }
  return {};
}

std::string necessity_table(const std::vector<Necessity>& all) {
  std::string text;
  size_t needed = 0;
  std::set<std::string> kernels;
  for (const Necessity& one : all) {
    needed += !one.why.empty();
    kernels.insert(one.place.kernel);
    text += report::for_terminal(spelling(one.place)) + ": ";
    if (!one.why.empty())
      text += "needed: without it " + report::for_terminal(one.why);
    else
      text += "not needed for this input in " +
              (one.why_not_all.empty() ? "any order"
                                       : std::to_string(one.orders) + " orders of an unknown number");
    text += "\n    " + report::for_terminal(report::shortened(one.place.text, 160)) + "\n";
  }
  return text + "assay: " + std::to_string(needed) + " of " + std::to_string(all.size()) +
         " instructions that only synchronise are needed, in " + std::to_string(kernels.size()) +
         (kernels.size() == 1 ? " kernel\n" : " kernels\n");
}

}  // namespace assay::cli::check
