// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/record.h"

namespace assay::report::html {

/// What the cells that fall together in one square of a heat map add up to.
struct HeatCell {
  uint64_t count = 0;                  ///< cases
  uint32_t reachable = 0, missed = 0;  ///< coverage cells, and those of them never hit
};

/// Coverage cells of one dimension string laid out as tables: rows and columns of values, one table ("panel")
/// for each combination of the panel dimensions; the other dimensions are summed over. Values in order of
/// first appearance.
struct HeatMap {
  std::vector<std::string> names;                ///< of the dimensions
  std::string note;                              ///< what follows ", " in the dimension string
  std::vector<std::vector<std::string>> values;  ///< per dimension
  int row = -1, column = -1;  ///< positions in names; column -1 where there is one dimension only
  std::vector<int> panel, summed;
  struct Panel {
    std::string title;
    std::vector<HeatCell> cells;  ///< [row * columns() + column]
  };
  std::vector<Panel> panels;
  std::vector<std::vector<HeatCell>> marginal;  ///< per dimension, per value
  HeatCell all;
  uint64_t unreachable = 0;
  uint64_t least = 0, most = 0;         ///< counts of the squares that were hit: the ends of the colour scale
  std::vector<std::string> missed;      ///< names of reachable cells never hit
  std::vector<std::string> surprising;  ///< names of cells hit though thought out of reach
  std::vector<CoverageCell> misfits;    ///< cells whose parts do not fit the dimensions

  size_t columns() const { return column < 0 ? 1 : values[static_cast<size_t>(column)].size(); }
  size_t rows() const { return values[static_cast<size_t>(row)].size(); }
};

/// One map for each dimension string among the cells. "type" and "swizzle" become rows and columns, "rank"
/// and "interleave" panels, where there are such dimensions; otherwise what fits a page.
std::vector<HeatMap> heat_maps(const std::vector<CoverageCell>&);

}  // namespace assay::report::html
