// SPDX-License-Identifier: Apache-2.0
#include "reports/sqlite.h"

namespace assay::report {

Database::Database(const std::filesystem::path& file, int flags) : file_(file.string()) {
  if (std::filesystem::is_directory(file))
    throw std::runtime_error(file_ + " is a folder, not a results file");
  sqlite3* opened = nullptr;
  // No connection is used by two threads at once: its owner sees to that.
  const int code = sqlite3_open_v2(file_.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(opened);
  if (code != SQLITE_OK) fail();
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, 10000);
}

void Database::fail() const {
  throw std::runtime_error("results file " + file_ + ": " + sqlite3_errmsg(handle_.get()));
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Database::word(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.text(0) : std::string();
}

Statement::Statement(const Database& db, std::string_view sql) : db_(db) {
  sqlite3_stmt* prepared = nullptr;
  check(sqlite3_prepare_v3(db.handle(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &prepared, nullptr));
  handle_.reset(prepared);
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    // The reset keeps the connection usable; the message belongs to the failed step.
    const std::string words = sqlite3_errmsg(db_.handle());
    sqlite3_reset(handle_.get());
    throw std::runtime_error("results file " + db_.file() + ": " + words);
  }
  return false;
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

std::span<const uint8_t> Statement::blob(int column) const {
  const void* bytes = sqlite3_column_blob(handle_.get(), column);
  if (bytes == nullptr) return {};
  return {static_cast<const uint8_t*>(bytes),
          static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

void Statement::put(int at, std::string_view value) {
  check(sqlite3_bind_text64(handle_.get(), at, value.empty() ? "" : value.data(), value.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::put(int at, std::span<const uint8_t> value) {
  if (value.empty())
    check(sqlite3_bind_zeroblob(handle_.get(), at, 0));
  else
    check(sqlite3_bind_blob64(handle_.get(), at, value.data(), value.size(), SQLITE_TRANSIENT));
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) db_.fail();
}

}  // namespace assay::report
