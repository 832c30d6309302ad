// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "cli/check/assemblers.h"
#include "cli/check/child.h"
#include "cli/check/findings.h"
#include "cli/check/necessity.h"
#include "cli/check/outcome.h"
#include "cli/check/ptx_launch.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "devices/cuda/device_spec.h"
#include "devices/device.h"
#include "reference/spec/arch.h"
#include "reports/text.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view default_device = "emulator:sm_100a";
std::string device{default_device}, sarif_file, junit_file, html_file, suppression_file;
std::vector<std::string> check_words;
std::string compilers;
std::string kernel, grid, block, cluster, shared, launches;
std::vector<std::string> check_arguments;
std::string warnings = "on";
bool no_strict = false, lists = false, asks_necessity = false;
bool is_launched_here = false;         ///< a kernel of a PTX file, not a program
std::vector<std::string> words_again;  ///< what was typed, without the device and files to write
/// Completion orders to run under; 0: a lazy one and three random ones, where launches are short.
int schedules = 0;

/// Seconds for all orders of the launches that can differ; 0: not asked for.
int explore_seconds = 0;
constexpr int usual_explore_seconds = 10, most_explore_seconds = 1'000'000;
/// Orders of each launch at most; 0: as many as there is time for.
int most_orders = 0;

/// The order that asks for all orders.
std::string explored_orders() {
  const int seconds = explore_seconds != 0 ? explore_seconds
                      : most_orders != 0   ? most_explore_seconds
                                           : usual_explore_seconds;
  return "explore:" + std::to_string(seconds) + (most_orders == 0 ? "" : ":" + std::to_string(most_orders));
}

/// Words for ASSAY_EMULATOR without the completion order.
std::string check_settings_of(const cuda::DeviceSpec& spec) {
  std::string settings = spec.settings + ",tolerant";
  if (!no_strict && settings.find(",strict") == settings.npos) settings += ",strict";
  return settings;
}

/// The order that the device names; else lazy and random ones, with --schedules an eager one as well.
std::vector<std::string> orders(const std::string& settings) {
  const size_t named = settings.find("schedule=");
  if (explore_seconds != 0 || most_orders != 0) return {explored_orders()};
  if (schedules <= 1 && named != settings.npos)
    return {settings.substr(named + 9, settings.find(',', named) - named - 9)};
  if (schedules == 0) return {"lazy", "random:1", "random:2", "random:3"};
  std::vector<std::string> all{"lazy"};
  if (schedules > 1) all.push_back("eager");
  for (int seed = 1; static_cast<int>(all.size()) < schedules; ++seed)
    all.push_back("random:" + std::to_string(seed));
  return all;
}

cuda::DeviceSpec emulator_spec() {
  const cuda::DeviceSpec spec = cuda::parse_device_spec(device);
  if (!spec.emulator)
    throw UsageError("--device", "'" + device + "' is a GPU; programs are checked on an emulator");
  return spec;
}

/// Without --device a PTX file is checked on an emulator of its own target, if there is one.
void choose_device(const std::string& ptx) {
  const std::string target = check::target_of(ptx);
  if (device == default_device && target.ends_with('a') && spec::parse_arch(target))
    device = "emulator:" + target;
}

int list_refusals() {
  if (check_words.size() != 1) throw UsageError("--list takes one PTX file");
  const std::string text = report::read_whole_file(check_words[0]);
  choose_device(text);
  const std::string lines = check::refusals_of(text, check_settings_of(emulator_spec()));
  check::Findings found;
  check::add_report(found, lines, {}, "");
  size_t count = 0;
  const auto say = [&](const std::string& kernel, uint32_t line, const std::string& why,
                       const std::string& text) {
    ++count;
    std::cout << report::for_terminal(check_words[0]) << ':' << line << ": "
              << (kernel.empty() ? "" : check::short_name(kernel) + ": ") << report::for_terminal(why)
              << "\n";
    if (!text.empty()) std::cout << "    " << report::for_terminal(text) << "\n";
  };
  for (const check::Unsupported& one : found.unsupported) say(one.call, one.line, one.sentence, one.text);
  for (const check::Finding& one : found.findings)
    say(one.places[0].kernel, one.places[0].line, one.message, one.places[0].text);
  std::cout << "assay: " << report::for_terminal(check_words[0]) << ": "
            << (count == 0 ? "no" : std::to_string(count)) << " unsupported construct"
            << (count == 1 ? "" : "s") << "\n";
  return count == 0 ? as_expected : could_not_run;
}

