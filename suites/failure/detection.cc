// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/explain.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "reports/text.h"
#include "suites/failure/shrinking.h"
#include "suites/run/case_file.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"

namespace assay::suites {
namespace {

using Clock = std::chrono::steady_clock;
using report::Detected;

// Batches of a fixed size, so that two runs launch the same.
constexpr uint64_t cases_a_piece = 64;
constexpr int most_shrink_attempts = 600;
constexpr std::chrono::seconds most_shrink_time{20};

/// What one property saw of one range of its cases.
struct Sight {
  std::optional<Outcome> failure;
  uint64_t index = 0;
  std::string how, adopted;
};

class Detection {
 public:
  Detection(const FaultRow& fault, const DetectionOptions& options)
      : fault_(fault),
        options_(options),
        start_(Clock::now()),
        deadline_(start_ + options.budget * (fault.rare ? options.rare_factor : 1)),
        device_(open_device(fault.spec, limits())),
        arch_(spec::parse_arch(device_->identity().architecture).value_or(spec::Arch::sm_90)),
        readings_(arch_),
        properties_(select_properties(options.properties)) {
    // Those that cost a process a case come last in every round, before them compilations: no fault of the
    // device shows in one, but the compiler's own.
    const auto is_early = [](const Property* p) { return !p->family().asks_compiler(); };
    const auto lasting = std::stable_partition(properties_.begin(), properties_.end(),
                                               [](const Property* p) { return !p->is_sacrificial(); });
    std::stable_partition(properties_.begin(), lasting, is_early);
    row_.fault = fault.name;
    row_.wrong = fault.wrong;
    row_.clause = fault.clause;
    row_.spec = fault.spec;
    row_.reason = fault.unobservable;
    row_.rare = fault.rare;
  }

  report::DetectionRow find() {
    std::vector<bool> done(properties_.size());
    for (uint64_t begin = 0, width = 1; !is_over(); begin += width, width *= 2) {
      bool is_left = false;
      for (size_t p = 0; p < properties_.size() && !is_over(); ++p) {
        if (done[p]) continue;
        const uint64_t pace = first_round_cases(*properties_[p]);
        const uint64_t most = options_.most_cases == 0 ? ~uint64_t{0} : options_.most_cases;
        const uint64_t first = begin * pace, end = std::min(most, (begin + width) * pace);
        const Property& property = *properties_[p];
        if (first >= most || cannot_run(property) ||
            (property.most_on_emulator != 0 && first >= property.most_on_emulator)) {
          done[p] = true;
          continue;
        }
        is_left = true;
        if (const auto sight = look(property, first, end)) {
          done[p] = true;
          note(property, *sight);
          if (!options_.all) return finished();
        }
      }
      if (!is_left) break;
    }
    return finished();
  }

 private:
  static DeviceLimits limits() {
    DeviceLimits limits = limits_for(1);
    limits.batches = 2;
    return limits;
  }

  bool is_over() const {
    return Clock::now() >= deadline_ || (options_.stop != nullptr && options_.stop->load());
  }

  bool cannot_run(const Property& property) const {
    return device_->declines(property.family().name()).has_value() ||
           (property.declines != nullptr && property.declines(arch_).has_value());
  }

  /// Nothing when the device did as expected.
  std::optional<Sight> look(const Property& property, uint64_t first, uint64_t end) {
    std::atomic<bool> stop{false};
    DeviceRunOptions options;
    options.cases = end;
    options.slice = {first, 1};
    options.seed = options_.seed;
    options.piece = cases_a_piece;
    options.deadline = deadline_;
    options.stop = &stop;
    options.halt = options_.stop;
    Sight sight;
    DeviceRun run(*device_, {&property}, options,
                  [&](const Property&, const Outcome& outcome, uint64_t index) {
                    // Later rounds may bring the support that an adoption needs.
                    if (outcome.verdict == report::Verdict::undecided) return;
                    // Our own side broke: nothing was seen of the fault.
                    if (outcome.verdict == report::Verdict::rig_broken) return;
                    if (!sight.failure || index < sight.index) {
                      sight.failure = outcome;
                      sight.index = index;
                    }
                    stop = true;
                  });
    run.readings().restore(readings_.save());
    run.run();
    readings_.restore(run.readings().save());
    row_.all_cases += sight.failure ? sight.index - first + 1 : run.judged();
    if (sight.failure) {
      sight.how = report::first_line(
          to_row(property, *sight.failure, {fault_.spec, options_.seed, sight.index, {}, {}}).message);
      return sight;
    }
    for (const StrictFinding& finding : device_->strict_findings()) {
      sight.how = "strict mode: " + finding.clause + " in " + finding.kernel;
      sight.index = first;
      return sight;
    }
    for (const report::ReadingRow& reading : run.readings().rows())
      if (reading.status == report::reading_adopted) {
        sight.adopted = reading.question + ":" + reading.chosen_letter;
        sight.how = sight.adopted;
        sight.index = end - 1;
        return sight;
      }
    return std::nullopt;
  }

