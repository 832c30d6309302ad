// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <ostream>
#include <sstream>
#include <string>

#include "suites/vectors/check_vectors.h"

namespace assay {

/// The text of a file of vectors.
inline std::string vectors_text(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(ASSAY_VECTORS) + "/" + name).rdbuf();
  return text.str();
}

/// A row of a file, and one piece of its text in place of another.
struct SpoiltRow {
  const char* file;
  const char* id;
  const char* what;
  const char* by;
  const char* detail;  ///< what is said of it then
};
/// Part of the test's name: without it that would be the bytes of the pointers, other ones in every process.
inline void PrintTo(const SpoiltRow& row, std::ostream* out) {
  *out << row.id << ' ' << row.what;
}

/// The row, behind the names of columns if the file has them.
inline std::string spoilt(const SpoiltRow& how) {
  const std::string text = vectors_text(how.file);
  const bool is_json = text.starts_with('{');
  const std::string id =
      is_json ? "{\"id\":\"" + std::string(how.id) + "\"" : "\n" + std::string(how.id) + ",";
  const size_t from = text.find(id) + (is_json ? 0 : 1);
  std::string row = text.substr(from, text.find('\n', from) - from);
  const size_t at = row.find(how.what);
  EXPECT_NE(at, std::string::npos) << how.id << " has no " << how.what;
  row.replace(at, std::string(how.what).size(), how.by);
  return (is_json ? "" : text.substr(0, text.find('\n') + 1)) + row + "\n";
}

/// The verdict on the only row of a text.
inline RowResult check_row(const std::string& text) {
  const VectorReport report = check_vectors("row", text);
  EXPECT_EQ(report.problem, "");
  EXPECT_EQ(report.rows.size(), 1u) << text;
  return report.rows.at(0);
}

}  // namespace assay
