// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/forms/families.h"
#include "kernels/params/tcgen05.h"

/// tcgen05.ld and tcgen05.st (PTX ISA, tcgen05.ld, tcgen05.st). Their 128 registers are the statement's own.
namespace assay::forms {
namespace {

using params::TmemShape;

constexpr uint32_t value(TmemShape shape) {
  return static_cast<uint32_t>(shape);
}

constexpr Choice shapes[] = {{".16x64b", value(TmemShape::s16x64b)},
                             {".16x128b", value(TmemShape::s16x128b)},
                             {".16x256b", value(TmemShape::s16x256b)},
                             {".32x32b", value(TmemShape::s32x32b)},
                             {".16x32bx2", value(TmemShape::s16x32bx2)}};
constexpr Choice counts[] = {{".x1", 1},   {".x2", 2},   {".x4", 4},   {".x8", 8},
                             {".x16", 16}, {".x32", 32}, {".x64", 64}, {".x128", 128}};
constexpr Choice packs[] = {{"", 0}, {".pack::16b", 1}};
constexpr Choice unpacks[] = {{"", 0}, {".unpack::16b", 1}};
/// The immediate of 16x32bx2, one of params::tmem_splits; other shapes have none, which is 0 here.
constexpr Choice splits[] = {{", 0", 0},   {", 1", 1},   {", 2", 2},   {", 4", 4},     {", 8", 8},
                             {", 16", 16}, {", 32", 32}, {", 64", 64}, {", 128", 128}, {", 256", 256}};
static_assert(std::size(splits) == std::size(params::tmem_splits));

constexpr Axis ld_axes[] = {{"shape", shapes}, {"count", counts}, {"pack", packs}, {"split", splits}};
constexpr Axis st_axes[] = {{"shape", shapes}, {"count", counts}, {"pack", unpacks}, {"split", splits}};

uint32_t registers_of(Picks picks) {
  const auto shape = static_cast<TmemShape>(picks[0]->value);
  return picks[1]->value * (shape == TmemShape::s16x128b ? 2 : shape == TmemShape::s16x256b ? 4 : 1);
}
bool has_split(Picks picks) {
  return picks[0]->value == value(TmemShape::s16x32bx2);
}

bool exists(Picks picks) {
  return registers_of(picks) <= params::tmem_registers && (has_split(picks) || picks[3]->value == 0);
}

/// Other words in the first and in the last cells that a load takes, of each half: registers that came late
/// would hold them.
std::string overwrite(Picks picks) {
  const std::string halves = has_split(picks) ? ", " + std::to_string(picks[3]->value) : "";
  const auto shape = static_cast<TmemShape>(picks[0]->value);
  const uint32_t columns = (shape == TmemShape::s16x64b    ? 2
                            : shape == TmemShape::s16x128b ? 4
                            : shape == TmemShape::s16x256b ? 8
                                                           : 1) *
                           (picks[2]->value + 1);
  const uint32_t count = std::min(picks[1]->value, 4u),
                 registers = registers_of(picks) * count / picks[1]->value;
  std::string list = "w";
  for (uint32_t i = 1; i < registers; ++i) list += ", w";
  const std::string store = "tcgen05.st.sync.aligned" + std::string(picks[0]->text) + ".x" +
                            std::to_string(count) + (picks[2]->value != 0 ? ".unpack::16b" : "") +
                            ".b32 [$address";
  const uint32_t last = (picks[1]->value - count) * columns;
  std::string lines = "mov.b32 w, 0x0badcafe;\n" + store + "]" + halves + ", {" + list + "};\n";
  if (last != 0) lines += store + "+" + std::to_string(last) + "]" + halves + ", {" + list + "};\n";
  return lines + "tcgen05.wait::st.sync.aligned;";
}

std::string slot(std::string_view name, Picks picks) {
  if (name == "registers") return register_list("v", registers_of(picks));
  if (name == "overwrite") return overwrite(picks);
  if (name == "immediate") return has_split(picks) ? "<split>" : "";
  std::string lines;
  for (uint32_t i = 0; i < params::tmem_registers; i += 4) {
    const std::string list = "{" + register_list("v", 4, i) + "}", at = std::to_string(i * 4);
    if (name == "ones")
      for (uint32_t j = i; j < i + 4; ++j) lines += "mov.b32 v" + std::to_string(j) + ", -1;\n";
    else if (name == "to_global")
      lines += "st.global.v4.b32 [$target+" + at + "], " + list + ";\n";
    else
      lines += "ld.shared.v4.b32 " + list + ", [$source+" + at + "];\n";
  }
  return lines;
}

}  // namespace

/// Writes 128 words: the registers, then ones. A wait is over when the registers have come: before they are
/// looked at, the cells are overwritten.
constexpr Family tcgen05_ld{
    .name = "tcgen05.ld",
    .operands = "target:l address",
    .before = ".reg .b32 v<128>, w;\n<ones>",
    .text =
        "tcgen05.ld.sync.aligned<shape><count><pack>.b32 {<registers>}, [$address]<immediate>;\n"
        "tcgen05.wait::ld.sync.aligned;\n<overwrite>",
    .after = "<to_global>",
    .axes = ld_axes,
    .targets = with_tcgen05,
    .exists = exists,
    .slot = slot};
/// Stores the first of 128 words in shared memory, as many as the form takes. The caller waits.
constexpr Family tcgen05_st{
    .name = "tcgen05.st",
    .operands = "source address",
    .before = ".reg .b32 v<128>;\n<from_shared>",
    .text = "tcgen05.st.sync.aligned<shape><count><pack>.b32 [$address]<immediate>, {<registers>};",
    .axes = st_axes,
    .targets = with_tcgen05,
    .exists = exists,
    .slot = slot};

}  // namespace assay::forms
