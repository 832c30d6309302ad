// SPDX-License-Identifier: Apache-2.0
// Any bytes as a results file: every reader of it ends in a report or in one sentence. Mutants change one
// value of one row, or bytes of the file.
#include <sqlite3.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "generators/random.h"
#include "reports/record.h"
#include "reports/results.h"
#include "reports/text.h"

namespace assay::fuzz {
namespace {

/// A file of this process in memory, as a path.
const std::string& scratch() {
  static const std::string path = "/dev/shm/assay-fuzz-results-" + std::to_string(getpid()) + ".db";
  static const int removed = std::atexit([] { unlink(scratch().c_str()); });
  static_cast<void>(removed);
  return path;
}

void check(std::string_view bytes) {
  try {
    report::write_whole_file(scratch(), bytes);
    const report::Results results = report::read_results(scratch());
    ++counts().past_parser;
    require(results.exit_code >= 0 && results.exit_code <= 64, "a file of results gives an exit code");
    require(!report::summary_text(scratch(), false).empty(), "results have a summary");
    report::write_junit(scratch(), "/dev/null");
  } catch (const std::runtime_error& error) {
    require(error.what()[0] != 0, "results that cannot be read are refused with a sentence");
  }
}

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};

std::vector<std::string> column(sqlite3* db, const std::string& sql, int at) {
  std::vector<std::string> values;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK)
    while (values.size() < 4096 && sqlite3_step(statement) == SQLITE_ROW) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, at));
      values.emplace_back(text == nullptr ? "" : text);
    }
  sqlite3_finalize(statement);
  return values;
}

/// One change of one value; empty when the bytes are no database.
std::string with_change(const uint8_t* data, size_t size, gen::Random& random) {
  sqlite3* opened = nullptr;
  sqlite3_open(":memory:", &opened);
  const std::unique_ptr<sqlite3, Close> db(opened);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(std::max<size_t>(size, 1)));
  std::copy(data, data + size, copy);
  if (sqlite3_deserialize(opened, "main", copy, static_cast<sqlite3_int64>(size),
                          static_cast<sqlite3_int64>(size),
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) != SQLITE_OK)
    return {};
  const auto tables = column(opened, "SELECT name FROM sqlite_master WHERE type = 'table'", 0);
  if (tables.empty()) return {};
  const auto any = [&](const std::vector<std::string>& from) {
    return from[random.below(static_cast<uint32_t>(from.size()))];
  };
  const std::string table = any(tables);
  const auto columns = column(opened, "PRAGMA table_info(\"" + table + "\")", 1);
  if (columns.empty()) return {};
  static const std::vector<std::string> values{"0",
                                               "-1",
                                               "1",
                                               "''",
                                               "NULL",
                                               "x'00ff'",
                                               "9223372036854775807",
                                               "-9223372036854775808",
                                               "1e308",
                                               "'conforms'",
                                               "'violates'",
                                               "'a<b>&\"'",
                                               "'no such word'",
                                               "123456789012",
                                               "zeroblob(70000)"};
  const std::string target = "\"" + any(columns) + "\"";
  const std::string value = random.one_in(4) ? "\"" + any(columns) + "\"" : any(values);
  const std::string where = " WHERE rowid = (SELECT rowid FROM \"" + table + "\" LIMIT 1 OFFSET " +
                            std::to_string(random.below(8)) + ")";
  sqlite3_exec(opened, "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF", nullptr, nullptr,
               nullptr);
  const std::string sql = random.one_in(8) ? "DELETE FROM \"" + table + "\"" + where
                                           : "UPDATE \"" + table + "\" SET " + target + " = " + value + where;
  sqlite3_exec(opened, sql.c_str(), nullptr, nullptr, nullptr);
  sqlite3_int64 made = 0;
  unsigned char* bytes = sqlite3_serialize(opened, "main", &made, 0);
  if (bytes == nullptr) return {};
  std::string changed(reinterpret_cast<char*>(bytes), static_cast<size_t>(made));
  sqlite3_free(bytes);
  return changed;
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ++assay::fuzz::counts().inputs;
  assay::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  assay::gen::Random random(seed);
  if (random.one_in(4)) return LLVMFuzzerMutate(data, size, max_size);
  const std::string made = assay::fuzz::with_change(data, size, random);
  if (made.empty() || made.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(made.begin(), made.end(), data);
  return made.size();
}
