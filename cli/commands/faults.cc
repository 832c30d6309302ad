// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <thread>

#include "cli/command.h"
#include "cli/terminal.h"
#include "reports/text.h"
#include "suites/failure/explain.h"

namespace assay::cli {
namespace {

struct FaultsOptions {
  std::vector<std::string> globs, properties, on;
  std::string budget = "60s", out = "assay-out/faults", markdown;
  uint64_t seed = 1;
  int jobs = 2;
  bool all = false, list = false;
};
FaultsOptions faults_options;

/// "sm_100a,strict": the settings of a device without the fault.
std::string settings_of(const std::string& spec) {
  const size_t first = spec.find(':') + 1;
  return spec.substr(first, spec.rfind(",fault=") - first);
}

bool is_on_chosen_device(const FaultRow& fault) {
  return faults_options.on.empty() ||
         std::any_of(faults_options.on.begin(), faults_options.on.end(),
                     [&](const std::string& glob) { return suites::matches(glob, settings_of(fault.spec)); });
}

/// On every architecture that has them, or those asked for.
std::vector<FaultRow> chosen() {
  std::vector<FaultRow> faults = suites::observable_faults();
  std::vector<bool> wanted(faults.size(), faults_options.globs.empty());
  for (const std::string& glob : faults_options.globs) {
    bool any = false;
    for (size_t i = 0; i < faults.size(); ++i)
      if (suites::matches(glob, faults[i].name)) any = wanted[i] = true;
    if (!any) throw UsageError(unknown_fault(faults, glob));
  }
  std::vector<FaultRow> left;
  for (size_t i = 0; i < faults.size(); ++i)
    if (wanted[i] && is_on_chosen_device(faults[i])) left.push_back(std::move(faults[i]));
  if (left.empty())
    throw UsageError(
        "--on", "no selected fault applies to that device; 'assay faults --list' lists the devices of each");
  return left;
}

std::string sentence(const report::DetectionRow& row) {
  char text[400];
  const char* const verb = row.detected == report::Detected::caught         ? "caught by"
                           : row.detected == report::Detected::adopted      ? "another reading, by"
                           : row.detected == report::Detected::refuted      ? "NOT UNOBSERVABLE:"
                           : row.detected == report::Detected::unobservable ? "not observable"
                                                                            : "SURVIVED";
  if (row.property.empty())
    std::snprintf(text, sizeof text, "%-38s %-8s %s, %.1f s, %llu cases\n", row.fault.c_str(),
                  settings_of(row.spec).c_str(), verb, row.seconds,
                  static_cast<unsigned long long>(row.all_cases));
  else
    std::snprintf(text, sizeof text, "%-38s %-8s %s %s after %llu %s, %.1f s\n", row.fault.c_str(),
                  settings_of(row.spec).c_str(), verb, row.property.c_str(),
                  static_cast<unsigned long long>(row.cases), row.cases == 1 ? "case" : "cases", row.seconds);
  return text;
}

bool is_first_device(const FaultRow& fault) {
  static const std::vector<FaultRow> all = suites::observable_faults();
  return std::find_if(all.begin(), all.end(), [&](const FaultRow& row) {
           return row.name == fault.name;
         })->spec == fault.spec;
}

/// Runs the suites against each fault, several at a time, and says each result when it is there. Cases are
/// made smaller on the first device of a fault: the same case shows little more on the others.
std::vector<report::DetectionRow> measure(const std::vector<FaultRow>& faults,
                                          const suites::DetectionOptions& detection) {
  std::vector<report::DetectionRow> rows(faults.size());
  std::mutex mutex;
  size_t next = 0;
  std::exception_ptr problem;
  const auto work = [&] {
    for (;;) {
      size_t mine;
      {
        const std::lock_guard lock(mutex);
        if (next == faults.size() || problem || detection.stop->load()) return;
        mine = next++;
      }
      try {
        suites::DetectionOptions mine_only = detection;
        if (!is_first_device(faults[mine])) {
          mine_only.shrink = false;
          mine_only.cases.clear();
        }
        rows[mine] = suites::detect(faults[mine], mine_only);
      } catch (...) {
        const std::lock_guard lock(mutex);
        problem = std::current_exception();
        return;
      }
      const std::lock_guard lock(mutex);
      std::cout << sentence(rows[mine]) << std::flush;
    }
  };
  std::vector<std::thread> threads;
  for (int t = 1; t < faults_options.jobs; ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (problem) std::rethrow_exception(problem);
  return rows;
}

int faults() {
  const std::vector<FaultRow> known = chosen();
  if (faults_options.list) {
    for (size_t i = 0; i < known.size(); ++i) {
      std::printf("%-38s %s (%s", known[i].name.c_str(), known[i].wrong.c_str(),
                  settings_of(known[i].spec).c_str());
      for (; i + 1 < known.size() && known[i + 1].name == known[i].name; ++i)
        std::printf(" %s", settings_of(known[i + 1].spec).c_str());
      std::printf(")\n");
    }
    return as_expected;
  }
  const StopSignal stop;
  suites::DetectionOptions detection;
  detection.seed = faults_options.seed;
  detection.budget = duration(faults_options.budget, "--budget");
  detection.all = faults_options.all;
  detection.properties = faults_options.properties;
  detection.cases = std::filesystem::path(faults_options.out) / "cases";
  detection.stop = &stop.requested();
  suites::select_properties(detection.properties);
  std::filesystem::create_directories(detection.cases);
  const std::vector<report::DetectionRow> rows = measure(known, detection);
  if (stop.requested()) {
    std::cerr << "assay: interrupted; no table was written\n";
    return violation;
  }
  report::DetectionHeader header;
  header.seed = faults_options.seed;
  header.budget = faults_options.budget;
  header.rare_budget = "10 times that";
  header.command = "./assay faults";
  for (const std::string& glob : faults_options.globs) header.command += " '" + glob + "'";
  for (const std::string& glob : faults_options.on) header.command += " --on '" + glob + "'";
  header.command += " --seed " + std::to_string(faults_options.seed) + " --budget " + faults_options.budget +
                    " --markdown docs/detection.md";
  const std::filesystem::path page = std::filesystem::path(faults_options.out) / "detection.html";
  report::write_detection_html(header, rows, page);
  const std::string table = report::detection_markdown(header, rows);
  report::write_whole_file(std::filesystem::path(faults_options.out) / "detection.md", table);
  if (!faults_options.markdown.empty()) report::write_whole_file(faults_options.markdown, table);
  size_t survivors = 0;
  for (const report::DetectionRow& row : rows)
    survivors += row.detected == report::Detected::survived || row.detected == report::Detected::refuted;
  std::cout << report::faults_words(rows) << ", " << survivors << " with unexpected outcomes\nreport   "
            << page.string() << "\n";
  return report::is_whole(rows) ? as_expected : violation;
}

const Registered faults_command{
    {.order = 47,
     .name = "faults",
     .help = "measure which known faults the suites catch",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("glob", faults_options.globs, "patterns for fault names (default: all faults)");
           line.option("--budget", faults_options.budget,
                       "time for each fault on one core; rare faults get ten times as much")
               .shows_default();
           line.option("--seed", faults_options.seed, "cases are made from (seed, property, index) alone")
               .shows_default();
           line.option("--jobs", faults_options.jobs, "number of faults to measure in parallel")
               .between(1, 256)
               .shows_default();
           line.option("--property", faults_options.properties,
                       "patterns for the properties to run (default: all)");
           line.option("--on", faults_options.on,
                       "patterns for the devices to run on, such as 'sm_100a*' (default: all)");
           line.option("--out", faults_options.out, "folder for detection.html, detection.md and cases/")
               .shows_default();
           line.option("--markdown", faults_options.markdown,
                       "write the summary to this file too, such as docs/detection.md for all faults");
           line.flag("--all", faults_options.all,
                     "find all properties that catch a fault within the budget, not only the first");
           line.flag("--list", faults_options.list,
                     "list the faults and what each does, without running anything");
         },
     .run = faults}};

}  // namespace
}  // namespace assay::cli
