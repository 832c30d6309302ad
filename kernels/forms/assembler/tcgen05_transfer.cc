// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/families.h"

/// tcgen05.ld, tcgen05.st and tcgen05.ld.red (PTX ISA, tcgen05.ld, tcgen05.st).
namespace assay::forms {
namespace {

enum Shape : uint32_t { s32x32b, s16x64b, s16x32bx2, s16x128b, s16x256b };
constexpr Choice shapes[] = {{".32x32b", s32x32b},
                             {".16x64b", s16x64b},
                             {".16x32bx2", s16x32bx2},
                             {".16x128b", s16x128b},
                             {".16x256b", s16x256b}};
constexpr Choice counts[] = {{".x1", 1},   {".x2", 2},   {".x4", 4},   {".x8", 8},
                             {".x16", 16}, {".x32", 32}, {".x64", 64}, {".x128", 128}};
constexpr Choice packs[] = {{"", 0}, {".pack::16b", 1}, {".unpack::16b", 2}};
constexpr Choice types[] = {{".b32", 0}, {".f32", 1}, {"", 1}};
constexpr Choice syncs[] = {{".sync.aligned", 0}, {".sync", 2}, {".aligned", 1}, {"", 1}};
constexpr Choice surpluses[] = {{"right", 0}, {"one more", 1}};
constexpr Choice immediates[] = {{"", 0}, {", 4", 1}, {", -16", 1}, {", r9", 2}};
constexpr Choice addresses[] = {{"[r0]", 1}, {"[r0+16]", 1}, {"[l2]", 0}, {"[16]", 0}};
constexpr Axis axes[] = {{"sync", syncs},           {"shape", shapes},     {"count", counts},
                         {"pack", packs},           {"type", types},       {"surplus", surpluses},
                         {"immediate", immediates}, {"address", addresses}};

uint32_t registers_of(uint32_t shape, uint32_t count) {
  return count * (shape == s16x128b ? 2 : shape == s16x256b ? 4 : 1);
}

/// No more registers are written than a vector can have.
bool exists(Picks picks) {
  return registers_of(picks[1]->value, picks[2]->value) + picks[5]->value <= 129;
}

template <uint32_t pack>
Legality legality(Picks picks, Targets target) {
  if (!has_tcgen05(target) || picks[0]->value == 1 || picks[4]->value != 0 || picks[5]->value != 0 ||
      picks[7]->value == 0)
    return Legality::illegal;
  if (registers_of(picks[1]->value, picks[2]->value) > 128) return Legality::illegal;
  if (picks[3]->value != 0 && picks[3]->value != pack) return Legality::illegal;
  if (picks[6]->value != (picks[1]->value == s16x32bx2 ? 1u : 0u)) return Legality::illegal;
  // The syntax has .sync.aligned; ptxas does without .aligned here, though not in tcgen05.wait.
  return picks[0]->value == 2 ? Legality::open : Legality::legal;
}

std::string slot(std::string_view, Picks picks) {
  return register_list("r", registers_of(picks[1]->value, picks[2]->value) + picks[5]->value, 10);
}

constexpr Family ld{.name = "asked.tcgen05.ld",
                    .text = "tcgen05.ld<sync><shape><count><pack><type> {<registers>}, <address><immediate>;",
                    .axes = axes,
                    .exists = exists,
                    .slot = slot};
constexpr Family st{.name = "asked.tcgen05.st",
                    .text = "tcgen05.st<sync><shape><count><pack><type> <address><immediate>, {<registers>};",
                    .axes = axes,
                    .exists = exists,
                    .slot = slot};

constexpr Choice operations[] = {{".min", 0}, {".max", 0}, {".add", 1}};
constexpr Choice magnitudes[] = {{"", 0}, {".abs", 1}};
constexpr Choice nans[] = {{"", 0}, {".NaN", 1}};
enum Type : uint32_t { u32, s32, f32, b32 };
constexpr Choice red_types[] = {{".u32", u32}, {".s32", s32}, {".f32", f32}, {".b32", b32}};
constexpr Choice red_immediates[] = {{"", 0}, {", 4", 1}};
constexpr Axis red_axes[] = {
    {"shape", shapes}, {"count", counts},   {"op", operations},           {"abs", magnitudes},
    {"nan", nans},     {"type", red_types}, {"immediate", red_immediates}};

bool red_exists(Picks picks) {
  return registers_of(picks[0]->value, picks[1]->value) <= 128;
}

Legality red_legality(Picks picks, Targets target) {
  const uint32_t shape = picks[0]->value;
  if ((target & with_ld_red) == 0 || (shape != s32x32b && shape != s16x32bx2) || picks[1]->value < 2)
    return Legality::illegal;
  if (picks[2]->value != 0 || picks[5]->value == b32) return Legality::illegal;
  if ((picks[3]->value != 0 || picks[4]->value != 0) && picks[5]->value != f32) return Legality::illegal;
  return legal_if(picks[6]->value == (shape == s16x32bx2 ? 1u : 0u));
}

std::string red_slot(std::string_view, Picks picks) {
  return register_list("r", registers_of(picks[0]->value, picks[1]->value), 10);
}

constexpr Family ld_red{
    .name = "asked.tcgen05.ld.red",
    .text =
        "tcgen05.ld.red.sync.aligned<shape><count><op><abs><nan><type> {<registers>}, r9, [r0]<immediate>;",
    .axes = red_axes,
    .exists = red_exists,
    .slot = red_slot};

}  // namespace

constexpr SpellingTable asked_tcgen05_ld{"tcgen05_transfer", &ld, legality<1>, "PTX ISA, tcgen05.ld"};
constexpr SpellingTable asked_tcgen05_st{"tcgen05_transfer", &st, legality<2>, "PTX ISA, tcgen05.st"};
constexpr SpellingTable asked_tcgen05_ld_red{"tcgen05_transfer", &ld_red, red_legality,
                                             "PTX ISA, tcgen05.ld, .red"};

}  // namespace assay::forms
