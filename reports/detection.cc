// SPDX-License-Identifier: Apache-2.0
#include "reports/detection.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>

#include "reports/text.h"

namespace assay::report {
namespace {

constexpr std::pair<Detected, std::string_view> outcome_words[] = {{Detected::caught, "caught"},
                                                                   {Detected::adopted, "another reading"},
                                                                   {Detected::survived, "SURVIVED"},
                                                                   {Detected::unobservable, "not observable"},
                                                                   {Detected::refuted, "CLAIM REFUTED"}};

std::string_view word(Detected detected) {
  for (const auto& [value, text] : outcome_words)
    if (value == detected) return text;
  return "?";
}

/// A cell holds no bar and no line break.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string on(const DetectionRow& row) {
  const std::string settings = row.spec.substr(row.spec.find(':') + 1);
  return settings.substr(0, settings.rfind(",fault="));
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  std::string now;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      now += line[++i];
    } else if (line[i] == '|') {
      const size_t first = now.find_first_not_of(' '), last = now.find_last_not_of(' ');
      cells.push_back(first == std::string::npos ? "" : now.substr(first, last - first + 1));
      now.clear();
    } else {
      now += line[i];
    }
  }
  return cells;
}

std::string unquoted(const std::string& text) {
  return text.size() >= 2 && text.front() == '`' && text.back() == '`' ? text.substr(1, text.size() - 2)
                                                                       : text;
}

constexpr std::string_view heading = "| fault | what is wrong | on | outcome | by | cases | case |";

}  // namespace

std::string faults_words(const std::vector<DetectionRow>& rows) {
  std::set<std::string_view> names;
  for (const DetectionRow& row : rows) names.insert(row.fault);
  return std::to_string(names.size()) + (names.size() == 1 ? " fault" : " faults") + ", tested " +
         std::to_string(rows.size()) + " times on the architectures that have the affected feature";
}

bool is_whole(const std::vector<DetectionRow>& rows) {
  return std::none_of(rows.begin(), rows.end(), [](const DetectionRow& row) {
    return row.detected == Detected::survived || row.detected == Detected::refuted;
  });
}

std::string detection_markdown(const DetectionHeader& header, const std::vector<DetectionRow>& rows) {
  std::map<Detected, size_t> counts;
  std::array<size_t, 4> within{};  // 10, 100, 1000, 10000 cases
  std::vector<uint64_t> cases;
  for (const DetectionRow& row : rows) {
    ++counts[row.detected];
    if (row.detected != Detected::caught && row.detected != Detected::adopted) continue;
    cases.push_back(row.cases);
    uint64_t limit = 10;
    for (size_t& count : within) {
      count += row.cases <= limit;
      limit *= 10;
    }
  }
  std::sort(cases.begin(), cases.end());
  const size_t seen = cases.size();
  std::string text =
      "# What the suites detect\n\n"
      "`devices/faults` lists known defects of hardware, driver or kernel, one row each, injected below the "
      "seam of the\nemulated device. On every architecture that has the affected feature, each fault was "
      "tested with every property\nthat the device can run, as in `assay run`, or with those of its area "
      "(`--property`), until the first failed. Case counts\nare those of that property alone. Cases are made "
      "from seed " +
      std::to_string(header.seed) +
      ", so the figures are the same on every machine. All results\nare from the emulator, none from "
      "silicon. The table was made by the following command, and later rows by the same\ncommand with "
      "their names, a `--property` and a budget of their own:\n\n```sh\n" +
      header.command + "\n```\n\n" + faults_words(rows) + ":\n" + std::to_string(counts[Detected::caught]) +
      " were caught, " + std::to_string(counts[Detected::adopted]) +
      " were reported as another reading of an open question, which is what they are, " +
      std::to_string(counts[Detected::survived]) + " survived\n(" + header.budget + " each on one core, " +
      header.rare_budget + " for rare ones), " + std::to_string(counts[Detected::unobservable]) +
      " change nothing that a program can observe (argued below, and not caught)";
  if (counts[Detected::refuted] != 0)
    text +=
        ", " + std::to_string(counts[Detected::refuted]) + " are claimed to be unobservable but were caught";
  text += ".\n";
  if (seen != 0)
    text += "Seen within 10 cases: " + std::to_string(within[0]) +
            "; 100 cases: " + std::to_string(within[1]) + "; 1,000 cases: " + std::to_string(within[2]) +
            "; 10,000 cases: " + std::to_string(within[3]) + " of " + std::to_string(seen) + ". Median " +
            std::to_string(cases[seen / 2]) + ", maximum " + grouped(cases.back(), ",") + ".\n";
  text +=
      "\nReproduce a row with `assay replay 'CASE' --device emulator:ON,fault=FAULT`. The case is shrunk "
      "on the first\narchitecture of a fault; on the others it is the first that failed.\n\n" +
      std::string(heading) + "\n|---|---|---|---|---|---:|---|\n";
  for (const DetectionRow& row : rows) {
    std::string by = row.property.empty() ? "" : "`" + row.property + "`";
    if (row.detected == Detected::adopted) by += " " + row.how;
    text += "| `" + row.fault + "` | " + cell(row.wrong) + " | " + on(row) + " | " +
            std::string(word(row.detected)) + (row.rare ? ", rare" : "") + " | " + cell(by) + " | " +
            (row.cases == 0 ? "" : std::to_string(row.cases)) + " | " +
            (row.replay.empty() ? "" : "`" + row.replay + "`") + " |\n";
  }
  if (counts[Detected::unobservable] + counts[Detected::refuted] != 0) {
    text += "\n## Not observable\n\n";
    std::set<std::string_view> argued;
    for (const DetectionRow& row : rows)
      if (!row.reason.empty() && argued.insert(row.fault).second)
        text += "- `" + row.fault + "`: " + cell(row.reason) + "\n";
  }
  return text;
}

std::vector<DetectionRow> parse_detection(std::string_view markdown) {
  std::vector<DetectionRow> rows;
  size_t number = 0;
  for (size_t at = 0; at < markdown.size();) {
    const size_t end = std::min(markdown.find('\n', at), markdown.size());
    const std::string_view line = markdown.substr(at, end - at);
    at = end + 1;
    ++number;
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = cells_of(line);
    const auto bad = [&](const std::string& why) {
      throw std::runtime_error("line " + std::to_string(number) + " of the detection table " + why);
    };
    if (cells.size() != 7) bad("has " + std::to_string(cells.size()) + " cells, not 7");
    DetectionRow& row = rows.emplace_back();
    row.fault = unquoted(cells[0]);
    row.wrong = cells[1];
    row.spec = "emulator:" + cells[2] + ",fault=" + row.fault;
    std::string outcome = cells[3];
    if (outcome.ends_with(", rare")) {
      row.rare = true;
      outcome.resize(outcome.size() - 6);
    }
    const auto known = std::find_if(std::begin(outcome_words), std::end(outcome_words),
                                    [&](const auto& entry) { return entry.second == outcome; });
    if (known == std::end(outcome_words)) bad("has the unknown outcome '" + outcome + "'");
    row.detected = known->first;
    const size_t space = cells[4].find(' ');
    row.property = unquoted(cells[4].substr(0, space));
    if (space != std::string::npos) row.how = cells[4].substr(space + 1);
    if (!cells[5].empty()) {
      const char* const last = cells[5].data() + cells[5].size();
      const auto [stop, error] = std::from_chars(cells[5].data(), last, row.cases);
      if (error != std::errc{} || stop != last) bad("has '" + cells[5] + "' as its number of cases");
    }
    row.replay = unquoted(cells[6]);
  }
  return rows;
}

}  // namespace assay::report
