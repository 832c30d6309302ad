// SPDX-License-Identifier: Apache-2.0
#include "reports/written_reports.h"

#include <nlohmann/json.hpp>

#include "reports/causes.h"
#include "reports/compare/run_diff.h"
#include "reports/detection.h"
#include "reports/overview.h"
#include "reports/results.h"
#include "reports/words.h"

namespace assay::report {
namespace {

using nlohmann::json;

json of(const VerdictCounts& counts) {
  json object = json::object();
  for (size_t v = 0; v < counts.size(); ++v)
    if (counts[v] != 0) object[std::string(name(static_cast<Verdict>(v)))] = counts[v];
  return object;
}

json of(const FailureGroup& group) {
  json object = {{"signature", group.signature}, {"verdict", name(group.verdict)}, {"cases", group.count}};
  if (!group.waiver.empty()) object["waiver"] = group.waiver;
  if (group.repeated != 0) object["failed_of_repeats"] = {group.failed, group.repeated};
  if (group.examples.empty()) return object;
  const CaseRow& example = group.examples.front();
  object["message"] = headline(example);
  object["case_id"] = example.case_id;
  object["case"] = json::parse(example.case_json, nullptr, false);
  object["replay"] = example.replay;
  return object;
}

json of(const PropertyResult& property, double share) {
  json object = {{"name", property.info.name},
                 {"verdict", name(property.verdict)},
                 {"cases", property.cases()},
                 {"by_verdict", of(property.counts)},
                 {"bytes_compared", property.totals.tile_bytes},
                 {"fingerprint", property.totals.fingerprint},
                 {"seconds", seconds_ran(property, share)},
                 {"failures", json::array()}};
  if (!property.reason.empty()) object["reason"] = property.reason;
  if (const uint64_t one_in = seen_one_in(telling_cases(property)); one_in != 0)
    object["seen_fault_one_in"] = one_in;
  for (const FailureGroup& group : property.failures) object["failures"].push_back(of(group));
  return object;
}

json of(const DeviceResult& device, double share) {
  json object = {{"spec", device.info.spec},
                 {"evidence", device.info.evidence},
                 {"architecture", device.info.architecture},
                 {"name", device.info.name},
                 {"uuid", device.info.uuid},
                 {"verdict", name(device.verdict)},
                 {"properties", json::array()},
                 {"readings", json::array()}};
  for (const auto& [key, value] : device.info.facts) object["facts"][key] = value;
  for (const PropertyResult& property : device.properties)
    object["properties"].push_back(of(property, share));
  for (const ReadingRow& reading : device.readings)
    object["readings"].push_back({{"question", reading.question},
                                  {"reading", reading.chosen_letter},
                                  {"default", reading.default_letter},
                                  {"status", reading.status},
                                  {"deciding_cases", reading.deciding_cases}});
  return object;
}

std::string text_of(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string results_json(const std::filesystem::path& db) {
  const Results results = read_results(db, {1, 400, false});
  json document = {{"format", "assay-results/1"},
                   {"results", db.string()},
                   {"version", results.run.version},
                   {"commit", results.run.commit},
                   {"command_line", results.run.command_line},
                   {"started_utc", results.run.started_utc},
                   {"seed", results.run.seed},
                   {"finished", results.finished},
                   {"verdict", name(results.verdict)},
                   {"exit_code", results.exit_code},
                   {"properties", of(results.property_counts)},
                   {"causes", json::array()},
                   {"devices", json::array()},
                   {"findings", json::array()}};
  if (const double seconds = seconds_taken(results); seconds >= 0) document["seconds"] = seconds;
  for (const Cause& cause : causes_of(results)) {
    json rules = json::array();
    if (cause.explained != 0)
      for (const Suspect& suspect : cause.suspects) rules.push_back(suspect.rule);
    document["causes"].push_back({{"words", title(cause)},
                                  {"rules", rules},
                                  {"cases", cause.cases},
                                  {"properties", cause.properties},
                                  {"replay", cause.replay}});
  }
  for (const DeviceResult& device : results.devices)
    document["devices"].push_back(of(device, running_share(results)));
  for (const Finding& finding : results.findings)
    document["findings"].push_back({{"device", finding.device},
                                    {"kind", finding.kind},
                                    {"words", finding.words},
                                    {"times", finding.times}});
  return text_of(document);
}

std::string trend_json(const std::vector<std::filesystem::path>& files) {
  Nights found = nights_in(files);
  json document = {{"format", "assay-trend/1"},
                   {"nights", json::array()},
                   {"screens", json::array()},
                   {"unread", json::array()}};
  for (const HistoryNight& entry : compared(std::move(found.nights))) {
    const NightRow& night = entry.night;
    json object = {{"started_utc", night.started_utc},
                   {"device", night.device.spec},
                   {"uuid", night.device.uuid},
                   {"evidence", night.device.evidence},
                   {"driver", night.driver},
                   {"program", night.program},
                   {"verdict", name(night.verdict)},
                   {"cases", cases_of(night)},
                   {"conforming", conforming_of(night)},
                   {"seconds", night.seconds},
                   {"signatures", night.ways}};
    if (entry.since) {
      object["new"] = entry.since->fresh;
      object["gone"] = entry.since->gone;
      object["not_seen"] = entry.since->unseen;
      object["output_changed"] = json::array();
      for (const OtherBits& bits : entry.since->other_bits)
        object["output_changed"].push_back(
            {{"property", bits.property}, {"cases", bits.cases}, {"between", bits.between}});
    }
    document["nights"].push_back(std::move(object));
  }
  for (const ScreenNight& screen : screens_in(files))
    document["screens"].push_back({{"board", screen.board},
                                   {"started_utc", screen.started_utc},
                                   {"device", screen.spec},
                                   {"mean_watts", screen.watts},
                                   {"clock_mhz", screen.clock_mhz},
                                   {"highest_celsius", screen.celsius},
                                   {"failing_cases", screen.failing}});
  for (const Nights::Unread& unread : found.unread)
    document["unread"].push_back({{"file", unread.file.string()}, {"why", unread.words}});
  return text_of(document);
}

}  // namespace assay::report
