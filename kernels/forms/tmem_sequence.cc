// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"
#include "kernels/params/tmem_forms.h"

/// What the programs on tensor memory do to 8 or 16 columns, by every shape of access, with the other ways
/// that PTX has to say an instruction: an immediate in its address, a predicate that is false (PTX ISA,
/// Addresses as Operands; Predicated Execution). Families of one form are several instructions, between which
/// the compiler has none.
namespace assay::forms {
namespace {

using params::TmemSpelling;

constexpr Choice shapes[] = {
    {".32x32b.x8", 0}, {".16x64b.x4", 1}, {".16x128b.x2", 2}, {".16x256b.x1", 3}, {".16x32bx2.x4", 4}};
static_assert(std::size(shapes) == params::tmem_access_shapes);
constexpr Choice spellings[] = {{"", static_cast<uint32_t>(TmemSpelling::plain)},
                                {"", static_cast<uint32_t>(TmemSpelling::offset)},
                                {"", static_cast<uint32_t>(TmemSpelling::beside_idle)}};
static_assert(std::size(spellings) == params::tmem_spellings);
constexpr Axis access_axes[] = {{"shape", shapes}, {"spelling", spellings}};
constexpr Axis axes[] = {{"spelling", spellings}};

TmemSpelling spelling_of(Picks picks) {
  return static_cast<TmemSpelling>(picks.back()->value);
}

/// Of r0, which lies so far behind the address.
constexpr int offset = -40;
/// Lane 16 of the address.
constexpr int upper_lanes = 16 << 16;
constexpr std::string_view declarations =
    ".reg .b32 r0;\n.reg .pred p0;\nadd.s32 r0, $address, 40;\nsetp.eq.u32 p0, $address, -1;";

std::string place(Picks picks, int further = 0) {
  const bool is_offset = spelling_of(picks) == TmemSpelling::offset;
  const int immediate = further + (is_offset ? offset : 0);
  return std::string(is_offset ? "[r0+" : "[$address+") + std::to_string(immediate) + "]";
}

/// Operands `first` to `end`, or from the last to the first.
std::string registers(uint32_t first, uint32_t end, bool backwards) {
  std::string list;
  for (uint32_t i = first; i < end; ++i)
    list += (i == first ? "$v" : ", $v") + std::to_string(backwards ? end - 1 - (i - first) : i);
  return "{" + list + "}";
}

/// One instruction, or one for each half of the lanes. `is_idle`: without effect, of other registers.
std::string access(Picks picks, bool is_load, bool is_idle) {
  const std::string opcode = (is_idle ? "@p0 tcgen05." : "tcgen05.") + std::string(is_load ? "ld" : "st") +
                             ".sync.aligned" + std::string(picks[0]->text) + ".b32 ";
  const std::string split = picks[0]->value == 4 ? ", 4" : "";
  const uint32_t parts = picks[0]->value == 0 ? 1 : 2;
  std::string lines;
  for (uint32_t part = 0; part < parts; ++part) {
    const std::string list = registers(part * 4, parts == 1 ? 8 : part * 4 + 4, is_idle),
                      at = place(picks, static_cast<int>(part) * upper_lanes) + split;
    lines += (part == 0 ? "" : "\n") + opcode + (is_load ? list + ", " + at : at + ", " + list) + ";";
  }
  return lines;
}
std::string with_idle(Picks picks, const std::string& lines, const std::string& idle) {
  return spelling_of(picks) == TmemSpelling::beside_idle ? lines + "\n" + idle : lines;
}
std::string slot_of_load(std::string_view, Picks picks) {
  return with_idle(picks, access(picks, true, false), access(picks, true, true));
}
std::string slot_of_store(std::string_view, Picks picks) {
  return with_idle(picks, access(picks, false, false), access(picks, false, true));
}
std::string slot_of_product(std::string_view, Picks picks) {
  const std::string product =
      "tcgen05.mma.cta_group::1.kind::f16 " + place(picks) + ", $a_desc, $b_desc, $idesc, accumulate;";
  return with_idle(picks, product, "@p0 " + product);
}
std::string slot_of_shift(std::string_view, Picks picks) {
  const std::string shift = "tcgen05.shift.cta_group::1.down " + place(picks) + ";";
  return with_idle(picks, shift, "@p0 " + shift);
}

/// Each column by an instruction of its own.
std::string slot_of_columns(std::string_view, Picks) {
  std::string lines;
  for (uint32_t i = 0; i < 8; ++i)
    lines += (i == 0 ? "" : "\n") + std::string("tcgen05.ld.sync.aligned.32x32b.x1.b32 {$v") +
             std::to_string(i) + (i == 0 ? "}, [$address];" : "}, [$address+" + std::to_string(i) + "];");
  return lines;
}

}  // namespace

/// Eight registers, waited for.
constexpr Family tcgen05_ld_cells{.name = "tcgen05.ld.cells",
                                  .operands = "v0 v1 v2 v3 v4 v5 v6 v7 address",
                                  .before = declarations,
                                  .text = "<load>",
                                  .after = "tcgen05.wait::ld.sync.aligned;",
                                  .axes = access_axes,
                                  .targets = with_tcgen05,
                                  .slot = slot_of_load};
/// The caller waits.
constexpr Family tcgen05_st_cells{.name = "tcgen05.st.cells",
                                  .operands = "address v0 v1 v2 v3 v4 v5 v6 v7",
                                  .before = declarations,
                                  .text = "<store>",
                                  .axes = access_axes,
                                  .targets = with_tcgen05,
                                  .slot = slot_of_store};
constexpr Family tcgen05_mma_cells{
    .name = "tcgen05.mma.cells",
    .operands = "address a_desc:l b_desc:l idesc enable_input_d",
    .before =
        ".reg .b32 r0;\n.reg .pred p0, accumulate;\nadd.s32 r0, $address, 40;\n"
        "setp.eq.u32 p0, $address, -1;\nsetp.ne.u32 accumulate, $enable_input_d, 0;",
    .text = "<product>",
    .axes = axes,
    .targets = with_tcgen05,
    .slot = slot_of_product};
constexpr Family tcgen05_shift_cells{.name = "tcgen05.shift.cells",
                                     .operands = "address",
                                     .before = declarations,
                                     .text = "<shift>",
                                     .axes = axes,
                                     .targets = with_tcgen05,
                                     .slot = slot_of_shift};

/// Eight columns, waited for.
constexpr Family tcgen05_ld_columns{.name = "tcgen05.ld.columns",
                                    .operands = "v0 v1 v2 v3 v4 v5 v6 v7 address",
                                    .text = "<loads>\ntcgen05.wait::ld.sync.aligned;",
                                    .targets = with_tcgen05,
                                    .slot = slot_of_columns};
/// Stores before it are waited for first.
constexpr Family tcgen05_ld_columns_wait_st{
    .name = "tcgen05.ld.columns.wait_st",
    .operands = "v0 v1 v2 v3 v4 v5 v6 v7 address",
    .text = "<loads>\ntcgen05.wait::st.sync.aligned;\ntcgen05.wait::ld.sync.aligned;",
    .targets = with_tcgen05,
    .slot = slot_of_columns};
/// The same columns are stored to behind it, and that is waited for.
constexpr Family tcgen05_ld_columns_st{
    .name = "tcgen05.ld.columns.st",
    .operands = "v0 v1 v2 v3 v4 v5 v6 v7 address w0 w1 w2 w3 w4 w5 w6 w7",
    .text =
        "<loads>\ntcgen05.wait::ld.sync.aligned;\n"
        "tcgen05.st.sync.aligned.32x32b.x8.b32 [$address], {$w0, $w1, $w2, $w3, $w4, $w5, $w6, $w7};\n"
        "tcgen05.wait::st.sync.aligned;",
    .targets = with_tcgen05,
    .slot = slot_of_columns};

}  // namespace assay::forms
