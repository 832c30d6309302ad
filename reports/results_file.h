// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/record.h"
#include "reports/results.h"
#include "reports/sqlite.h"

namespace assay::report {

/// A new results file that holds the run and nothing else; it appears whole, in place of an earlier one of
/// ours. Throws std::runtime_error with one sentence for a foreign file, and for one that another run is
/// writing.
Database create_results(const std::filesystem::path& file, const RunInfo&);

/// Makes way for a new file: an earlier results file is left whole, without journals beside it. Throws
/// std::runtime_error with one sentence for a foreign file, and for one that a run is writing.
void release_results(const std::filesystem::path& file);

/// A results file without a run, in place of whatever was there.
Database create_empty_results(const std::filesystem::path& file);

/// For reading. Throws when it is absent, foreign, damaged or of another version.
Database open_results(const std::filesystem::path& file);

/// For going on: nobody else writes it, and cases that the last state does not count are dropped.
Database reopen_results(const std::filesystem::path& file);

/// Index ranges as text, "0-4096,5000-5001", and back: half-open, ascending. Throws for anything else.
using IndexRanges = std::vector<std::pair<uint64_t, uint64_t>>;
std::string ranges_text(const IndexRanges&);
IndexRanges parse_ranges(std::string_view text);

// What a results file holds, for who recomputes it: statements ready to step(), each with its columns in the
// order that is said.

/// id, architecture, spec, reading_state, seed, shard, shards of each device, in order.
Statement devices_of_runs(const Database& db);
/// id, name, issued, fingerprint (hexadecimal), planned of each of its properties, in order.
Statement properties_of_device(const Database& db, int64_t device);
/// verdict, count.
Statement verdict_counts_of(const Database& db, int64_t property);
/// verdict, count, signature.
Statement failure_kinds_of(const Database& db, int64_t property);
/// signature of each kind of failure whose indexes are known and of which no case is kept.
Statement signatures_without_case(const Database& db, int64_t property);
/// first, size, conforming, fingerprint (decimal), by index.
Statement ranges_of(const Database& db, int64_t property);
/// The indexes that were done, as text.
Statement done_of(const Database& db, int64_t property);
/// index, verdict, id, JSON, expected and observed end, expected and observed bytes, defined bits, offset of
/// the bytes, differing bytes, shrunk_from, from_file, signature.
Statement cases_of(const Database& db, int64_t property);

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