  void note(const Property& property, const Sight& sight) {
    if (!row_.property.empty()) {
      row_.also.push_back(std::string(property.name) + " (" + std::to_string(sight.index + 1) + ")");
      return;
    }
    row_.property = property.name;
    row_.cases = sight.index + 1;
    row_.how = sight.how;
    row_.seconds = seconds();
    row_.detected = !sight.adopted.empty() ? Detected::adopted : Detected::caught;
    if (!sight.failure) return;
    CaseOrigin origin{fault_.spec, options_.seed, sight.index, {}, {}};
    Outcome least = *sight.failure;
    if (options_.shrink) try {
        CaseRunner runner(*device_, readings_, arch_);
        ShrinkLimits limits;
        limits.most_attempts = most_shrink_attempts;
        limits.cases_at_once = 16;
        limits.deadline = Clock::now() + most_shrink_time;
        limits.stop = [this] { return options_.stop != nullptr && options_.stop->load(); };
        const Shrunk shrunk = shrink(runner, property, least, arch_, limits);
        least = shrunk.least;
        origin.path = shrunk.path;
      } catch (const DeviceError&) {
        // The failure itself stands.
      }
    const report::CaseRow small = to_row(property, least, origin);
    row_.replay = replay_id(property, origin);
    for (const auto& [name, value] : small.fields)
      row_.shrunk_words += (row_.shrunk_words.empty() ? "" : ", ") + name + " " + value;
    if (!options_.cases.empty()) {
      std::filesystem::create_directories(options_.cases);
      const std::filesystem::path file = options_.cases / (fault_.name + ".json");
      write_case_file(file, property, least.what, least.around, small);
      row_.case_file = file.string();
    }
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  report::DetectionRow finished() {
    if (row_.property.empty()) {
      row_.seconds = seconds();
      row_.detected = fault_.unobservable.empty() ? Detected::survived : Detected::unobservable;
    } else if (!fault_.unobservable.empty()) {
      row_.detected = Detected::refuted;
    }
    return row_;
  }

  const FaultRow& fault_;
  const DetectionOptions& options_;
  const Clock::time_point start_, deadline_;
  const std::unique_ptr<Device> device_;
  const spec::Arch arch_;
  ReadingSet readings_;  ///< what all properties and rounds taught
  std::vector<const Property*> properties_;
  report::DetectionRow row_;
};

}  // namespace

uint64_t first_round_cases(const Property& property) {
  const uint64_t pace = property.family().pace();
  return property.is_sacrificial() ? std::min<uint64_t>(property.batch_cases, pace) : pace;
}

report::DetectionRow detect(const FaultRow& fault, const DetectionOptions& options) {
  return Detection(fault, options).find();
}

namespace {

/// One of the entries of caught_by: "PROPERTY CASES [on ARCHITECTURE] [as READING]".
struct CaughtBy {
  std::string property, architecture, reading;
  uint64_t cases = 0;
};

std::vector<CaughtBy> entries_of(const FaultRow& fault) {
  std::vector<CaughtBy> entries;
  std::istringstream list(fault.caught_by);
  for (std::string text; std::getline(list, text, ',');) {
    CaughtBy& entry = entries.emplace_back();
    std::istringstream words(text);
    words >> entry.property >> entry.cases;
    for (std::string word; words >> word;) words >> (word == "on" ? entry.architecture : entry.reading);
    if (entry.cases == 0 || find_property(entry.property) == nullptr)
      throw std::runtime_error(fault.name + ": '" + text + "' is not a property and a number of cases");
  }
  return entries;
}

/// The first that names the architecture or none, of a property that it has; of a later one that lacks those
/// properties the first that it has.
const CaughtBy* entry_for(const std::vector<CaughtBy>& entries, spec::Arch arch) {
  const auto has = [&](const CaughtBy& entry) {
    const Property& property = *find_property(entry.property);
    return property.declines == nullptr || !property.declines(arch);
  };
  for (const bool any : {false, true})
    for (const CaughtBy& entry : entries)
      if (has(entry) && (any || entry.architecture.empty() || entry.architecture == spec::name(arch)))
        return &entry;
  return nullptr;
}
spec::Arch arch_of_fault(const FaultRow& fault) {
  return *spec::parse_arch(fault.spec.substr(9, fault.spec.find(',') - 9));
}

}  // namespace

std::vector<FaultRow> observable_faults() {
  std::vector<FaultRow> rows = emulator_faults();
  std::erase_if(rows, [](const FaultRow& fault) {
    return fault.unobservable.empty() && entry_for(entries_of(fault), arch_of_fault(fault)) == nullptr;
  });
  return rows;
}

std::vector<report::DetectionRow> expected_detections() {
  std::vector<report::DetectionRow> rows;
  for (const FaultRow& fault : observable_faults()) {
    report::DetectionRow& row = rows.emplace_back();
    row.fault = fault.name, row.wrong = fault.wrong, row.clause = fault.clause, row.spec = fault.spec;
    row.rare = fault.rare;
    row.reason = fault.unobservable;
    row.detected = Detected::unobservable;
    if (!fault.unobservable.empty()) continue;
    const std::vector<CaughtBy> entries = entries_of(fault);
    const CaughtBy& entry = *entry_for(entries, arch_of_fault(fault));
    row.property = entry.property, row.cases = entry.cases, row.how = entry.reading;
    row.detected = entry.reading.empty() ? Detected::caught : Detected::adopted;
  }
  return rows;
}

}  // namespace assay::suites
