// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "reports/html/heat_map.h"
#include "reports/html/sections.h"
#include "reports/text.h"

namespace assay::report::html {
namespace {

constexpr size_t names_shown = 300, most_marginal_rows = 40;

/// 1 to 5 on a logarithmic scale from the smallest to the largest square. A scale of less than a factor of
/// ten is not stretched: squares that are nearly equal look so.
int level(uint64_t count, uint64_t least, uint64_t most) {
  const double low = std::log(static_cast<double>(std::max<uint64_t>(least, 1)));
  const double span =
      std::max(std::log(static_cast<double>(std::max<uint64_t>(most, 1))) - low, std::log(10.0));
  return 1 + std::clamp(static_cast<int>(5 * (std::log(static_cast<double>(count)) - low) / span), 0, 4);
}

void square(std::string& page, const HeatCell& cell, uint64_t least, uint64_t most) {
  if (cell.reachable == 0 && cell.count == 0) {
    page += "<td class=\"never\">·</td>";
  } else if (cell.count == 0) {
    page += "<td class=\"miss\">0</td>";
  } else {
    page += "<td class=\"h" + std::to_string(level(cell.count, least, most)) +
            (cell.missed != 0 ? " part" : "") + "\"";
    if (cell.missed != 0)
      page += " title=\"" + std::to_string(cell.missed) + " of " + std::to_string(cell.reachable) +
              " cells never hit\"";
    page += ">" + compact(static_cast<double>(cell.count)) + "</td>";
  }
}

bool empty(const HeatCell& cell) {
  return cell.reachable == 0 && cell.count == 0;
}

/// Column heads may break after an underscore, so that a long name does not widen its column.
std::string breakable(const std::string& name) {
  std::string text;
  for (const char c : esc(name)) {
    text += c;
    if (c == '_') text += "<wbr>";
  }
  return text;
}

void panel(std::string& page, const HeatMap& map, const HeatMap::Panel& p) {
  const auto& rows = map.values[static_cast<size_t>(map.row)];
  const auto& row_marginal = map.marginal[static_cast<size_t>(map.row)];
  page += "<table class=\"map\" data-r=\"" + esc(map.names[static_cast<size_t>(map.row)]) + "\"";
  if (map.column >= 0) page += " data-c=\"" + esc(map.names[static_cast<size_t>(map.column)]) + "\"";
  page += "><caption>" + esc(p.title) + "</caption>";
  const auto column_is_empty = [&](size_t c) {
    return map.column >= 0 && empty(map.marginal[static_cast<size_t>(map.column)][c]);
  };
  if (map.column >= 0) {
    page += "<thead><tr><th>" +
            esc(map.names.empty() ? std::string() : map.names[static_cast<size_t>(map.row)]) + "</th>";
    for (size_t c = 0; c < map.columns(); ++c)
      if (!column_is_empty(c))
        page += "<th>" + breakable(map.values[static_cast<size_t>(map.column)][c]) + "</th>";
    page += "</tr></thead>";
  }
  page += "<tbody>";
  for (size_t r = 0; r < rows.size(); ++r) {
    if (empty(row_marginal[r])) continue;
    page += "<tr><th>" + esc(rows[r]) + "</th>";
    for (size_t c = 0; c < map.columns(); ++c)
      if (!column_is_empty(c)) square(page, p.cells[r * map.columns() + c], map.least, map.most);
    page += "</tr>";
  }
  page += "</tbody></table>";
}

/// Names of what the heat map leaves out because no cell of it can be reached here.
std::string left_out(const HeatMap& map) {
  std::string text;
  const auto say = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  for (size_t i = 0; i < map.names.size(); ++i)
    for (size_t v = 0; v < map.values[i].size(); ++v)
      if (empty(map.marginal[i][v])) say(map.names[i] + " " + map.values[i][v]);
  for (const HeatMap::Panel& p : map.panels)
    if (std::all_of(p.cells.begin(), p.cells.end(), empty)) say(p.title);
  return text;
}

void marginals(std::string& page, const HeatMap& map) {
  if (map.summed.empty()) return;
  page += "<div class=\"maps\" tabindex=\"0\">";
  for (const int i : map.summed) {
    const auto d = static_cast<size_t>(i);
    uint64_t least = ~uint64_t{0}, most = 0;
    for (const HeatCell& cell : map.marginal[d])
      if (cell.count != 0) least = std::min(least, cell.count), most = std::max(most, cell.count);
    if (map.values[d].size() > most_marginal_rows) {
      page += "<p class=\"soft\">" + esc(map.names[d]) + ": " + num(map.values[d].size()) + " values</p>";
      continue;
    }
    page += "<table class=\"map\"><caption>" + esc(map.names[d]) + "</caption><tbody>";
    for (size_t v = 0; v < map.values[d].size(); ++v) {
      if (empty(map.marginal[d][v])) continue;
      page += "<tr><th>" + esc(map.values[d][v]) + "</th>";
      square(page, map.marginal[d][v], least, most);
      page += "</tr>";
    }
    page += "</tbody></table>";
  }
  page += "</div>";
}

void named_cells(std::string& page, const std::vector<std::string>& cells, const char* one,
                 const char* several) {
  if (cells.empty()) return;
  page += std::string("<details class=\"more\"") + (cells.size() <= 24 ? " open" : "") + "><summary>" +
          num(cells.size()) + " " + (cells.size() == 1 ? one : several) +
          "</summary><ul class=\"names mono\">";
  for (size_t i = 0; i < std::min(cells.size(), names_shown); ++i) page += "<li>" + esc(cells[i]) + "</li>";
  page += "</ul>";
  if (cells.size() > names_shown)
    page += "<p class=\"soft\">" + num(cells.size() - names_shown) + " more are in the results file.</p>";
  page += "</details>";
}

void one_map(std::string& page, const HeatMap& map) {
  if (map.row >= 0) {
    std::string around;
    for (const int i : map.summed) around += (around.empty() ? "" : ", ") + map.names[static_cast<size_t>(i)];
    page += "<p class=\"soft\">Cases" + (map.note.empty() ? "" : " (" + esc(map.note) + ")") + " by " +
            esc(map.names[static_cast<size_t>(map.row)]);
    if (map.column >= 0) page += " and " + esc(map.names[static_cast<size_t>(map.column)]);
    if (!around.empty()) page += ", summed over " + esc(around) + " (below)";
    page += ".</p><div class=\"maps\" tabindex=\"0\">";
    for (const HeatMap::Panel& p : map.panels)
      if (!std::all_of(p.cells.begin(), p.cells.end(), empty)) panel(page, map, p);
    page += "</div>";
    marginals(page, map);
    if (const std::string text = left_out(map); !text.empty())
      page += "<p class=\"cite\">Not reachable on this device: " + esc(text) + ".</p>";
  }
  named_cells(page, map.missed, "reachable cell never hit", "reachable cells never hit");
  named_cells(page, map.surprising, "cell hit that was thought unreachable",
              "cells hit that were thought unreachable");
  if (!map.misfits.empty()) {
    page += "<p class=\"soft\">Cells outside these dimensions:</p><ul class=\"names mono\">";
    for (size_t i = 0; i < std::min(map.misfits.size(), names_shown); ++i)
      page += "<li>" + esc(map.misfits[i].cell) + ": " + num(map.misfits[i].count) + "</li>";
    page += "</ul>";
  }
}

}  // namespace

void coverage(std::string& page, const Results& results) {
  page += "<h2 id=\"coverage\">Coverage</h2>";
  bool first = true;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) {
      if (property.coverage.empty() || property.verdict == Verdict::declined) continue;
      if (first)
        page +=
            "<p class=\"lead key\">Cases per combination. <span class=\"h1\">few</span><span "
            "class=\"h3\">more</span>"
            "<span class=\"h5\">most</span> <span class=\"miss\">0</span> reachable, never hit "
            "<span class=\"h2 part\">n</span> partly never hit <span class=\"never\">·</span> not "
            "reachable</p>\n";
      const std::vector<HeatMap> maps = heat_maps(property.coverage);
      uint64_t reachable = 0, missed = 0, unreachable = 0;
      for (const CoverageCell& cell : property.coverage) {
        reachable += cell.reachable, missed += cell.reachable && cell.count == 0;
        unreachable += !cell.reachable && cell.count == 0;
      }
      page += "<details class=\"fail\" data-row data-status=\"coverage\" data-device=\"" +
              esc(device.info.spec + " " + device.info.evidence) + "\" data-property=\"" +
              esc(property.info.name) + "\"" + (first ? " open" : "") + "><summary><b>" +
              esc(property.info.name) + "</b> on " + kind(device) + " " + esc(device.info.spec) +
              "<br><span data-hit=\"" + std::to_string(reachable - missed) + "\" data-missed=\"" +
              std::to_string(missed) + "\">" + num(reachable - missed) + " of " + num(reachable) +
              " reachable cells hit</span>" +
              (missed != 0 ? ", <b>" + num(missed) + " never</b>" : std::string()) +
              (unreachable != 0 ? "<span class=\"soft\">; " + num(unreachable) + " not reachable</span>"
                                : std::string()) +
              "</summary><div class=\"body\">";
      for (const HeatMap& map : maps) one_map(page, map);
      page += "</div></details>\n";
      first = false;
    }
  if (first) page += "<p class=\"lead\">No coverage was counted.</p>";
}

}  // namespace assay::report::html
