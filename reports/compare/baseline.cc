// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/run_diff.h"

#include <algorithm>

#include "reports/results_file.h"
#include "reports/written_reports.h"

namespace assay::report {
namespace {

bool counts_as_known(const FailureKindRow& kind) {
  return fails(kind.verdict) || (kind.verdict == Verdict::waived && kind.waiver.starts_with("baseline"));
}

/// The same cases under wider ranges.
std::map<uint64_t, RangeRow> by_number(const std::vector<RangeRow>& ranges, uint64_t size) {
  std::map<uint64_t, RangeRow> wide;
  for (const RangeRow& range : ranges) {
    RangeRow& into = wide[range.first / size];
    into.conforming += range.conforming;
    into.fingerprint += range.fingerprint;
  }
  return wide;
}

}  // namespace

Baseline::Baseline(const std::filesystem::path& file) : results_(read_results(file, {1, 1, false})) {
  name_ = "baseline of " + results_.run.started_utc.substr(0, 10);
}

const PropertyResult* Baseline::find(const DeviceInfo& device, std::string_view property) const {
  for (const DeviceResult& d : results_.devices)
    if (is_same_device(d.info, device))
      for (const PropertyResult& p : d.properties)
        if (p.info.name == property) return &p;
  return nullptr;
}

bool Baseline::knows_device(const DeviceInfo& device) const {
  return std::any_of(results_.devices.begin(), results_.devices.end(),
                     [&](const DeviceResult& d) { return is_same_device(d.info, device); });
}

bool Baseline::knows(const DeviceInfo& device, std::string_view property, std::string_view signature) const {
  const PropertyResult* then = find(device, property);
  return then != nullptr &&
         std::any_of(then->kinds.begin(), then->kinds.end(), [&](const FailureKindRow& kind) {
           return kind.signature == signature && counts_as_known(kind);
         });
}

bool Baseline::is_more_frequent(const DeviceInfo& device, std::string_view property,
                                std::string_view signature, uint64_t count, uint64_t judged) const {
  const PropertyResult* then = find(device, property);
  if (then == nullptr || then->cases() == 0 || judged == 0) return false;
  for (const FailureKindRow& kind : then->kinds) {
    if (kind.signature != signature) continue;
    const double usual =
        static_cast<double>(kind.count) / static_cast<double>(then->cases()) * static_cast<double>(judged);
    // Ten cases more than that leave room for chance in small counts.
    return static_cast<double>(count) > 3 * usual + 10;
  }
  return false;
}

bool Baseline::is_of_seed(uint64_t seed) const {
  return std::all_of(results_.runs.begin(), results_.runs.end(),
                     [&](const RunInfo& run) { return run.seed == seed; });
}

std::vector<Baseline::Missing> Baseline::missing(const DeviceInfo& device, const std::string& property,
                                                 uint64_t seed, uint64_t judged,
                                                 const std::vector<FailureKindRow>& now) const {
  std::vector<Missing> found;
  const PropertyResult* then = find(device, property);
  if (then == nullptr) return found;
  const bool same_cases = is_of_seed(seed) && judged >= then->cases();
  for (const FailureKindRow& kind : then->kinds)
    if (counts_as_known(kind) && std::none_of(now.begin(), now.end(), [&](const FailureKindRow& k) {
          return k.signature == kind.signature;
        }))
      found.push_back({kind.signature, absence(kind.count, then->cases(), judged, same_cases)});
  return found;
}

std::vector<std::string> Baseline::changed_bits(const DeviceInfo& device, const std::string& property,
                                                uint64_t seed, const std::vector<RangeRow>& now) const {
  std::vector<std::string> changed;
  const PropertyResult* then = find(device, property);
  if (then == nullptr || !is_of_seed(seed) || now.empty() || then->ranges.empty()) return changed;
  const auto conforming = [](const std::vector<RangeRow>& ranges) {
    uint64_t sum = 0;
    for (const RangeRow& range : ranges) sum += range.conforming;
    return sum;
  };
  // Sums over the same cases alone can be compared: whole ranges, or all that both runs planned.
  const bool all =
      then->planned != 0 && conforming(then->ranges) == then->planned && conforming(now) == then->planned;
  const uint64_t size = std::max(now[0].size, then->ranges[0].size);
  const auto wide_now = by_number(now, size), wide_then = by_number(then->ranges, size);
  for (const auto& [number, range] : wide_now) {
    const auto before = wide_then.find(number);
    if (before == wide_then.end() || before->second.conforming != range.conforming) continue;
    if (!all && range.conforming != size) continue;
    if (before->second.fingerprint != range.fingerprint)
      changed.push_back("cases " + std::to_string(number * size) + " to " +
                        std::to_string((number + 1) * size - 1));
  }
  return changed;
}

namespace {

namespace fs = std::filesystem;

/// When the run began, in letters that every file system takes.
std::string began(const fs::path& results) {
  Database db(results, SQLITE_OPEN_READONLY);
  Statement run(db, "SELECT started_utc FROM run ORDER BY id LIMIT 1");
  std::string text = run.step() ? run.text(0) : "unknown";
  std::replace(text.begin(), text.end(), ':', '-');
  std::erase_if(text, [](char c) { return c == '/' || c == '\0'; });
  return text;
}

/// A folder that holds no results yet: one where a move ended half-way is used again.
fs::path free_folder(const fs::path& beside, const std::string& name) {
  fs::path folder = beside / name;
  for (int i = 2; fs::exists(folder / "results.db"); ++i) folder = beside / (name + "-" + std::to_string(i));
  return folder;
}

bool is_of_run(const std::string& name) {
  return name == "cases" || is_written_report(name);
}

}  // namespace

std::optional<fs::path> set_earlier_aside(const fs::path& folder) {
  const fs::path results = folder / "results.db";
  std::error_code none;
  if (!fs::exists(results, none) || fs::file_size(results, none) == 0) return std::nullopt;
  release_results(results);
  const fs::path aside = free_folder(folder, "earlier-" + began(results));
  fs::create_directories(aside);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (is_of_run(entry.path().filename().string())) files.push_back(entry.path());
  // The results last: as long as they are there, a move that was cut short is gone on with.
  files.push_back(results);
  for (const fs::path& file : files) fs::rename(file, aside / file.filename());
  return aside;
}

}  // namespace assay::report
