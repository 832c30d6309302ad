// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/sqlite.h"

/// What a results file holds, for who recomputes it: statements ready to step(), each with its columns in the
/// order that is said.
namespace assay::report {

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
