// SPDX-License-Identifier: Apache-2.0
#include "reports/results.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "reports/causes.h"
#include "reports/results_file.h"

namespace assay::report {
namespace {

void judge(PropertyResult& property, const DeviceResult& device, bool judges_waivers, bool flaky_warns) {
  std::stable_sort(property.failures.begin(), property.failures.end(), [](const auto& a, const auto& b) {
    return row(a.verdict).severity > row(b.verdict).severity;
  });
  std::optional<Verdict> worst, worst_but_flaky;
  const auto count = [&](Verdict verdict) {
    worst = worst ? worse(*worst, verdict) : verdict;
    if (verdict != Verdict::flaky)
      worst_but_flaky = worst_but_flaky ? worse(*worst_but_flaky, verdict) : verdict;
  };
  for (const VerdictRow& r : verdicts)
    if (property.counts[static_cast<size_t>(r.verdict)] != 0) count(r.verdict);
  // A verdict on the property as a whole: recorded with no case to count, and a reason.
  if (!worst && !property.totals.reason.empty())
    for (const auto& [verdict, n] : property.totals.counts)
      if (verdict != Verdict::conforms) count(verdict);
  const Verdict missing = missing_verdict(property.reason);
  if (property.cut_short) count(missing);
  if (judges_waivers)
    for (const WaiverRow& waiver : device.waivers)
      if (waiver.property == property.info.name &&
          (waiver.state == "unneeded" || waiver.state == "expired")) {
        count(Verdict::unexpected_pass);
        property.reason =
            "waiver " + waiver.id +
            (waiver.state == "expired" ? " expired on " + waiver.expires : " is no longer needed");
      }
  property.verdict = worst.value_or(missing);
  const Verdict for_exit = flaky_warns ? worst_but_flaky.value_or(Verdict::conforms) : property.verdict;
  property.exit_code = row(worst ? for_exit : missing).exit_code;
  const auto cases = [&](Verdict verdict) { return property.counts[static_cast<size_t>(verdict)]; };
  if (cases(Verdict::not_run) != 0) property.exit_code = exit_device_lost;
  if (property.verdict == Verdict::not_run || property.verdict == Verdict::incomplete) {
    if (property.reason.empty()) property.reason = "no case was issued";
  } else if (property.reason != property.totals.reason && property.verdict != Verdict::unexpected_pass &&
             cases(Verdict::not_run) + cases(Verdict::incomplete) == 0) {
    property.reason = property.totals.reason;
  }
}

/// What a device did where nothing was demanded is worth knowing, and differs between devices.
void tell_no_demand(const DeviceResult& device, Results& results) {
  for (const PropertyResult& property : device.properties)
    for (const FailureKindRow& kind : property.kinds)
      if (kind.verdict == Verdict::no_demand)
        results.findings.push_back(
            {device.info.spec, "not checked",
             property.info.name + ": " + std::to_string(kind.count) + (kind.count == 1 ? " case" : " cases") +
                 " whose result no document defines ended as '" +
                 kind.signature.substr(std::min(kind.signature.size(), property.info.name.size() + 1)) + "'",
             1, device.info.uuid});
}

/// What such a program did cannot be made again from any commit.
void tell_unknown_builds(Results& results) {
  for (const RunInfo& run : results.runs)
    if (run.commit.ends_with("-dirty") || run.commit == "unknown")
      results.findings.push_back(
          {"", "no evidence",
           "run " + run.run_id + " is of a program that was built from " +
               (run.commit == "unknown" ? "an unknown commit" : "uncommitted changes (" + run.commit + ")"),
           1});
}

/// Nothing is known of the cases of a shard that nobody brought.
void tell_missing_shards(Results& results) {
  std::map<std::pair<uint64_t, int>, std::set<int>> found;  // by seed and number of shards
  for (const RunInfo& run : results.runs)
    if (run.shards > 1) found[{run.seed, run.shards}].insert(run.shard);
  for (const auto& [split, shards] : found)
    for (int shard = 1; shard <= split.second; ++shard)
      if (!shards.contains(shard))
        results.findings.push_back({"", "missing shard",
                                    "shard " + std::to_string(shard) + " of " + std::to_string(split.second) +
                                        " of seed " + std::to_string(split.first) +
                                        " is not among the merged files",
                                    1});
  for (const std::string& id : results.unfinished)
    for (const RunInfo& run : results.runs)
      if (run.run_id == id && run.shards > 1)
        results.findings.push_back({"", "unfinished shard",
                                    "shard " + std::to_string(run.shard) + " of " +
                                        std::to_string(run.shards) + " did not end (run " + id + " on " +
                                        run.host + ")",
                                    1});
}

/// One shard may not need what another does: waivers are judged where all shards of a run are together.
bool has_all_shards(const std::vector<RunInfo>& runs) {
  std::set<int> shards;
  for (const RunInfo& run : runs) {
    if (run.shards == 1) return true;
    shards.insert(run.shard);
  }
  return static_cast<int>(shards.size()) >= runs.front().shards;
}

}  // namespace

void settle_counts(PropertyResult& property, bool run_finished) {
  uint64_t judged = 0;
  for (const uint64_t n : property.counts) judged += n;
  const uint64_t due = std::max(property.planned, property.totals.issued);
  const uint64_t missing = due > judged ? due - judged : 0;
  uint64_t& not_run = property.counts[static_cast<size_t>(Verdict::not_run)];
  uint64_t& without = property.counts[static_cast<size_t>(missing_verdict(property.totals.reason))];
  without += missing;
  // Cases that came back without having run, for another reason than a lost device.
  if (&without != &not_run) without += std::exchange(not_run, 0);
  property.cut_short = !property.totals.complete && property.planned == 0 && property.started;
  property.reason = property.totals.reason;
  if (!property.reason.empty()) return;
  if (!property.started)
    property.reason = run_finished ? "never started" : "the run ended before this property started";
  else if (property.cut_short)
    property.reason = "the run ended before this property was complete";
  else if (without != 0)
    property.reason =
        run_finished ? "not every planned case was run" : "the run ended before this property did";
}

void judge_results(Results& results) {
  std::optional<Verdict> worst;
  int exit = 0;
  uint64_t judged = 0;
  const bool judges_waivers = has_all_shards(results.runs);
  for (DeviceResult& device : results.devices) {
    std::optional<Verdict> worst_here;
    for (PropertyResult& property : device.properties) {
      judge(property, device, judges_waivers, results.flaky_warns);
      ++results.property_counts[static_cast<size_t>(property.verdict)];
      worst_here = worst_here ? worse(*worst_here, property.verdict) : property.verdict;
      exit = worse_exit(exit, property.exit_code);
      for (const VerdictRow& r : verdicts)
        if (is_judged(r.verdict)) judged += property.counts[static_cast<size_t>(r.verdict)];
    }
    // Runs that decide a question differently have shown that no reading fits the device.
    if (results.runs.size() > 1)
      for (const ReadingRow& reading : device.readings)
        if (reading.status == reading_contradicted && reading.witness.ends_with("in different runs")) {
          worst_here = worse(worst_here.value_or(Verdict::violates), Verdict::violates);
          exit = worse_exit(exit, row(Verdict::violates).exit_code);
          results.findings.push_back({device.info.spec, "contradiction between runs",
                                      reading.question + ": " + reading.witness, 1, device.info.uuid});
        }
    device.verdict = worst_here.value_or(Verdict::incomplete);
    if (worst_here) worst = worst ? worse(*worst, *worst_here) : *worst_here;
  }
  settle_causes(results);
  for (DeviceResult& device : results.devices)
    for (PropertyResult& property : device.properties) blame_rules(property);
  results.verdict = worst.value_or(Verdict::incomplete);
  if (!results.finished) {
    results.verdict = worse(results.verdict, Verdict::incomplete);
    exit = worse_exit(exit, exit_incomplete);
  }
  if (results.needs_all_shards) {
    const size_t before = results.findings.size();
    tell_missing_shards(results);
    if (results.findings.size() != before) {
      results.verdict = worse(results.verdict, Verdict::incomplete);
      exit = worse_exit(exit, exit_incomplete);
    }
  }
  results.device_lost = exit == exit_device_lost;
  // One shard may have no case of what was asked for.
  results.nothing_judged = judged == 0 && judges_waivers;
  results.exit_code = exit == 0 && results.nothing_judged ? exit_could_not_run : exit;
  for (const DeviceResult& device : results.devices) tell_no_demand(device, results);
  tell_unknown_builds(results);
}

namespace {

/// What a device did with a property, as text to be compared; nothing where it did not run to its end.
std::string ballot(const PropertyResult& property) {
  if (!property.totals.complete || property.cases() == 0) return {};
  std::string text = std::to_string(property.planned);
  for (const FailureKindRow& kind : property.kinds)
    if (kind.verdict != Verdict::flaky && (fails(kind.verdict) || kind.verdict == Verdict::waived))
      text += "\n" + kind.signature;
  // By budget each device gets as far as it gets.
  if (property.planned != 0) text += "\n" + property.totals.fingerprint;
  return text;
}

}  // namespace

std::vector<std::string> odd_ones_out(const Results& results) {
  // Kind of device and property -> ballot -> devices.
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::vector<size_t>>> votes;
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const DeviceResult& device = results.devices[d];
    for (const PropertyResult& property : device.properties)
      if (const std::string vote = ballot(property); !vote.empty())
        votes[{device.info.evidence + " " + device.info.name, property.info.name}][vote].push_back(d);
  }
  std::map<size_t, std::string> odd;
  for (const auto& [what, by_ballot] : votes) {
    size_t all = 0, most = 0;
    for (const auto& [vote, devices] : by_ballot)
      all += devices.size(), most = std::max(most, devices.size());
    if (all < 3 || 2 * most <= all) continue;
    for (const auto& [vote, devices] : by_ballot)
      if (devices.size() != most)
        for (const size_t d : devices) odd[d] += (odd[d].empty() ? "" : ", ") + what.second;
  }
  std::vector<std::string> sentences;
  for (const auto& [d, properties] : odd) {
    const DeviceInfo& info = results.devices[d].info;
    sentences.push_back(info.spec + (info.uuid.empty() ? "" : " (" + info.uuid + ")") +
                        " is the odd one out among equal devices: " + properties);
  }
  return sentences;
}

}  // namespace assay::report
