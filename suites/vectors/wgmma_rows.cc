// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "reference/layout/canonical.h"
#include "suites/vectors/codes.h"
#include "suites/vectors/file_formats.h"
#include "suites/vectors/kinds.h"

namespace assay::vectors {
namespace {

constexpr std::string_view wgmma_header[] = {
    "id",       "operand", "major", "elem_bytes", "sparse_instr", "mn_extent", "k_extent",
    "desc_hex", "start",   "lbo",   "sbo",        "base",         "swizzle",   "points_mn:k:byte"};

/// Fields of the word, and the measured address of every point.
void check_wgmma(const CsvRow& row, RowResult& result) {
  const auto text = [&](std::string_view column) -> const std::string& {
    return cell(wgmma_format, row, column);
  };
  const auto number = [&](std::string_view column) { return parse_number(column, text(column)); };
  result.kind = "wgmma descriptor";
  const std::string& major = text("major");
  if (major != "K" && major != "MN") throw RowError{"'" + major + "' is not an order: K or MN"};
  const auto word = parse_number<uint64_t>("desc_hex", text("desc_hex"));
  const spec::SmemMatrix matrix = spec::decode_wgmma_smem_desc(word);
  Differences differences;
  differences.compare("start", number("start"), matrix.start);
  differences.compare("lbo", number("lbo"), matrix.leading_offset);
  differences.compare("sbo", number("sbo"), matrix.stride_offset);
  differences.compare("base", number("base"), matrix.base_offset);
  differences.compare("swizzle", text("swizzle"), matrix.swizzle->name);
  const int64_t element_bytes = number("elem_bytes");
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4)
    throw RowError{"elem_bytes " + text("elem_bytes") + " is not 1, 2 or 4"};
  const layout::SmemOperand operand{static_cast<int>(element_bytes) * 8, layout::Packing::plain,
                                    major == "MN"};
  for (const std::string& point : split(text("points_mn:k:byte"), ' ')) {
    const std::vector<std::string> parts = split(point, ':');
    if (parts.size() != 3) throw RowError{"'" + point + "' is not mn:k:byte"};
    const auto mn = narrow<uint32_t>("mn", parse_number("mn", parts[0]));
    const auto k = narrow<uint32_t>("k", parse_number("k", parts[1]));
    const layout::SmemPlace place = layout::smem_place(matrix, operand, mn, k);
    differences.compare("byte of " + parts[0] + ":" + parts[1],
                        hex_word(parse_number<uint64_t>("byte", parts[2])), hex_word(place.byte));
  }
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

}  // namespace

const FileFormat wgmma_format{"wgmma descriptors", wgmma_header, check_wgmma};

}  // namespace assay::vectors
