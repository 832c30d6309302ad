// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/forms/assembler/spellings.h"
#include "kernels/forms/families.h"

/// The tables of spellings, a file for each group of instructions; spellings.cc lists them.
namespace assay::forms {

extern const SpellingTable asked_tcgen05_mma, asked_tcgen05_mma_sparse, asked_tcgen05_mma_operands,
    asked_tcgen05_mma_addresses, asked_tcgen05_mma_scales;
extern const SpellingTable asked_tcgen05_ld, asked_tcgen05_st, asked_tcgen05_ld_red;
extern const SpellingTable asked_tcgen05_cp, asked_tcgen05_shift;
extern const SpellingTable asked_tcgen05_alloc, asked_tcgen05_dealloc, asked_tcgen05_commit,
    asked_tcgen05_wait;
extern const SpellingTable asked_wgmma_types, asked_wgmma_extents, asked_wgmma_immediates;
extern const SpellingTable asked_wgmma_sp_types, asked_wgmma_sp_extents, asked_wgmma_sp_immediates,
    asked_wgmma_sp_selectors;
extern const SpellingTable asked_mma_sync, asked_mma_sync_f64;
extern const SpellingTable asked_mma_sp, asked_mma_sp_selectors;
extern const SpellingTable asked_mma_sp_kind, asked_mma_sp_block_scale, asked_mma_sp_kind_selectors,
    asked_mma_sp_kind_scales;
extern const SpellingTable asked_mma_sync_kind, asked_mma_sync_block_scale, asked_mma_sync_selectors;
extern const SpellingTable asked_tensor_load, asked_tensor_store, asked_tensor_reduce, asked_tensor_prefetch;
extern const SpellingTable asked_tensormap_replace;
extern const SpellingTable asked_later_copy, asked_later_ignore_oob, asked_later_store, asked_later_layout,
    asked_later_wait, asked_later_alloc, asked_later_commit, asked_later_wait_group, asked_later_query;

/// Of the kernels' own forms of mma.sync with .kind::f8f6f4.
Legality legality_of_probed_kinds(Picks picks, Targets target);

constexpr Legality legal_if(bool is_legal) {
  return is_legal ? Legality::legal : Legality::illegal;
}
constexpr bool has_tcgen05(Targets target) {
  return (target & with_tcgen05) != 0;
}
constexpr bool has_mma_kinds(Targets target) {
  return (target & with_mma_kinds) != 0;
}
constexpr bool has_wgmma(Targets target) {
  return (target & with_wgmma) != 0;
}
constexpr bool is_from_sm_100a(Targets target) {
  return (target & from_sm_100a) != 0;
}

}  // namespace assay::forms

/// What the tables of wgmma.mma_async, dense and sparse, have in common.
namespace assay::forms::asked_wgmma {

enum Type : uint32_t { f32, f16, bf16, tf32, e4m3, e5m2, s32, s8, u8 };
inline constexpr Choice d_types[] = {{".f32", f32}, {".f16", f16}, {".s32", s32}};
inline constexpr Choice a_types[] = {{".f16", f16},   {".bf16", bf16}, {".tf32", tf32}, {".e4m3", e4m3},
                                     {".e5m2", e5m2}, {".s8", s8},     {".u8", u8}};

inline bool is_fp8(uint32_t type) {
  return type == e4m3 || type == e5m2;
}
inline bool is_integer(uint32_t type) {
  return type == s8 || type == u8;
}
inline bool is_16_bit(uint32_t type) {
  return type == f16 || type == bf16;
}
inline uint32_t k_of(uint32_t a) {
  return is_16_bit(a) ? 16 : a == tf32 ? 8 : 32;
}
inline bool go_together(uint32_t d, uint32_t a, uint32_t b) {
  if (a == f16) return b == f16 && (d == f32 || d == f16);
  if (a == bf16 || a == tf32) return b == a && d == f32;
  if (is_fp8(a)) return is_fp8(b) && (d == f32 || d == f16);
  return is_integer(b) && d == s32;
}

inline std::string registers_of_d(uint32_t d, uint32_t n) {
  return register_list("r", d == f16 ? n / 4 : n / 2, 10);
}
/// Signs, and transposes of the types that have them, as many as A's place takes.
inline std::string right_immediates(uint32_t a, bool in_registers) {
  if (is_integer(a)) return "";
  return is_16_bit(a) ? in_registers ? ", 1, 1, 0" : ", 1, 1, 0, 0" : ", 1, 1";
}

/// n of all multiples of 4 from 4 to 264.
inline constexpr Choice all_extents[] = {
    {"4", 4},     {"8", 8},     {"12", 12},   {"16", 16},   {"20", 20},   {"24", 24},   {"28", 28},
    {"32", 32},   {"36", 36},   {"40", 40},   {"44", 44},   {"48", 48},   {"52", 52},   {"56", 56},
    {"60", 60},   {"64", 64},   {"68", 68},   {"72", 72},   {"76", 76},   {"80", 80},   {"84", 84},
    {"88", 88},   {"92", 92},   {"96", 96},   {"100", 100}, {"104", 104}, {"108", 108}, {"112", 112},
    {"116", 116}, {"120", 120}, {"124", 124}, {"128", 128}, {"132", 132}, {"136", 136}, {"140", 140},
    {"144", 144}, {"148", 148}, {"152", 152}, {"156", 156}, {"160", 160}, {"164", 164}, {"168", 168},
    {"172", 172}, {"176", 176}, {"180", 180}, {"184", 184}, {"188", 188}, {"192", 192}, {"196", 196},
    {"200", 200}, {"204", 204}, {"208", 208}, {"212", 212}, {"216", 216}, {"220", 220}, {"224", 224},
    {"228", 228}, {"232", 232}, {"236", 236}, {"240", 240}, {"244", 244}, {"248", 248}, {"252", 252},
    {"256", 256}, {"260", 260}, {"264", 264}};
inline constexpr Choice signs[] = {{", 1, 1", 1}, {", -1, 1", 1}, {", 1, -1", 1}, {", -1, -1", 1},
                                   {", 0, 1", 0}, {", 1, 2", 0},  {", 1", 0},     {"", 2}};
/// Value: how many, 10 where one of them is out of range.
inline constexpr Choice transposes[] = {{"", 0},       {", 0", 1},    {", 1", 1},    {", 2", 10},
                                        {", 0, 0", 2}, {", 1, 0", 2}, {", 0, 1", 2}, {", 2, 0", 10}};

inline constexpr Choice places_of_a[] = {{"l0", 0}, {"{r1, r2, r3, r4}", 1}};
inline constexpr Choice saturations[] = {{"", 0}, {".satfinite", 1}};

inline bool is_extent(uint32_t n, bool of_integers) {
  return n % 8 == 0 && n <= 256 && (!of_integers || n <= 32 || n % 16 == 0);
}
/// Numbers that a spelling has too few of are the others' places: only whole groups are asked about.
inline bool are_whole_groups(const Choice& sign, const Choice& transpose) {
  return sign.value == 1 || transpose.value == 0 || sign.text == ", 0, 1" || sign.text == ", 1, 2";
}
inline bool are_right(const Choice& sign, const Choice& transpose, uint32_t a, bool in_registers) {
  if (is_integer(a)) return sign.value == 2 && transpose.value == 0;
  const uint32_t wanted = is_16_bit(a) ? in_registers ? 1 : 2 : 0;
  return sign.value == 1 && transpose.value == wanted;
}

}  // namespace assay::forms::asked_wgmma
