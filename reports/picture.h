// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

/// The output of a failing case, as a drawing of it needs it: made small enough to look at, and where pieces
/// of 16 bytes went that lie in the wrong place.
struct Picture {
  /// What a row and a column of the output are, "lane" and "column", and how many a cell of the drawing has.
  std::string row_word = "row", column_word = "column";
  uint32_t rows_a_line = 1, columns_a_cell = 1;
  /// A character a cell: '=' as expected, 'x' an element of it is wrong, '.' nothing of it is defined.
  std::vector<std::string> lines;
  /// What lies at byte `at` of the output belongs at byte `from`; -1: nowhere, or that is not known.
  struct Piece {
    uint64_t at = 0;
    int64_t from = -1;
  };
  std::vector<Piece> pieces;
};

/// As the results file keeps it: "@lane|2|column|1", the lines, "#640:512,656:-1". Files of earlier versions
/// have the lines alone.
std::string picture_text(const Picture&);
/// Back; what is malformed is left out.
Picture parse_picture(std::string_view text);

}  // namespace assay::report
