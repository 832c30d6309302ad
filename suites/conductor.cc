#include "suites/conductor.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "reference/spec/question.h"
#include "suites/case_file.h"
#include "suites/device_run.h"
#include "suites/shrinking.h"

namespace assay::suites {
namespace {

/// Questions X-nn: reading A is what documents say. Decided otherwise, a device departs from them: a finding,
/// no violation, for it is known.
std::optional<std::string> departure_from_documents(const report::ReadingRow& row) {
  const bool is_decided = row.status == "default confirmed" || row.status == "rival adopted";
  if (!row.question.starts_with("X-") || !is_decided || row.chosen_letter == "A") return std::nullopt;
  const auto index = spec::find_question(row.question);
  if (!index) return std::nullopt;
  return row.question + ": " + row.words +
         " Documents: " + std::string(spec::questions()[*index].readings[0].words) +
         ". This device: " + row.chosen_words + ".";
}

using Clock = std::chrono::steady_clock;
using report::Verdict;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  return text;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string evidence_words(const DeviceIdentity& identity) {
  return (identity.evidence == Evidence::silicon ? "silicon " : "emulator ") + identity.architecture;
}

report::DeviceInfo device_info(const DeviceIdentity& identity) {
  report::DeviceInfo info{identity.spec,         evidence_words(identity),
                          identity.architecture, identity.name,
                          identity.uuid,         identity.facts};
  if (identity.driver_version != 0)
    info.facts.insert(info.facts.begin(), {"driver API", std::to_string(identity.driver_version)});
  if (identity.sm_count != 0) info.facts.emplace_back("SMs", std::to_string(identity.sm_count));
  return info;
}

/// One run: its devices, its recorder and what it writes.
class Conductor {
 public:
  Conductor(const RunOptions& options, std::vector<std::unique_ptr<Device>> devices)
      : options_(options),
        devices_(std::move(devices)),
        properties_(select_properties(options.properties)),
        start_(Clock::now()) {
    std::filesystem::create_directories(options_.out / "cases");
    result_.database = options_.out / "results.db";
    result_.junit = options_.out / "junit.xml";
    result_.html = options_.out / "report.html";
    report::RunInfo info;
    info.started_utc = utc_now();
    info.host = host_name();
    info.run_id = info.started_utc + "-" + info.host + "-" + std::to_string(getpid()) + "-" +
                  std::to_string(options_.seed);
    info.command_line = options_.command_line;
    info.version = options_.version;
    info.commit = options_.commit;
    info.seed = options_.seed;
    info.environment = {{"host cores", std::to_string(std::thread::hardware_concurrency())},
                        {"threads", std::to_string(threads())}};
    if (options_.budget)
      info.environment.emplace_back("budget, ms", std::to_string(options_.budget->count()));
    if (options_.cases) info.environment.emplace_back("cases a property", std::to_string(*options_.cases));
    recorder_ = report::Recorder::create(result_.database, info);
  }

  RunResult run() {
    plan();
    report::write_junit(result_.database, result_.junit);
    std::thread monitor([this] { watch(); });
    std::vector<std::thread> others;
    for (size_t d = 1; d < runs_.size(); ++d) others.emplace_back([this, d] { runs_[d]->run(); });
    if (!runs_.empty()) runs_[0]->run();
    for (std::thread& other : others) other.join();
    for (auto& run : runs_) shrink_failures(*run);
    stage("writing the report");
    for (auto& run : runs_) record(*run);
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    monitor.join();
    for (const auto& run : runs_) result_.judged += run->judged();
    runs_.clear();
    devices_.clear();
    recorder_->finish(0, utc_now());
    result_.exit_code = report::exit_code(result_.database);
    recorder_->finish(result_.exit_code, utc_now());
    recorder_.reset();
    report::write_junit(result_.database, result_.junit);
    report::write_html(result_.database, result_.html);
    return result_;
  }

 private:
  int threads() const {
    if (options_.threads > 0) return options_.threads;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }

  void plan() {
    DeviceRunOptions options;
    options.cases = options_.cases;
    if (options_.budget) options.deadline = start_ + *options_.budget;
    options.seed = options_.seed;
    options.threads = std::max(1, threads() / static_cast<int>(std::max<size_t>(1, devices_.size())));
    options.stop = options_.stop;
    for (const auto& device : devices_) {
      const std::string spec = device->identity().spec;
      recorder_->add_device(device_info(device->identity()));
      runs_.push_back(std::make_unique<DeviceRun>(
          *device, properties_, options,
          [this, spec](const Property& property, const Outcome& outcome, uint64_t index) {
            write_case(property, outcome, {spec, options_.seed, index, {}, {}}, {});
          }));
      for (const auto& run : runs_.back()->properties()) {
        const Property& property = run->property();
        report::PropertyInfo info{std::string(property.name), std::string(property.claim), {}};
        info.rules.assign(property.rules.begin(), property.rules.end());
        recorder_->plan(spec, info, run->planned());
      }
      run_case_files(*runs_.back());
    }
  }

