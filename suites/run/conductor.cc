// SPDX-License-Identifier: Apache-2.0
#include "suites/run/conductor.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "reports/compare/run_diff.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/written_reports.h"
#include "suites/failure/expected_failures.h"
#include "suites/failure/findings.h"
#include "suites/failure/replay.h"
#include "suites/failure/second_look.h"
#include "suites/run/case_file.h"
#include "suites/run/field_coverage.h"
#include "suites/run/timing.h"
#include "suites/vectors/check_vectors.h"

namespace assay::suites {
namespace {

using Clock = std::chrono::steady_clock;
using report::Verdict;

/// One run: its devices, its recorder and what it writes.
class Conductor {
 public:
  Conductor(const RunOptions& options, std::vector<std::unique_ptr<Device>> devices)
      : options_(options),
        devices_(std::move(devices)),
        properties_(select_properties(options.properties)),
        expected_(read_expected_failures(options.expect, options.baseline, utc_now().substr(0, 10))),
        history_(report::nights_in(report::find_history(options.history))),
        start_(options.now()),
        repeats_left_(options.most_repeats) {
    result_.database = options_.out / "results.db";
    result_.junit = options_.out / "junit.xml";
    result_.html = options_.out / "report.html";
    check();
    begin();
  }

  /// Whatever a run is refused for is found here or before, and nothing was moved or written by then.
  void check() {
    check_case_files(options_, properties_);
    settle_budget(options_, devices_, properties_);
    check_folder(options_);
    if (options_.resume) {
      left_ = report::read_left_behind(result_.database);
      check_devices(*left_, devices_);
    }
    set_limits();
  }

  void begin() {
    if (options_.resume) {
      recorder_ = report::Recorder::resume(result_.database);
      return;
    }
    result_.earlier = make_room(options_);
    recorder_ = report::Recorder::create(result_.database, run_info(options_));
    record_history(*recorder_, history_, options_);
    if (std::any_of(devices_.begin(), devices_.end(), [](const auto& d) { return published_bears_on(*d); }))
      recorder_->set_published(published_evidence());
  }

  RunResult run() {
    lay_out();
    std::thread monitor([this] { watch(); });
    drive();
    stage("writing the report");
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    monitor.join();
    const std::lock_guard lock(mutex_);
    if (problem_.empty()) try {
        for (auto& run : runs_) record(*run);
        finish();
      } catch (const std::exception& error) {
        problem_ = error.what();
      }
    recorder_.reset();
    result_.abandoned = abandoned_;
    if (!problem_.empty()) {
      // What the file holds by now is valid; the report of it may find room where the file did not.
      try {
        report::write_junit(result_.database, result_.junit, options_.junit_options);
      } catch (const std::exception&) {
      }
      throw not_recorded(problem_);
    }
    try {
      report::write_in_folder(result_.database, options_.junit_options);
    } catch (const std::exception& error) {
      throw not_recorded(error.what());
    }
    return result_;
  }

  bool abandoned() const { return abandoned_; }

 private:
  /// Where one device is; the run waits for all of them, but not for ever.
  enum class Stage { running, looking_again, ended };

  NotRecorded not_recorded(const std::string& why) const {
    SeenFailures seen = of_files_;
    for (const auto& run : runs_) seen.add(*run, options_.seed);
    return {why, options_.out, seen.lines()};
  }

  void set_limits() {
    if (options_.budget) {
      const auto used = std::chrono::duration<double>(left_ ? left_->run.seconds : 0);
      cases_until_ = start_ + std::max<Clock::duration>(
                                  Clock::duration::zero(),
                                  *options_.budget - std::chrono::duration_cast<Clock::duration>(used));
    }
    if (!options_.deadline) return;
    const auto whole =
        std::chrono::duration_cast<Clock::duration>(*options_.deadline - std::chrono::system_clock::now());
    if (whole <= Clock::duration::zero()) throw std::runtime_error("the deadline has already passed");
    over_by_ = start_ + whole;
    cases_until_ = std::min(cases_until_.value_or(*over_by_), *over_by_ - reserve(whole));
  }

  std::optional<Clock::time_point> last_moment(const Late& by) const {
    return assay::suites::last_moment(by, options_, start_, cases_until_, over_by_);
  }

  /// What will be run, in its file and its first report; case files were run by then.
  void lay_out() {
    try {
      plan();
      // Before the first state, which takes far more room.
      report::write_junit(result_.database, result_.junit, options_.junit_options);
      const std::lock_guard lock(mutex_);
      for (auto& run : runs_) checkpoint(*run);
    } catch (const DeviceError&) {
      throw;
    } catch (const std::exception& error) {
      throw not_recorded(problem_.empty() ? error.what() : problem_);
    }
  }

