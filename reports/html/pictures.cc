// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/causes.h"
#include "reports/detection.h"
#include "reports/html/sections.h"
#include "reports/overview.h"
#include "reports/text.h"
#include "reports/words.h"

// What is looked at before it is read: where failures are, what was covered, how rare a defect would have
// shown.
namespace assay::report::html {
namespace {

std::string px(double number) {
  return std::to_string(static_cast<int>(std::lround(number)));
}

}  // namespace

void place_grid(std::string& page, std::string_view kind, const std::vector<GridPlace>& of) {
  constexpr size_t most_squares = 256, step = 13, side = 11;
  uint32_t last = 0;
  for (const GridPlace& place : of) last = std::max(last, place.number);
  // Addresses are many: a square stands for several then.
  const uint32_t each = last / most_squares + 1;
  std::map<uint32_t, GridPlace> squares;
  for (const GridPlace& place : of) {
    GridPlace& into = squares[place.number / each];
    into.all += place.all, into.bad += place.bad;
  }
  if (squares.empty()) return;
  const size_t across = squares.rbegin()->first < 64 ? 16 : 32;
  const size_t rows = squares.rbegin()->first / across + 1;
  std::string marks;
  uint64_t affected = 0;
  for (const auto& [at, place] : squares) {
    affected += place.bad != 0;
    const uint32_t from = at * each;
    const double share = place.all == 0 ? 1 : static_cast<double>(place.bad) / static_cast<double>(place.all);
    marks += "<rect class=\"" + std::string(place.bad != 0 ? "t-bad" : "t-off") + "\" x=\"" +
             px(static_cast<double>(at % across * step)) + "\" y=\"" +
             px(static_cast<double>(at / across * step)) + "\" width=\"" + px(side) + "\" height=\"" +
             px(side) + "\"";
    // The least share of failures is still seen.
    if (place.bad != 0 && share < 1)
      marks += " opacity=\"0." + px(std::max(35.0, 99 * std::sqrt(share))) + "\"";
    marks += "><title>" + esc(kind) + " " + px(from) + (each > 1 ? " to " + px(from + each - 1) : "") + ": " +
             num(place.bad) + " of " + num(place.all) + " failed</title></rect>";
  }
  page += "<figure class=\"pic\"><svg role=\"img\" aria-label=\"" + esc(kind) + ": " + num(affected) +
          " of " + num(squares.size()) + " affected\" width=\"" + px(static_cast<double>(across * step)) +
          "\" height=\"" + px(static_cast<double>(rows * step)) + "\" viewBox=\"0 0 " +
          px(static_cast<double>(across * step)) + " " + px(static_cast<double>(rows * step)) + "\">" +
          marks + "</svg><figcaption class=\"soft\">" + esc(kind) +
          (each > 1 ? ", " + num(each) + " a square" : "") + ": " + num(affected) + " of " +
          num(squares.size()) + " affected</figcaption></figure>";
}

void places(std::string& page, const Results& results, const Cause& cause) {
  const DeviceResult& device = results.devices[cause.places.front().device];
  const std::vector<std::string> sentences = places_of(cause, results);
  if (sentences.empty()) return;
  std::set<size_t> properties;
  for (const FailurePlace& at : cause.places)
    if (at.device == cause.places.front().device) properties.insert(at.property);
  for (const std::string& sentence : sentences) page += "<p class=\"soft\">" + esc(sentence) + "</p>";
  page += "<div class=\"maps\">";
  std::map<uint32_t, GridPlace> multiprocessors;
  std::map<std::string, std::map<uint32_t, GridPlace>> kinds;
  for (const size_t p : properties) {
    for (const PlaceRow& place : device.properties[p].places)
      multiprocessors[place.sm].all += place.cases, multiprocessors[place.sm].bad += place.failing;
    for (const PlaceCount& place : device.properties[p].wrong_places)
      kinds[place.kind][place.number].all += place.judged, kinds[place.kind][place.number].bad += place.wrong;
  }
  const auto grid = [&](std::string_view kind, const std::map<uint32_t, GridPlace>& of) {
    std::vector<GridPlace> list;
    uint64_t bad = 0;
    for (const auto& [number, place] : of) list.push_back({number, place.all, place.bad}), bad += place.bad;
    if (list.size() > 1 && bad != 0) place_grid(page, kind, list);
  };
  if (device.is_silicon) grid("multiprocessor", multiprocessors);
  for (const std::string_view kind : place_kinds)
    if (const auto at = kinds.find(std::string(kind)); at != kinds.end()) grid(kind, at->second);
  page += "</div>";
}

std::string sensitivity(uint64_t cases) {
  constexpr double width = 90, decades = 6;
  const uint64_t one_in = seen_one_in(cases);
  if (one_in == 0) return "–";
  const double far = std::min(width, width * std::log10(static_cast<double>(one_in)) / decades);
  const double goal = width * std::log10(static_cast<double>(night_rate)) / decades;
  return "<svg class=\"bar\" role=\"img\" aria-label=\"1 in " + num(one_in) +
         "\" width=\"92\" height=\"10\" viewBox=\"0 0 92 10\"><rect class=\"t-off\" y=\"4\" width=\"90\" "
         "height=\"2\"/><rect class=\"t-note\" y=\"2\" width=\"" +
         px(std::max(2.0, far)) + "\" height=\"6\"/><rect class=\"ink\" x=\"" + px(goal) +
         "\" width=\"1\" height=\"10\"/></svg> 1 in " + num(one_in);
}

namespace {

/// What a dimension of coverage is about, by a word in its name; the first that fits.
struct Descriptor {
  std::string_view word, name;
};
constexpr Descriptor descriptors[] = {
    {"rule", "rules broken"},
    {"legality", "rules broken"},
    {"expected end", "ends"},
    {"rank", "tensor map"},
    {"wHalo", "tensor map"},
    {"outside", "tensor map"},
    {"address", "tensor map"},
    {"lone bit", "tensor map"},
    {"field", "tensor map"},
    {"swizzle", "shared-memory descriptor"},
    {"layout of D", "shared-memory descriptor"},
    {"step", "program"},
    {"next", "program"},
    {"wait", "program"},
    {"publication", "program"},
    {"scheduler", "program"},
    {"kind", "instruction descriptor"},
    {"types", "instruction descriptor"},
    {"type of A", "instruction descriptor"},
    {"form x operands", "instruction descriptor"},
    {"scale", "instruction descriptor"},
    {"code", "instruction descriptor"},
    {"CTA", "CTAs and lanes"},
    {"cluster", "CTAs and lanes"},
    {"lane", "CTAs and lanes"},
    {"shape", "shape and size"},
    {"size", "shape and size"},
};
constexpr std::string_view other_descriptors = "other";

std::string_view descriptor_of(std::string_view dimension) {
  for (const Descriptor& one : descriptors)
    if (dimension.find(one.word) != dimension.npos) return one.name;
  return other_descriptors;
}

/// In the order of the table, each once; "other" last.
std::vector<std::string_view> descriptor_names() {
  std::vector<std::string_view> names;
  for (const Descriptor& one : descriptors)
    if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
  names.push_back(other_descriptors);
  return names;
}

struct CoverageRow {
  CoverageSum cells;
  std::map<std::string_view, CoverageSum> by_descriptor;
  std::string properties;  ///< a list item each
};

void share_cell(std::string& page, std::string_view label, const CoverageSum& sum) {
  if (sum.reachable == 0) {
    page += "<td class=\"never\"></td>";
    return;
  }
  // Full cells alone are as dark as it gets.
  const double share = static_cast<double>(sum.hit) / static_cast<double>(sum.reachable);
  const int percent = static_cast<int>(100 * share);
  page += "<td class=\"h" + std::to_string(1 + static_cast<int>(4 * share)) + "\" title=\"" + esc(label) +
          ": " + num(sum.hit) + " of " + num(sum.reachable) + "\">" +
          (sum.hit != 0 && percent == 0 ? "&lt;1" : std::to_string(percent)) + "\u202F%</td>";
}

void add_coverage(std::map<std::string, CoverageRow>& rows, const DeviceResult& device,
                  const PropertyResult& property) {
  const CoverageSum sum = coverage_of(property);
  if (sum.reachable == 0) return;
  CoverageRow& row = rows[property.info.name.substr(0, property.info.name.find('.'))];
  row.cells += sum;
  std::vector<std::string_view> missed;
  for (const CoverageCell& cell : property.coverage) {
    if (!cell.reachable) continue;
    CoverageSum& of = row.by_descriptor[descriptor_of(cell.dimension)];
    ++of.reachable, of.hit += cell.count != 0;
    if (cell.count == 0) missed.push_back(cell.cell);
  }
  constexpr size_t names_shown = 12;
  row.properties += "<li data-hit=\"" + std::to_string(sum.hit) + "\" data-missed=\"" +
                    std::to_string(sum.reachable - sum.hit) + "\">" + esc(property.info.name) + " on " +
                    esc(device.info.spec) + ": " + num(sum.hit) + " of " + num(sum.reachable);
  if (!missed.empty() && missed.size() <= names_shown) {
    row.properties += "; never hit:";
    for (const std::string_view name : missed)
      row.properties += " <span class=\"mono\">" + esc(name) + "</span>";
  }
  row.properties += "</li>";
}

}  // namespace

void coverage(std::string& page, const Results& results) {
  page += "<h2 id=\"coverage\">Coverage</h2>";
  std::map<std::string, CoverageRow> rows;
  for (const DeviceResult& device : results.devices)
    for (const PropertyResult& property : device.properties) add_coverage(rows, device, property);
  if (rows.empty()) {
    page += "<p class=\"lead\">No coverage was counted.</p>";
    return;
  }
  std::vector<std::string_view> columns = descriptor_names();
  std::erase_if(columns, [&](std::string_view column) {
    return std::none_of(rows.begin(), rows.end(),
                        [&](const auto& row) { return row.second.by_descriptor.contains(column); });
  });
  page += "<p class=\"lead\">" + esc(coverage_line(coverage_of(results))) +
          ". A cell is a combination of values, of descriptor fields mostly; those that this device cannot "
          "reach do not "
          "count.</p><table class=\"map over\" data-table=\"coverage\"><thead><tr><th>area</th><th>all</th>";
  for (const std::string_view column : columns) page += "<th>" + std::string(column) + "</th>";
  page += "</tr></thead><tbody>\n";
  for (const auto& [area, row] : rows) {
    page += "<tr><th>" + esc(area) + "</th>";
    share_cell(page, area, row.cells);
    for (const std::string_view column : columns) {
      const auto at = row.by_descriptor.find(column);
      share_cell(page, column, at == row.by_descriptor.end() ? CoverageSum{} : at->second);
    }
    page += "</tr>\n";
  }
  page += "</tbody></table><details class=\"more\"><summary>By property</summary><ul class=\"names\">";
  for (const auto& [area, row] : rows) page += row.properties;
  page += "</ul></details>\n";
}

}  // namespace assay::report::html
