#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "cli/command.h"
#include "cli/live_line.h"
#include "cli/stop_signal.h"
#include "cli/version.h"
#include "reports/results.h"
#include "suites/conductor.h"

namespace assay::cli {
namespace {

constexpr const char* default_budget = "60s";

struct Options {
  std::vector<std::string> globs;
  std::string device = "auto", cases, budget;
  std::vector<std::string> corpus;
  uint64_t seed = 1;
  std::string out = "assay-out";
  int threads = 0;
};
Options options;

/// "200", "1e6": a whole number of cases.
uint64_t case_count(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !(value >= 1) || value > 1e15 ||
      value != std::floor(value))
    throw CLI::ValidationError("--cases",
                               "'" + text + "' is no whole number of cases from 1 on, such as 200 or 1e6");
  return static_cast<uint64_t>(value);
}

/// "60s", "500ms", "10m", "2h".
std::chrono::milliseconds duration(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  const double milliseconds = unit == "ms"  ? 1
                              : unit == "s" ? 1e3
                              : unit == "m" ? 60e3
                              : unit == "h" ? 3600e3
                                            : 0;
  if (problem != std::errc{} || milliseconds == 0 || !(value > 0) || value * milliseconds > 1e12)
    throw CLI::ValidationError("--budget", "'" + text + "' is no time such as 60s, 10m or 2h");
  return std::chrono::milliseconds(static_cast<int64_t>(std::ceil(value * milliseconds)));
}

/// The command line as it was typed, for the results file.
std::string command_line() {
  std::string line = "assay run";
  for (const std::string& glob : options.globs) line += " '" + glob + "'";
  line += " --device " + options.device + " --seed " + std::to_string(options.seed);
  if (!options.cases.empty()) line += " --cases " + options.cases;
  if (!options.budget.empty()) line += " --budget " + options.budget;
  for (const std::string& file : options.corpus) line += " --corpus " + file;
  return line;
}

int run() {
  suites::RunOptions wanted;
  wanted.properties = options.globs;
  if (!options.cases.empty()) wanted.cases = case_count(options.cases);
  if (!options.budget.empty() || options.cases.empty())
    wanted.budget = duration(options.budget.empty() ? default_budget : options.budget);
  wanted.devices = resolve_devices(options.device);
  wanted.seed = options.seed;
  wanted.out = options.out;
  wanted.threads = options.threads;
  for (const std::string& file : options.corpus) wanted.case_files.push_back(file);
  wanted.command_line = command_line();
  wanted.version = version;
  wanted.commit = commit;

  LiveLine line(isatty(STDERR_FILENO));
  wanted.progress = [&line](const suites::Progress& progress) { line.show(progress); };
  const StopSignal stop;
  wanted.stop = &stop.requested();
  const suites::RunResult result = suites::run(wanted);
  line.clear();

  std::cout << report::summary_text(result.database, isatty(STDOUT_FILENO)) << "report   "
            << result.html.string() << "\njunit    " << result.junit.string() << "\nresults  "
            << result.database.string() << "\n";
  return result.exit_code;
}

const Registered command{
    {.order = 10,
     .declare =
         [](CLI::App& app) {
           CLI::App* sub = app.add_subcommand("run", "run properties on devices and report (default)");
           sub->add_option("glob", options.globs, "properties, as patterns over dotted names; none: all");
           sub->add_option(
                  "--device", options.device,
                  "auto, all, cuda:N or emulator[:sm_90a|sm_100a|sm_103a][,schedule=eager|lazy|random:SEED]"
                  "[,strict][,reading=ID:LETTER][,fault=NAME]")
               ->capture_default_str();
           sub->add_option("--cases", options.cases, "cases of each property, such as 200 or 1e6");
           sub->add_option("--budget", options.budget,
                           "time for the cases, such as 60s, 10m, 2h (default 60s)");
           sub->add_option("--seed", options.seed, "cases are made from (seed, property, index) alone")
               ->capture_default_str();
           sub->add_option("--corpus", options.corpus, "case files to run first");
           sub->add_option("--threads", options.threads,
                           "threads that generate, predict and judge; 0: all cores")
               ->check(CLI::Range(0, 1024));
           sub->add_option("--out", options.out, "folder of results.db, junit.xml and report.html")
               ->capture_default_str();
           return sub;
         },
     .run = run}};

}  // namespace
}  // namespace assay::cli
