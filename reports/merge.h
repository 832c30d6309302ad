// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/record.h"
#include "reports/results.h"

namespace assay::report {

/// Writes one results file with the runs of all of them, each run once: of two states of one run (it was
/// resumed in between) the later one. So the order of the files, merging in steps and merging twice make no
/// difference. A file whose shards are not all there is incomplete, unless `is_partial`: then what there is
/// counts alone. Earlier nights that the files store are united likewise. Throws std::runtime_error with one
/// sentence; `into` is written whole or not at all, and may be one of the sources.
void merge_results(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& into,
                   bool is_partial = false);

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

/// A device implements one joint set of readings: what the runs leave possible is the intersection of the
/// sets of joint assignments that each of them recorded (`states`). Writes chosen letter and status of the
/// rows by it; where nothing is left, the questions that exclude each other are "contradicted", with a
/// witness that ends in "in different runs". The result depends on the set of states alone, not on order or
/// repetition. With fewer than two different states nothing changes; one that cannot be read says nothing.
void decide_jointly(std::vector<ReadingRow>& rows, const std::vector<std::string>& states);

}  // namespace assay::report
