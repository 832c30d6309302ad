// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/trend.h"

#include <stdexcept>

#include "reports/compare/history.h"
#include "reports/compare/nights.h"
#include "reports/signature_words.h"
#include "reports/text.h"
#include "reports/verdict.h"

namespace assay::report {
namespace {

std::string line(const HistoryNight& entry) {
  const NightRow& night = entry.night;
  const uint64_t cases = cases_of(night), others = cases - conforming_of(night);
  std::string text = pad(night.started_utc, 21) +
                     pad(shortened_columns(for_terminal(night.device.spec), 24), 25) +
                     pad(std::string(shown(night.verdict)), 17) + pad(grouped(cases, ","), 15) +
                     pad(grouped(others, ","), 11);
  text += pad(night.seconds > 0 ? compact(static_cast<double>(cases) / night.seconds) + "/s" : "-", 9);
  text += pad(std::to_string(night.ways.size()), 6);
  text += pad(entry.since ? std::to_string(entry.since->fresh.size()) : "-", 6);
  text += pad(entry.since ? std::to_string(entry.since->gone.size()) : "-", 6) + for_terminal(night.driver);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text + "\n";
}

}  // namespace

std::vector<std::filesystem::path> find_results(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> files = files_at(places);
  if (files.empty())
    throw std::runtime_error("there is no results file (*.db) in " + places.front().string());
  return files;
}

Trend trend_of(const std::vector<std::filesystem::path>& files) {
  Nights found = nights_in(files);
  Trend trend;
  trend.text = pad("started (UTC)", 21) + pad("device", 25) + pad("verdict", 17) + pad("cases", 15) +
               pad("other", 11) + pad("rate", 9) + pad("fail", 6) + pad("new", 6) + pad("gone", 6) +
               "driver\n";
  for (const HistoryNight& entry : compared(std::move(found.nights))) {
    trend.text += line(entry);
    if (!entry.since) continue;
    for (const std::string& signature : entry.since->fresh)
      trend.text += "  new   " + for_terminal(signature_words(signature)) + "\n";
    for (const std::string& signature : entry.since->gone)
      trend.text += "  gone  " + for_terminal(signature_words(signature)) + "\n";
    for (const std::string& unseen : entry.since->unseen)
      trend.text += "  not seen  " + for_terminal(signature_words(unseen)) + "\n";
    for (const OtherBits& bits : entry.since->other_bits)
      trend.text += "  passed, output changed: " + for_terminal(other_bits_words(bits)) + "\n";
  }
  for (const Nights::Unread& unread : found.unread) {
    trend.text += "not read: " + for_terminal(unread.words) + "\n";
    trend.unread.push_back(unread.file);
  }
  return trend;
}

}  // namespace assay::report
