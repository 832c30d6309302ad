// SPDX-License-Identifier: Apache-2.0
#include "reports/coverage_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "reports/tables.h"

namespace assay::report {
namespace {

using nlohmann::json;

constexpr size_t most_cells = 1 << 22;  ///< of a dimension, in a damaged file

bool has_lists(Database& db, const std::string& schema) {
  return db.number(
             ("SELECT COUNT(*) FROM " + schema + "sqlite_master WHERE name='coverage_counts'").c_str()) != 0;
}

[[noreturn]] void fail_as_damaged(const Database& db) {
  throw std::runtime_error(db.file() + ": the coverage tables are damaged");
}

/// A JSON array of numbers, or of strings.
template <typename Value>
std::vector<Value> list(const Database& db, const json& parsed) {
  const auto fits = [](const json& one) {
    return std::is_same_v<Value, std::string> ? one.is_string() : one.is_number_integer();
  };
  if (!parsed.is_array() || !std::all_of(parsed.begin(), parsed.end(), fits)) fail_as_damaged(db);
  return parsed.get<std::vector<Value>>();
}
std::vector<int64_t> numbers(const Database& db, const std::string& text) {
  return list<int64_t>(db, json::parse(text, nullptr, false));
}

std::string text(const std::vector<int64_t>& numbers) {
  std::string text = "[";
  for (const int64_t number : numbers) text += (text.size() == 1 ? "" : ",") + std::to_string(number);
  return text + "]";
}

/// Cells in order, as the two columns of coverage_names have them.
struct Names {
  std::string cells, ends;
};

Names packed(const std::vector<std::string>& cells) {
  json groups = json::array();
  std::vector<std::vector<std::string>> ends;
  const auto start_of = [](const std::string& cell) { return cell.substr(0, cell.rfind('/') + 1); };
  for (size_t i = 0; i < cells.size();) {
    const std::string start = start_of(cells[i]);
    const size_t first = i;
    std::vector<std::string> own;
    for (; i < cells.size() && start_of(cells[i]) == start; ++i) own.push_back(cells[i].substr(start.size()));
    const auto at = std::find(ends.begin(), ends.end(), own);
    groups.push_back({first, start, at - ends.begin()});
    if (at == ends.end()) ends.push_back(std::move(own));
  }
  const auto written = [](const json& any) {
    return any.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  return {written(groups), written(ends)};
}

std::vector<std::string> unpacked(const Database& db, const Names& names) {
  const json groups = json::parse(names.cells, nullptr, false),
             ends = json::parse(names.ends, nullptr, false);
  if (!groups.is_array() || !ends.is_array()) fail_as_damaged(db);
  std::vector<std::vector<std::string>> lists;
  for (const json& one : ends) lists.push_back(list<std::string>(db, one));
  std::vector<std::string> cells;
  for (const json& group : groups) {
    if (!group.is_array() || group.size() != 3 || group[0] != cells.size() || !group[1].is_string() ||
        !group[2].is_number_unsigned() || group[2].get<size_t>() >= lists.size() || cells.size() > most_cells)
      fail_as_damaged(db);
    for (const std::string& end : lists[group[2].get<size_t>()])
      cells.push_back(group[1].get_ref<const std::string&>() + end);
  }
  return cells;
}

/// The cells of each dimension, in the order in which dimensions first come.
std::vector<std::pair<std::string, std::vector<const CoverageCell*>>> by_dimension(
    const std::vector<CoverageCell>& cells) {
  std::vector<std::pair<std::string, std::vector<const CoverageCell*>>> found;
  for (const CoverageCell& cell : cells) {
    auto at = std::find_if(found.begin(), found.end(),
                           [&](const auto& one) { return one.first == cell.dimension; });
    if (at == found.end()) at = found.insert(found.end(), {cell.dimension, {}});
    at->second.push_back(&cell);
  }
  return found;
}

}  // namespace

void renew_coverage_tables(Database& db) {
  if (has_lists(db, "")) return;
  std::map<int64_t, std::vector<CoverageCell>> kept;
  {
    CoverageReader reader(db);
    Statement properties(db, "SELECT id FROM properties");
    while (properties.step()) kept[properties.integer(0)] = reader.read(properties.integer(0));
  }
  const bool is_table =
      db.number("SELECT COUNT(*) FROM sqlite_master WHERE name='coverage' AND type='table'") != 0;
  db.execute(is_table ? "DROP TABLE coverage" : "DROP VIEW coverage");
  db.execute("DROP TABLE IF EXISTS coverage_cells; DROP TABLE IF EXISTS coverage_dimensions");
  db.execute(coverage_tables);
  CoverageWriter writer(db);
  for (const auto& [property, cells] : kept) {
    writer.write(property, cells);
    writer.settle();
  }
}

CoverageReader::CoverageReader(Database& db, std::string schema)
    : db_(db), schema_(std::move(schema)), has_lists_(has_lists(db, schema_)) {}

std::vector<CoverageCell> CoverageReader::read_rows(int64_t property) {
  std::vector<CoverageCell> cells;
  Statement rows(db_, "SELECT dimension,cell,count,reachable FROM " + schema_ +
                          "coverage WHERE property=? ORDER BY ordinal");
  rows.bind(property);
  while (rows.step()) cells.push_back({rows.text(0), rows.text(1), rows.count(2), rows.integer(3) != 0});
  return cells;
}

std::vector<CoverageCell> CoverageReader::read(int64_t property) {
  if (!has_lists_) return read_rows(property);
  if (names_.empty()) {
    Statement names(db_, "SELECT dimension,name,cells,ends FROM " + schema_ + "coverage_names");
    while (names.step())
      names_[names.integer(0)] = {names.text(1), unpacked(db_, {names.text(2), names.text(3)})};
  }
  std::vector<CoverageCell> cells;
  Statement rows(db_, "SELECT dimension,counts,unreachable FROM " + schema_ +
                          "coverage_counts WHERE property=? ORDER BY ordinal");
  rows.bind(property);
  while (rows.step()) {
    const auto& [dimension, names] = names_[rows.integer(0)];
    const auto counts = numbers(db_, rows.text(1));
    const auto unreachable = numbers(db_, rows.text(2));
    const std::set<int64_t> not_reachable(unreachable.begin(), unreachable.end());
    if (counts.size() > names.size()) fail_as_damaged(db_);
    for (size_t i = 0; i < counts.size(); ++i)
      if (counts[i] >= 0)
        cells.push_back({dimension, names[i], static_cast<uint64_t>(counts[i]),
                         !not_reachable.contains(static_cast<int64_t>(i))});
  }
  return cells;
}

void CoverageWriter::look_at_file() {
  dimensions_.clear();
  rows_.clear();
  Statement names(db_, "SELECT dimension,name,cells,ends FROM coverage_names");
  while (names.step()) {
    Dimension& d = dimensions_[names.text(1)];
    d.id = names.integer(0);
    d.cells = unpacked(db_, {names.text(2), names.text(3)});
    for (size_t i = 0; i < d.cells.size(); ++i) d.places[d.cells[i]] = i;
  }
}

CoverageWriter::Dimension& CoverageWriter::dimension(const std::string& name) {
  Dimension& d = dimensions_[name];
  if (d.id == 0) {
    Statement(db_, "INSERT INTO coverage_names(name,cells,ends) VALUES(?,'[]','[]')").bind(name).run();
    d.id = db_.last_id();
  }
  return d;
}

void CoverageWriter::write(int64_t property, const std::vector<CoverageCell>& cells) {
  if (!std::exchange(is_settled_, false)) look_at_file();
  std::vector<Row> rows;
  for (const auto& [name, own] : by_dimension(cells)) {
    Dimension& d = dimension(name);
    std::vector<int64_t> counts, unreachable;
    for (const CoverageCell* cell : own) {
      const auto [at, is_new] = d.places.try_emplace(cell->cell, d.cells.size());
      if (is_new) d.cells.push_back(cell->cell), d.grew = true;
      if (counts.size() <= at->second) counts.resize(at->second + 1, -1);
      counts[at->second] = static_cast<int64_t>(cell->count);
      if (!cell->reachable) unreachable.push_back(static_cast<int64_t>(at->second));
    }
    if (std::exchange(d.grew, false)) {
      const Names names = packed(d.cells);
      Statement(db_, "UPDATE coverage_names SET cells=?, ends=? WHERE dimension=?")
          .bind(names.cells, names.ends, d.id)
          .run();
    }
    rows.push_back({d.id, text(counts), text(unreachable)});
  }
  if (const auto before = rows_.find(property); before != rows_.end() && before->second == rows) return;
  Statement(db_, "DELETE FROM coverage_counts WHERE property=?").bind(property).run();
  Statement insert(db_, "INSERT INTO coverage_counts VALUES(?,?,?,?,?)");
  for (size_t i = 0; i < rows.size(); ++i)
    insert.bind(property, static_cast<int64_t>(i), rows[i].dimension, rows[i].counts, rows[i].unreachable)
        .run();
  rows_[property] = std::move(rows);
}

}  // namespace assay::report
