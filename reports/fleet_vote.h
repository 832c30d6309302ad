// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/results.h"

namespace assay::report {

/// Devices of one architecture and evidence that ran the same cases, three at least: for each that does what
/// most others do not, a sentence with the properties in question. What decides is how a property fails and,
/// of as many cases, the fingerprint of its output.
std::vector<std::string> odd_ones_out(const Results&);

}  // namespace assay::report
