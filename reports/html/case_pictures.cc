// SPDX-License-Identifier: Apache-2.0
#include "reports/places.h"

#include <algorithm>
#include <map>

#include "reports/html/sections.h"

// Drawings of a failing case: its output as a matrix with axes, and where pieces of 16 bytes went.
namespace assay::report::html {
namespace {

/// A drawing that takes more of the page than this has no sentence for each run of wrong elements; one that
/// takes more even so is left out: the bytes say the same.
constexpr size_t most_hover_bytes = 6000, most_picture_bytes = 6000;
constexpr size_t left = 64, top = 18;

std::string text(size_t number) {
  return std::to_string(number);
}

/// "M1 2h3": the runs of cells of one kind in a line of a picture, `size` pixels each.
std::string path_of(const std::vector<std::string>& lines, char wanted, size_t size) {
  std::string path;
  for (size_t y = 0; y < lines.size(); ++y)
    for (size_t x = 0; x < lines[y].size();) {
      size_t end = x;
      while (end < lines[y].size() && lines[y][end] == wanted) ++end;
      if (end != x)
        path += "M" + text(left + x * size) + " " + text(top + y * size) + "h" + text((end - x) * size) +
                "v" + text(size) + "h-" + text((end - x) * size) + "z";
      x = std::max(end, x + 1);
    }
  return path;
}

/// "lane 3" or "lanes 4 to 7".
std::string range(const std::string& word, size_t first, size_t last) {
  if (first == last) return word + " " + text(first);
  return word + "s " + text(first) + " to " + text(last);
}

/// A rectangle a run of wrong cells, each with the sentence that a pointer over it shows.
std::string hovers_of(const Picture& picture, size_t size) {
  std::string all;
  for (size_t y = 0; y < picture.lines.size(); ++y) {
    const std::string& line = picture.lines[y];
    for (size_t x = 0; x < line.size();) {
      size_t end = x;
      while (end < line.size() && line[end] == 'x') ++end;
      if (end != x)
        all += "<rect class=\"x\" x=\"" + text(left + x * size) + "\" y=\"" + text(top + y * size) +
               "\" width=\"" + text((end - x) * size) + "\" height=\"" + text(size) + "\"><title>wrong: " +
               esc(range(picture.row_word, y * picture.rows_a_line, (y + 1) * picture.rows_a_line - 1)) +
               ", " +
               esc(range(picture.column_word, x * picture.columns_a_cell, end * picture.columns_a_cell - 1)) +
               "</title></rect>";
      x = std::max(end, x + 1);
    }
  }
  return all;
}

/// Numbers along an edge: so many cells apart that they do not touch.
std::vector<size_t> ticks(size_t cells, size_t size, size_t pixels) {
  size_t step = 1;
  while (step * size < pixels) step *= 2;
  std::vector<size_t> at;
  for (size_t i = 0; i < cells; i += step) at.push_back(i);
  return at;
}

std::string axes_of(const Picture& picture, size_t width, size_t size) {
  std::string all;
  for (const size_t x : ticks(width, size, 40))
    all +=
        "<text x=\"" + text(left + x * size) + "\" y=\"13\">" + text(x * picture.columns_a_cell) + "</text>";
  for (const size_t y : ticks(picture.lines.size(), size, 14))
    all += "<text class=\"end\" x=\"" + text(left - 6) + "\" y=\"" +
           text(top + y * size + std::min<size_t>(size, 11)) + "\">" + text(y * picture.rows_a_line) +
           "</text>";
  return all;
}

}  // namespace

void picture(std::string& page, const CaseRow& c) {
  const Picture made = parse_picture(c.picture);
  size_t width = 0, wrong = 0;
  for (const std::string& line : made.lines) {
    width = std::max(width, line.size());
    wrong += static_cast<size_t>(std::count(line.begin(), line.end(), 'x'));
  }
  if (wrong == 0) return;
  const size_t height = made.lines.size();
  const size_t size = std::clamp<size_t>(480 / std::max(width, height), 4, 14);
  const std::string right = path_of(made.lines, '=', size);
  std::string marks = hovers_of(made, size);
  if (marks.size() > most_hover_bytes)
    marks = "<path class=\"x\" d=\"" + path_of(made.lines, 'x', size) + "\"/>";
  if (right.size() + marks.size() > 2 * most_picture_bytes) return;
  const std::string w = text(left + width * size + 24), h = text(top + height * size + 2);
  page += "<figure class=\"pic\"><div class=\"scroll\" tabindex=\"0\"><svg viewBox=\"0 0 " + w + " " + h +
          "\" width=\"" + w + "\" height=\"" + h + "\" role=\"img\" aria-label=\"" + text(wrong) + " of " +
          text(width * height) + " cells hold wrong elements\"><path class=\"e\" d=\"" + right + "\"/>" +
          marks + axes_of(made, width, size) + "</svg></div><figcaption class=\"soft\">" +
          esc(made.row_word) + "s downwards, " + esc(made.column_word) +
          "s to the right: <span class=\"x\">■</span> wrong, <span "
          "class=\"e\">■</span> as expected, blank: nothing defined.";
  if (made.rows_a_line > 1 || made.columns_a_cell > 1)
    page += " A cell is " + num(made.rows_a_line) + " by " + num(made.columns_a_cell) + ".";
  page += "</figcaption></figure>";
}

void pieces(std::string& page, const CaseRow& c) {
  constexpr size_t line_bytes = 128, piece_bytes = 16, most_lines = 12;
  const Picture made = parse_picture(c.picture);
  std::map<uint64_t, std::map<uint64_t, int64_t>> lines;
  for (const Picture::Piece& piece : made.pieces)
    lines[piece.at / line_bytes * line_bytes][piece.at % line_bytes / piece_bytes] = piece.from;
  if (lines.empty()) return;
  page +=
      "<figure class=\"pic\"><div class=\"scroll\" tabindex=\"0\"><table class=\"map pieces "
      "mono\"><thead><tr><th>byte</th>";
  for (size_t i = 0; i < line_bytes / piece_bytes; ++i) page += "<th>+" + text(i * piece_bytes) + "</th>";
  page += "</tr></thead><tbody>";
  size_t shown = 0;
  for (const auto& [line, wrong] : lines) {
    if (shown++ == most_lines) break;
    page += "<tr><th>" + text(line) + "</th>";
    for (uint64_t i = 0; i < line_bytes / piece_bytes; ++i) {
      const auto at = wrong.find(i);
      const std::string here = text(line + i * piece_bytes);
      if (at == wrong.end())
        page += "<td class=\"never\">·</td>";
      else if (at->second < 0)
        page += "<td class=\"miss\" title=\"byte " + here + " holds what belongs nowhere\">?</td>";
      else
        page += "<td class=\"miss\" title=\"byte " + here + " holds the piece that belongs at byte " +
                std::to_string(at->second) + "\">" + std::to_string(at->second) + "</td>";
    }
    page += "</tr>";
  }
  page +=
      "</tbody></table></div><figcaption class=\"soft\">Where pieces of 16 bytes went: a cell is a place in "
      "the "
      "output, its number the byte at which what it holds belongs; · as expected or not defined, ? belongs "
      "nowhere.";
  if (lines.size() > most_lines)
    page += " " + num(lines.size() - most_lines) + " more lines of 128 bytes have such pieces.";
  page += "</figcaption></figure>";
}

}  // namespace assay::report::html
