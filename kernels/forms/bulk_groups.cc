// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "kernels/forms/families.h"
#include "kernels/params/bulk_copy.h"

/// cp.async.bulk.wait_group (PTX ISA, cp.async.bulk.wait_group), whose number is written out.
namespace assay::forms {
namespace {

constexpr std::string_view numbers[] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                        "8", "9", "10", "11", "12", "13", "14", "15"};
constexpr auto pending = [] {
  std::array<Choice, std::size(numbers)> made{};
  for (uint32_t i = 0; i < made.size(); ++i) made[i] = {numbers[i], i};
  return made;
}();
static_assert(std::size(numbers) == params::most_bulk_pending + 1);
constexpr Choice reads[] = {{"", 0}, {".read", 1}};
constexpr Axis axes[] = {{"pending", pending}, {"read", reads}};
// The probes count as the axes do.
static_assert(params::bulk_wait_opcode(3, true) == 3 * std::size(reads) + 1);

}  // namespace

constexpr Family bulk_wait_group{.name = "cp.async.bulk.wait_group",
                                 .operands = "",
                                 .text = "cp.async.bulk.wait_group<read> <pending>;",
                                 .axes = axes};

}  // namespace assay::forms
