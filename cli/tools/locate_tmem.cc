// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <vector>

#include "cli/command_line.h"
#include "cli/tools/locate.h"
#include "cli/tools/operand_type.h"
#include "cli/tools/tmem_form.h"
#include "reference/layout/tmem.h"

namespace assay::cli {
namespace {

using layout::DLayoutRow;
using layout::TmemPlace;

constexpr int lanes_of_group = 16, groups = 128 / lanes_of_group;

/// What some neighbouring lanes of a CTA hold.
struct Band {
  int cta, first_lane, last_lane;
  int first_m, last_m, first_n, last_n;
};

/// Found by asking for every row in every part of the columns.
std::vector<Band> bands_of(const DLayoutRow& form, int n_count, int lane_base) {
  const int columns = layout::d_columns(form, n_count);
  std::vector<Band> of_group(static_cast<size_t>(2 * groups), Band{0, 128, -1, 0, -1, 0, -1});
  for (int m = 0; m < form.m; ++m)
    for (int n = 0; n < n_count; n += columns) {
      const TmemPlace place = layout::d_place(form, m, n, n_count, lane_base);
      Band& band = of_group[static_cast<size_t>(place.cta * groups + place.lane / lanes_of_group)];
      if (band.last_m < band.first_m) band = {place.cta, place.lane, place.lane, m, m, n, n + columns - 1};
      band.first_lane = std::min(band.first_lane, place.lane);
      band.last_lane = std::max(band.last_lane, place.lane);
      band.first_m = std::min(band.first_m, m), band.last_m = std::max(band.last_m, m);
    }
  std::vector<Band> bands;
  for (const Band& band : of_group) {
    if (band.last_m < band.first_m) continue;
    Band* const last = bands.empty() ? nullptr : &bands.back();
    const bool goes_on = last != nullptr && last->cta == band.cta && last->last_lane + 1 == band.first_lane &&
                         last->last_m + 1 == band.first_m && last->first_n == band.first_n;
    if (goes_on)
      last->last_lane = band.last_lane, last->last_m = band.last_m;
    else
      bands.push_back(band);
  }
  return bands;
}

nlohmann::json json_of(const TmemPlace& place) {
  return {{"cta", place.cta}, {"lane", place.lane}, {"column", place.column}, {"bit", place.bit}};
}

bool is_in(const Band& band, const TmemPlace& place) {
  return band.cta == place.cta && place.lane >= band.first_lane && place.lane <= band.last_lane;
}

/// `column`: what the columns of tensor memory are, "n" of D.
std::string picture(const DLayoutRow& form, int n_count, int lane_base, const std::vector<TmemPlace>& marked,
                    bool shows_n) {
  std::string text = form.cta_group == 2 ? "  CTA  lanes      m" : "  lanes      m";
  text += shows_n ? "          n          columns\n" : "\n";
  for (const Band& band : bands_of(form, n_count, lane_base)) {
    char line[160];
    char lanes[24], rows[24], columns[24];
    std::snprintf(lanes, sizeof lanes, "%d-%d", band.first_lane, band.last_lane);
    std::snprintf(rows, sizeof rows, "%d-%d", band.first_m, band.last_m);
    std::snprintf(columns, sizeof columns, "%d-%d", band.first_n, band.last_n);
    if (form.cta_group == 2) text += "  " + std::to_string(band.cta) + "  ";
    if (shows_n)
      std::snprintf(line, sizeof line, "  %-10s %-10s %-10s 0-%d", lanes, rows, columns,
                    band.last_n - band.first_n);
    else
      std::snprintf(line, sizeof line, "  %-10s %s", lanes, rows);
    text += line;
    for (const TmemPlace& place : marked)
      if (is_in(band, place))
        text += "   <- lane " + std::to_string(place.lane) + ", column " + std::to_string(place.column);
    text += "\n";
  }
  return text;
}

std::string place_words(const DLayoutRow& form, const TmemPlace& place) {
  const std::string cta = form.cta_group == 1 ? "" : place.cta == 0 ? "even CTA, " : "odd CTA, ";
  return cta + "lane " + std::to_string(place.lane) + ", column " + std::to_string(place.column);
}

void demand_lane_base(const LocateQuestion& question, const DLayoutRow& form) {
  if (question.lane_base != 0 && question.lane_base != 16) throw UsageError("--lane-base", "must be 0 or 16");
  if (question.lane_base != 0 && !form.half_of_lanes)
    throw UsageError("--lane-base", "layout " + std::string(1, form.letter) + " uses all lanes");
}

}  // namespace

Located locate_accumulator(const LocateQuestion& question) {
  const DLayoutRow& form = tmem_form(question, false);
  demand_lane_base(question, form);
  demand_below("--row", question.row, form.m, "rows of D");
  demand_below("--col", question.column, question.n, "columns of D");
  const TmemPlace place = layout::d_place(form, static_cast<int>(question.row),
                                          static_cast<int>(question.column), question.n, question.lane_base);
  Located found;
  found.text = "D of " + form_words(question, form) + ", N " + std::to_string(question.n) + "\n";
  found.text += "element (m " + std::to_string(question.row) + ", n " + std::to_string(question.column) +
                ") lies in " + place_words(form, place) + " of D\n";
  found.text += picture(form, question.n, question.lane_base, {place}, true);
  found.members = {{"layout", "d"},
                   {"letter", std::string(1, form.letter)},
                   {"columns", layout::d_columns(form, question.n)},
                   {"places", {json_of(place)}}};
  return found;
}

Located locate_a(const LocateQuestion& question) {
  const DLayoutRow& form = tmem_form(question, false);
  const OperandType type = operand_type(question.type);
  demand_lane_base(question, form);
  demand_below("--row", question.row, form.m, "rows of A");
  demand_below("--col", question.column, 1024, "elements of K");
  const layout::TmemPacking packing{type.bits, type.is_padded()};
  const std::vector<TmemPlace> places = layout::a_places(
      form, packing, static_cast<int>(question.row), static_cast<int>(question.column), question.lane_base);
  Located found;
  found.text = "A of " + form_words(question, form) + ", " + question.type + " in tensor memory\n";
  found.text +=
      "element (m " + std::to_string(question.row) + ", k " + std::to_string(question.column) + ") lies in";
  nlohmann::json list = nlohmann::json::array();
  for (const TmemPlace& place : places) {
    found.text += (list.empty() ? " " : " and in ") + place_words(form, place);
    list.push_back(json_of(place));
  }
  const int stored = packing.in_bytes ? 8 : type.bits, bit = places.front().bit;
  found.text += ", bits " + std::to_string(bit) + " to " + std::to_string(bit + type.bits - 1) + " of 32 (" +
                std::to_string(32 / stored) + " elements a cell)\n";
  found.text += picture(form, question.n, question.lane_base, places, false);
  found.members = {{"layout", "a"}, {"letter", std::string(1, form.letter)}, {"places", list}};
  return found;
}

}  // namespace assay::cli
