// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "kernels/forms/families.h"
#include "kernels/forms/records.h"

/// tensormap.replace (PTX ISA, tensormap.replace; ptxas): swizzle atomicity and element types from 13 on need
/// sm_100a, swizzle mode 4 sm_103a or sm_107a. What publishes its work, at every scope (PTX ISA,
/// membar/fence; tensormap.cp_fenceproxy).
namespace assay::forms {
namespace {

using params::MapCommand;
using enum params::MapCommand;

/// What follows the map: an immediate, a value, or both; a value has 32 or 64 bits.
enum class Takes : uint8_t { immediate, value, wide_value, ordinal_and_value, ordinal_and_wide_value };

struct Field {
  std::string_view name;
  MapCommand command;
  Takes takes;
  uint32_t first = 0, last = 0;  ///< immediates
  uint8_t targets = every_target;
  uint8_t ptx = 83;
};
constexpr Field rows[] = {
    {"global_address", global_address, Takes::wide_value},
    {"rank", rank, Takes::value},
    {"box_dim", box_dim, Takes::ordinal_and_value, 0, 4},
    {"global_dim", global_dim, Takes::ordinal_and_value, 0, 4},
    {"global_stride", global_stride, Takes::ordinal_and_wide_value, 0, 4},
    {"element_stride", element_stride, Takes::ordinal_and_value, 0, 4},
    {"elemtype", elemtype, Takes::immediate, 0, 12},
    {"elemtype", elemtype, Takes::immediate, 13, 15, from_sm_100a, 87},
    {"interleave_layout", interleave_layout, Takes::immediate, 0, 2},
    {"swizzle_mode", swizzle_mode, Takes::immediate, 0, 3},
    {"swizzle_mode", swizzle_mode, Takes::immediate, 4, 4, with_swizzle_96B, 88},
    {"swizzle_atomicity", swizzle_atomicity, Takes::immediate, 0, 3, from_sm_100a, 86},
    {"fill_mode", fill_mode, Takes::immediate, 0, 1},
};

/// By the number of the row.
constexpr auto fields = [] {
  std::array<Choice, std::size(rows)> made{};
  for (uint32_t i = 0; i < made.size(); ++i) made[i] = {rows[i].name, i, rows[i].targets, rows[i].ptx};
  return made;
}();
constexpr Choice immediates[] = {{"0", 0},   {"1", 1},   {"2", 2},   {"3", 3},  {"4", 4},   {"5", 5},
                                 {"6", 6},   {"7", 7},   {"8", 8},   {"9", 9},  {"10", 10}, {"11", 11},
                                 {"12", 12}, {"13", 13}, {"14", 14}, {"15", 15}};
constexpr Axis axes[] = {{"field", fields}, {"immediate", immediates}};

/// Their opcodes are params::MapStep::scope.
constexpr Choice scopes[] = {{"cta", 0}, {"cluster", 1}, {"gpu", 2}, {"sys", 3}};
constexpr Axis scope_axis[] = {{"scope", scopes}};

const Field& field_of(Picks picks) {
  return rows[picks[0]->value];
}
bool exists(Picks picks) {
  const Field& field = field_of(picks);
  return picks[1]->value >= field.first && picks[1]->value <= field.last;
}
std::string slot(std::string_view name, Picks picks) {
  const Takes takes = field_of(picks).takes;
  const bool is_wide = takes == Takes::wide_value || takes == Takes::ordinal_and_wide_value;
  if (name == "width") return is_wide ? "b64" : "b32";
  std::string text = takes == Takes::value || takes == Takes::wide_value ? "" : ", <immediate>";
  if (takes != Takes::immediate) text += is_wide ? ", $value" : ", $low";
  return text;
}

}  // namespace

/// `low` are the low 32 bits of the value.
constexpr Family replace_in_global{
    .name = "tensormap.replace.global",
    .operands = "map:l value:l low",
    .text = "tensormap.replace.tile.<field>.global.b1024.<width> [$map]<operands>;",
    .axes = axes,
    .exists = exists,
    .slot = slot};
constexpr Family replace_in_shared{
    .name = "tensormap.replace.shared",
    .operands = "map value:l low",
    .text = "tensormap.replace.tile.<field>.shared::cta.b1024.<width> [$map]<operands>;",
    .axes = axes,
    .exists = exists,
    .slot = slot};

constexpr Family fence_release{.name = "fence.proxy.tensormap.release",
                               .operands = "",
                               .text = "fence.proxy.tensormap::generic.release.<scope>;",
                               .axes = scope_axis,
                               .ptx = 83};
constexpr Family fence_acquire{.name = "fence.proxy.tensormap.acquire",
                               .operands = "map:l",
                               .text = "fence.proxy.tensormap::generic.acquire.<scope> [$map], 128;",
                               .axes = scope_axis,
                               .ptx = 83};
constexpr Family cp_fenceproxy{
    .name = "tensormap.cp_fenceproxy",
    .operands = "to:l from",
    .text =
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.<scope>"
        ".sync.aligned [$to], [$from], 128;",
    .axes = scope_axis,
    .ptx = 83};

uint32_t opcode_of(const params::MapStep& step) {
  static const Forms& all = forms("tensormap.replace.global");
  if (step.command >= plain_address) return 0;
  for (uint32_t i = 0; i < std::size(rows); ++i) {
    const Field& field = rows[i];
    const uint64_t immediate = field.takes == Takes::immediate ? step.value
                               : field.last == 0               ? 0
                                                               : step.ordinal;
    if (field.command == step.command && immediate >= field.first && immediate <= field.last)
      return all.opcode({i, static_cast<uint32_t>(immediate)});
  }
  return Forms::none;
}

}  // namespace assay::forms
