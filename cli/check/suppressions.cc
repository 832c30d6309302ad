// SPDX-License-Identifier: Apache-2.0
#include "cli/check/outcome.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/command.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

bool covers(const Suppression& suppression, const Finding& finding, const Place& place) {
  if (!report::glob(suppression.clause, finding.clause)) return false;
  std::vector<std::string> spellings{place.kernel, short_name(place.kernel),
                                     short_name(place.kernel) + ":" + std::to_string(place.line)};
  if (!place.inlined_file.empty())
    spellings.push_back(base_name(place.inlined_file) + ":" + std::to_string(place.inlined_line));
  const auto add = [&](const Place& one) {
    if (one.file.empty()) return;
    const std::string line = ":" + std::to_string(one.source_line);
    spellings.insert(spellings.end(), {one.file + line, base_name(one.file) + line});
  };
  add(place);
  for (const Place& call : place.called_from) add(call);
  return std::any_of(spellings.begin(), spellings.end(),
                     [&](const std::string& text) { return report::glob(suppression.place, text); });
}

}  // namespace

std::vector<Suppression> read_suppressions(std::string_view text, const std::string& file) {
  std::vector<Suppression> all;
  std::istringstream lines{std::string(text)};
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    constexpr std::string_view blank = " \t\r";
    const size_t begin = line.find_first_not_of(blank);
    if (begin == line.npos) continue;
    line = line.substr(begin, line.find_last_not_of(blank) - begin + 1);
    const size_t gap = line.find_first_of(blank);
    if (gap == line.npos)
      throw UsageError(file + ":" + std::to_string(number) +
                       ": a line has a rule and a place, as in "
                       "'missing-load-wait gemm.cu:*'");
    all.push_back({line.substr(0, gap), line.substr(line.find_first_not_of(blank, gap)), number});
  }
  return all;
}

void suppress(std::vector<Finding>& findings, std::vector<Suppression>& suppressions) {
  for (Finding& finding : findings) {
    std::vector<Place> loud;
    for (const Place& place : finding.places) {
      bool is_covered = false;
      for (Suppression& suppression : suppressions)
        if (covers(suppression, finding, place)) is_covered = suppression.is_used = true;
      if (!is_covered) loud.push_back(place);
    }
    finding.is_suppressed = loud.empty();
    if (!loud.empty()) finding.places = std::move(loud);
  }
}

std::string spelling(const Place& place) {
  if (!place.file.empty()) {
    std::error_code unknown;
    const std::string here = std::filesystem::current_path(unknown).string() + "/";
    const bool is_below = !unknown && place.file.starts_with(here);
    return place.file.substr(is_below ? here.size() : 0) + ":" + std::to_string(place.source_line);
  }
  return place.line == 0 ? short_name(place.kernel)
                         : short_name(place.kernel) + ":" + std::to_string(place.line);
}

std::string calls_of(const Place& place) {
  std::string text;
  for (const Place& call : place.called_from)
    text += (text.empty() ? "called from " : ", from ") + spelling(call);
  return text;
}

}  // namespace assay::cli::check
