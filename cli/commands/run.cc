// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include "cli/command.h"
#include "cli/commands/run.h"
#include "cli/terminal.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/written_reports.h"
#include "suites/run/case_file.h"
#include "suites/run/conductor.h"

namespace assay::cli {

uint64_t seed_option(const std::string& text) {
  uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size())
    throw UsageError("--seed", "invalid seed '" + text + "'; expected a whole number from 0 to 2^64 - 1");
  return value;
}

uint64_t case_count(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !(value >= 1) || value > 1e15 ||
      value != std::floor(value))
    throw UsageError("--cases", "invalid number of cases '" + text + "' (for example: 200 or 1e6)");
  return static_cast<uint64_t>(value);
}

suites::RunResult run_to_its_end(const suites::RunOptions& wanted, LiveLine& line) {
  try {
    suites::RunResult result = suites::run(wanted);
    line.clear();
    return result;
  } catch (const suites::NotRecorded& problem) {
    line.clear();
    for (const std::string& seen : problem.seen) std::cerr << report::for_terminal(seen) << "\n";
    throw;
  } catch (const suites::BudgetTooShort& error) {
    throw UsageError("--budget", error.what());
  }
}

namespace {

/// Lengthened where it is too short for the properties and devices.
const std::string default_budget = "30s";
/// The word for as long as they need.
const std::string least_budget = "least";

struct Options {
  std::vector<std::string> globs;
  std::vector<std::string> devices{"auto"};
  std::string cases, budget;
  std::vector<std::string> corpus, history;
  std::string seed = "1";
  std::string out = "assay-out";
  int threads = 0;
  bool cover = false;
  std::string shrink = "60s";
  std::string deadline, shard, baseline, expect, flaky = "fail", resume, defaults;
  std::string junit_profile = "strict";
  size_t junit_limit = 0;
  bool quiet = false, verbose = false, json = false, tap = false, fail_fast = false, last_failed = false,
       dry_run = false, force = false;
  std::vector<std::string> exclude;
};
Options options;

/// The command line as it was typed, for the results file.
std::string command_line() {
  std::string line = "assay run";
  for (const std::string& glob : options.globs) line += " '" + glob + "'";
  for (const std::string& device : options.devices) line += " --device " + device;
  line += " --seed " + options.seed;
  if (!options.cases.empty()) line += " --cases " + options.cases;
  if (!options.budget.empty()) line += " --budget " + options.budget;
  if (options.shrink != Options{}.shrink) line += " --shrink " + options.shrink;
  for (const std::string& file : options.corpus) line += " --corpus " + file;
  for (const auto& [name, value] : {std::pair{" --deadline ", &options.deadline},
                                    {" --shard ", &options.shard},
                                    {" --baseline ", &options.baseline},
                                    {" --expect ", &options.expect}})
    if (!value->empty()) line += name + *value;
  for (const std::string& place : options.history) line += " --history " + place;
  for (const std::string& glob : options.exclude) line += " --exclude '" + glob + "'";
  if (options.last_failed) line += " --last-failed";
  if (options.fail_fast) line += " --fail-fast";
  if (options.cover) line += " --cover";
  if (options.flaky != "fail") line += " --flaky " + options.flaky;
  return line;
}

bool is_case_file(const std::filesystem::path& file) {
  try {
    suites::read_case_file(file);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// Those of a folder that end in .json; where none does, those that hold a case, as the corpora of the fuzzer
/// do.
std::vector<std::filesystem::path> case_files_in(const std::string& folder) {
  std::vector<std::filesystem::path> named, all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    all.push_back(entry.path());
    if (entry.path().extension() == ".json") named.push_back(entry.path());
  }
  if (named.empty()) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(named), is_case_file);
    if (named.empty())
      throw std::runtime_error("--corpus: the folder " + folder + " holds no case files (*.json)");
    if (const size_t others = all.size() - named.size(); others != 0)
      std::cerr << "assay: --corpus: " << others << " of the " << all.size() << " files in " << folder
                << " hold no case that can be run and are left out\n";
  }
  std::sort(named.begin(), named.end());
  return named;
}

