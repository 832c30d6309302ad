// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "reports/detection.h"
#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/text.h"
#include "suites/failure/explain.h"
#include "suites/failure/replay.h"
#include "suites/run/conductor.h"

/// Every replay line that a run prints shows the failure: a short run of the property that the fault's row
/// names for a fault, on the device with that fault, as a user would start it; then each printed line, and
/// the case file of its case, on the same device in a process that ran nothing else.
///
/// By itself a sample; ASSAY_REPLAY_LINES=all takes all faults on all of their devices, first: all faults on
/// the first device of each, anything else: the faults whose names hold it. ASSAY_REPLAY_PART=1/2 takes half.
namespace assay::suites {
namespace {

using report::Detected;
using report::DetectionRow;

struct PrintedLine {
  std::string what;  ///< property@seed#index
  std::string device;
  std::string words;  ///< all of the line
  ReplayOptions options;
  bool is_flaky = false;
};

/// The lines of a terminal's summary, read as a shell would.
std::vector<PrintedLine> printed_lines(const std::string& summary) {
  std::vector<PrintedLine> lines;
  std::istringstream text(summary);
  bool is_flaky = false;
  for (std::string row; std::getline(text, row);) {
    if (row.find(". flaky: ") != std::string::npos) is_flaky = true;
    if (row.find(". failed: ") != std::string::npos) is_flaky = false;
    const size_t at = row.find("replay: assay replay ");
    if (at == std::string::npos) continue;
    PrintedLine line;
    line.words = row.substr(at + 8);
    line.is_flaky = is_flaky;
    std::istringstream words(line.words);
    std::string word, value;
    words >> word >> word >> line.what;
    if (line.what.starts_with("'")) line.what = line.what.substr(1, line.what.size() - 2);
    while (words >> word >> value) {
      if (value.starts_with("'")) value = value.substr(1, value.size() - 2);
      if (word == "--device") line.device = value;
      if (word == "--readings") line.options.readings = value;
      if (word == "--batch") line.options.batch = value;
      if (word == "--copies") line.options.copies = std::stoull(value);
    }
    lines.push_back(line);
  }
  return lines;
}

/// How often a line is run: what failed once in many runs needs them.
int attempts(const PrintedLine& line) {
  return line.is_flaky ? 30 : 1;
}
bool shows(const std::string& what, const PrintedLine& line, const ReplayOptions& options) {
  for (int i = 0; i < attempts(line); ++i)
    if (replay(what, line.device, options).exit_code == 1) return true;
  return false;
}

struct Tally {
  int runs = 0, caught = 0, lines = 0, silent = 0, files = 0, silent_files = 0;
};

/// Cases as many as the table says the property needs, and some more.
RunOptions options_for(const DetectionRow& row) {
  RunOptions options;
  options.properties = {row.property};
  options.devices = {row.spec};
  options.cases =
      std::max<uint64_t>(first_round_cases(*find_property(row.property)), row.cases + row.cases / 2 + 1);
  options.seed = 1;
  options.threads = 1;
  options.most_shrunk = 3;
  options.shrink_time = std::chrono::milliseconds(4000);
  std::string name = "replay_lines_" + row.spec;  // without a blank: lines are read word by word
  std::replace(name.begin(), name.end(), ':', '_');
  options.out = report::scratch_path(name);
  return options;
}

void sweep_row(const DetectionRow& row, Tally& tally) {
  const RunOptions options = options_for(row);
  const RunResult result = run(options);
  ++tally.runs;
  const std::string summary = report::summary_text(result.database, false);
  const std::vector<PrintedLine> lines = printed_lines(summary);
  if (result.exit_code == 1) ++tally.caught;
  EXPECT_FALSE(result.exit_code == 1 && lines.empty()) << row.spec << " " << row.property << "\n" << summary;
  for (const PrintedLine& line : lines) {
    ++tally.lines;
    if (!shows(line.what, line, line.options)) {
      ++tally.silent;
      ADD_FAILURE() << "shows nothing: " << line.words << "\n"
                    << replay(line.what, line.device, line.options).text << summary;
    }
  }
  const report::Results results = report::read_results(result.database, {1, 60});
  for (const auto& property : results.devices.at(0).properties)
    for (const auto& group : property.failures) {
      const auto file = options.out / "cases" / (group.examples.at(0).case_id + ".json");
      if (!std::filesystem::exists(file)) continue;
      PrintedLine line;
      line.device = row.spec;
      line.is_flaky = group.verdict == report::Verdict::flaky;
      ++tally.files;
      if (shows(file, line, {})) continue;
      ++tally.silent_files;
      ADD_FAILURE() << "the case file shows nothing: " << file << "\n"
                    << report::read_whole_file(file) << summary;
    }
  std::filesystem::remove_all(options.out);
}

std::vector<DetectionRow> caught_rows() {
  std::vector<DetectionRow> rows = expected_detections();
  // Of what strict mode finds no case is at fault.
  std::erase_if(rows, [](const DetectionRow& row) {
    return row.detected != Detected::caught || row.spec.find(",strict") != std::string::npos;
  });
  return rows;
}

void sweep(const std::vector<DetectionRow>& rows) {
  Tally tally;
  for (const DetectionRow& row : rows) {
    std::printf("  %s %s\n", row.spec.c_str(), row.property.c_str());
    std::fflush(stdout);
    sweep_row(row, tally);
  }
  std::printf("%d runs, %d failed; %d replay lines, %d show nothing; %d case files, %d show nothing\n",
              tally.runs, tally.caught, tally.lines, tally.silent, tally.files, tally.silent_files);
}

/// Each of another kind: in words of code, the ways in which lines went wrong before.
TEST(ReplaySweep, LinesOfSomeFaultsShowTheFailure) {
  const std::set<std::string> some{"emulator:sm_90a,fault=barrier_arrival_lost",
                                   "emulator:sm_90a,fault=traversal_count_floor",
                                   "emulator:sm_90a,fault=swizzle_128b_bit_dropped"};
  std::vector<DetectionRow> rows;
  for (const DetectionRow& row : caught_rows())
    if (some.contains(row.spec)) rows.push_back(row);
  EXPECT_EQ(rows.size(), some.size());
  sweep(rows);
}

/// What no reading settles is no failure of one case, but its line shows what was seen; here beside others
/// alone, since the order of a conflict depends on them.
TEST(ReplaySweep, LinesOfWhatIsUndecidedShowIt) {
  DetectionRow row;
  row.spec = "emulator:sm_90a,fault=reduce_f32_flushes", row.property = "bulk.reduce.conflicts";
  RunOptions options = options_for(row);
  options.cases = 60;
  options.seed = 257;  // one of few whose first failing case orders its additions well when it is alone
  const RunResult result = run(options);
  const std::string summary = report::summary_text(result.database, false);
  ASSERT_NE(summary.find("1 property undecided"), std::string::npos) << summary;
  const std::vector<PrintedLine> lines = printed_lines(summary);
  ASSERT_EQ(lines.size(), 1u) << summary;
  EXPECT_NE(lines[0].options.batch, "") << lines[0].words;
  EXPECT_TRUE(shows(lines[0].what, lines[0], lines[0].options)) << lines[0].words;
  EXPECT_FALSE(shows(lines[0].what, lines[0], {})) << "it needs no others";
}

TEST(ReplaySweep, LinesOfAllFaultsShowTheFailure) {
  const char* given = std::getenv("ASSAY_REPLAY_LINES");
  if (given == nullptr) GTEST_SKIP() << "takes long: ASSAY_REPLAY_LINES=all";
  const std::string which = given;
  unsigned part = 1, parts = 1;
  if (const char* text = std::getenv("ASSAY_REPLAY_PART")) std::sscanf(text, "%u/%u", &part, &parts);
  std::set<std::string> seen;
  std::vector<DetectionRow> rows;
  unsigned number = 0;
  for (const DetectionRow& row : caught_rows()) {
    const bool is_first = seen.insert(row.fault).second;
    if (which == "first" ? !is_first : which != "all" && row.fault.find(which) == std::string::npos) continue;
    if (number++ % parts == part - 1) rows.push_back(row);
  }
  ASSERT_FALSE(rows.empty());
  sweep(rows);
}

}  // namespace
}  // namespace assay::suites
