// SPDX-License-Identifier: Apache-2.0
#include "reports/results_file.h"

#include <unistd.h>

#include <map>

#include "reports/compare/nights.h"
#include "reports/coverage_table.h"
#include "reports/tables.h"

namespace assay::report {
namespace {

/// Which of two states of one run is the later: a total order, so that any order of merging picks the same.
struct Progress {
  int64_t generation = 0, finished = 0, issued = 0, rows = 0;
  std::string words;
  auto operator<=>(const Progress&) const = default;
};

struct Part {
  std::string file;
  int64_t id = 0;
  Progress progress;
};

Progress progress_of(Database& db, int64_t run) {
  Statement state(
      db,
      "SELECT r.generation, r.finished_utc IS NOT NULL, "
      "(SELECT COALESCE(SUM(t.issued),0) FROM totals t JOIN properties p ON p.id=t.property JOIN devices "
      "d ON d.id=p.device WHERE d.run=r.id), "
      "(SELECT COUNT(*) FROM cases c JOIN properties p ON p.id=c.property JOIN devices d ON d.id=p.device "
      "WHERE d.run=r.id), COALESCE(r.finished_utc,'') FROM run r WHERE r.id=?");
  state.bind(run).step();
  return {state.integer(0), state.integer(1), state.integer(2), state.integer(3), state.text(4)};
}

/// A table, its columns that name rows of other tables, and how its rows belong to a run.
struct Table {
  const char* name;
  const char* ids;  ///< columns to shift, with the table whose ids they hold: "id:cases property:properties"
  const char* of_run;  ///< condition with one parameter, the run's id
};
constexpr const char* of_device = "device IN (SELECT id FROM src.devices WHERE run=?1)";
constexpr const char* of_property =
    "property IN (SELECT p.id FROM src.properties p JOIN src.devices d ON d.id=p.device WHERE d.run=?1)";
constexpr const char* of_case =
    "\"case\" IN (SELECT c.id FROM src.cases c JOIN src.properties p ON p.id=c.property JOIN src.devices d "
    "ON "
    "d.id=p.device WHERE d.run=?1)";
constexpr Table tables[] = {
    {"run", "id:run", "id=?1"},
    {"environment", "run:run", "run=?1"},
    {"devices", "id:devices run:run", "run=?1"},
    {"device_facts", "device:devices", of_device},
    {"properties", "id:properties device:devices", of_device},
    {"property_rules", "property:properties", of_property},
    {"totals", "property:properties", of_property},
    {"verdict_counts", "property:properties", of_property},
    {"cases", "id:cases property:properties", of_property},
    {"case_rules", "case:cases", of_case},
    {"case_fields", "case:cases", of_case},
    {"failure_kinds", "property:properties", of_property},
    {"ranges", "property:properties", of_property},
    {"places", "property:properties", of_property},
    {"waivers", "device:devices", of_device},
    {"readings", "device:devices", of_device},
    {"rules", "property:properties", of_property},
    {"no_demand_rules", "property:properties", of_property},
    {"kind_blame", "property:properties", of_property},
    {"kind_weights", "property:properties", of_property},
    {"rule_book", "device:devices", of_device},
    {"telemetry", "device:devices", of_device},
    {"telemetry_marks", "device:devices", of_device},
    {"published", "run:run", "run=?1"},
    {"deciding_cases", "device:devices", of_device},
    {"findings", "id:findings run:run device:devices", "run=?1"},
};

std::vector<std::string> columns_of(Database& db, const std::string& table) {
  std::vector<std::string> names;
  Statement info(db, "SELECT name FROM pragma_table_info('" + table + "')");
  while (info.step()) names.push_back(info.text(0));
  return names;
}

/// Rows keep their order; their ids are moved past those that are there.
void copy_run(Database& db, int64_t run) {
  // What is added to an id: behind the rows that are there, as if the run's own began with 1.
  std::map<std::string, int64_t> past;
  for (const Table& table : tables) {
    const std::string name = table.name;
    if (std::string_view(table.ids).find("id:") != 0) continue;
    Statement first(db, "SELECT COALESCE(MIN(id),1) FROM src." + name + " WHERE " + table.of_run);
    first.bind(run).step();
    past[name] = db.number(("SELECT COALESCE(MAX(id),0) FROM main." + name).c_str()) + 1 - first.integer(0);
  }
  for (const Table& table : tables) {
    // What an older program did not write yet.
    Statement there(db, "SELECT 1 FROM src.sqlite_master WHERE type='table' AND name=?");
    if (!there.bind(std::string(table.name)).step()) continue;
    if (std::string_view(table.name) == "telemetry") db.execute(telemetry_tables);
    std::string list, values;
    const std::string ids = std::string(" ") + table.ids + " ";
    for (const std::string& column : columns_of(db, table.name)) {
      list += (list.empty() ? "\"" : ",\"") + column + "\"";
      values += (values.empty() ? "\"" : ",\"") + column + "\"";
      const size_t at = ids.find(" " + column + ":");
      if (at == std::string::npos) continue;
      const size_t from = at + column.size() + 2;
      values += " + (" + std::to_string(past.at(ids.substr(from, ids.find(' ', from) - from))) + ")";
    }
    Statement(db, "INSERT INTO main." + std::string(table.name) + "(" + list + ") SELECT " + values +
                      " FROM src." + table.name + " WHERE " + table.of_run + " ORDER BY rowid")
        .bind(run)
        .run();
  }
  CoverageReader reader(db, "src.");
  CoverageWriter writer(db);
  Statement properties(db,
                       "SELECT p.id FROM src.properties p JOIN src.devices d ON d.id=p.device WHERE d.run=?");
  properties.bind(run);
  while (properties.step()) {
    writer.write(properties.integer(0) + past.at("properties"), reader.read(properties.integer(0)));
    writer.settle();
  }
}

struct Temporary {
  std::filesystem::path path;
  ~Temporary() {
    if (!path.empty())
      for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        std::error_code ignored;
        std::filesystem::remove(path.string() + suffix, ignored);
      }
  }
};

}  // namespace