/// The files named, and those of the folders named.
std::vector<std::filesystem::path> corpus_files() {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : options.corpus) {
    if (!std::filesystem::is_directory(name)) {
      files.emplace_back(name);
      continue;
    }
    const auto found = case_files_in(name);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// The properties asked for without those excluded; empty: all of them.
std::vector<std::string> selected_properties() {
  suites::select_properties(options.globs);
  suites::select_properties(options.exclude);
  if (options.exclude.empty()) return options.globs;
  std::vector<std::string> names;
  for (const suites::Property* property : suites::select_properties(options.globs))
    if (std::none_of(options.exclude.begin(), options.exclude.end(),
                     [&](const std::string& glob) { return suites::matches(glob, property->name); }))
      names.emplace_back(property->name);
  if (names.empty()) throw UsageError("--exclude", "no property is left to run");
  return names;
}

/// The cases that failed in the run that is in the output folder.
void add_last_failed() {
  const std::filesystem::path cases = std::filesystem::path(options.out) / "cases";
  std::error_code none;
  if (!std::filesystem::exists(std::filesystem::path(options.out) / "results.db", none))
    throw std::runtime_error("--last-failed: there is no earlier run in " + options.out);
  if (!std::filesystem::is_directory(cases, none) || std::filesystem::is_empty(cases, none))
    throw std::runtime_error("--last-failed: the run in " + options.out + " has no failing cases");
  options.corpus.push_back(cases.string());
}

/// A corpus is what is to be run: cases are generated beside it only when a number or a time for them is
/// given.
bool is_corpus_alone() {
  return !options.corpus.empty() && options.cases.empty() && options.budget.empty() &&
         options.deadline.empty();
}

std::vector<std::string> properties_of(const std::vector<std::filesystem::path>& files) {
  std::set<std::string> names;
  for (const std::filesystem::path& file : files) names.emplace(suites::read_case_file(file).property->name);
  return {names.begin(), names.end()};
}

suites::RunOptions wanted_options() {
  if (!options.resume.empty()) return suites::options_to_resume(options.resume, version, commit);
  suites::RunOptions wanted;
  wanted.properties = selected_properties();
  if (options.last_failed) add_last_failed();
  wanted.seed = seed_option(options.seed);
  if (!options.cases.empty()) wanted.cases = case_count(options.cases);
  wanted.case_files = corpus_files();
  if (is_corpus_alone()) {
    wanted.cases = 0;
    if (wanted.properties.empty()) wanted.properties = properties_of(wanted.case_files);
  } else if (!options.budget.empty() || (options.cases.empty() && options.deadline.empty())) {
    wanted.lengthens_budget = options.budget.empty() || options.budget == least_budget;
    const std::string& budget = options.budget.empty() ? default_budget : options.budget;
    wanted.budget =
        options.budget == least_budget ? std::chrono::milliseconds(1) : duration(budget, "--budget");
  }
  wanted.shrink_time = duration(options.shrink, "--shrink");
  if (!options.shard.empty()) {
    const Shard shard = parse_shard(options.shard, [](const char* name) { return std::getenv(name); });
    wanted.shard = shard.index;
    wanted.shards = shard.count;
  }
  wanted.devices = devices_named(options.devices);
  wanted.out = options.out;
  wanted.threads = options.threads;
  wanted.cover = options.cover;
  wanted.fail_fast = options.fail_fast;
  wanted.baseline = options.baseline;
  wanted.history.assign(options.history.begin(), options.history.end());
  wanted.expect = options.expect;
  wanted.flaky_warns = options.flaky == "warn";
  wanted.junit_options.profile = *report::parse_junit_profile(options.junit_profile);
  wanted.junit_options.most_failures = options.junit_limit;
  wanted.command_line = command_line();
  wanted.version = version;
  wanted.commit = commit;
  return wanted;
}

/// Where the failing cases are, when there are any.
std::string case_files(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_empty(folder, ignored) || ignored
             ? ""
             : "cases    " + folder.string() +
                   ": failing cases for assay replay (.json) and as stand-alone programs (.cu)\n";
}

/// What a run with these options would do.
void show_plan(const suites::RunOptions& wanted) {
  const std::vector<const suites::Property*> properties = suites::select_properties(wanted.properties);
  if (!options.defaults.empty()) std::cout << "defaults    " << options.defaults << "\n";
  for (const std::string& device : wanted.devices) std::cout << "device      " << device << "\n";
  std::cout << "seed        " << wanted.seed << "\n";
  if (wanted.shards != 1) std::cout << "shard       " << wanted.shard << " of " << wanted.shards << "\n";
  if (wanted.cases && *wanted.cases != 0)
    std::cout << "cases       " << *wanted.cases << " of each property\n";
  if (wanted.budget && wanted.lengthens_budget && !options.budget.empty())
    std::cout << "budget      what a dozen cases of every property take\n";
  else if (wanted.budget)
    std::cout << "budget      " << static_cast<double>(wanted.budget->count()) / 1000 << " s for all cases\n";
  for (const std::filesystem::path& file : wanted.case_files)
    std::cout << "case file   " << file.string() << "\n";
  std::cout << "output      " << wanted.out.string() << "\n"
            << "properties  " << properties.size() << "\n";
  for (const suites::Property* property : properties) std::cout << "  " << property->name << "\n";
}

int run() {
  suites::RunOptions wanted = wanted_options();
  wanted.force = options.force;
  if (options.dry_run) return show_plan(wanted), as_expected;
  if (!options.deadline.empty())
    wanted.deadline = moment(options.deadline, "--deadline", std::chrono::system_clock::now());

  LiveLine line(isatty(STDERR_FILENO));
  if (!options.quiet) wanted.progress = [&line](const suites::Progress& progress) { line.show(progress); };
  const StopSignal stop;
  wanted.stop = &stop.requested();
  const suites::RunResult result = run_to_its_end(wanted, line);

  if (options.json)
    std::cout << report::results_json(result.database) << "\n";
  else if (options.tap)
    std::cout << report::tap_text(result.database);
  else if (options.quiet)
    std::cout << report::summary_text(result.database, shows_colour(STDOUT_FILENO), report::Detail::quiet);
  else
    std::cout << report::summary_text(result.database, shows_colour(STDOUT_FILENO),
                                      options.verbose ? report::Detail::verbose : report::Detail::normal)
              << "report   " << result.html.string() << " (and " << result.junit.filename().string()
              << ", summary.md, " << result.database.filename().string() << ")\n"
              << case_files(wanted.out / "cases")
              << (result.earlier.empty()
                      ? ""
                      : "earlier  " + result.earlier.string() + ": the run that was here before\n");
  if (result.abandoned) {
    // Threads still wait for a device that does not answer; nothing may wait for them.
    std::cout.flush();
    std::_Exit(result.exit_code);
  }
  return result.exit_code;
}

const Registered run_command{
    {.order = 10,
     .name = "run",
     .help = "run properties on devices and report (default)",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.group("What runs");
           line.option("glob", options.globs, "patterns for property names (default: all properties)");
           line.option("--device", options.devices,
                       "auto, all, " + device_grammar() + "; may be given several times")
               .one_word_each()
               .shows_default();
           line.option("--exclude", options.exclude, "patterns for properties to leave out").one_word_each();
           line.option("--corpus", options.corpus,
                       "case files, or folders of them, to run first; cases are generated only if --cases, "
                       "--budget or "
                       "--deadline is given too");
           line.flag("--last-failed", options.last_failed,
                     "rerun the failing cases of the run in the output folder");
           line.option("--resume", options.resume, "continue the interrupted run in this folder");
           line.flag("--dry-run", options.dry_run, "print what would run, without running it");

           line.group("How much");
           line.option("--cases", options.cases, "cases of each property, such as 200 or 1e6");
           line.option("--budget", options.budget,
                       "time for the cases, such as 60s, 10m, 2h; least: as long as a dozen cases of every "
                       "property take (default 30s, or least if that is longer; none if only --corpus is "
                       "given)");
           line.option(
               "--deadline", options.deadline,
               "finish by this time, report included: 06:30 or 2026-11-22T06:30, even if a device hangs");
           line.option("--seed", options.seed, "cases are made from (seed, property, index) alone")
               .shows_default();
           line.option("--shard", options.shard,
                       "i/N: every N-th case from the i-th on; auto: from Slurm's or Kubernetes' variables");
           line.flag("--cover", options.cover,
                     "issue only cases that reach new values, or pairs of values, of descriptor fields")
               .excludes({"--cases"});
           line.option("--shrink", options.shrink,
                       "time, after the budget, for rerunning failures and shrinking their cases")
               .shows_default();
           line.flag("--fail-fast", options.fail_fast, "issue no more cases once one has failed");
           line.option("--threads", options.threads, "threads that generate, predict and judge; 0: all cores")
               .between(0, 1024);

           line.group("What is expected");
           line.option("--expect", options.expect, "TOML file of waivers (docs/waivers.md)");
           line.option("--baseline", options.baseline,
                       "results.db of an earlier run: report only what changed since");
           line.option("--history", options.history,
                       "results file of earlier nights, or a folder of them: the report shows what is new, "
                       "what is "
                       "gone, and whose output changed; may be given several times")
               .one_word_each();
           line.option("--flaky", options.flaky, "whether a failure that does not repeat fails the run")
               .one_of({"fail", "warn"})
               .shows_default();

           line.group("What is written");
           line.option("--out", options.out, "folder for results.db, junit.xml and report.html")
               .shows_default();
           line.option("--junit-profile", options.junit_profile,
                       "strict: what both public schemas accept; rich: attachments and more")
               .one_of({"strict", "rich"})
               .shows_default();
           line.option("--junit-limit", options.junit_limit,
                       "list at most N failing properties in junit.xml; 0: list all properties")
               .shows_default();
           line.flag("--force", options.force,
                     "replace a junit.xml, report.html or summary.md that assay did not write");
           line.flag("-q,--quiet", options.quiet,
                     "print a line for each property that failed and the verdict, no progress");
           line.flag("-v,--verbose", options.verbose,
                     "print every property, every finding and what was not covered")
               .excludes({"--quiet"});
           line.flag("--json", options.json,
                     "print one line of JSON instead of the summary (docs/machine_readable.md)");
           line.flag("--tap", options.tap, "print TAP version 13 instead of the summary")
               .excludes({"--json"});
           line.option(
               "--defaults", options.defaults,
               "TOML file of defaults for these options (default: assay.toml next to the output folder or to "
               "its parent folder)");

           line.excludes("--resume",
                         {"--device",  "--cases",       "--budget",    "--shrink",        "--seed",
                          "--cover",   "--corpus",      "--out",       "--baseline",      "--history",
                          "--expect",  "--shard",       "--flaky",     "--junit-profile", "--junit-limit",
                          "--exclude", "--last-failed", "--fail-fast", "--dry-run",       "--defaults"});
         },
     .run = run}};

}  // namespace
}  // namespace assay::cli
