// SPDX-License-Identifier: Apache-2.0
#include "reports/stored_rows.h"

namespace assay::report {
namespace {

Statement of(const Database& db, int64_t id, std::string_view sql) {
  Statement rows(db, sql);
  rows.bind(id);
  return rows;
}

}  // namespace

Statement devices_of_runs(const Database& db) {
  return {db,
          "SELECT d.id,d.architecture,d.spec,d.reading_state,r.seed,r.shard,r.shards FROM devices d "
          "JOIN run r ON r.id=d.run ORDER BY d.id"};
}
Statement properties_of_device(const Database& db, int64_t device) {
  return of(db, device,
            "SELECT p.id,p.name,COALESCE(t.issued,0),COALESCE(t.fingerprint,''),COALESCE(t.planned,0) "
            "FROM properties p LEFT JOIN totals t ON t.property=p.id WHERE p.device=? ORDER BY p.id");
}
Statement verdict_counts_of(const Database& db, int64_t property) {
  return of(db, property, "SELECT verdict,count FROM verdict_counts WHERE property=?");
}
Statement failure_kinds_of(const Database& db, int64_t property) {
  return of(db, property, "SELECT verdict,count,signature FROM failure_kinds WHERE property=?");
}
Statement signatures_without_case(const Database& db, int64_t property) {
  return of(db, property,
            "SELECT k.signature FROM failure_kinds k WHERE k.property=?1 AND k.indexes<>'' AND NOT EXISTS "
            "(SELECT 1 FROM cases c WHERE c.property=?1 AND c.signature=k.signature)");
}
Statement ranges_of(const Database& db, int64_t property) {
  return of(db, property,
            "SELECT first,size,conforming,fingerprint FROM ranges WHERE property=? ORDER BY first");
}
Statement done_of(const Database& db, int64_t property) {
  return of(db, property, "SELECT done FROM totals WHERE property=?");
}
Statement cases_of(const Database& db, int64_t property) {
  return of(
      db, property,
      "SELECT case_index,verdict,case_id,case_json,expected_end,observed_end,expected,observed,defined,"
      "bytes_offset,differing_bytes,shrunk_from,from_file,signature FROM cases WHERE property=? ORDER BY id");
}

}  // namespace assay::report
