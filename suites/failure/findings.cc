// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/findings.h"

#include <optional>

#include "reference/spec/question.h"
#include "reports/record.h"
#include "suites/run/device_run.h"

namespace assay::suites {
namespace {

/// Questions X-nn: reading A is what documents say. Decided otherwise, a device departs from them: a finding,
/// no violation, for it is known.
std::optional<std::string> departure_from_documents(const report::ReadingRow& row) {
  const bool is_decided = row.status == report::reading_confirmed || row.status == report::reading_modelled ||
                          row.status == report::reading_adopted;
  if (!row.question.starts_with("X-") || !is_decided || row.chosen_letter == "A") return std::nullopt;
  const auto index = spec::find_question(row.question);
  if (!index) return std::nullopt;
  return row.question + ": " + row.words +
         " Documents: " + std::string(spec::questions()[*index].readings[0].words) +
         ". This device: " + row.chosen_words + ".";
}

}  // namespace

std::vector<Finding> findings_of(const std::vector<report::ReadingRow>& readings) {
  std::vector<Finding> found;
  for (const report::ReadingRow& row : readings)
    if (auto words = departure_from_documents(row))
      found.push_back({"departs from documents", *std::move(words)});
  for (const report::ReadingRow& row : readings)
    if (row.status == report::reading_adopted)
      found.push_back({"adopted reading", row.question + ":" + row.chosen_letter + " " + row.chosen_words +
                                              " (" + std::to_string(row.deciding_cases) +
                                              " cases follow it, such as " + row.witness + ")"});
  return found;
}

std::vector<Finding> findings_of(const Remarks& remarks) {
  std::vector<Finding> found;
  for (const auto& [words, remark] : remarks)
    found.push_back({"outside the rules", words + " (" + std::to_string(remark.cases) +
                                              (remark.cases == 1 ? " case" : " cases") + ", such as " +
                                              remark.first + ")"});
  return found;
}

std::vector<Finding> findings_of(Device& device) {
  std::vector<Finding> found;
  try {
    for (const StrictFinding& finding : device.strict_findings())
      found.push_back({"strict mode", finding.clause + " in " + finding.kernel + " at " + finding.where +
                                          ", " + std::to_string(finding.count) + " times"});
  } catch (const DeviceError& error) {
    found.push_back({"device", error.what()});
  }
  const DeviceCounters counters = device.counters();
  if (counters.retries != 0)
    found.push_back(
        {"retries", std::to_string(counters.retries) + (counters.retries == 1 ? " batch" : " batches") +
                        " of " + std::to_string(counters.launches) + " launches " +
                        (counters.retries == 1 ? "was" : "were") + " retried after a non-sticky error"});
  if (counters.bisections != 0)
    found.push_back({"recoveries", "worker started " + std::to_string(counters.worker_starts) + " times; " +
                                       std::to_string(counters.bisections) +
                                       (counters.bisections == 1 ? " bisection" : " bisections") +
                                       " to isolate faulting cases (" + std::to_string(counters.launches) +
                                       " launches)"});
  return found;
}

void record_findings(DeviceRun& run, report::Recorder& recorder) {
  const std::string& spec = run.device().identity().spec;
  const std::vector<report::ReadingRow> readings = run.readings().rows();
  recorder.set_readings(spec, readings);
  for (const Finding& finding : findings_of(readings))
    recorder.add_finding(spec, finding.kind, finding.words);
  for (const std::string& crash : run.crash_notes()) recorder.add_finding(spec, "encoder crash", crash);
  for (const Finding& finding : findings_of(run.remarks()))
    recorder.add_finding(spec, finding.kind, finding.words);
}

}  // namespace assay::suites
