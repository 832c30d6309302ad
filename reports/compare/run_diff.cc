// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/run_diff.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/blame.h"
#include "reports/causes.h"
#include "reports/overview.h"
#include "reports/results_file.h"
#include "reports/text.h"
#include "reports/words.h"

namespace assay::report {
namespace {

std::set<std::string> ways_of(const PropertyResult* property) {
  std::set<std::string> ways;
  if (property == nullptr) return ways;
  for (const FailureKindRow& kind : property->kinds)
    if (fails(kind.verdict)) ways.insert(kind.signature);
  return ways;
}

std::vector<std::string> without(const std::set<std::string>& all, const std::set<std::string>& known) {
  std::vector<std::string> left;
  std::set_difference(all.begin(), all.end(), known.begin(), known.end(), std::back_inserter(left));
  return left;
}

/// By property: whose conforming cases have other output bits.
std::map<std::string, std::string> outputs_that_changed(NightRow before, NightRow after) {
  // Whose nights they are does not matter here; nor does it which began first.
  after.device = before.device;
  before.started_utc = "1", after.started_utc = "2";
  before.runs = "before", after.runs = "after";
  std::map<std::string, std::string> changed;
  const std::vector<HistoryNight> both = compared({std::move(before), std::move(after)});
  if (both.size() == 2 && both.back().since)
    for (const OtherBits& bits : both.back().since->other_bits) changed[bits.property] = bits.cases;
  return changed;
}

DeviceDiff diff_of(const Results& runs_before, size_t b, const Results& runs_after, size_t a) {
  const DeviceResult &before = runs_before.devices[b], &after = runs_after.devices[a];
  DeviceDiff diff{before.info, after.info, {}, {}, 0};
  std::map<std::string, std::pair<const PropertyResult*, const PropertyResult*>> properties;
  for (const PropertyResult& property : before.properties) properties[property.info.name].first = &property;
  for (const PropertyResult& property : after.properties) properties[property.info.name].second = &property;
  const auto outputs = outputs_that_changed(nights_of(runs_before)[b], nights_of(runs_after)[a]);
  for (const auto& [name, pair] : properties) {
    const auto& [old, now] = pair;
    const std::set<std::string> ways_before = ways_of(old), ways_after = ways_of(now);
    PropertyDiff one;
    one.property = name;
    if (old != nullptr) one.before = old->verdict, one.cases_before = old->cases();
    if (now != nullptr) one.after = now->verdict, one.cases_after = now->cases();
    one.fresh = without(ways_after, ways_before), one.gone = without(ways_before, ways_after);
    if (const auto at = outputs.find(name); at != outputs.end()) one.output = at->second;
    if (one.before != one.after || !one.fresh.empty() || !one.gone.empty() || !one.output.empty())
      diff.properties.push_back(std::move(one));
    else
      ++diff.alike;
  }
  std::map<std::string, std::pair<std::string, std::string>> readings;
  for (const ReadingRow& reading : before.readings) readings[reading.question].first = reading.chosen_letter;
  for (const ReadingRow& reading : after.readings) readings[reading.question].second = reading.chosen_letter;
  for (const auto& [question, letters] : readings)
    if (letters.first != letters.second) diff.readings.push_back({question, letters.first, letters.second});
  return diff;
}

std::vector<CauseDiff> causes_of_both(const Results& before, const Results& after) {
  std::vector<CauseDiff> both;
  const auto add = [&](const Results& results, uint64_t CauseDiff::*cases) {
    for (const Cause& cause : causes_of(results)) {
      std::string words = title(cause);
      if (cause.suspects.empty()) words = (words.empty() ? "" : words + ": ") + cause.properties.front();
      auto at =
          std::find_if(both.begin(), both.end(), [&](const CauseDiff& one) { return one.words == words; });
      if (at == both.end())
        at = both.insert(both.end(), {words, group_at(results, cause.places.front()).verdict, cause.replay});
      (*at).*cases += cause.cases;
    }
  };
  add(after, &CauseDiff::cases_after);
  add(before, &CauseDiff::cases_before);
  return both;
}

std::string verdict_words(const std::optional<Verdict>& verdict, uint64_t cases) {
  if (!verdict) return "not in this run";
  return std::string(shown(*verdict)) + " (" + grouped(cases, ",") + (cases == 1 ? " case)" : " cases)");
}

std::string device_words(const DeviceInfo& device) {
  return for_terminal(device.evidence + ", " + device.spec + ", " + device.name +
                      (device.uuid.empty() ? "" : ", " + device.uuid));
}

nlohmann::json device_json(const DeviceInfo& device) {
  return {{"spec", well_formed(device.spec)},
          {"evidence", well_formed(device.evidence)},
          {"name", well_formed(device.name)},
          {"uuid", well_formed(device.uuid)}};
}

}  // namespace

bool RunDiff::is_empty() const {
  return only_before.empty() && only_after.empty() &&
         std::all_of(devices.begin(), devices.end(), [](const DeviceDiff& device) {
           return device.properties.empty() && device.readings.empty();
         });
}

RunDiff diff_of(const Results& before, const Results& after) {
  std::vector<size_t> left(before.devices.size()), right(after.devices.size());
  for (size_t i = 0; i < left.size(); ++i) left[i] = i;
  for (size_t i = 0; i < right.size(); ++i) right[i] = i;
  RunDiff diff;
  diff.causes = causes_of_both(before, after);
  const auto match = [&](const auto& fits) {
    std::erase_if(left, [&](size_t b) {
      const auto at = std::find_if(right.begin(), right.end(), [&](size_t a) {
        return fits(before.devices[b].info, after.devices[a].info);
      });
      if (at == right.end()) return false;
      diff.devices.push_back(diff_of(before, b, after, *at));
      right.erase(at);
      return true;
    });
  };
  match([](const DeviceInfo& b, const DeviceInfo& a) { return is_same_device(b, a); });
  match([](const DeviceInfo& b, const DeviceInfo& a) { return b.spec == a.spec; });
  if (left.size() == 1 && right.size() == 1) match([](const DeviceInfo&, const DeviceInfo&) { return true; });
  for (const size_t b : left) diff.only_before.push_back(before.devices[b].info);
  for (const size_t a : right) diff.only_after.push_back(after.devices[a].info);
  return diff;
}

std::string words(const RunDiff& diff, const std::pair<std::string, std::string>& names) {
  std::string text;
  for (const CauseDiff& cause : diff.causes) {
    if (cause.cases_before == cause.cases_after) continue;
    text += "cause   " + for_terminal(cause.words) + ": " + grouped(cause.cases_before, ",") + " -> " +
            grouped(cause.cases_after, ",") + " failing cases\n";
    if (!cause.replay.empty()) text += "        " + for_terminal(cause.replay) + "\n";
  }
  for (const DeviceDiff& device : diff.devices) {
    text += "before  " + for_terminal(names.first) + ": " + device_words(device.before) + "\nafter   " +
            for_terminal(names.second) + ": " + device_words(device.after) + "\n";
    for (const PropertyDiff& one : device.properties) {
      text += "  " + for_terminal(one.property) + ": ";
      text += one.before == one.after ? verdict_words(one.after, one.cases_after)
                                      : verdict_words(one.before, one.cases_before) + " -> " +
                                            verdict_words(one.after, one.cases_after);
      text += "\n";
      for (const std::string& way : one.fresh)
        text += "    new   " + for_terminal(signature_words(way)) + "\n";
      for (const std::string& way : one.gone)
        text += "    gone  " + for_terminal(signature_words(way)) + "\n";
      if (!one.output.empty()) text += "    output changed: " + one.output + "\n";
    }
    for (const ReadingDiff& reading : device.readings)
      text += "  reading of " + for_terminal(reading.question) + ": " +
              (reading.before.empty() ? "undecided" : reading.before) + " -> " +
              (reading.after.empty() ? "undecided" : reading.after) + "\n";
    const size_t differ = device.properties.size();
    text += "  " + std::to_string(differ) + (differ == 1 ? " property differs, " : " properties differ, ") +
            std::to_string(device.alike) + (device.alike == 1 ? " is the same\n" : " are the same\n");
  }
  for (const DeviceInfo& device : diff.only_before)
    text += "only in " + for_terminal(names.first) + ": " + device_words(device) + "\n";
  for (const DeviceInfo& device : diff.only_after)
    text += "only in " + for_terminal(names.second) + ": " + device_words(device) + "\n";
  return text;
}

nlohmann::json to_json(const RunDiff& diff) {
  const auto verdict = [](const std::optional<Verdict>& one) {
    return one ? nlohmann::json(name(*one)) : nlohmann::json(nullptr);
  };
  nlohmann::json devices = nlohmann::json::array();
  for (const DeviceDiff& device : diff.devices) {
    nlohmann::json properties = nlohmann::json::array(), readings = nlohmann::json::array();
    for (const PropertyDiff& one : device.properties) {
      nlohmann::json fresh = nlohmann::json::array(), gone = nlohmann::json::array();
      for (const std::string& way : one.fresh) fresh.push_back(well_formed(way));
      for (const std::string& way : one.gone) gone.push_back(well_formed(way));
      properties.push_back({{"property", well_formed(one.property)},
                            {"before", verdict(one.before)},
                            {"after", verdict(one.after)},
                            {"cases_before", one.cases_before},
                            {"cases_after", one.cases_after},
                            {"new", fresh},
                            {"gone", gone},
                            {"output_changed", one.output}});
    }
    for (const ReadingDiff& reading : device.readings)
      readings.push_back({{"question", well_formed(reading.question)},
                          {"before", reading.before},
                          {"after", reading.after}});
    devices.push_back({{"before", device_json(device.before)},
                       {"after", device_json(device.after)},
                       {"properties", properties},
                       {"readings", readings},
                       {"alike", device.alike}});
  }
  nlohmann::json only_before = nlohmann::json::array(), only_after = nlohmann::json::array();
  for (const DeviceInfo& device : diff.only_before) only_before.push_back(device_json(device));
  for (const DeviceInfo& device : diff.only_after) only_after.push_back(device_json(device));
  nlohmann::json causes = nlohmann::json::array();
  for (const CauseDiff& cause : diff.causes)
    causes.push_back({{"words", well_formed(cause.words)},
                      {"verdict", name(cause.verdict)},
                      {"cases_before", cause.cases_before},
                      {"cases_after", cause.cases_after},
                      {"replay", well_formed(cause.replay)}});
  return {{"format", "assay-diff/1"},
          {"causes", causes},
          {"devices", devices},
          {"only_before", only_before},
          {"only_after", only_after}};
}

}  // namespace assay::report
