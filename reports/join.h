// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results.h"

namespace assay::report {

/// Dimensions that end so hold what was reached, not how often: joined, the larger number stands (values:
/// every one that any run reached; pairs, of which only their number is kept: at least so many).
inline constexpr std::string_view values_reached = ": field x value";
inline constexpr std::string_view pairs_reached = ": pairs of values reached, field x field";

/// Devices of several runs that are one device: a GPU by its UUID, an emulated one by its spec. Counts add
/// up, ranges and cells too; readings that exclude each other become contradictions. The order of the runs
/// plays no part in any count.
void join(DeviceResult& into, DeviceResult&& from);
bool is_same_device(const DeviceInfo&, const DeviceInfo&);
/// The same text for the same device alone.
std::string device_identity(const DeviceInfo&);

/// What several runs have in common, with lists where they differ.
RunInfo joined(const std::vector<RunInfo>& runs);

/// Moves from "cases that failed" to what explains them: a rule that explains a kind alone is violated, one
/// of several is suspected, and the others that failing cases exercise are implicated only.
void blame_rules(PropertyResult&);

}  // namespace assay::report
