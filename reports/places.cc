// SPDX-License-Identifier: Apache-2.0
#include "reports/places.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "reports/text.h"

namespace assay::report {
namespace {

/// Numbers of a kind go by ones, but for addresses of 16 bytes.
uint32_t step_of(std::string_view kind) {
  return kind == place_kinds[3] ? 16 : 1;
}

using ByNumber = std::map<uint32_t, PlaceCount>;

std::vector<std::pair<std::string, ByNumber>> by_kind(const std::vector<PlaceCount>& places) {
  std::vector<std::pair<std::string, ByNumber>> kinds;
  for (const std::string_view kind : place_kinds) {
    ByNumber numbers;
    for (const PlaceCount& place : places) {
      if (place.kind != kind) continue;
      PlaceCount& into = numbers[place.number];
      into.kind = place.kind, into.number = place.number;
      into.judged += place.judged, into.wrong += place.wrong;
    }
    if (!numbers.empty()) kinds.emplace_back(kind, std::move(numbers));
  }
  return kinds;
}

bool take(std::string_view& text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// One run, "5=3/16" or "0-30=0/16".
void parse_run(std::string_view kind, std::string_view run, std::vector<PlaceCount>& places) {
  constexpr uint64_t most = 1 << 20;  // of a damaged file
  uint64_t first = 0, last = 0, wrong = 0, judged = 0;
  if (!take(run, first)) return;
  last = first;
  if (take(run, '-') && !take(run, last)) return;
  if (!take(run, '=') || !take(run, wrong) || !take(run, '/') || !take(run, judged) || !run.empty()) return;
  if (last < first || last > most) return;
  for (uint64_t n = first; n <= last; n += step_of(kind))
    places.push_back({std::string(kind), static_cast<uint32_t>(n), judged, wrong});
}

}  // namespace

std::string places_text(const std::vector<PlaceCount>& places) {
  std::string text;
  for (const auto& [kind, numbers] : by_kind(places)) {
    text += (text.empty() ? "" : ";") + kind + ":";
    const uint32_t step = step_of(kind);
    bool first = true;
    for (auto at = numbers.begin(); at != numbers.end();) {
      auto last = at;
      for (auto next = std::next(at);
           next != numbers.end() && next->first == last->first + step &&
           next->second.wrong == at->second.wrong && next->second.judged == at->second.judged;
           ++next)
        last = next;
      text += (first ? "" : ",") + std::to_string(at->first);
      if (last != at) text += "-" + std::to_string(last->first);
      text += "=" + std::to_string(at->second.wrong) + "/" + std::to_string(at->second.judged);
      first = false;
      at = std::next(last);
    }
  }
  return text;
}

std::vector<PlaceCount> parse_places(std::string_view text) {
  std::vector<PlaceCount> places;
  while (!text.empty()) {
    const size_t end = text.find(';');
    std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const size_t colon = part.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view kind = part.substr(0, colon);
    if (std::find(std::begin(place_kinds), std::end(place_kinds), kind) == std::end(place_kinds)) continue;
    part.remove_prefix(colon + 1);
    while (!part.empty()) {
      const size_t comma = part.find(',');
      parse_run(kind, part.substr(0, comma), places);
      part = comma == std::string_view::npos ? std::string_view() : part.substr(comma + 1);
    }
  }
  return places;
}

std::string wrong_places(const std::vector<PlaceCount>& places, size_t most_runs) {
  std::string text;
  for (const auto& [kind, numbers] : by_kind(places)) {
    const uint32_t step = step_of(kind);
    std::vector<std::pair<uint32_t, uint32_t>> runs;
    for (const auto& [number, place] : numbers) {
      if (place.wrong == 0) continue;
      if (!runs.empty() && runs.back().second + step == number)
        runs.back().second = number;
      else
        runs.emplace_back(number, number);
    }
    if (runs.empty()) continue;
    text += (text.empty() ? "" : "; ") + kind;
    for (size_t i = 0; i < std::min(runs.size(), most_runs); ++i) {
      text += (i == 0 ? " " : ", ") + std::to_string(runs[i].first);
      if (runs[i].second != runs[i].first) text += "-" + std::to_string(runs[i].second);
    }
    if (runs.size() > most_runs) text += " and " + std::to_string(runs.size() - most_runs) + " more";
  }
  return text;
}

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