  /// Cases from files, before the generated ones. Only failures are recorded, each with its file.
  void run_case_files(DeviceRun& run) {
    for (const std::filesystem::path& file : options_.case_files) {
      const CaseFile read = read_case_file(file);
      CaseRunner runner(run.device(), run.readings(), run.arch());
      const Outcome outcome = runner.run(*read.property, {&read.what, 1}).front();
      const bool good = outcome.verdict == Verdict::conforms || outcome.verdict == Verdict::adopted_reading;
      for (const auto& property : run.properties())
        if (&property->property() == read.property) {
          BatchTally tally;
          tally.counts[static_cast<size_t>(outcome.verdict)] = 1;
          property->add(tally);
          if (!good)
            write_case(*read.property, outcome,
                       {run.device().identity().spec, options_.seed, 0, {}, file.string()}, {});
        }
    }
  }

  void write_case(const Property& property, const Outcome& outcome, const CaseOrigin& origin,
                  std::string shrunk_from) {
    report::CaseRow row = to_row(property, outcome, origin);
    row.shrunk_from = std::move(shrunk_from);
    const std::lock_guard lock(mutex_);
    recorder_->add_case(row);
    write_case_file(options_.out / "cases" / (row.case_id + ".json"), property, outcome.what, row);
  }

  /// Each way to fail once: run again to see whether it repeats, then walked down the shrink tree.
  void shrink_failures(DeviceRun& run) {
    if (run.lost() || run.failures().empty()) return;
    ShrinkLimits limits;
    limits.deadline = Clock::now() + options_.shrink_time;
    limits.stop = [this] { return options_.stop != nullptr && options_.stop->load(); };
    CaseRunner runner(run.device(), run.readings(), run.arch());
    int done = 0;
    for (const auto& [signature, kind] : run.failures()) {
      if (done >= options_.most_shrunk || limits.stop() || Clock::now() >= limits.deadline) break;
      const std::string name = signature.substr(0, signature.find('|'));
      const Property* property = find_property(name);
      if (property == nullptr) continue;
      stage(
          "shrinking " + std::to_string(++done) + " of " +
          std::to_string(std::min<size_t>(run.failures().size(), static_cast<size_t>(options_.most_shrunk))) +
          " failures");
      try {
        shrink_one(run, runner, *property, kind, limits);
      } catch (const DeviceError&) {
        break;  // the failures themselves are recorded already
      }
    }
  }

  void shrink_one(DeviceRun& run, CaseRunner& runner, const Property& property, const FailureKind& kind,
                  const ShrinkLimits& limits) {
    const CaseOrigin origin{run.device().identity().spec, options_.seed, kind.first_index, {}, {}};
    constexpr int repeats = 3;
    int failed = 0;
    Outcome again = kind.first;
    for (int k = 0; k < repeats; ++k) {
      Outcome outcome = runner.run(property, {&kind.first.what, 1}).front();
      if (outcome.verdict == Verdict::conforms || outcome.verdict == Verdict::adopted_reading) continue;
      ++failed;
      again = std::move(outcome);
    }
    if (failed < repeats) {
      Outcome flaky = kind.first;
      flaky.verdict = Verdict::flaky;
      flaky.note = "failed " + std::to_string(1 + failed) + " of " + std::to_string(1 + repeats) + " times";
      for (const auto& of : run.properties())
        if (&of->property() == &property) of->move(kind.first.verdict, Verdict::flaky);
      write_case(property, flaky, origin, {});
      return;
    }
    const Shrunk shrunk = shrink(runner, property, again, run.arch(), limits);
    if (shrunk.path.empty()) return;
    CaseOrigin least = origin;
    least.path = shrunk.path;
    Outcome outcome = shrunk.least;
    outcome.signature = kind.first.signature;
    write_case(property, outcome, least, case_id(property, kind.first.what));
  }

  void record_totals(DeviceRun& run) {
    for (const auto& property : run.properties())
      recorder_->set_totals(run.device().identity().spec, std::string(property->property().name),
                            property->totals());
  }