/// The file that the libraries write to while the program runs.
class ReportFile {
 public:
  ReportFile() {
    path_ = (fs::temp_directory_path() / "assay-report-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) throw DeviceError("no temporary file can be made in " + fs::temp_directory_path().string());
    close(file);
  }
  ~ReportFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// One run of the program, and its report.
struct Run {
  check::ChildEnd end;
  std::string report;
};

Run run_under(const std::string& order, const std::string& settings, bool is_again) {
  static const std::string libraries = check::emulated_libraries();
  const ReportFile file;
  // The last of two words for one thing counts.
  const check::ChildEnd end =
      check::run_emulated(check_words, libraries, settings + ",schedule=" + order, file.path(), is_again);
  return {end, report::read_whole_file(file.path())};
}

/// Whether a program that ended otherwise under another schedule ends as before under the first one. Else
/// what it does depends on how often it has run, or on what it reads, and not on the schedule.
bool is_repeatable(const check::Outcome& outcome, const std::string& settings) {
  const check::ScheduledRun& first = outcome.runs[0];
  return check::end_alike(run_under(first.schedule, settings, true).end, first.end);
}

/// Why the schedules behind the first do not run, as a clause, or nothing.
std::string why_one_schedule(const check::Findings& found) {
  if (found.large_launch.empty()) return {};
  return "a launch of " + check::short_name(found.large_launch) + " took " +
         report::grouped(std::strtoull(found.large_instructions.c_str(), nullptr, 10), ",") + " instructions";
}

/// Runs the program under each schedule. By default those behind the first are for what depends on them: of a
/// program whose launches are long, or that does not do the same twice, there is one run.
void run_schedules(check::Outcome& outcome, const std::string& settings) {
  const std::vector<std::string> all = orders(settings);
  const bool by_default = schedules == 0;
  check::begin_input();
  for (const std::string& order : all) {
    const bool is_first = outcome.runs.empty();
    const Run run = run_under(order, settings, by_default && !is_first);
    const bool is_over = !run.end.has_started || run.end.stopped_by != 0;
    if (by_default && !is_first && !is_over && !check::end_alike(run.end, outcome.runs[0].end) &&
        !is_repeatable(outcome, settings)) {
      outcome.why_one = "the program does not end in the same way each time it runs";
      break;
    }
    outcome.runs.push_back({order, run.end});
    check::add_report(outcome.findings, run.report, outcome.clauses, order);
    if (is_over) break;
    if (!by_default || all.size() == 1) continue;
    outcome.why_one = why_one_schedule(outcome.findings);
    if (!outcome.why_one.empty() || outcome.findings.launches() == 0) break;
  }
  // What the first schedule has shown needs no words on it.
  for (check::Finding& one : outcome.findings.findings)
    if (one.schedule == all[0]) one.schedule.clear();
  for (check::Timeline& one : outcome.findings.timelines)
    if (one.schedule == all[0]) one.schedule.clear();
}

/// The program in all orders of its launches; `more`: words for ASSAY_EMULATOR beside that.
check::ExploredRun run_explored(const std::string& settings, const std::vector<check::Clause>& clauses,
                                const std::string& more, bool is_again, const std::string& order) {
  const Run run = run_under(order, settings + more, is_again);
  check::ExploredRun made{run.end, {}};
  check::add_report(made.findings, run.report, clauses, order);
  return made;
}

/// What each instruction that only synchronises is good for: the program without it, in all orders.
int measure_necessity() {
  const std::string settings = check_settings_of(emulator_spec());
  const std::vector<check::Clause> clauses = check::emulator_clauses();
  check::begin_input();
  check::ExploredRun with = run_explored(settings, clauses, "", false, explored_orders());
  std::cout.flush();
  const bool is_checked =
      with.end.has_started && with.findings.launches() != 0 && with.findings.unsupported.empty();
  std::string failed, found, known = ",known=";
  for (const check::Finding& one : with.findings.findings) {
    for (const check::Place& place : one.places)
      if (place.line != 0) known += ",known=" + one.clause + ":" + std::to_string(place.line);
    found += (found.empty() ? "" : ", ") + one.clause;
    if (!one.message.empty() && failed.empty()) failed = one.clause;
  }
  if (!failed.empty() || !is_checked) {
    std::cerr << "assay: what a program needs is asked where its kernels end well, but "
              << (failed.empty() ? "no launch could be checked" : "there is " + failed)
              << "; run 'assay check --explore' on it first\n";
    return failed.empty() ? could_not_run : violation;
  }
  if (!found.empty()) std::cerr << "assay: found in the program as it is, and not counted: " << found << "\n";
  // What the first order leaves is compared.
  check::forget_what_varies(with, run_explored(settings, clauses, "", true, "explore:1000000:1"));
  std::vector<check::Necessity> all;
  for (const check::Synchronisation& one : with.findings.synchronisations) {
    const std::string without = known + ",without=" + one.kernel + ":" + std::to_string(one.place.line);
    const check::ExploredRun run = run_explored(settings, clauses, without, true, explored_orders());
    if (run.end.stopped_by != 0) return 128 + run.end.stopped_by;
    check::Necessity& made = all.emplace_back(check::Necessity{one.place, check::difference(with, run)});
    for (const check::Explored& launch : run.findings.explored) {
      made.orders += launch.orders;
      if (made.why_not_all.empty()) made.why_not_all = launch.why_not_all;
    }
  }
  std::cout << check::necessity_table(all);
  return as_expected;
}

int check_program() {
  if (asks_necessity) return measure_necessity();
  check::Outcome outcome;
  const cuda::DeviceSpec spec = emulator_spec();
  const bool warns = !no_strict && warnings != "off";
  const std::string settings = check_settings_of(spec) + (warns ? ",warnings" : "");
  outcome.command = check_words;
  outcome.device = spec.text;
  outcome.is_strict = !no_strict;
  outcome.clauses = check::emulator_clauses();
  if (!suppression_file.empty()) {
    outcome.suppression_file = suppression_file;
    outcome.suppressions =
        check::read_suppressions(report::read_whole_file(suppression_file), suppression_file);
  }
  outcome.replay = words_again;
  run_schedules(outcome, settings);
  if (warnings == "error")
    for (check::Finding& one : outcome.findings.findings) one.is_warning = false;
  check::suppress(outcome.findings.findings, outcome.suppressions);
  std::cout.flush();
  std::cerr << check::summary(outcome, shows_colour(STDERR_FILENO));
  if (!sarif_file.empty()) report::write_whole_file(sarif_file, check::sarif(outcome));
  if (!junit_file.empty()) report::write_whole_file(junit_file, check::junit(outcome));
  if (!html_file.empty()) report::write_whole_file(html_file, check::html_page(outcome));
  // The launcher has said what is wrong with the file or the options; it launched nothing.
  if (is_launched_here && outcome.runs.back().end.code == usage) return usage;
  return check::exit_code(outcome);
}

/// The launch that the options name, and what the file says of it where they do not.
check::PtxLaunch launch_of(const std::string& text) {
  const std::vector<std::string> own = check::launch_words(text);
  std::vector<std::string> file_arguments;
  for (size_t i = 0; i < own.size(); i += 2) {
    if (i + 1 == own.size())
      throw UsageError(check_words[0] + ": '// launch:' ends with an option without a value");
    const std::string &option = own[i], &value = own[i + 1];
    const auto set = [&](const char* name, std::string& variable) {
      if (option != name) return false;
      if (variable.empty()) variable = value;
      return true;
    };
    if (option == "--arg")
      file_arguments.push_back(value);
    else if (!set("--kernel", kernel) && !set("--grid", grid) && !set("--block", block) &&
             !set("--cluster", cluster) && !set("--shared", shared) && !set("--launches", launches))
      throw UsageError(check_words[0] + ": '// launch:' has the unknown option '" + option + "'");
  }
  check::PtxLaunch launch;
  launch.kernel = kernel;
  if (!grid.empty()) launch.grid = check::read_sizes("--grid", grid);
  if (!block.empty()) launch.block = check::read_sizes("--block", block);
  if (!cluster.empty()) launch.cluster = check::read_sizes("--cluster", cluster);
  if (!shared.empty()) launch.shared_bytes = check::read_size("--shared", shared);
  if (!launches.empty()) launch.launches = check::read_size("--launches", launches, 1);
  check::check_kernel_name(check_words[0], text, kernel);
  launch.arguments = check_arguments.empty() ? file_arguments : check_arguments;
  for (const std::string& argument : launch.arguments) check::read_argument(argument);
  return launch;
}

/// What the emulator refuses of a file: the first of it.
check::EmulatorVerdict emulator_verdict(const cuda::DeviceSpec& spec, const std::string& text) {
  check::EmulatorVerdict emulator;
  emulator.device = spec.text;
  check::Findings found;
  check::add_report(found, check::refusals_of(text, check_settings_of(spec)), {}, "");
  const auto refuse = [&](uint32_t line, const std::string& why) {
    if (emulator.takes) emulator.says = "line " + std::to_string(line) + ": " + why;
    emulator.takes = false;
  };
  for (const check::Unsupported& one : found.unsupported) refuse(one.line, one.sentence);
  for (const check::Finding& one : found.findings) refuse(one.places[0].line, one.message);
  return emulator;
}

int compare_compilers() {
  if (check_words.size() != 1) throw UsageError("--compilers takes one PTX file");
  const std::string file = check_words[0], text = report::read_whole_file(file);
  const std::string target = check::target_of(text);
  if (target.empty()) throw UsageError("--compilers", file + " names no .target");
  choose_device(text);
  const cuda::DeviceSpec named = cuda::parse_device_spec(device);
  const cuda::DeviceSpec emulated = named.emulator ? named : cuda::parse_device_spec("emulator:" + target);
  check::PtxLaunch launch;
  if (!named.emulator) {
    launch = launch_of(text);
    if (!check::has_memory(launch))
      throw UsageError("--compilers",
                       "no kernel argument is memory, so there is no result to compare; add one such as "
                       "--arg buffer:4096,random");
  }
  const check::ScratchFolder scratch;
  std::vector<check::Assembled> all;
  std::vector<check::CodeRun> runs;
  const auto run = [&](const std::string& name, const cuda::DeviceSpec& on, const std::string& code) {
    if (!named.emulator) runs.push_back(check::run_code(name, on, check_settings_of(on), code, launch));
  };
  for (size_t at = 0; at <= compilers.size();) {
    const size_t end = std::min(compilers.find(',', at), compilers.size());
    const std::string cubin = scratch.file(std::to_string(all.size()) + ".cubin");
    all.push_back(check::assemble(compilers.substr(at, end - at), file, target, cubin));
    if (all.back().assembles) run(check::name_of(all.back()), named, cubin);
    at = end + 1;
  }
  const check::EmulatorVerdict emulator = emulator_verdict(emulated, text);
  run("the driver of " + named.text, named, file);
  if (emulator.takes) run(emulated.text, emulated, file);
  std::cout << check::compared(file, all, emulator);
  if (named.emulator)
    std::cout
        << "assay: the code was assembled but not run; comparing results requires a GPU (--device cuda:N)\n";
  else
    std::cout << check::runs_compared(file, runs);
  const int of_assembling = check::exit_code(all, emulator);
  return of_assembling != as_expected ? of_assembling : check::agree(runs) ? as_expected : violation;
}

/// A PTX file is launched by this program, started again.
void become_launcher() {
  if (check_words.size() > 1)
    throw UsageError("--arg", "pass kernel arguments with --arg, one option for each");
  const std::string file = check_words[0], text = report::read_whole_file(file);
  choose_device(text);
  is_launched_here = true;
  check_words = check::launch_command(fs::read_symlink("/proc/self/exe").string(), file, launch_of(text));
}

bool is_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((fs::path(folder) / name).c_str(), X_OK) == 0) return true;
  return false;
}

