// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

/// How many elements of failing outputs lie in one place, and how many of those are wrong.
struct PlaceCount {
  std::string kind;     ///< one of place_kinds
  uint32_t number = 0;  ///< of the lane, the column, ...
  uint64_t judged = 0, wrong = 0;
};

/// What kinds of place there are, in the order in which people are told. A shared-memory place is 16 bytes;
/// its number is the first one's address within the kernel's window, which begins at the same multiple of
/// 1024 in every case of a kernel. Warps and lanes are those of the thread that had the element in a
/// register.
inline constexpr std::string_view place_kinds[] = {
    "cluster rank", "tensor-memory lane", "tensor-memory column", "shared-memory address",
    "warp",         "lane of the warp"};

/// As the results file keeps them: "tensor-memory lane:0-30=0/16,31=4/16;cluster rank:0=4/512", wrong before
/// judged.
std::string places_text(const std::vector<PlaceCount>&);
/// Back; parts that are malformed are left out, since a report shows what can be read.
std::vector<PlaceCount> parse_places(std::string_view text);

/// "cluster rank 0; tensor-memory lanes 5, 32-63": where wrong elements lie, at most so many runs of a kind.
std::string wrong_places(const std::vector<PlaceCount>&, size_t most_runs = 12);

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
