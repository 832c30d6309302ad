// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/families.h"

/// mma.sp, without kinds (PTX ISA, mma.sp): shapes and types under both spellings, metadata and selectors.
namespace assay::forms {
namespace {

enum Type : uint32_t { f32, f16, bf16, tf32, e4m3, e5m2, s32, s8, u8, s4, u4 };
/// A dense instruction has no metadata, and unordered ones have no name.
constexpr Choice sparsities[] = {
    {".sp", 1}, {".sp::ordered_metadata", 1}, {"", 0}, {".sp::unordered_metadata", 0}};
constexpr Choice shapes[] = {{".m16n8k8", 16 << 8 | 8},     {".m16n8k16", 16 << 8 | 16},
                             {".m16n8k32", 16 << 8 | 32},   {".m16n8k64", 16 << 8 | 64},
                             {".m16n8k128", 16 << 8 | 128}, {".m8n8k32", 8 << 8 | 32}};
constexpr Choice layouts[] = {{".row.col", 1}, {".row.row", 0}, {".col.col", 0}};
constexpr Choice saturations[] = {{"", 0}, {".satfinite", 1}};
constexpr Choice d_types[] = {{".f32", f32}, {".f16", f16}, {".s32", s32}};
constexpr Choice a_types[] = {{".f16", f16},   {".bf16", bf16}, {".tf32", tf32},
                              {".e4m3", e4m3}, {".e5m2", e5m2}, {".s8", s8},
                              {".u8", u8},     {".s4", s4},     {".u4", u4}};
constexpr Axis axes[] = {
    {"sparsity", sparsities}, {"shape", shapes}, {"layout", layouts}, {"saturation", saturations},
    {"d", d_types},           {"at", a_types},   {"bt", a_types}};

uint32_t bits_of(uint32_t type) {
  return type >= s4 ? 4 : type == tf32 ? 32 : type == f16 || type == bf16 ? 16 : 8;
}
bool is_fp8(uint32_t type) {
  return type == e4m3 || type == e5m2;
}
bool is_of(uint32_t type, uint32_t one, uint32_t other) {
  return type == one || type == other;
}
bool go_together(uint32_t d, uint32_t a, uint32_t b) {
  if (a == f16) return b == f16 && is_of(d, f32, f16);
  if (a == bf16 || a == tf32) return b == a && d == f32;
  if (is_fp8(a)) return is_fp8(b) && d == f32;
  if (is_of(a, s8, u8)) return is_of(b, s8, u8) && d == s32;
  return is_of(b, s4, u4) && d == s32;
}
/// What A keeps of a row.
uint32_t kept_bits(uint32_t shape, uint32_t a) {
  return (shape & 0xff) * bits_of(a) / 2;
}

/// Half a row of 512 bits, or of 256; 8-bit floats have the long one alone, and into f16 with a kind: ptxas
/// takes them for sm_120a without it.
Legality legality(Picks picks, Targets target) {
  const uint32_t shape = picks[1]->value, d = picks[4]->value, a = picks[5]->value;
  const bool lacks_kind = is_fp8(a) && d == f16 && has_mma_kinds(target);
  if (picks[0]->value == 0 || shape >> 8 != 16 || picks[2]->value == 0 ||
      !go_together(lacks_kind ? uint32_t{f32} : d, a, picks[6]->value) || (picks[3]->value != 0 && d != s32))
    return Legality::illegal;
  const uint32_t bits = kept_bits(shape, a);
  if (lacks_kind) return bits == 256 ? Legality::open : Legality::illegal;
  return legal_if(bits == 256 || (bits == 128 && !is_fp8(a)));
}

struct Registers {
  uint32_t d, a, b;
};
/// Of the legal form, or the nearest number.
Registers registers_of(uint32_t shape, uint32_t d, uint32_t a) {
  const bool is_long = kept_bits(shape, a) >= 256;
  return {d == f16 ? 2u : 4u, is_long ? 4u : 2u, is_long ? 4u : 2u};
}
std::string list_of(std::string_view name, const Registers& count) {
  if (name == "d_list") return register_list("r", count.d, 10);
  return name == "a_list" ? register_list("r", count.a, 20) : register_list("r", count.b, 30);
}
std::string slot(std::string_view name, Picks picks) {
  return list_of(name, registers_of(picks[1]->value, picks[4]->value, picks[5]->value));
}
constexpr Family types{
    .name = "asked.mma.sp",
    .text =
        "mma<sparsity>.sync.aligned<shape><layout><saturation><d><at><bt><d> {<d_list>}, {<a_list>}, "
        "{<b_list>}, {<d_list>}, r40, 0;",
    .axes = axes,
    .slot = slot};

/// Value: shape, type of D, type of A.
constexpr uint32_t whole(uint32_t k, uint32_t d, uint32_t a) {
  return k | d << 8 | a << 16;
}
constexpr Choice whole_types[] = {{".m16n8k16.row.col.f32.f16.f16.f32", whole(16, f32, f16)},
                                  {".m16n8k16.row.col.f16.f16.f16.f16", whole(16, f16, f16)},
                                  {".m16n8k16.row.col.f32.bf16.bf16.f32", whole(16, f32, bf16)},
                                  {".m16n8k8.row.col.f32.tf32.tf32.f32", whole(8, f32, tf32)},
                                  {".m16n8k32.row.col.s32.s8.u8.s32", whole(32, s32, s8)},
                                  {".m16n8k64.row.col.satfinite.s32.u4.s4.s32", whole(64, s32, u4)},
                                  {".m16n8k32.row.col.f32.f16.f16.f32", whole(32, f32, f16)},
                                  {".m16n8k32.row.col.f16.f16.f16.f16", whole(32, f16, f16)},
                                  {".m16n8k32.row.col.f32.bf16.bf16.f32", whole(32, f32, bf16)},
                                  {".m16n8k16.row.col.f32.tf32.tf32.f32", whole(16, f32, tf32)},
                                  {".m16n8k64.row.col.f32.e4m3.e5m2.f32", whole(64, f32, e4m3)},
                                  {".m16n8k64.row.col.s32.u8.u8.s32", whole(64, s32, u8)},
                                  {".m16n8k128.row.col.s32.s4.s4.s32", whole(128, s32, s4)}};
constexpr Choice named_sparsities[] = {{".sp", 1}, {".sp::ordered_metadata", 1}};
constexpr Choice metadata[] = {{"r40", 1}, {"{r40}", 2}, {"l5", 0}, {"0", 0}};
constexpr Choice selectors[] = {{", 0", 0}, {", 1", 1},  {", 2", 2},    {", 3", 3},
                                {", 4", 4}, {", -1", 9}, {", r41", 10}, {"", 11}};
constexpr Axis selector_axes[] = {
    {"sparsity", named_sparsities}, {"types", whole_types}, {"metadata", metadata}, {"selector", selectors}};

uint32_t k_of(Picks picks) {
  return picks[1]->value & 0xff;
}
std::string selector_slot(std::string_view name, Picks picks) {
  const uint32_t types = picks[1]->value;
  return list_of(name, registers_of(16 << 8 | k_of(picks), types >> 8 & 0xff, types >> 16));
}
/// One lane of four has the metadata of a short row of wide elements, two those of a long one; of bytes and
/// less two and all. The documents have a register for the metadata: ptxas takes it in braces, but of 4-bit
/// elements. They have selectors 0 and 1 for long rows of f16: ptxas takes 2 and 3 where D is f32, and an
/// H200 faults.
Legality selector_legality(Picks picks, Targets) {
  const uint32_t types = picks[1]->value, selector = picks[3]->value, a = types >> 16;
  if (picks[2]->value == 0 || selector > 3) return Legality::illegal;
  const bool is_long = kept_bits(k_of(picks), a) == 256;
  const Legality right = picks[2]->value == 2 ? Legality::open : Legality::legal;
  if (selector < (bits_of(a) >= 16 ? 4u : 2u) / (is_long ? 2 : 1)) return right;
  return types == whole(32, f32, f16) ? Legality::open : Legality::illegal;
}
constexpr Family metadata_and_selectors{
    .name = "asked.mma.sp.selectors",
    .text =
        "mma<sparsity>.sync.aligned<types> {<d_list>}, {<a_list>}, {<b_list>}, {<d_list>}, "
        "<metadata><selector>;",
    .axes = selector_axes,
    .slot = selector_slot};

}  // namespace

constexpr SpellingTable asked_mma_sp{"mma_sync_sp", &types, legality, "PTX ISA, mma.sp"};
constexpr SpellingTable asked_mma_sp_selectors{"mma_sync_sp", &metadata_and_selectors, selector_legality,
                                               "PTX ISA, mma.sp"};

}  // namespace assay::forms