void merge_results(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& into,
                   bool is_partial) {
  std::map<std::string, Part> parts;  // by run id: the order in which they are written
  std::vector<NightRow> nights;
  for (const std::filesystem::path& source : sources) {
    Database db = open_results(source);
    db.execute("BEGIN");
    Statement runs(db, "SELECT id,run_id FROM run");
    while (runs.step()) {
      Part part{std::filesystem::absolute(source).string(), runs.integer(0), {}};
      part.progress = progress_of(db, part.id);
      const auto [at, is_new] = parts.emplace(runs.text(1), part);
      if (!is_new && part.progress > at->second.progress) at->second = part;
    }
    for (NightRow& night : read_nights(db)) nights.push_back(std::move(night));
  }
  if (parts.empty()) throw std::runtime_error("there is nothing to merge: the files hold no run");
  if (std::filesystem::exists(into)) open_results(into);  // only a file of ours is replaced
  if (into.has_parent_path()) std::filesystem::create_directories(into.parent_path());
  Temporary temporary{into.string() + ".merging-" + std::to_string(getpid())};
  {
    Database db = create_empty_results(temporary.path);
    db.execute("PRAGMA foreign_keys=OFF; PRAGMA synchronous=OFF");
    for (const auto& [run_id, part] : parts) {
      Statement(db, "ATTACH DATABASE ? AS src").bind(part.file).run();
      Transaction transaction(db);
      copy_run(db, part.id);
      transaction.commit();
      db.execute("DETACH DATABASE src");
    }
    Transaction transaction(db);
    db.execute(merge_tables);
    Statement(db, "INSERT INTO merge VALUES(?)").bind(int64_t{is_partial}).run();
    write_nights(db, united(std::move(nights)));
    transaction.commit();
    if (db.number("SELECT COUNT(*) FROM pragma_foreign_key_check") != 0)
      throw std::runtime_error("the merged file would not be whole; is one of the sources damaged?");
    db.number("PRAGMA journal_mode=DELETE");
    db.execute("PRAGMA synchronous=FULL; VACUUM");
  }
  for (const char* suffix : {"-wal", "-shm", "-journal"}) std::filesystem::remove(into.string() + suffix);
  std::filesystem::rename(temporary.path, into);
  temporary.path.clear();
}

}  // namespace assay::report
