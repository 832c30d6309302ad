// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>

#include "cli/command.h"
#include "cli/commands/run.h"
#include "cli/screen_results.h"
#include "cli/terminal.h"
#include "devices/cuda/nvml.h"
#include "devices/device.h"
#include "generators/screen/screens.h"
#include "reports/results.h"
#include "reports/telemetry.h"
#include "reports/text.h"
#include "reports/written_reports.h"

/// `assay screen`: the properties below screen. alone, which keep every multiprocessor busy, with what a
/// board reports of itself meanwhile.
namespace assay::cli {
namespace {

struct ScreenOptions {
  std::vector<std::string> devices{"all"}, loads;
  std::string budget = "10m", cases, out = "assay-out/screen", seed = "1", metrics;
  bool quick = false, is_shared = false, in_phase = false;
};
ScreenOptions screened;

constexpr std::string_view area = "screen.";
/// In which a load plants its faults and finds them, on silicon.
constexpr std::chrono::seconds seconds_of_load{2};

/// The words of --load: names of properties without their area, "wgmma.bf16" or "wgmma".
std::vector<std::string> wanted_loads() {
  std::vector<std::string> patterns;
  for (const std::string& load : screened.loads) {
    const std::string pattern = std::string(area) + load;
    try {
      suites::select_properties(std::vector{pattern});
    } catch (const spec::UnknownName&) {
      std::string known;
      for (const suites::Property* property : suites::select_properties(std::vector<std::string>{"screen"}))
        known += (known.empty() ? "" : ", ") + std::string(property->name.substr(area.size()));
      throw UsageError("--load", "unknown load '" + load + "'; the loads are " + known);
    }
    patterns.push_back(pattern);
  }
  if (patterns.empty()) patterns.emplace_back("screen");
  // Of the two kinds of pulses one.
  const std::string_view pulses[] = {"screen.pulses", "screen.pulses_in_phase"};
  std::vector<std::string> names;
  for (const suites::Property* property : suites::select_properties(patterns))
    if (property->name == pulses[screened.in_phase ? 0 : 1])
      names.emplace_back(pulses[screened.in_phase ? 1 : 0]);
    else
      names.emplace_back(property->name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// "; 812 TFLOP/s at 1.70 GHz", "; 4.10 TB/s at ..." or both; nothing where no time is known.
std::string rate_words(const LoadResult& load, bool loads_tiles, uint32_t multiprocessors) {
  if (load.nanoseconds == 0) return {};
  const double flops = 2 * load.multiplied_each, bytes = 4 * load.compared_each;
  const auto rate = [&](double each, const char* unit) {
    char text[40];
    std::snprintf(text, sizeof text, "; %.3g %s", each * multiprocessors / load.nanoseconds * 1e-3, unit);
    return std::string(text);
  };
  char clock[40];
  std::snprintf(clock, sizeof clock, " at %.2f GHz", load.clocks / load.nanoseconds);
  return (flops != 0 ? rate(flops, "TFLOP/s") : "") + (loads_tiles ? rate(bytes, "TB/s") : "") + clock;
}

/// A board that is to be screened, as it was before.
struct ScreenedBoard {
  DeviceIdentity identity;
  std::unique_ptr<cuda::Telemetry> telemetry;  ///< of silicon, and of what NVML knows
  std::vector<report::TelemetryMark> marks;    ///< of wrong results
};

/// "12.3 s after the beginning, at 612 W, 1755 MHz, 57 C"; kept as a mark, as long as there are few. Nothing
/// of a board without telemetry.
std::string moment_words(std::vector<ScreenedBoard>& boards, const std::string& spec,
                         std::string_view property) {
  constexpr size_t most_marks = 1000;
  static std::mutex mutex;
  const auto board = std::ranges::find(boards, spec, [](const ScreenedBoard& b) { return b.identity.spec; });
  if (board == boards.end() || board->telemetry == nullptr || !board->telemetry->absent().empty()) return {};
  const cuda::TelemetrySample now = board->telemetry->latest();
  char text[120];
  std::snprintf(text, sizeof text, "found %.1f s after the beginning, at %.0f W, %u MHz, %u C", now.seconds,
                now.milliwatts * 1e-3, now.sm_mhz, now.celsius);
  const std::lock_guard lock(mutex);
  if (board->marks.size() < most_marks)
    board->marks.push_back({now.seconds, std::string(property) + " " + text});
  return text;
}

/// Why a board must not be loaded now, or nothing.
std::string busy_words(const DeviceIdentity& identity) {
  const cuda::Nvml nvml(identity.uuid);
  // It knows no emulated board.
  if (identity.evidence != Evidence::silicon && !nvml.absent().empty()) return {};
  if (nvml.is_partitioned()) return "is cut into instances (MIG), which a screen would see a part of";
  if (screened.is_shared) return {};
  const auto others = nvml.processes();
  if (!others)
    return "does not say which processes run on it (" +
           (nvml.absent().empty() ? "NVML lists none here, as in many containers" : "NVML " + nvml.absent()) +
           "); --shared screens it anyway";
  if (others->empty()) return {};
  std::string pids;
  for (const uint32_t pid : *others) pids += (pids.empty() ? "" : ", ") + std::to_string(pid);
  return "is in use by process " + pids + "; --shared screens it beside others";
}

struct BoardBusy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<ScreenedBoard> looked_at(const std::vector<std::string>& specs) {
  std::vector<ScreenedBoard> boards;
  for (const std::string& spec : specs)
    boards.push_back({open_device(spec, suites::limits_for(1))->identity(), nullptr, {}});
  for (ScreenedBoard& board : boards) {
    if (const std::string why = busy_words(board.identity); !why.empty())
      throw BoardBusy(board.identity.spec + " " + why);
    auto telemetry = std::make_unique<cuda::Telemetry>(board.identity.uuid);
    if (board.identity.evidence == Evidence::silicon || telemetry->absent().empty())
      board.telemetry = std::move(telemetry);
  }
  return boards;
}

void write_telemetry(const std::filesystem::path& file, const std::vector<cuda::TelemetrySample>& samples) {
  std::ofstream out(file);
  out << "seconds,watts,sm_mhz,memory_mhz,celsius,joules,throttle_reasons,uncorrected_errors\n";
  char line[160];
  for (const cuda::TelemetrySample& s : samples) {
    std::snprintf(line, sizeof line, "%.1f,%.1f,%u,%u,%u,%.1f,0x%llx,%llu\n", s.seconds, s.milliwatts * 1e-3,
                  s.sm_mhz, s.memory_mhz, s.celsius, static_cast<double>(s.millijoules) * 1e-3,
                  static_cast<unsigned long long>(s.throttle),
                  static_cast<unsigned long long>(s.uncorrected));
    out << line;
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

/// "612 W mean, 702 W at most; SM clock 1440 to 1980 MHz; 31 to 58 C; throttled by SW power cap".
std::string telemetry_words(const std::vector<cuda::TelemetrySample>& samples) {
  if (samples.size() < 2) return "no samples";
  const auto by = [&](auto member) {
    return std::minmax_element(samples.begin(), samples.end(),
                               [&](const auto& x, const auto& y) { return x.*member < y.*member; });
  };
  const auto [coldest, hottest] = by(&cuda::TelemetrySample::celsius);
  const auto [slowest, fastest] = by(&cuda::TelemetrySample::sm_mhz);
  const auto most = by(&cuda::TelemetrySample::milliwatts).second;
  uint64_t throttle = 0;
  for (const cuda::TelemetrySample& sample : samples) throttle |= sample.throttle;
  const cuda::TelemetrySample &first = samples.front(), &last = samples.back();
  const double joules = static_cast<double>(last.millijoules - first.millijoules) * 1e-3;
  char text[256];
  std::snprintf(text, sizeof text, "%.0f W mean, %.0f W at most; SM clock %u to %u MHz; %u to %u C",
                joules / (last.seconds - first.seconds), most->milliwatts * 1e-3, slowest->sm_mhz,
                fastest->sm_mhz, coldest->celsius, hottest->celsius);
  std::string words = text;
  if (const std::string why = cuda::throttle_words(throttle); !why.empty()) words += "; throttled by " + why;
  if (last.uncorrected != first.uncorrected)
    words += "; " + std::to_string(last.uncorrected - first.uncorrected) + " uncorrected ECC errors";
  return words;
}

/// Says what each load came to; the reasons why the screen is not passed although no case failed.
std::vector<std::string> tell_loads(const report::DeviceResult& device, uint32_t multiprocessors) {
  std::vector<std::string> missing;
  for (const report::PropertyResult& property : device.properties) {
    const LoadResult load = load_result(property);
    // Without --load a board has the loads of its architecture.
    if (screened.loads.empty() && property.verdict == report::Verdict::declined) continue;
    if (property.cases() == 0) {
      missing.push_back(device.info.spec + ": " + property.info.name + " did not run: " + property.reason);
      continue;
    }
    if (load.planted < 2)
      missing.push_back(device.info.spec + ": " + property.info.name + " met no planted fault");
    if (!device.is_silicon) continue;
    if (load.multiprocessors != multiprocessors)
      missing.push_back(device.info.spec + ": " + property.info.name + " ran on " +
                        std::to_string(load.multiprocessors) + " of " + std::to_string(multiprocessors) +
                        " multiprocessors");
    const std::string& name = property.info.name;
    const bool loads_tiles = name.starts_with("screen.tma.") || name.starts_with("screen.both.");
    // At 95 % confidence no fault in n results means a rate below 3 / n.
    char line[320];
    std::snprintf(line, sizeof line,
                  "  %-22s %zu of %u multiprocessors, %.3g results on each (a rate above %.1g would show), "
                  "%llu faults planted%s%s\n",
                  property.info.name.c_str(), load.multiprocessors, multiprocessors, load.compared_each,
                  3 / load.compared_each, static_cast<unsigned long long>(load.planted),
                  property.verdict == report::Verdict::conforms ? " and found" : "",
                  name == "screen.halves" ? "" : rate_words(load, loads_tiles, multiprocessors).c_str());
    std::cout << line;
  }
  return missing;
}

/// In one step, so that a collector never reads half of it.
void write_metrics(const report::Results& results, const TelemetryByBoard& telemetry, int exit_code) {
  const std::filesystem::path file = screened.metrics, made = screened.metrics + ".part";
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::ofstream out(made);
  out << screen_metrics(results, telemetry, exit_code, std::chrono::duration<double>(now).count());
  out.close();
  if (!out) throw std::runtime_error("cannot write " + made.string());
  std::filesystem::rename(made, file);
}

int tell_boards(std::vector<ScreenedBoard>& boards, const suites::RunResult& result) {
  const report::Results results = report::read_results(result.database);
  std::vector<std::string> missing;
  TelemetryByBoard telemetry;
  for (ScreenedBoard& board : boards) {
    for (const report::DeviceResult& device : results.devices) {
      if (device.info.spec != board.identity.spec) continue;
      std::cout << report::for_terminal(device.info.spec + "  " + device.info.name) << "\n";
      const auto found = tell_loads(device, static_cast<uint32_t>(board.identity.sm_count));
      missing.insert(missing.end(), found.begin(), found.end());
    }
    if (board.telemetry == nullptr) continue;
    const auto& samples = board.telemetry->stop();
    if (!board.telemetry->absent().empty()) {
      std::cout << "  telemetry              none: NVML " << board.telemetry->absent() << "\n";
      continue;
    }
    std::string name = board.identity.spec;
    std::replace(name.begin(), name.end(), ':', '_');
    const std::filesystem::path file = std::filesystem::path(screened.out) / ("telemetry_" + name + ".csv");
    write_telemetry(file, samples);
    std::vector<report::TelemetryRow> rows;
    for (const cuda::TelemetrySample& s : samples)
      rows.push_back({s.seconds, s.milliwatts, s.sm_mhz, s.memory_mhz, s.celsius, s.millijoules, s.throttle,
                      s.uncorrected});
    report::add_telemetry(result.database, board.identity.spec, rows, board.marks);
    telemetry[board.identity.spec] = samples;
    std::cout << "  telemetry              " << telemetry_words(samples) << "\n                         "
              << file.string() << "\n";
  }
  for (const std::string& why : missing)
    std::cout << report::for_terminal("could not screen: " + why) << "\n";
  const int code = result.exit_code == as_expected && !missing.empty() ? could_not_run : result.exit_code;
  if (!screened.metrics.empty()) write_metrics(results, telemetry, code);
  return code;
}

suites::RunOptions run_options(const std::vector<std::string>& devices) {
  suites::RunOptions wanted;
  wanted.properties = wanted_loads();
  if (!screened.cases.empty()) {
    wanted.cases = case_count(screened.cases);
  } else {
    wanted.budget = duration(screened.quick ? "60s" : screened.budget, "--budget");
    const size_t loads = suites::select_properties(wanted.properties).size();
    if (*wanted.budget < seconds_of_load * loads)
      throw UsageError("--budget", "too short for " + std::to_string(loads) + " loads; the least is " +
                                       std::to_string(seconds_of_load.count() * loads) + "s");
  }
  wanted.seed = seed_option(screened.seed);
  wanted.shrink_time = std::chrono::seconds(5);
  wanted.devices = devices;
  wanted.out = screened.out;
  wanted.version = version;
  wanted.commit = commit;
  wanted.command_line = "assay screen";
  for (const std::string& device : screened.devices) wanted.command_line += " --device " + device;
  for (const std::string& load : screened.loads) wanted.command_line += " --load " + load;
  wanted.command_line += !screened.cases.empty() ? " --cases " + screened.cases
                         : screened.quick        ? " --quick"
                                                 : " --budget " + screened.budget;
  if (screened.in_phase) wanted.command_line += " --in-phase";
  wanted.command_line += " --seed " + screened.seed;
  return wanted;
}

int screen() {
  const std::vector<std::string> devices = devices_named(screened.devices);
  suites::RunOptions wanted = run_options(devices);
  std::vector<ScreenedBoard> boards;
  try {
    boards = looked_at(devices);
  } catch (const BoardBusy& busy) {
    std::cerr << report::for_terminal("assay: " + std::string(busy.what())) << "\n";
    return could_not_run;
  }
  wanted.moment = [&boards](const std::string& spec, std::string_view property) {
    return moment_words(boards, spec, property);
  };
  LiveLine line(isatty(STDERR_FILENO));
  wanted.progress = [&line](const suites::Progress& progress) { line.show(progress); };
  const StopSignal stop;
  wanted.stop = &stop.requested();
  const suites::RunResult result = run_to_its_end(wanted, line);
  std::cout << report::summary_text(result.database, shows_colour(STDOUT_FILENO), report::Detail::normal);
  const int code = tell_boards(boards, result);
  report::write_in_folder(result.database, wanted.junit_options);  // with telemetry
  std::cout << "report   " << result.html.string() << "\n";
  if (!result.abandoned) return code;
  std::cout.flush();
  std::_Exit(code);
}

const Registered screen_command{
    {.order = 11,
     .name = "screen",
     .help = "load every multiprocessor and compare every result with the reference's, bit by bit",
     .group = "Run",
     .declare =
         [](CommandLine& line) {
           line.option("--device", screened.devices,
                       "auto, all, " + device_grammar() + "; may be given several times")
               .one_word_each()
               .shows_default();
           line.option("--budget", screened.budget, "time for all loads together, such as 10m")
               .shows_default();
           line.flag("--quick", screened.quick, "screen for 60 s, before a job").excludes({"--budget"});
           line.option("--cases", screened.cases, "cases of each load, in place of a time")
               .excludes({"--budget", "--quick"});
           line.option("--load", screened.loads,
                       "loads to run, such as wgmma or wgmma.bf16; may be given several times (default: all "
                       "that the architecture has)")
               .one_word_each();
           line.option("--metrics", screened.metrics,
                       "also write gauges for a text-file collector of Prometheus to this file");
           line.flag("--in-phase", screened.in_phase,
                     "pulse all boards at once, not every second one in the pauses of the others");
           line.flag("--shared", screened.is_shared,
                     "screen boards on which other processes run, or may run");
           line.option("--seed", screened.seed, "operands are made from (seed, load, index) alone")
               .shows_default();
           line.option("--out", screened.out, "folder for results.db, junit.xml, report.html and telemetry")
               .shows_default();
         },
     .run = screen}};

}  // namespace
}  // namespace assay::cli