/// Files that are there and cannot be started the way they were typed.
void refuse_what_is_no_program(const std::string& word) {
  std::error_code none;
  if (!fs::is_regular_file(word, none)) return;
  const std::string stem = fs::path(word).stem().string();
  if (word.ends_with(".cu"))
    throw UsageError("'" + word +
                     "' is source code; compile it, and check the program: nvcc -lineinfo -gencode "
                     "arch=compute_100a,code=[sm_100a,compute_100a] " +
                     word + " -o " + stem + " && assay check -- ./" + stem);
  if (word.find('/') == word.npos && !is_in_path(word))
    throw UsageError("'" + word + "' is a file here, and not a program in PATH; type: assay check -- ./" +
                     word);
}

/// What was typed, without the device, the number of schedules and files.
std::vector<std::string> typed_words() {
  std::vector<std::string> words;
  if (no_strict) words.push_back("--no-strict");
  if (warnings != "on") words.push_back("--warnings=" + warnings);
  if (!check_words[0].ends_with(".ptx")) {
    words.push_back("--");
    words.insert(words.end(), check_words.begin(), check_words.end());
    return words;
  }
  words.push_back(check_words[0]);
  const std::pair<const char*, const std::string*> options[] = {
      {"--kernel", &kernel},   {"--grid", &grid},     {"--block", &block},
      {"--cluster", &cluster}, {"--shared", &shared}, {"--launches", &launches}};
  for (const auto& [name, value] : options)
    if (!value->empty()) words.insert(words.end(), {name, *value});
  for (const std::string& argument : check_arguments) words.insert(words.end(), {"--arg", argument});
  return words;
}

