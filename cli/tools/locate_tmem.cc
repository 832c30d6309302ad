// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "cli/command.h"
#include "cli/tools/encode_call.h"
#include "cli/tools/locate.h"
#include "cli/tools/map_argument.h"
#include "reference/layout/fragments.h"
#include "reference/layout/tmem.h"
#include "reference/spec/instr_desc.h"
#include "reports/text.h"

namespace assay::cli {

const layout::DLayoutRow& tmem_form(const LocateQuestion& question, bool is_scaled) {
  if (!spec::has_tcgen05(question.arch))
    throw UsageError("--arch", std::string(spec::name(question.arch)) + " has no tensor memory");
  const layout::DLayoutRow* const form =
      layout::find_d_layout(question.m, question.cta_group, question.ws, question.sparse);
  if (form == nullptr) {
    std::string forms;
    for (const layout::DLayoutRow& row : layout::d_layouts)
      if (row.cta_group == question.cta_group && row.ws.value_or(question.ws) == question.ws &&
          row.sparse.value_or(question.sparse) == question.sparse)
        forms += (forms.empty() ? "" : ", ") + std::to_string(row.m);
    throw UsageError(
        "--m", "this form of tcgen05.mma has no M of " + std::to_string(question.m) +
                   (forms.empty() ? "; .ws and .cta_group::2 exclude each other" : "; it has " + forms));
  }
  for (int kind = 0; kind < spec::mma_kind_count; ++kind) {
    const spec::MmaKindRow& row = spec::row_of(static_cast<spec::MmaKind>(kind));
    if (is_scaled && !row.is_mx) continue;
    const spec::InstrUse use{.kind = row.kind,
                             .arch = question.arch,
                             .cta_group = question.cta_group,
                             .ws = question.ws,
                             .sparse = question.sparse};
    if (spec::legal_shape(use, question.sparse, question.m, question.n, false)) return *form;
  }
  throw UsageError("--n", "no kind of tcgen05.mma" + std::string(is_scaled ? " with scale factors" : "") +
                              " has M " + std::to_string(question.m) + " and N " +
                              std::to_string(question.n) + " in this form");
}

std::string form_words(const LocateQuestion& question, const layout::DLayoutRow& form) {
  return std::string("tcgen05.mma") + (question.ws ? ".ws" : "") + (question.sparse ? ".sp" : "") + ", M " +
         std::to_string(form.m) + ", cta_group::" + std::to_string(form.cta_group) + ": layout " +
         std::string(1, form.letter) + " (data path " + std::string(form.datapath) + ")";
}

void demand_below(const std::string& option, uint64_t index, int count, const std::string& of_what) {
  if (index < static_cast<uint64_t>(count)) return;
  throw UsageError(
      option, std::to_string(index) + " is out of range; there are " + std::to_string(count) + " " + of_what);
}

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

using layout::ScalePlace;

Located locate_scale(const LocateQuestion& question) {
  const bool is_a = question.scales == "a";
  if (!is_a && question.scales != "b")
    throw UsageError("--scales", "'" + question.scales + "' is neither a nor b");
  if (question.block != 16 && question.block != 32)
    throw UsageError("--block", "a scale factor covers 16 or 32 elements of K");
  const layout::DLayoutRow& form = tmem_form(question, true);
  const int rows = is_a ? form.m / form.cta_group : question.n;
  demand_below("--row", question.row, is_a ? form.m : question.n, is_a ? "rows of A" : "columns of B");
  demand_below("--col", question.column, 4096, "elements of K");
  const int row = static_cast<int>(question.row) % rows, cta = static_cast<int>(question.row) / rows;
  const int position = static_cast<int>(question.column) / question.block;
  const auto places_of = [&](int of_row, int at) {
    return is_a ? layout::a_scale_places(form, of_row, at)
                : layout::b_scale_places(form, of_row, question.n, at);
  };
  const layout::ScalePlaces places = places_of(row, position);
  const ScalePlace& first = places.front();

  // What the other bytes of the lane hold, in the columns of the same four scales.
  std::map<std::pair<int, int>, std::string> held;
  for (int of_row = 0; of_row < rows; ++of_row)
    for (int at = position / 4 * 4; at < position / 4 * 4 + 4; ++at)
      for (const ScalePlace& place : places_of(of_row, at))
        if (place.lane == first.lane)
          held[{place.column, place.byte}] =
              std::to_string(is_a ? of_row + cta * rows : of_row) + "," + std::to_string(at);

  Located found;
  const std::string letter = is_a ? "A" : "B", index = is_a ? "m" : "n";
  found.text = "scales of " + letter + " of " + form_words(question, form) + ", N " +
               std::to_string(question.n) + ", one per " + std::to_string(question.block) +
               " elements of K\n";
  found.text += "the scale of element (" + index + " " + std::to_string(question.row) + ", k " +
                std::to_string(question.column) + ") is scale " + std::to_string(position) + " of the row: " +
                (form.cta_group == 1 ? ""
                 : !is_a             ? "either CTA, "
                 : cta == 0          ? "even CTA, "
                                     : "odd CTA, ") +
                "column " + std::to_string(first.column) + ", byte " + std::to_string(first.byte) + ", lane";
  found.text += places.size() > 1 ? "s" : "";
  nlohmann::json list = nlohmann::json::array();
  for (size_t i = 0; i < places.size(); ++i) {
    found.text += (i == 0 ? " " : i + 1 == places.size() ? " and " : ", ") + std::to_string(places[i].lane);
    list.push_back({{"lane", places[i].lane}, {"column", places[i].column}, {"byte", places[i].byte}});
    if (is_a) list.back()["cta"] = cta;
  }
  found.text += "\n" + index + ",scale in lane " + std::to_string(first.lane) + ":\n";
  size_t width = 6;
  for (const auto& [cell, name] : held) width = std::max(width, name.size() + 2);
  std::string line = "    column   ";
  for (int byte = 0; byte < 4; ++byte) line += report::pad("byte " + std::to_string(byte), width + 2);
  int last = -1;
  for (const auto& [cell, name] : held) {
    if (cell.first != last) {
      found.text += without_blanks_at_end(line);
      line = report::pad("    " + std::to_string(last = cell.first), 12);
    }
    const bool is_it = cell.first == first.column && cell.second == first.byte;
    line += report::pad(is_it ? "[" + name + "]" : " " + name, width + 2);
  }
  found.text += without_blanks_at_end(line);
  found.members = {{"layout", "scales_" + question.scales}, {"scale", position}, {"places", list}};
  return found;
}

}  // namespace assay::cli
