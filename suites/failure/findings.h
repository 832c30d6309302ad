// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "devices/device.h"
#include "reports/results.h"

namespace assay::report {
class Recorder;
}

namespace assay::suites {

class DeviceRun;

/// A sentence in the report that is no verdict.
struct Finding {
  std::string kind, words;
};

/// What the readings of a run say about the device: where it departs from the documents, and which rivals it
/// follows.
std::vector<Finding> findings_of(const std::vector<report::ReadingRow>& readings);

/// Cases of a property that show what Family::remark says.
struct Remark {
  uint64_t cases = 0, first_index = 0;
  std::string first;  ///< its replay id
};
using Remarks = std::map<std::string, Remark>;  ///< by property and sentence
std::vector<Finding> findings_of(const Remarks& remarks);

/// What the device tells when it is asked: reports of its strict mode, and how often it had to recover. One
/// that does not answer is a finding too.
std::vector<Finding> findings_of(Device& device);

/// The readings of a run on a device, what they say about it, crashes of its encoder, and remarks.
void record_findings(DeviceRun&, report::Recorder&);

}  // namespace assay::suites