  void record(DeviceRun& run) {
    const std::lock_guard lock(mutex_);
    const std::string spec = run.device().identity().spec;
    record_totals(run);
    for (const auto& property : run.properties()) {
      const std::string name(property->property().name);
      recorder_->set_coverage(spec, name, property->coverage());
      recorder_->set_rules(spec, name, property->rules());
    }
    recorder_->set_readings(spec, run.readings().rows());
    for (const report::ReadingRow& row : run.readings().rows())
      if (const auto words = departure_from_documents(row))
        recorder_->add_finding(spec, "departs from documents", *words);
    for (const std::string& crash : run.crash_notes()) recorder_->add_finding(spec, "encoder crash", crash);
    for (const report::ReadingRow& row : run.readings().rows())
      if (row.status == "rival adopted")
        recorder_->add_finding(spec, "adopted reading",
                               row.question + ":" + row.chosen_letter + " " + row.chosen_words +
                                   " (witness " + row.witness + ")");
    try {
      for (const StrictFinding& finding : run.device().strict_findings())
        recorder_->add_finding(spec, "strict mode",
                               finding.clause + " in " + finding.kernel + " at " + finding.where + ", " +
                                   std::to_string(finding.count) + " times");
    } catch (const DeviceError& error) {
      recorder_->add_finding(spec, "device", error.what());
    }
    const DeviceCounters counters = run.device().counters();
    if (counters.bisections != 0)
      recorder_->add_finding(spec, "recoveries",
                             "the device's process was started " + std::to_string(counters.worker_starts) +
                                 " times, guilty cases were searched for " +
                                 std::to_string(counters.bisections) + " times, in " +
                                 std::to_string(counters.launches) + " launches");
  }

  void stage(std::string words) {
    const std::lock_guard lock(mutex_);
    stage_ = std::move(words);
  }

  /// Totals into the file every few seconds, so that a killed run leaves what it had; the live line
  /// meanwhile.
  void watch() {
    auto last_time = Clock::now();
    uint64_t last_cases = 0;
    double rate = 0;
    int ticks = 0;
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(500), [this] { return done_; })) {
      Progress progress;
      for (const auto& run : runs_) progress.cases += run->judged();
      const auto now = Clock::now();
      const double step = std::chrono::duration<double>(now - last_time).count();
      const double fresh = static_cast<double>(progress.cases - last_cases) / step;
      rate = rate == 0 ? fresh : 0.6 * rate + 0.4 * fresh;
      last_time = now;
      last_cases = progress.cases;
      if (++ticks % 10 == 0)
        for (auto& run : runs_) record_totals(*run);
      if (!options_.progress) continue;
      fill(progress, now, rate);
      lock.unlock();
      options_.progress(progress);
      lock.lock();
    }
  }

  void fill(Progress& progress, Clock::time_point now, double rate) const {
    progress.device =
        runs_.size() == 1 ? runs_[0]->device().identity().spec : std::to_string(runs_.size()) + " devices";
    progress.stage = stage_;
    progress.cases_per_second = rate;
    progress.seconds = std::chrono::duration<double>(now - start_).count();
    double busiest = -1;
    for (const auto& run : runs_)
      for (const auto& property : run->properties()) {
        progress.planned += property->planned();
        const report::PropertyTotals totals = property->totals();
        for (const auto& [verdict, count] : totals.counts)
          if (report::fails(verdict)) progress.failures += count;
        const double seconds = totals.device_busy_seconds + totals.host_busy_seconds;
        double& before = busy_before_[property.get()];
        if (seconds - before > busiest) {
          busiest = seconds - before;
          progress.property = property->property().name;
        }
        before = seconds;
      }
    if (options_.budget)
      progress.seconds_left =
          std::max(0.0, std::chrono::duration<double>(start_ + *options_.budget - now).count());
    else if (progress.planned > progress.cases && rate > 0)
      progress.seconds_left = static_cast<double>(progress.planned - progress.cases) / rate;
  }

  const RunOptions options_;
  std::vector<std::unique_ptr<Device>> devices_;
  const std::vector<const Property*> properties_;
  const Clock::time_point start_;
  RunResult result_;
  std::unique_ptr<report::Recorder> recorder_;
  std::vector<std::unique_ptr<DeviceRun>> runs_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::string stage_ = "running";
  mutable std::map<const PropertyRun*, double> busy_before_;
};

}  // namespace

DeviceLimits limits_for(int threads) {
  DeviceLimits limits;
  limits.batches = std::max(4, 2 * threads);
  // Two batches a thread: with many threads each may be smaller, 8 MiB keep a GPU busy for several
  // milliseconds.
  limits.output_bytes = threads > 4 ? 12u << 20 : 24u << 20;
  limits.records_bytes = threads > 4 ? 1u << 20 : 2u << 20;
  return limits;
}

RunResult run_on(const RunOptions& options, std::vector<std::unique_ptr<Device>> devices) {
  return Conductor(options, std::move(devices)).run();
}

RunResult run(const RunOptions& options) {
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  select_properties(options.properties);  // a misspelt name is reported before any device is opened
  std::vector<std::unique_ptr<Device>> devices;
  for (const std::string& spec : options.devices) devices.push_back(open_device(spec, limits_for(threads)));
  return run_on(options, std::move(devices));
}

}  // namespace assay::suites
