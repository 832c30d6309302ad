// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/families.h"

/// mma.sync, dense, without kinds (PTX ISA, mma; the shapes of sm_90 on, without the m8n8k4 form of f16).
namespace assay::forms {
namespace {

enum Type : uint32_t { f32, f16, bf16, tf32, e4m3, e5m2, s32, s8, u8, s4, u4 };
constexpr Choice shapes[] = {{".m16n8k4", 16 << 8 | 4},   {".m16n8k8", 16 << 8 | 8},
                             {".m16n8k16", 16 << 8 | 16}, {".m16n8k32", 16 << 8 | 32},
                             {".m16n8k64", 16 << 8 | 64}, {".m8n8k16", 8 << 8 | 16},
                             {".m8n8k32", 8 << 8 | 32}};
constexpr Choice d_types[] = {{".f32", f32}, {".f16", f16}, {".s32", s32}};
constexpr Choice a_types[] = {{".f16", f16},   {".bf16", bf16}, {".tf32", tf32},
                              {".e4m3", e4m3}, {".e5m2", e5m2}, {".s8", s8},
                              {".u8", u8},     {".s4", s4},     {".u4", u4}};
constexpr Choice saturations[] = {{"", 0}, {".satfinite", 1}};
constexpr Choice layouts[] = {{".row.col", 1}, {".row.row", 0}, {".col.col", 0}};
constexpr Axis axes[] = {{"shape", shapes}, {"layout", layouts}, {"saturation", saturations},
                         {"d", d_types},    {"at", a_types},     {"bt", a_types}};

uint32_t bits_of(uint32_t type) {
  return type >= s4 ? 4 : type == tf32 ? 32 : type == f16 || type == bf16 ? 16 : 8;
}
bool go_together(uint32_t d, uint32_t a, uint32_t b) {
  const auto is_one_of = [](uint32_t type, uint32_t one, uint32_t other) {
    return type == one || type == other;
  };
  if (a == f16) return b == f16 && is_one_of(d, f32, f16);
  if (a == bf16 || a == tf32) return b == a && d == f32;
  if (is_one_of(a, e4m3, e5m2)) return is_one_of(b, e4m3, e5m2) && is_one_of(d, f32, f16);
  if (is_one_of(a, s8, u8)) return is_one_of(b, s8, u8) && d == s32;
  return is_one_of(b, s4, u4) && d == s32;
}

/// A row of A is 32 bytes long, or 16; that of 8 rows 16.
Legality legality(Picks picks, Targets) {
  const uint32_t m = picks[0]->value >> 8, k = picks[0]->value & 0xff;
  const uint32_t d = picks[3]->value, a = picks[4]->value, b = picks[5]->value;
  if (picks[1]->value == 0 || !go_together(d, a, b)) return Legality::illegal;
  if (picks[2]->value != 0 && d != s32) return Legality::illegal;
  const uint32_t row_bits = k * bits_of(a);
  return legal_if(m == 8 ? d == s32 && row_bits == 128 : row_bits == 128 || row_bits == 256);
}

/// As many registers as the legal form of these types and rows has, or the nearest number.
std::string slot(std::string_view name, Picks picks) {
  const uint32_t m = picks[0]->value >> 8, row_bits = (picks[0]->value & 0xff) * bits_of(picks[4]->value);
  const bool is_long = row_bits >= 256;
  if (name == "d_list") return register_list("r", m == 8 || picks[3]->value == f16 ? 2 : 4, 10);
  if (name == "a_list") return register_list("r", m == 8 ? 1 : is_long ? 4 : 2, 20);
  return register_list("r", m == 16 && is_long ? 2 : 1, 30);
}

constexpr Family registers{
    .name = "asked.mma.sync",
    .text =
        "mma.sync.aligned<shape><layout><saturation><d><at><bt><d> {<d_list>}, {<a_list>}, {<b_list>}, "
        "{<d_list>};",
    .axes = axes,
    .slot = slot};

constexpr Choice f64_shapes[] = {{".m8n8k4", 8 << 8 | 4},
                                 {".m16n8k4", 16 << 8 | 4},
                                 {".m16n8k8", 16 << 8 | 8},
                                 {".m16n8k16", 16 << 8 | 16},
                                 {".m16n8k32", 0}};
constexpr Choice f64_types[] = {{".f64.f64.f64.f64", 1}, {".f64.f64.f64.f32", 0}, {".f32.f64.f64.f32", 0}};
constexpr Axis f64_axes[] = {{"shape", f64_shapes}, {"layout", layouts}, {"types", f64_types}};

Legality f64_legality(Picks picks, Targets) {
  for (const Choice* choice : picks)
    if (choice->value == 0) return Legality::illegal;
  return Legality::legal;
}
std::string f64_slot(std::string_view name, Picks picks) {
  const uint32_t m = picks[0]->value == 8 << 8 ? 8 : picks[0]->value >> 8, k = picks[0]->value & 0xff;
  const auto of = [](uint32_t count, uint32_t first) {
    return register_list("d", count == 0 ? 1 : count > 8 ? 8 : count, first);
  };
  return name == "a_list" ? of(m * k / 32, 4) : name == "b_list" ? of(k / 4, 12) : of(m / 4, 0);
}
constexpr Family doubles{
    .name = "asked.mma.sync.f64",
    .text = "mma.sync.aligned<shape><layout><types> {<d_list>}, {<a_list>}, {<b_list>}, {<d_list>};",
    .axes = f64_axes,
    .slot = f64_slot};

}  // namespace

constexpr SpellingTable asked_mma_sync{"mma_sync", &registers, legality, "PTX ISA, mma"};
constexpr SpellingTable asked_mma_sync_f64{"mma_sync", &doubles, f64_legality, "PTX ISA, mma"};

}  // namespace assay::forms
