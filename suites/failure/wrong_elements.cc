// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/element_words.h"

#include <algorithm>
#include <map>

#include "reports/places.h"

namespace assay::suites {
namespace {

/// Of a picture: more than this is no smaller than the output itself.
constexpr size_t most_rows = 64, most_columns = 128;

struct Element {
  bool judged = false, wrong = false;
};

Element element_at(const Outcome& outcome, size_t begin, size_t end) {
  Element element;
  for (size_t i = begin; i < std::min({end, outcome.observed.size(), outcome.expected.bytes.size()}); ++i) {
    const uint8_t defined = outcome.expected.defined[i];
    element.judged |= defined != 0;
    element.wrong |= ((outcome.expected.bytes[i] ^ outcome.observed[i]) & defined) != 0;
  }
  return element;
}

std::vector<report::PlaceCount> places_of(const Family& family, const Outcome& outcome, uint32_t step) {
  std::map<std::pair<size_t, uint32_t>, report::PlaceCount> sums;
  const auto count = [&](size_t kind, int64_t number, const Element& element) {
    if (number < 0) return;
    report::PlaceCount& into = sums[{kind, static_cast<uint32_t>(number)}];
    into.kind = report::place_kinds[kind], into.number = static_cast<uint32_t>(number);
    ++into.judged;
    into.wrong += element.wrong;
  };
  const PlaceOfByte place_of = family.element_places(outcome.what);
  for (size_t at = 0; at < outcome.observed.size(); at += step) {
    const Element element = element_at(outcome, at, at + step);
    if (!element.judged) continue;
    const ElementPlace place = place_of(at);
    count(0, place.cluster_rank, element);
    count(1, place.tmem_lane, element);
    count(2, place.tmem_column, element);
    count(3, place.shared_address < 0 ? -1 : place.shared_address / 16 * 16, element);
    count(4, place.warp, element);
    count(5, place.warp_lane, element);
  }
  std::vector<report::PlaceCount> places;
  for (const auto& [key, place] : sums) places.push_back(place);
  return places;
}

void draw(const Outcome& outcome, const OutputShape& shape, report::Picture& picture) {
  if (outcome.observed.size() <= shape.origin) return;
  const size_t size = outcome.observed.size() - shape.origin;
  const size_t rows = (size + shape.row_bytes - 1) / shape.row_bytes;
  const size_t columns = std::max<size_t>(1, shape.row_bytes / shape.element_bytes);
  const size_t rows_a_line = (rows + most_rows - 1) / most_rows;
  const size_t columns_a_cell = (columns + most_columns - 1) / most_columns;
  picture.row_word = shape.row_word, picture.column_word = shape.column_word;
  picture.rows_a_line = static_cast<uint32_t>(rows_a_line);
  picture.columns_a_cell = static_cast<uint32_t>(columns_a_cell);
  picture.lines.assign((rows + rows_a_line - 1) / rows_a_line,
                       std::string((columns + columns_a_cell - 1) / columns_a_cell, '.'));
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column) {
      const size_t at = shape.origin + row * shape.row_bytes + column * shape.element_bytes;
      const Element element = element_at(outcome, at, at + shape.element_bytes);
      char& cell = picture.lines[row / rows_a_line][column / columns_a_cell];
      if (element.wrong)
        cell = 'x';
      else if (element.judged && cell == '.')
        cell = '=';
    }
}

/// Where the contents of wrong pieces of 16 bytes belong, where they are in the output elsewhere, once. Of
/// outputs that are wrong in their values rather than in their places: nothing.
std::vector<report::Picture::Piece> moved_pieces(const Outcome& outcome) {
  constexpr size_t piece = 16, most_pieces = 128;
  const size_t size = std::min(outcome.observed.size(), outcome.expected.bytes.size()) / piece * piece;
  std::map<std::string_view, int64_t> belongs;  // -1: in several places
  const auto text = [](const std::vector<uint8_t>& bytes, size_t at) {
    return std::string_view(reinterpret_cast<const char*>(&bytes[at]), piece);
  };
  for (size_t at = 0; at < size; at += piece) {
    const auto defined = outcome.expected.defined.begin() + static_cast<ptrdiff_t>(at);
    if (std::any_of(defined, defined + piece, [](uint8_t d) { return d != 0xff; })) continue;
    const auto [found, is_new] = belongs.emplace(text(outcome.expected.bytes, at), static_cast<int64_t>(at));
    if (!is_new) found->second = -1;
  }
  std::vector<report::Picture::Piece> pieces;
  size_t known = 0;
  for (size_t at = 0; at < size && pieces.size() < most_pieces; at += piece) {
    if (!element_at(outcome, at, at + piece).wrong) continue;
    const auto found = belongs.find(text(outcome.observed, at));
    pieces.push_back({at, found == belongs.end() ? -1 : found->second});
    known += pieces.back().from >= 0;
  }
  if (2 * known < pieces.size()) pieces.clear();
  return pieces;
}

}  // namespace

void show_wrong_elements(const Family& family, const Outcome& outcome, report::CaseRow& row) {
  if (outcome.observed.empty() || row.differing_bytes == 0) return;
  const OutputShape shape = family.output_shape(outcome.what);
  row.format = shape.format;
  report::Picture picture;
  draw(outcome, shape, picture);
  picture.pieces = moved_pieces(outcome);
  row.picture = report::picture_text(picture);
  const std::vector<report::PlaceCount> places =
      places_of(family, outcome, std::max(1u, shape.element_bytes));
  row.places = report::places_text(places);
  if (const std::string where = report::wrong_places(places); !where.empty())
    row.detail += "wrong elements: " + where + "\n";
}

}  // namespace assay::suites