  void plan() {
    DeviceRunOptions options;
    options.cases = options_.cases;
    options.deadline = cases_until_;
    if (!over_by_) options.grace = late(late_start, options_);
    options.kept_for_failures = kept_for_failures(options_);
    options.over_by = last_moment(late_cases);
    options.now = options_.now;
    options.seed = options_.seed;
    options.cover = options_.cover;
    options.threads =
        std::max(1, threads_of(options_) / static_cast<int>(std::max<size_t>(1, devices_.size())));
    options.devices = static_cast<int>(devices_.size());
    options.stop = options_.stop;
    options.halt = &halt_;
    options.enough = &enough_;
    options.slice = {static_cast<uint64_t>(options_.shard - 1), static_cast<uint64_t>(options_.shards)};
    options.left = left_ ? &*left_ : nullptr;
    for (const auto& device : devices_) {
      device->end_by(last_moment(late_cases));
      const std::string spec = device->identity().spec;
      const report::DeviceInfo info = device_info(device->identity());
      infos_[spec] = info;
      if (!left_ || std::ranges::count(left_->devices, spec, &report::DeviceInfo::spec) == 0)
        recorder_->add_device(info);
      if (options_.moment)
        options.moment = [this, spec](std::string_view property) { return options_.moment(spec, property); };
      options.waiver = [this, info](const Property& property, const std::string& signature,
                                    const spec::RuleSet& rules) {
        return expected_.cover(info, property, signature, rules);
      };
      runs_.push_back(std::make_unique<DeviceRun>(
          *device, properties_, options,
          [this, spec](const Property& property, const Outcome& outcome, uint64_t index) {
            write_case(property, outcome, {spec, options_.seed, index, {}, {}}, {});
            if (options_.fail_fast && report::fails(outcome.verdict)) enough_ = true;
          }));
      for (const auto& run : runs_.back()->properties()) {
        const Property& property = run->property();
        const std::string name(property.name);
        if (left_ && left_->planned.contains({spec, name})) continue;  // by an earlier process
        recorder_->plan(spec, {name, std::string(property.claim), rules_exercised_by(property, most_listed)},
                        run->planned());
      }
      // Counted by the first state that was written; an earlier process may have got as far.
      if (!left_ || left_->states.empty()) run_case_files(*runs_.back());
      stages_.push_back(Stage::running);
    }
  }

  /// Runs the devices, a thread each, and takes a second look at what failed.
  void drive() {
    std::vector<std::thread> threads;
    for (size_t d = 0; d < runs_.size(); ++d)
      threads.emplace_back([this, d] {
        runs_[d]->run();
        set_stage(d, Stage::looking_again);
        second_look(*runs_[d]);
        set_stage(d, Stage::ended);
      });
    std::unique_lock lock(mutex_);
    const auto none_is = [&](Stage stage) {
      return std::none_of(stages_.begin(), stages_.end(), [&](Stage s) { return s == stage; });
    };
    const auto wait = [&](std::optional<Clock::time_point> until, Stage stage) {
      if (!until) {
        ended_.wait(lock, [&] { return none_is(stage); });
        return true;
      }
      return ended_.wait_until(lock, *until, [&] { return none_is(stage); });
    };
    const auto no_later = [&](Clock::time_point at) {
      return over_by_ ? std::min(at, *over_by_ - reserve(*over_by_ - start_) / 4) : at;
    };
    // A busy host takes longer for the same, and may have become busy since the last look.
    const auto patience = [&] {
      return std::chrono::duration_cast<Clock::duration>(options_.patience * host_stretch());
    };
    const auto wait_after = [&](Clock::time_point from, Stage stage) {
      if (!cases_until_) return wait({}, stage);
      Clock::time_point last = no_later(from + options_.patience);
      while (!wait(last, stage)) {
        const Clock::time_point later = no_later(from + patience());
        if (Clock::now() >= later) return false;
        last = later;
      }
      return true;
    };
    const bool came_back = wait_after(cases_until_.value_or(start_), Stage::running);
    if (!came_back) {
      abandoned_ = true;
      for (size_t d = 0; d < runs_.size(); ++d)
        if (stages_[d] == Stage::running) {
          lock.unlock();
          runs_[d]->give_up("it did not answer by the end of the run");
          lock.lock();
          stages_[d] = Stage::ended;
          given_up_.insert(d);
        }
    }
    // What was to be repeated and shrunk has its verdict already.
    if (!wait_after(Clock::now() + options_.shrink_time, Stage::looking_again)) abandoned_ = true;
    lock.unlock();
    for (size_t d = 0; d < threads.size(); ++d) {
      if (abandoned_)
        threads[d].detach();
      else
        threads[d].join();
    }
  }

  void set_stage(size_t device, Stage stage) {
    {
      const std::lock_guard lock(mutex_);
      if (given_up_.contains(device)) return;
      stages_[device] = stage;
    }
    ended_.notify_all();
  }

