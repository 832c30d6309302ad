// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reports/results.h"

namespace assay::report {

/// "3 of 9 properties not as expected", "all 9 properties as expected", "nothing was planned".
std::string outcome(const Results&);

/// "2 of 1,234,567 cases failed" and the like for a property that is not as expected; its reason where the
/// verdict is not about cases.
std::string outcome(const PropertyResult&);

/// "3 failed, 1,234 passed": the verdicts with a count, most severe first.
std::string counted(const VerdictCounts&);

/// A failure signature, by position: results.devices[device].properties[property].failures[group].
struct FailurePlace {
  size_t device, property, group;
};

/// What deserves to be read first: the most severe failure signature of each property, then the next of each,
/// ... Only groups with an example; those that are no failures (waived) last.
std::vector<FailurePlace> failures_in_reading_order(const Results&);
const FailureGroup& group_at(const Results&, const FailurePlace&);

/// First line of a case's message for a place that shows property and replay line beside it: without either.
std::string headline(const CaseRow&);

/// A device's name in JUnit class names: letters, digits and _, the same in every run on such a device (a
/// schedule's seed is left out): "silicon_sm_90_cuda_0", "emulator_sm_100_lazy".
std::string device_label(const DeviceInfo&);

/// The first word in capitals: "SILICON sm_90".
std::string loud(std::string text);
/// A verdict in capitals, for where it stands alone: "FAILED".
std::string loud(Verdict);

/// What explains the failures of a group, in the words that every report has: reports/blame.h.
std::string blame_line(const FailureGroup&);
/// "repeats: failed 11 of 11 times", or nothing for a failure that was not run again.
std::string repeats(const FailureGroup&);

/// Where failing cases ran and where their wrong elements were, a sentence a kind of place: in one,
/// everywhere alike, or neither. Nothing where there are too few to say.
std::vector<std::string> where_it_fails(const DeviceResult&);
/// The same of some properties, by position.
std::vector<std::string> where_it_fails(const DeviceResult&, const std::set<size_t>& properties);

/// Which reading a device implements, one line: "TMA-AMB-04: reading B (dense rows), default P".
std::string reading_line(const ReadingRow&);
bool is_adopted(const ReadingRow&);  ///< another reading than the default

}  // namespace assay::report
