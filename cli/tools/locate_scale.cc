// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include "cli/command_line.h"
#include "cli/tools/line_picture.h"
#include "cli/tools/locate.h"
#include "cli/tools/tmem_form.h"
#include "reference/layout/scales.h"
#include "reports/text.h"

namespace assay::cli {

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