  /// Cases from files, before the generated ones, of the properties that the device can run. Only failures
  /// are recorded, each with its file.
  void run_case_files(DeviceRun& run) {
    for (const std::filesystem::path& file : options_.case_files) {
      const CaseFile read = read_case_file(file);
      const auto property = std::find_if(run.properties().begin(), run.properties().end(),
                                         [&](const auto& p) { return &p->property() == read.property; });
      if (property == run.properties().end() || (*property)->is_decided()) continue;
      CaseRunner runner(run.device(), run.readings(), run.arch());
      const Outcome outcome = run_case_file(runner, read, file);
      BatchTally tally;
      tally.count(outcome.verdict);
      (*property)->add(tally);
      if (outcome.verdict == Verdict::conforms || outcome.verdict == Verdict::adopted_reading) continue;
      const CaseOrigin origin{run.device().identity().spec, options_.seed, 0, {}, file.string()};
      of_files_.add(*read.property, outcome, origin);
      write_case(*read.property, outcome, origin, {});
    }
  }

  void write_case(const Property& property, const Outcome& outcome, const CaseOrigin& origin,
                  std::string shrunk_from) {
    report::CaseRow row = to_row(property, outcome, origin);
    row.shrunk_from = std::move(shrunk_from);
    const std::filesystem::path file = options_.out / "cases" / (row.case_id + ".json");
    if (origin.file.empty())
      row.replay = replay_line(replay_id(property, origin), file.string(), origin.device, outcome.around);
    const std::lock_guard lock(mutex_);
    if (recorder_ == nullptr || !problem_.empty()) return;
    try {
      recorder_->add_case(row);
      write_case_file(file, property, outcome.what, outcome.around, row);
      write_reproducer(property, outcome, row);
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }

  /// Beside the case's file: of a shrunk case, and of one that did not get smaller when it is the only one.
  void write_reproducer(const Property& property, const Outcome& outcome, const report::CaseRow& row) {
    if (row.shrunk_from.empty() && !reproduced_.insert(row.device + "|" + row.signature).second) return;
    const auto info = infos_.find(row.device);
    const auto arch = spec::parse_arch(info == infos_.end() ? "" : info->second.architecture);
    if (!arch) return;
    if (const auto text = reproducer(property, outcome, row, *arch))
      report::write_whole_file(options_.out / "cases" / (row.case_id + ".cu"), *text);
  }

  /// The results file cannot be written any more: the run has no purpose.
  void fail(const std::string& why) {
    if (problem_.empty()) problem_ = why;
    halt_ = true;
  }

  void second_look(DeviceRun& run) {
    ShrinkLimits limits;
    limits.deadline = Clock::now() + options_.shrink_time;
    if (const auto last = last_moment(late_looks)) limits.deadline = std::min(limits.deadline, *last);
    run.device().end_by(cases_until_ ? std::optional(limits.deadline) : std::nullopt);
    limits.stop = [this] { return halt_.load() || (options_.stop != nullptr && options_.stop->load()); };
    const std::string spec = run.device().identity().spec;
    const report::DeviceInfo info = infos_.at(spec);
    SecondLook look(
        run, options_.seed, options_.most_shrunk, limits, repeats_left_,
        {.write = [this](
                      const Property& property, const Outcome& outcome, const CaseOrigin& origin,
                      const std::string& shrunk_from) { write_case(property, outcome, origin, shrunk_from); },
         .rename =
             [this, spec](const std::string& property, const std::string& from, const std::string& to,
                          Verdict verdict) {
               const std::lock_guard lock(mutex_);
               if (recorder_ == nullptr || !problem_.empty()) return;
               try {
                 recorder_->rename_kind(spec, property, from, to, verdict);
               } catch (const std::exception& error) {
                 fail(error.what());
               }
             },
         .stage = [this](std::string words) { stage(std::move(words)); },
         .waiver =
             [this, info](const Property& property, const std::string& signature,
                          const spec::RuleSet& rules) {
               return expected_.cover(info, property, signature, rules);
             }});
    try {
      look.look();
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      notes_.emplace_back(spec, "repeating and shrinking ended early: " + std::string(error.what()));
    }
  }

  /// All counts of a device in its results file, so that a killed run can go on from here.
  void checkpoint(DeviceRun& run) {
    const std::string spec = run.device().identity().spec;
    for (const auto& property : run.properties())
      recorder_->set_state(spec, std::string(property->property().name), property->state());
    // After the counts: what is read twice teaches nothing twice.
    recorder_->set_reading_state(spec, run.readings().save());
  }

  double seconds() const {
    return (left_ ? left_->run.seconds : 0) + std::chrono::duration<double>(Clock::now() - start_).count();
  }

  void finish() {
    for (const auto& run : runs_) result_.judged += run->judged();
    recorder_->set_seconds(seconds());
    // The code follows from the file; killed in between, the file must not say another.
    recorder_->finish(-1, utc_now());
    result_.exit_code = report::exit_code(result_.database);
    recorder_->finish(result_.exit_code, utc_now());
  }

  void record(DeviceRun& run) {
    const std::string spec = run.device().identity().spec;
    checkpoint(run);
    const report::DeviceInfo& info = infos_.at(spec);
    recorder_->set_waivers(spec, expected_.waivers(info, run.properties()));
    for (const auto& change : expected_.changes(info, run.properties(), options_.seed))
      recorder_->add_finding(spec, change.kind, change.words);
    for (const auto& [device, words] : notes_)
      if (device == spec) recorder_->add_finding(spec, "second look", words);
    record_findings(run, *recorder_);
    if (const std::string words = load_.words(); !words.empty())
      recorder_->add_finding(spec, "busy host", words);
    if (abandoned_) return;  // the device may be asked nothing any more
    for (const Finding& finding : findings_of(run.device()))
      recorder_->add_finding(spec, finding.kind, finding.words);
  }

  void stage(std::string words) {
    const std::lock_guard lock(mutex_);
    stage_ = std::move(words);
  }

  /// State into the file every few seconds, so that a killed run leaves what it had; the live line
  /// meanwhile. The first states come soon, and none takes more than a tenth of the time.
  void watch() {
    ProgressMeter meter(start_);
    auto pause = std::min<Clock::duration>(options_.checkpoint, std::chrono::milliseconds(100));
    auto next_state = Clock::now() + pause;
    auto next_junit = Clock::now() + std::chrono::seconds(30);
    std::unique_lock lock(mutex_);
    const auto tick = [&] { return std::min<Clock::duration>(std::chrono::milliseconds(500), pause); };
    while (!wake_.wait_for(lock, tick(), [this] { return done_; })) {
      const auto now = Clock::now();
      load_.look();
      if (now >= next_state && problem_.empty()) {
        try {
          for (auto& run : runs_) checkpoint(*run);
          recorder_->set_seconds(seconds());
        } catch (const std::exception& error) {
          fail(error.what());
        }
        const auto took = Clock::now() - now;
        pause = std::min<Clock::duration>(options_.checkpoint, 2 * pause);
        next_state = now + std::max<Clock::duration>(pause, 10 * took);
      }
      if (now >= next_junit && problem_.empty()) {
        lock.unlock();
        try {
          report::write_junit(result_.database, result_.junit, options_.junit_options);
        } catch (const std::exception&) {
          // The one at the end tells.
        }
        lock.lock();
        next_junit = Clock::now() + std::chrono::seconds(30);
      }
      if (!options_.progress) continue;
      Progress progress = meter.measure(runs_, cases_until_);
      progress.stage = stage_;
      lock.unlock();
      options_.progress(progress);
      lock.lock();
    }
  }

  RunOptions options_;
  std::vector<std::unique_ptr<Device>> devices_;
  const std::vector<const Property*> properties_;
  const ExpectedFailures expected_;
  const report::Nights history_;  ///< read before the new file takes the place of last night's
  const Clock::time_point start_;
  std::optional<Clock::time_point> cases_until_, over_by_;
  std::optional<report::LeftBehind> left_;  ///< of the process that is resumed
  std::map<std::string, report::DeviceInfo> infos_;
  std::atomic<int> repeats_left_;
  std::atomic<bool> halt_{false}, enough_{false};
  RunResult result_;
  std::unique_ptr<report::Recorder> recorder_;
  std::vector<std::unique_ptr<DeviceRun>> runs_;
  std::mutex mutex_;
  std::condition_variable wake_, ended_;
  std::vector<Stage> stages_;
  std::set<size_t> given_up_;
  SeenFailures of_files_;
  std::set<std::string> reproduced_;                        ///< device and signature
  std::vector<std::pair<std::string, std::string>> notes_;  ///< device, words
  std::string problem_;                                     ///< why nothing can be recorded any more
  std::atomic<bool> abandoned_{false};
  bool done_ = false;
  std::string stage_ = "running";
  HostLoad load_{std::max(1u, std::thread::hardware_concurrency())};
};

}  // namespace

RunResult run_on(const RunOptions& options, std::vector<std::unique_ptr<Device>> devices) {
  auto conductor = std::make_unique<Conductor>(options, std::move(devices));
  try {
    RunResult result = conductor->run();
    // Threads of an abandoned run still look at it.
    if (result.abandoned) static_cast<void>(conductor.release());
    return result;
  } catch (...) {
    if (conductor->abandoned()) static_cast<void>(conductor.release());
    throw;
  }
}

}  // namespace assay::suites
