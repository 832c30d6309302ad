// SPDX-License-Identifier: Apache-2.0
#include "reference/csv.h"

namespace assay {

std::vector<CsvRow> parse_csv(std::string_view text) {
  std::vector<CsvRow> rows;
  CsvRow row;
  std::string cell;
  int line = 1;
  bool quoted = false, any = false;
  const auto end_row = [&] {
    if (any) {
      row.cells.push_back(cell);
      rows.push_back(row);
    }
    row = {};
    cell.clear();
    any = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (row.cells.empty() && !any) row.line = line;
    if (c == '\n') ++line;
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"')
        cell += text[++i];
      else if (c == '"')
        quoted = false;
      else
        cell += c;
    } else if (c == '\n') {
      end_row();
    } else if (c == '"') {
      quoted = any = true;
    } else if (c == ',') {
      row.cells.push_back(cell);
      cell.clear();
      any = true;
    } else if (c != '\r') {
      cell += c;
      any = true;
    }
  }
  end_row();
  return rows;
}

}  // namespace assay
