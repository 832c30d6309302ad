// SPDX-License-Identifier: Apache-2.0
#include "reports/html/heat_map.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace assay::report::html {
namespace {

constexpr size_t most_columns = 16, most_panels = 24;

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (size_t at = 0;;) {
    const size_t next = text.find(separator, at);
    parts.emplace_back(text.substr(at, next == std::string_view::npos ? next : next - at));
    if (next == std::string_view::npos) return parts;
    at = next + separator.size();
  }
}

int position(const std::vector<std::string>& names, std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

/// Position of the value among those of its dimension; a new one is added at the end.
class Numbering {
 public:
  size_t operator()(std::vector<std::string>& values, const std::string& value) {
    const auto [found, is_new] = known_.emplace(value, values.size());
    if (is_new) values.push_back(value);
    return found->second;
  }

 private:
  std::map<std::string, size_t> known_;
};

void choose_roles(HeatMap& map) {
  const int n = static_cast<int>(map.names.size());
  const auto size = [&](int i) { return map.values[static_cast<size_t>(i)].size(); };
  map.row = std::max(0, position(map.names, "type"));
  map.column = position(map.names, "swizzle");
  if (map.column == map.row) map.column = -1;
  for (int i = n - 1; i >= 0 && map.column < 0; --i)
    if (i != map.row && size(i) <= most_columns) map.column = i;
  size_t panels = 1;
  const auto take = [&](int i) {
    if (i < 0 || i == map.row || i == map.column || panels * size(i) > most_panels) return;
    panels *= size(i);
    map.panel.push_back(i);
  };
  const int rank = position(map.names, "rank"), interleave = position(map.names, "interleave");
  if (rank >= 0 || interleave >= 0)
    take(rank), take(interleave);
  else
    for (int i = 0; i < n; ++i) take(i);
  for (int i = 0; i < n; ++i)
    if (i != map.row && i != map.column &&
        std::find(map.panel.begin(), map.panel.end(), i) == map.panel.end())
      map.summed.push_back(i);
}

void add(HeatCell& to, const CoverageCell& cell) {
  to.count += cell.count;
  if (cell.reachable) ++to.reachable, to.missed += cell.count == 0;
}

HeatMap lay_out(const std::string& dimension, const std::vector<const CoverageCell*>& cells) {
  HeatMap map;
  const size_t comma = dimension.find(", ");
  map.names = split(dimension.substr(0, comma), " x ");
  if (comma != std::string::npos) map.note = dimension.substr(comma + 2);
  map.values.resize(map.names.size());
  std::vector<Numbering> number(map.names.size());
  std::vector<std::pair<std::vector<size_t>, const CoverageCell*>> placed;
  for (const CoverageCell* cell : cells) {
    const std::vector<std::string> parts = split(cell->cell, "/");
    if (parts.size() != map.names.size()) {
      map.misfits.push_back(*cell);
      continue;
    }
    std::vector<size_t> at(parts.size());
    for (size_t i = 0; i < parts.size(); ++i) at[i] = number[i](map.values[i], parts[i]);
    placed.emplace_back(std::move(at), cell);
  }
  if (placed.empty()) return map;
  choose_roles(map);
  map.marginal.resize(map.names.size());
  for (size_t i = 0; i < map.names.size(); ++i) map.marginal[i].resize(map.values[i].size());

  size_t panels = 1;
  for (const int i : map.panel) panels *= map.values[static_cast<size_t>(i)].size();
  map.panels.resize(panels);
  for (size_t p = 0; p < panels; ++p) {
    map.panels[p].cells.resize(map.rows() * map.columns());
    size_t rest = p, below = panels;
    for (const int i : map.panel) {
      const auto& values = map.values[static_cast<size_t>(i)];
      below /= values.size();
      map.panels[p].title += (map.panels[p].title.empty() ? "" : ", ") + map.names[static_cast<size_t>(i)] +
                             " " + values[rest / below];
      rest %= below;
    }
  }
  for (const auto& [at, cell] : placed) {
    size_t p = 0;
    for (const int i : map.panel)
      p = p * map.values[static_cast<size_t>(i)].size() + at[static_cast<size_t>(i)];
    const size_t c = map.column < 0 ? 0 : at[static_cast<size_t>(map.column)];
    HeatCell& square = map.panels[p].cells[at[static_cast<size_t>(map.row)] * map.columns() + c];
    add(square, *cell);
    add(map.all, *cell);
    for (size_t i = 0; i < at.size(); ++i) add(map.marginal[i][at[i]], *cell);
    map.unreachable += !cell->reachable;
    if (cell->reachable && cell->count == 0) map.missed.push_back(cell->cell);
    if (!cell->reachable && cell->count != 0) map.surprising.push_back(cell->cell);
  }
  for (const HeatMap::Panel& p : map.panels)
    for (const HeatCell& square : p.cells) {
      map.most = std::max(map.most, square.count);
      if (square.count != 0) map.least = map.least == 0 ? square.count : std::min(map.least, square.count);
    }
  return map;
}

}  // namespace

std::vector<HeatMap> heat_maps(const std::vector<CoverageCell>& cells) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const CoverageCell*>> by_dimension;
  for (const CoverageCell& cell : cells) {
    auto& list = by_dimension[cell.dimension];
    if (list.empty()) order.push_back(cell.dimension);
    list.push_back(&cell);
  }
  std::vector<HeatMap> maps;
  for (const std::string& dimension : order) maps.push_back(lay_out(dimension, by_dimension[dimension]));
  return maps;
}

}  // namespace assay::report::html
