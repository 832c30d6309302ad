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

}  // namespace assay::report
