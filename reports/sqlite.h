// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace assay::report {

/// One connection. Every error becomes a std::runtime_error that names the file and what SQLite says of it.
class Database {
 public:
  /// flags: SQLITE_OPEN_*. The file must exist unless SQLITE_OPEN_CREATE is among them.
  Database(const std::filesystem::path& file, int flags);
  void execute(const char* sql);
  int64_t number(const char* sql);    ///< first column of the first row, 0 if there is none
  std::string word(const char* sql);  ///< the same as text
  int64_t last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }
  const std::string& file() const { return file_; }
  sqlite3* handle() const { return handle_.get(); }
  [[noreturn]] void fail() const;

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::string file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A prepared statement: bind the parameters in order, then step() through the rows and read columns in
/// order.
class Statement {
 public:
  Statement(const Database& db, std::string_view sql);

  /// Binds all parameters from the first on, after a reset.
  template <typename... Values>
  Statement& bind(const Values&... values) {
    sqlite3_reset(handle_.get());
    int at = 0;
    (put(++at, values), ...);
    return *this;
  }
  bool step();  ///< true while there is a row
  void run() { step(), sqlite3_reset(handle_.get()); }

  int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  uint64_t count(int column) const { return static_cast<uint64_t>(integer(column)); }
  double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  bool is_null(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
  std::string text(int column) const;
  std::span<const uint8_t> blob(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void put(int at, int64_t value) { check(sqlite3_bind_int64(handle_.get(), at, value)); }
  void put(int at, uint64_t value) { put(at, static_cast<int64_t>(value)); }
  void put(int at, int value) { put(at, static_cast<int64_t>(value)); }
  void put(int at, bool value) { put(at, static_cast<int64_t>(value)); }
  void put(int at, double value) { check(sqlite3_bind_double(handle_.get(), at, value)); }
  void put(int at, std::string_view value);
  void put(int at, std::span<const uint8_t> value);
  void put(int at, std::nullptr_t) { check(sqlite3_bind_null(handle_.get(), at)); }
  void check(int code) const;

  const Database& db_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// Commits when commit() was called, rolls back otherwise.
class Transaction {
 public:
  explicit Transaction(Database& db) : db_(db) { db_.execute("BEGIN IMMEDIATE"); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (!done_) sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  void commit() {
    db_.execute("COMMIT");
    done_ = true;
  }

 private:
  Database& db_;
  bool done_ = false;
};

}  // namespace assay::report
