// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/line_picture.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "reports/text.h"

namespace assay::cli {
namespace {

constexpr const char* nothing = "-";
constexpr uint64_t lines = 8, pieces = 8, piece_bytes = 16, line_bytes = 128;

}  // namespace

std::string without_blanks_at_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string picture_of_lines(uint64_t first, const std::function<std::string(uint64_t)>& in_piece,
                             uint64_t marked) {
  std::vector<std::string> cells;
  size_t width = 1;
  for (uint64_t at = first; at < first + lines * line_bytes; at += piece_bytes) {
    const std::string name = in_piece(at);
    width = std::max(width, cells.emplace_back(name.empty() ? nothing : name).size());
  }
  width += 2;  // brackets
  std::string text, heading = "    byte     bank ";
  for (uint64_t piece = 0; piece < pieces; ++piece)
    heading += report::pad(std::to_string(piece * piece_bytes / 4), width);
  text += without_blanks_at_end(heading);
  // Empty lines at the end are left out.
  uint64_t end = lines;
  const auto is_empty = [&](uint64_t line) {
    const auto first_cell = cells.begin() + static_cast<int64_t>(line * pieces);
    return std::all_of(first_cell, first_cell + pieces,
                       [](const std::string& cell) { return cell == nothing; });
  };
  while (end > 1 && is_empty(end - 1)) --end;
  for (uint64_t line = 0; line < end; ++line) {
    char label[32];
    std::snprintf(label, sizeof label, "    0x%05llx       ",
                  static_cast<unsigned long long>(first + line * line_bytes));
    std::string row = label;
    for (uint64_t piece = 0; piece < pieces; ++piece) {
      const uint64_t at = first + line * line_bytes + piece * piece_bytes;
      const std::string& cell = cells[line * pieces + piece];
      const bool is_marked = marked >= at && marked < at + piece_bytes;
      // A bracket takes the blank before.
      if (is_marked) row.pop_back();
      row += report::pad(is_marked ? "[" + cell + "]" : cell, width + (is_marked ? 1 : 0));
    }
    text += without_blanks_at_end(row);
  }
  return text;
}

std::string byte_words(uint64_t byte) {
  char text[48];
  std::snprintf(text, sizeof text, "0x%llx (%llu)", static_cast<unsigned long long>(byte),
                static_cast<unsigned long long>(byte));
  return text;
}

}  // namespace assay::cli
