// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"
#include "kernels/params/tmem_ld_red.h"

/// tcgen05.ld.red (PTX ISA, tcgen05.ld). Its registers are the statement's own.
namespace assay::forms {
namespace {

constexpr uint32_t most_registers = 128;

constexpr Choice shapes[] = {{".32x32b", 0, with_ld_red}, {".16x32bx2", 1, with_ld_red}};
constexpr Choice counts[] = {{".x2", 2},   {".x4", 4},   {".x8", 8},    {".x16", 16},
                             {".x32", 32}, {".x64", 64}, {".x128", 128}};
constexpr Choice operations[] = {{".min.u32", 0},     {".max.u32", 1},         {".min.s32", 2},
                                 {".max.s32", 3},     {".min.f32", 4},         {".min.NaN.f32", 5},
                                 {".min.abs.f32", 6}, {".min.abs.NaN.f32", 7}, {".max.f32", 8},
                                 {".max.NaN.f32", 9}, {".max.abs.f32", 10},    {".max.abs.NaN.f32", 11}};
static_assert(std::size(operations) == params::tmem_red_operations);
constexpr Axis axes[] = {{"shape", shapes}, {"count", counts}, {"operation", operations}};

std::string slot(std::string_view name, Picks picks) {
  if (name == "registers") return register_list("v", picks[1]->value);
  // The halves lie side by side.
  if (name == "immediate") return picks[0]->value == 0 ? "" : ", " + std::to_string(picks[1]->value);
  std::string lines;
  if (name == "overwrite") {
    // The first two columns and the last two, of each half: registers that came late would hold the word.
    const std::string halves = picks[0]->value == 0 ? "" : ", " + std::to_string(picks[1]->value);
    for (const uint32_t at : {0u, picks[1]->value - 2})
      lines += "tcgen05.st.sync.aligned" + std::string(picks[0]->text) + ".x2.b32 [$address+" +
               std::to_string(at) + "]" + halves + ", {w, w};\n";
    return lines + "tcgen05.wait::st.sync.aligned;";
  }
  for (uint32_t i = 0; i < most_registers; i += 4) {
    if (name == "ones")
      for (uint32_t j = i; j < i + 4; ++j) lines += "mov.b32 v" + std::to_string(j) + ", -1;\n";
    else
      lines +=
          "st.global.v4.b32 [$target+" + std::to_string(i * 4) + "], {" + register_list("v", 4, i) + "};\n";
  }
  return lines;
}

}  // namespace

/// Writes 129 words: the registers, then ones, and the reduction, which is v128.
constexpr Family tcgen05_ld_red{
    .name = "tcgen05.ld.red",
    .operands = "target:l address",
    .before = ".reg .b32 v<129>, w;\nmov.b32 w, 0x0badcafe;\nmov.b32 v128, -1;\n<ones>",
    .text =
        "tcgen05.ld.red.sync.aligned<shape><count><operation> {<registers>}, v128, "
        "[$address]<immediate>;\ntcgen05.wait::ld.sync.aligned;\n<overwrite>",
    .after = "<to_global>st.global.b32 [$target+512], v128;",
    .axes = axes,
    .targets = with_ld_red,
    .slot = slot};

}  // namespace assay::forms
