// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/results.h"
#include "suites/contact/contact.h"

namespace assay::suites {

/// Bytes of the output of a deciding case that the file keeps for a rival, from the first one on that would
/// be another: with them the file stays below 5 MB.
inline constexpr size_t bytes_a_place = 1024;

/// The answers as a report shows them. `is_silicon`: an emulator confirms no default that it was built with.
std::vector<report::ReadingRow> reading_rows(const ContactResult&, bool is_silicon);

/// What the device did with the cases that decide its answers, a row for each question that a case
/// decides and each place that the file keeps of its output.
std::vector<report::DecidingRow> deciding_rows(const ContactResult&);

/// Counts and fingerprints of the cases of each property.
std::vector<std::pair<std::string, report::PropertyTotals>> totals_of(const ContactResult&);

/// What in a file of first contact does not follow from its raw outcomes, a sentence each: every case is
/// predicted again by the readings that the file names, and by their rivals.
std::vector<std::string> unconfirmed(const report::DeviceResult&);

/// The page for docs/evidence.
std::string evidence_page(const report::Results&, const report::DeviceResult&);

}  // namespace assay::suites
