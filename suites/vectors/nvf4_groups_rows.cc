// SPDX-License-Identifier: Apache-2.0
// Dot products of nvf4 with ue4m3 scales that tell how many products are added before anything is cut
// (NUM-AMB-18): probes_nvf4_groups.csv. The answers come from a calculation, not from a device.
#include <cstdio>
#include <sstream>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
#include "reference/numerics/fast.h"
#include "suites/vectors/codes.h"
#include "suites/vectors/file_formats.h"
#include "suites/vectors/kinds.h"
#include "suites/vectors/tcgen05_dot.h"

namespace assay::vectors {
namespace {

constexpr std::string_view nvf4_groups_header[] = {
    "id", "a", "b", "c", "sfa", "sfb", "d_groups_of_4", "d_groups_of_16", "d_each_product"};

template <typename Code>
std::vector<Code> narrowed(const std::vector<uint64_t>& codes) {
  return std::vector<Code>(codes.begin(), codes.end());
}

void check_nvf4_groups(const CsvRow& row, RowResult& result) {
  const spec::Format &e2m1 = spec::format("e2m1"), &f32 = spec::format("f32"), &ue4m3 = spec::format("ue4m3");
  const numerics::Types types{&e2m1, &e2m1, &f32, 64, &ue4m3, 16};
  const auto listed = [&](std::string_view column, size_t count) {
    return codes(column, cell(nvf4_groups_format, row, column), count, 8);
  };
  const auto a = listed("a", 64), b = listed("b", 64), c = listed("c", 1);
  const auto scale_a = listed("sfa", 4), scale_b = listed("sfb", 4);
  result.kind = "groups of nvf4";
  Differences differences;
  numerics::Arithmetic arithmetic = numerics::find_instruction("tcgen05", types, false)->arithmetic;
  for (const auto& [column, terms] :
       {std::pair{"d_groups_of_16", 16}, std::pair{"d_groups_of_4", 4}, std::pair{"d_each_product", 1}}) {
    arithmetic.group_terms = terms;
    const std::string& expected = cell(nvf4_groups_format, row, column);
    differences.compare(std::string(column) + ", exact", expected,
                        hex_code(exact_dot(arithmetic, types, {a, b, c[0], scale_a, scale_b, 0}), 8));
    uint32_t d = 0;
    const auto value = static_cast<uint32_t>(c[0]);
    const auto a32 = narrowed<uint32_t>(a), b32 = narrowed<uint32_t>(b);
    const auto scale_a8 = narrowed<uint8_t>(scale_a), scale_b8 = narrowed<uint8_t>(scale_b);
    numerics::fast_tile(arithmetic, types, {1, 1, a32, b32, {&value, 1}, scale_a8, scale_b8, 0}, {&d, 1});
    differences.compare(std::string(column) + ", fast", expected, hex_code(d, 8));
  }
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

std::optional<RowCase> as_case(const CsvRow& row) {
  const auto text = [&](std::string_view column) { return cell(nvf4_groups_format, row, column); };
  return tcgen05_dot_as_case({"tcgen05",
                              "nvf4",
                              "64",
                              "e2m1",
                              "e2m1",
                              "f32",
                              "ue4m3",
                              "16",
                              text("a"),
                              text("b"),
                              text("c"),
                              text("sfa"),
                              text("sfb"),
                              {}});
}

}  // namespace

const FileFormat nvf4_groups_format{"groups of products", nvf4_groups_header, check_nvf4_groups, as_case};

}  // namespace assay::vectors
