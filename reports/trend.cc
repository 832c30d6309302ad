#include "reports/trend.h"

#include <algorithm>
#include <map>
#include <set>

#include "reports/join.h"
#include "reports/results.h"
#include "reports/text.h"
#include "reports/words.h"

namespace assay::report {
namespace {

/// A device in a run, and what it is compared by.
struct Night {
  std::string started, driver;
  uint64_t seed = 0;
  std::string part;  ///< shards that it holds; empty: all of them
  DeviceResult device;
  double seconds = 0;
};

/// A shard has cases of its own: what it finds and the bits that it sees are compared with the same shard's.
std::string part_of(const std::vector<RunInfo>& runs) {
  std::set<std::pair<int, int>> shards;
  for (const RunInfo& run : runs) shards.emplace(run.shards, run.shard);
  const int count = shards.begin()->first;
  const bool of_one_split = count == shards.rbegin()->first;
  if (of_one_split && static_cast<int>(shards.size()) == count) return {};
  std::string text;
  for (const auto& [of, shard] : shards) text += std::to_string(shard) + "/" + std::to_string(of) + " ";
  return text;
}

std::string fact(const DeviceInfo& device, const std::string& name) {
  for (const auto& [key, value] : device.facts)
    if (key == name) return value;
  return {};
}

std::set<std::string> ways_to_fail(const DeviceResult& device) {
  std::set<std::string> ways;
  for (const PropertyResult& property : device.properties)
    for (const FailureKindRow& kind : property.kinds)
      if (kind.verdict != Verdict::declined) ways.insert(kind.signature);
  return ways;
}

/// Whether the property of a signature ran to its end.
bool has_run(const DeviceResult& device, const std::string& signature) {
  const std::string name = signature.substr(0, signature.find('|'));
  return std::any_of(device.properties.begin(), device.properties.end(), [&](const PropertyResult& p) {
    return p.info.name == name && p.totals.complete && p.cases() != 0;
  });
}

/// Properties of which the same cases conform in both, with other bits.
std::vector<std::string> changed_bits(const Night& before, const Night& now) {
  std::vector<std::string> names;
  if (before.seed != now.seed) return names;
  for (const PropertyResult& a : before.device.properties)
    for (const PropertyResult& b : now.device.properties) {
      if (a.info.name != b.info.name || a.planned == 0 || a.planned != b.planned) continue;
      const auto all_conform = [](const PropertyResult& p) {
        return p.counts[static_cast<size_t>(Verdict::conforms)] +
                   p.counts[static_cast<size_t>(Verdict::adopted_reading)] ==
               p.planned;
      };
      if (all_conform(a) && all_conform(b) && a.totals.fingerprint != b.totals.fingerprint)
        names.push_back(b.info.name);
    }
  return names;
}

std::string pad(std::string text, size_t to) {
  if (const size_t have = columns(text); have < to) text.append(to - have, ' ');
  return text;
}

std::string line(const Night& night, size_t ways, const std::string& fresh, const std::string& gone) {
  uint64_t cases = 0;
  for (const PropertyResult& property : night.device.properties) cases += property.cases();
  std::string text = pad(night.started, 21) +
                     pad(shortened_columns(for_terminal(night.device.info.spec), 24), 25) +
                     pad(std::string(name(night.device.verdict)), 17) + pad(grouped(cases, ","), 15);
  text += pad(night.seconds > 0 ? compact(static_cast<double>(cases) / night.seconds) + "/s" : "-", 9);
  text += pad(std::to_string(ways), 6) + pad(fresh, 6) + pad(gone, 6) + night.driver;
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text + "\n";
}

}  // namespace

std::vector<std::filesystem::path> find_results(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& place : places) {
    if (std::filesystem::is_regular_file(place)) {
      files.push_back(place);
      continue;
    }
    if (!std::filesystem::is_directory(place))
      throw std::runtime_error("there is no folder or results file " + place.string());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             place, std::filesystem::directory_options::skip_permission_denied))
      if (entry.is_regular_file() && entry.path().extension() == ".db") files.push_back(entry.path());
  }
  if (files.empty())
    throw std::runtime_error("there is no results file (*.db) in " + places.front().string());
  std::sort(files.begin(), files.end());
  return files;
}

Trend trend_of(const std::vector<std::filesystem::path>& files) {
  std::vector<Night> nights;
  std::set<std::string> seen;  // a run and its merged copy are one night
  std::string unread_words;
  Trend trend;
  for (const std::filesystem::path& file : files) try {
      Results results = read_results(file, {1, 1});
      std::string runs;
      for (const RunInfo& run : results.runs) runs += run.run_id + "\n";
      for (DeviceResult& device : results.devices) {
        if (!seen.insert(runs + device.info.spec + device.info.uuid).second) continue;
        const std::string driver = fact(device.info, "kernel-mode driver");
        double seconds = 0;
        for (const PropertyResult& property : device.properties)
          seconds = std::max(seconds, property.totals.seconds);
        nights.push_back({results.run.started_utc, driver, results.run.seed, part_of(results.runs),
                          std::move(device), seconds});
      }
    } catch (const std::exception& error) {
      unread_words += "not read: " + for_terminal(error.what()) + "\n";
      trend.unread.push_back(file);
    }
  std::stable_sort(nights.begin(), nights.end(),
                   [](const Night& a, const Night& b) { return a.started < b.started; });
  std::string text = pad("started (UTC)", 21) + pad("device", 25) + pad("verdict", 17) + pad("cases", 15) +
                     pad("rate", 9) + pad("fail", 6) + pad("new", 6) + pad("gone", 6) + "driver\n";
  for (size_t n = 0; n < nights.size(); ++n) {
    const Night* before = nullptr;
    for (size_t b = 0; b < n; ++b)
      if (is_same_device(nights[b].device.info, nights[n].device.info) && nights[b].part == nights[n].part)
        before = &nights[b];
    const std::set<std::string> now = ways_to_fail(nights[n].device);
    if (before == nullptr) {
      text += line(nights[n], now.size(), "-", "-");
      continue;
    }
    std::set<std::string> then = ways_to_fail(before->device);
    // What did not run this time is not gone.
    std::erase_if(then, [&](const std::string& signature) {
      return !now.contains(signature) && !has_run(nights[n].device, signature);
    });
    std::vector<std::string> fresh, gone;
    std::set_difference(now.begin(), now.end(), then.begin(), then.end(), std::back_inserter(fresh));
    std::set_difference(then.begin(), then.end(), now.begin(), now.end(), std::back_inserter(gone));
    text += line(nights[n], now.size(), std::to_string(fresh.size()), std::to_string(gone.size()));
    for (const std::string& signature : fresh) text += "  new   " + for_terminal(signature) + "\n";
    for (const std::string& signature : gone) text += "  gone  " + for_terminal(signature) + "\n";
    for (const std::string& property : changed_bits(*before, nights[n]))
      text += "  still conforming, other bits than before: " + for_terminal(property) +
              (before->driver != nights[n].driver
                   ? " (driver " + before->driver + ", now " + nights[n].driver + ")"
                   : "") +
              "\n";
  }
  trend.text = text + unread_words;
  return trend;
}

}  // namespace assay::report
