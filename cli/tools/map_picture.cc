// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/map_argument.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <vector>

#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/tensor_map.h"
#include "reports/text.h"

namespace assay::cli {
namespace {

constexpr const char* nothing = "-";
constexpr uint64_t lines = 8, pieces = 8, piece_bytes = 16, line_bytes = 128;

}  // namespace

std::string without_blanks_at_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string picture_of_lines(uint64_t first, const std::function<std::string(uint64_t)>& in_piece,
                             uint64_t marked) {
  std::vector<std::string> cells;
  size_t width = 1;
  for (uint64_t at = first; at < first + lines * line_bytes; at += piece_bytes) {
    const std::string name = in_piece(at);
    width = std::max(width, cells.emplace_back(name.empty() ? nothing : name).size());
  }
  width += 2;  // brackets
  std::string text, heading = "    byte     bank ";
  for (uint64_t piece = 0; piece < pieces; ++piece)
    heading += report::pad(std::to_string(piece * piece_bytes / 4), width);
  text += without_blanks_at_end(heading);
  // Empty lines at the end are left out.
  uint64_t end = lines;
  const auto is_empty = [&](uint64_t line) {
    const auto first_cell = cells.begin() + static_cast<int64_t>(line * pieces);
    return std::all_of(first_cell, first_cell + pieces,
                       [](const std::string& cell) { return cell == nothing; });
  };
  while (end > 1 && is_empty(end - 1)) --end;
  for (uint64_t line = 0; line < end; ++line) {
    char label[32];
    std::snprintf(label, sizeof label, "    0x%05llx       ",
                  static_cast<unsigned long long>(first + line * line_bytes));
    std::string row = label;
    for (uint64_t piece = 0; piece < pieces; ++piece) {
      const uint64_t at = first + line * line_bytes + piece * piece_bytes;
      const std::string& cell = cells[line * pieces + piece];
      const bool is_marked = marked >= at && marked < at + piece_bytes;
      // A bracket takes the blank before.
      if (is_marked) row.pop_back();
      row += report::pad(is_marked ? "[" + cell + "]" : cell, width + (is_marked ? 1 : 0));
    }
    text += without_blanks_at_end(row);
  }
  return text;
}

std::string byte_words(uint64_t byte) {
  char text[48];
  std::snprintf(text, sizeof text, "0x%llx (%llu)", static_cast<unsigned long long>(byte),
                static_cast<unsigned long long>(byte));
  return text;
}

namespace {

/// Letters and lines that the tensor takes; each stands for as much of it as makes it fit.
constexpr uint64_t most_letters = 40, most_lines = 6;

/// Of `drawn` letters that stand for `all` elements those that stand for `part`, at least one, and not all of
/// them for less than all.
uint64_t share(uint64_t part, uint64_t all, uint64_t drawn) {
  if (part >= all) return drawn;
  const auto letters = static_cast<uint64_t>(
      std::lround(static_cast<double>(part) / static_cast<double>(all) * static_cast<double>(drawn)));
  return std::clamp<uint64_t>(letters, 1, std::max<uint64_t>(drawn - 1, 1));
}

std::string times(uint64_t count, const std::string& text) {
  std::string all;
  for (uint64_t i = 0; i < count; ++i) all += text;
  return all;
}

/// One cell a letter, the box in its corner.
void draw_plane(std::ostream& out, const TensorMapArgs& map, const spec::DataType& type) {
  const bool is_flat = map.rank < 2;
  const uint64_t width = map.global_dim[0], height = is_flat ? 1 : map.global_dim[1];
  const uint64_t letters = std::min(width, most_letters), lines = std::min(height, most_lines);
  const uint64_t box_letters = share(map.box_dim[0], width, letters),
                 box_lines = is_flat ? 1 : share(map.box_dim[1], height, lines);
  const char* const unit = map.interleave != 0 ? " slices" : " elements";
  out << "  tensor: " << width << " " << type.name << unit << " along dimension 0\n";
  out << "    +" << times(letters, "-") << "+\n";
  for (uint64_t line = 0; line < lines; ++line) {
    const uint64_t filled = line < box_lines ? box_letters : 0;
    out << "    |" << times(filled, "#") << times(letters - filled, " ") << "|";
    if (line == 0) {
      out << "  # box: " << map.box_dim[0];
      if (!is_flat) out << " x " << map.box_dim[1];
      if (map.box_dim[0] > width || (!is_flat && map.box_dim[1] > height)) out << ", larger than the tensor";
    }
    if (line == std::min<uint64_t>(1, lines - 1) && !is_flat && lines > 1)
      out << "  dimension 1: " << height << " rows, " << map.global_stride[0] << " bytes apart";
    out << "\n";
  }
  out << "    +" << times(letters, "-") << "+";
  if (!is_flat && lines == 1) out << "  dimension 1: 1 row, stride " << map.global_stride[0] << " bytes";
  out << "\n";
  for (uint32_t i = 2; i < map.rank; ++i)
    out << "    dimension " << i << ": " << map.global_dim[i] << ", " << map.global_stride[i - 1]
        << " bytes apart, box " << map.box_dim[i] << "\n";
  for (uint32_t i = 1; i < map.rank; ++i) {
    const uint32_t step = map.element_stride[i];
    if (step > 1)
      out << "    every " << step
          << (step == 2   ? "nd"
              : step == 3 ? "rd"
                          : "th")
          << " element of dimension " << i << " is copied\n";
  }
}

void draw_shared(std::ostream& out, const TensorMapArgs& map, const spec::Readings& readings) {
  TensorCopyCase copy;
  static_cast<TensorMapArgs&>(copy.map) = map;
  spec::RuleSet unused;
  const model::TiledShape shape = model::shape_of(copy, readings, unused);
  const spec::Swizzle& swizzle = *spec::find_swizzle(map.swizzle);
  out << "  tile in shared memory: " << shape.rows << (shape.rows == 1 ? " row of " : " rows of ")
      << shape.inner << " bytes";
  if (shape.rows > 1) out << ", " << shape.pitch << " apart";
  out << ", " << shape.shared_bytes << " in all, swizzle " << swizzle.name << "\n";
  if (swizzle.span_bytes == 0 || map.interleave != 0) return;
  // Which piece of which row comes to lie where: found by asking for every piece of the rows there.
  const auto name_of = [&](uint64_t at) -> std::string {
    for (uint64_t row = 0; row < shape.rows && row * shape.pitch < 1024; ++row)
      for (uint32_t byte = 0; byte < shape.inner; byte += 16)
        if (shape.swizzle.place(static_cast<uint32_t>(shape.linear(0, row, byte))) / 16 == at / 16)
          return std::to_string(row) + "." + std::to_string(byte / 16);
    return "";
  };
  out << "  row.piece of 16 bytes, where the tile begins at a multiple of 1024:\n"
      << picture_of_lines(0, name_of);
}

std::string column_picture(const model::MapArguments& arguments, const spec::Readings& readings) {
  const Im2colMapArgs& map = arguments.map;
  TensorCopyCase copy;
  copy.map = map;
  copy.mode = !map.wide ? CopyMode::im2col : map.wide_mode == 1 ? CopyMode::w_128 : CopyMode::w;
  const model::ColumnShape column = model::column_of(copy, readings);
  std::ostringstream out;
  static constexpr const char* axes[] = {"W", "H", "D"};
  const uint32_t count = map.wide ? 1 : spatial_axes(map.rank);
  out << "  pixel box:";
  for (uint32_t k = 0; k < count; ++k) {
    const model::BoxEnds box = model::box_of(map, k);
    out << (k == 0 ? " " : ", ") << axes[k] << " " << box.lower << " to " << box.upper << " of 0 to "
        << map.global_dim[dimension_of_axis(map, k)] - 1;
  }
  out << "\n  column in shared memory: " << column.pixels << " pixels of " << column.inner << " bytes, "
      << column.pitch << " apart, " << column.shared_bytes << " in all, swizzle "
      << spec::find_swizzle(map.swizzle)->name << "\n";
  return out.str();
}

}  // namespace

std::string picture_of_map(const model::MapArguments& arguments, const spec::Readings& readings) {
  if (arguments.is_im2col) return column_picture(arguments, readings);
  const TensorMapArgs& map = arguments.map;
  const spec::DataType& type = *spec::find_data_type(map.data_type);
  std::ostringstream out;
  draw_plane(out, map, type);
  draw_shared(out, map, readings);
  return out.str();
}

}  // namespace assay::cli
