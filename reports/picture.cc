// SPDX-License-Identifier: Apache-2.0
#include "reports/picture.h"

#include <algorithm>
#include <charconv>

#include "reports/text.h"

namespace assay::report {
namespace {

template <typename Number>
bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

void read_axes(std::string_view text, Picture& made) {
  Picture read_one;
  read_one.row_word = cut(text, '|');
  const std::string_view rows = cut(text, '|');
  read_one.column_word = cut(text, '|');
  if (!read(rows, read_one.rows_a_line) || !read(text, read_one.columns_a_cell)) return;
  if (read_one.rows_a_line == 0 || read_one.columns_a_cell == 0) return;
  made = read_one;
}

void read_pieces(std::string_view text, Picture& made) {
  while (!text.empty()) {
    std::string_view one = cut(text, ',');
    const std::string_view at = cut(one, ':');
    Picture::Piece piece;
    if (read(at, piece.at) && read(one, piece.from)) made.pieces.push_back(piece);
  }
}

}  // namespace

std::string picture_text(const Picture& picture) {
  std::string text;
  if (!picture.lines.empty())
    text = "@" + picture.row_word + "|" + std::to_string(picture.rows_a_line) + "|" + picture.column_word +
           "|" + std::to_string(picture.columns_a_cell) + "\n";
  for (const std::string& line : picture.lines) text += line + "\n";
  for (size_t i = 0; i < picture.pieces.size(); ++i)
    text += (i == 0 ? "#" : ",") + std::to_string(picture.pieces[i].at) + ":" +
            std::to_string(picture.pieces[i].from);
  return text + (picture.pieces.empty() ? "" : "\n");
}

Picture parse_picture(std::string_view text) {
  Picture made;
  while (!text.empty()) {
    const std::string_view line = cut(text, '\n');
    if (line.starts_with('@'))
      read_axes(line.substr(1), made);
    else if (line.starts_with('#'))
      read_pieces(line.substr(1), made);
    else if (line.find_first_not_of("x=.") == line.npos)
      made.lines.emplace_back(line);
  }
  return made;
}

}  // namespace assay::report