int run_check() {
  if (check_words.empty()) throw UsageError("no program given; usage: assay check -- ./program ARGUMENTS");
  if (lists) return list_refusals();
  if (!compilers.empty()) return compare_compilers();
  words_again = typed_words();
  if (check_words[0].ends_with(".ptx"))
    become_launcher();
  else
    refuse_what_is_no_program(check_words[0]);
  return check_program();
}

const Registered check_command{
    {.order = 15,
     .name = "check",
     .help = "run a CUDA program, unchanged, on an emulated GPU and name what is wrong in its kernels",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("program", check_words,
                       "after '--': the program and its arguments; with --list a PTX file");
           line.option("--device", device,
                       "an emulator, as in 'assay run --device'; with schedule=ORDER it is the only order")
               .shows_default();
           line.flag("--no-strict", no_strict, "report failures only, not violations of the memory model");
           line.option(
                   "--warnings", warnings,
                   "what is legal and likely wrong: 'on' shows it, with 'error' the exit code is 1, 'off'")
               .one_of({"on", "off", "error"});
           line.option(
                   "--schedules", schedules,
                   "run the program under this many completion orders: lazy, eager, random seeds; default: "
                   "lazy and three random ones, or lazy alone where a launch takes 50 million instructions")
               .between(1, 1000);
           line.flag("--explore", explore_seconds, usual_explore_seconds,
                     "run each launch in all orders that can differ, for at most 10 seconds or "
                     "--explore=SECONDS in all")
               .between(1, most_explore_seconds)
               .excludes({"--schedules", "--no-strict"});
           line.flag("--necessity", asks_necessity,
                     "leave out each fence, wait, barrier, arrival and commit in turn, under --explore, and "
                     "say "
                     "which are needed")
               .excludes({"--schedules", "--no-strict"});
           line.option("--orders", most_orders,
                       "as --explore or --necessity, in at most this many orders of each launch, whatever "
                       "time they take unless --explore=SECONDS says")
               .between(1, most_explore_seconds)
               .excludes({"--schedules", "--no-strict"});
           line.option("--suppress", suppression_file,
                       "file of known findings to suppress: one rule and place per line");
           line.option("--sarif", sarif_file, "write the findings as SARIF 2.1.0");
           line.option("--junit", junit_file, "write the findings as JUnit XML");
           line.option("--html", html_file,
                       "write a page of the findings, with the barriers of the launches that failed");
           line.group("A PTX file instead of a program");
           line.option("--kernel", kernel, "name of the kernel, if the file has several");
           line.option("--grid", grid, "grid size in CTAs: X or X,Y or X,Y,Z");
           line.option("--block", block, "block size in threads, in the same form");
           line.option("--cluster", cluster, "cluster size in CTAs, in the same form");
           line.option("--shared", shared, "dynamic shared memory in bytes");
           line.option("--launches", launches, "number of times to launch the kernel, one after another");
           line.option(
                   "--arg", check_arguments,
                   "a kernel argument: u32:5, f32:1.5, buffer:BYTES, map:f16,64x32,box=64x8,swizzle=128B; "
                   "'random' fills memory")
               .one_word_each();
           line.option("--compilers", compilers,
                       "assemble a PTX file with each of these, such as a/ptxas,b/ptxas, and report which "
                       "reject it; with "
                       "--device cuda:N also run the results and report which differ");
           line.flag("--list", lists, "list everything in a PTX file that the emulator would reject");
         },
     .run = run_check}};

}  // namespace
}  // namespace assay::cli
