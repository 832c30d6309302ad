// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <stdexcept>

#include "cli/command.h"
#include "cli/commands/fuzz_jobs.h"
#include "cli/terminal.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

struct FuzzOptions {
  std::string target, time = "10m", out;
  int jobs = 2;
  bool merge = false;
};
FuzzOptions fuzz_options;

const fs::path fuzz_source = ASSAY_SOURCE_DIR, build = fuzz_source / "build/fuzz";

std::vector<std::string> targets() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fuzz_source / "fuzz/targets", none))
    if (entry.path().extension() == ".cc") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

/// Builds the engine and the plain program of the target with clang.
void build_target() {
  if (std::system("command -v clang++ >/dev/null 2>&1") != 0)
    throw std::runtime_error(
        "fuzzing needs clang++ with its libFuzzer (packages clang and libclang-rt-14-dev)");
  fs::create_directories(build);
  const fs::path log = build / ".assay-log";
  std::cerr << "assay: building " << fuzz_options.target << " with clang\n";
  const std::string configure =
      "cd " + quoted(fuzz_source) + " && cmake --preset fuzz >" + quoted(log) + " 2>&1";
  const std::string ninja = "ninja -C " + quoted(build) + " fuzz_" + fuzz_options.target + " libfuzzer_" +
                            fuzz_options.target + " >>" + quoted(log) + " 2>&1";
  if (std::system(configure.c_str()) != 0 || std::system(ninja.c_str()) != 0)
    throw std::runtime_error("the fuzz target failed to build; its full output is in " + log.string());
}

std::string fuzz_words(const FuzzProgress& p) {
  char text[600];
  std::snprintf(
      text, sizeof text,
      "%llu inputs, %.0f a second, %llu %% past the parser, coverage %llu, %llu ISA cells, %llu findings",
      static_cast<unsigned long long>(p.executions), p.per_second,
      static_cast<unsigned long long>(p.executions == 0 ? 0 : p.past_parser * 100 / p.executions),
      static_cast<unsigned long long>(p.coverage), static_cast<unsigned long long>(p.cells),
      static_cast<unsigned long long>(p.findings));
  return text;
}

/// One line that rewrites itself on a terminal; in a pipe one every ten seconds.
void show(const FuzzProgress& progress) {
  static auto last = std::chrono::steady_clock::time_point{};
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto now = std::chrono::steady_clock::now();
  if (now - last < std::chrono::seconds(terminal ? 1 : 10)) return;
  last = now;
  std::cerr << (terminal ? "\r\033[K" : "") << fuzz_options.target << ": " << fuzz_words(progress)
            << (terminal ? "" : "\n") << std::flush;
}

/// One of each kind is made smaller, and written as a case where it is one.
int report_findings(const FuzzTarget& target) {
  std::map<std::string, std::vector<fs::path>> kinds;
  for (const auto& entry : fs::directory_iterator(target.out / "findings")) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || name.rfind("minimised-", 0) == 0) continue;
    const std::string signature = output_of({target.plain.string(), "--signature", entry.path().string()});
    kinds[signature].push_back(entry.path());
  }
  int number = 0;
  for (const auto& [signature, inputs] : kinds) {
    if (signature.empty()) {
      // Only inside the engine: too slow or too large there, or gone with the state of earlier inputs.
      std::cout << inputs.size() << " inputs that do not fail in a fresh process, first "
                << inputs[0].string() << "\n";
      continue;
    }
    ++number;
    const fs::path small = target.out / "findings" / ("minimised-" + std::to_string(number));
    output_of({target.plain.string(), "--minimise", small.string(), inputs[0].string()});
    std::cout << "finding " << number << ": " << signature << " (" << inputs.size() << " inputs)\n  input   "
              << small.string() << "\n  repeat  " << target.plain.string() << " " << small.string() << "\n";
    const fs::path file = target.out / "cases" / (target.name + "-" + std::to_string(number) + ".json");
    fs::create_directories(file.parent_path());
    fs::remove(file);
    output_of({target.plain.string(), "--case-file", file.string(), small.string()});
    if (fs::exists(file)) std::cout << "  case    assay replay " << file.string() << " --device auto\n";
  }
  return kinds.empty() ? as_expected : violation;
}

/// The smallest set of inputs with the same coverage goes into the corpus of the repository.
void merge_corpora(const FuzzTarget& target) {
  const fs::path merged = target.out / "merged";
  fs::remove_all(merged);
  fs::create_directories(merged);
  output_of({target.engine.string(), "-merge=1", "-timeout=20", merged.string(), target.seeds.string(),
             (target.out / "corpus").string()});
  const fs::path script = fuzz_source / "fuzz/add_to_corpus.sh";
  const std::string added = output_of({script.string(), target.name, merged.string()});
  if (added.empty()) throw std::runtime_error("the corpus is as it was: " + script.string() + " failed");
  std::cout << "merged   " << added << "\n";
}

int fuzz() {
  const std::vector<std::string> known = targets();
  if (known.empty())
    throw std::runtime_error("fuzzing builds from the sources, which are no longer in " +
                             fuzz_source.string());
  if (std::find(known.begin(), known.end(), fuzz_options.target) == known.end()) {
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    throw UsageError("target", "unknown fuzz target '" + fuzz_options.target + "'; expected one of " + list);
  }
  const auto time = duration(fuzz_options.time, "--time");
  build_target();
  FuzzTarget target;
  target.name = fuzz_options.target;
  target.engine = build / ("libfuzzer_" + fuzz_options.target);
  target.plain = build / ("fuzz_" + fuzz_options.target);
  target.seeds = build / "corpus" / fuzz_options.target;
  target.dictionary = fuzz_source / "fuzz" / (fuzz_options.target + ".dict");
  target.out = fs::absolute(fuzz_options.out.empty() ? fs::path("assay-out/fuzz") / fuzz_options.target
                                                     : fs::path(fuzz_options.out));
  fs::remove_all(target.out / "findings");
  const StopSignal stop;
  const FuzzProgress done = run_fuzz_jobs(target, fuzz_options.jobs, time, stop.requested(), show);
  std::cerr << (isatty(STDERR_FILENO) ? "\r\033[K" : "");
  std::cout << fuzz_options.target << ": " << fuzz_words(done) << "\n";
  const int code = report_findings(target);
  if (fuzz_options.merge) merge_corpora(target);
  return code;
}

const Registered fuzz_command{
    {.order = 45,
     .name = "fuzz",
     .help = "search for inputs that break a property, guided by coverage",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("target", fuzz_options.target,
                       "a file of fuzz/targets, such as smem_desc or tiled_copy")
               .required();
           line.option("--time", fuzz_options.time, "time to fuzz, such as 30s, 10m or 1h").shows_default();
           line.option("--jobs", fuzz_options.jobs, "number of engines that share a corpus")
               .between(1, 256)
               .shows_default();
           line.option("--out", fuzz_options.out,
                       "folder for corpus, findings and cases (default assay-out/fuzz/TARGET)");
           line.flag("--merge", fuzz_options.merge,
                     "add new inputs, minimised, to the corpus in the repository");
         },
     .run = fuzz}};

}  // namespace
}  // namespace assay::cli
