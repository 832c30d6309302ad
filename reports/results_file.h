// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "reports/record.h"
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

}  // namespace assay::report
