#include <algorithm>

#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/families.h"

/// wgmma.mma_async, dense (PTX ISA, wgmma.mma_async; ptxas 13.0 on sm_90a): types, extents and immediates.
namespace assay::forms {
namespace {

enum Type : uint32_t { f32, f16, bf16, tf32, e4m3, e5m2, s32, s8, u8 };
constexpr Choice d_types[] = {{".f32", f32}, {".f16", f16}, {".s32", s32}};
constexpr Choice a_types[] = {{".f16", f16},   {".bf16", bf16}, {".tf32", tf32}, {".e4m3", e4m3},
                              {".e5m2", e5m2}, {".s8", s8},     {".u8", u8}};
constexpr Choice depths[] = {{"k8", 8}, {"k16", 16}, {"k32", 32}};
constexpr Choice extents[] = {{"n8", 8}, {"n64", 64}, {"n256", 256}};
constexpr Choice places_of_a[] = {{"l0", 0}, {"{r1, r2, r3, r4}", 1}};
constexpr Choice saturations[] = {{"", 0}, {".satfinite", 1}};
constexpr Axis type_axes[] = {{"n", extents},    {"k", depths},   {"d", d_types},
                              {"at", a_types},   {"bt", a_types}, {"saturation", saturations},
                              {"a", places_of_a}};

bool is_fp8(uint32_t type) {
  return type == e4m3 || type == e5m2;
}
bool is_integer(uint32_t type) {
  return type == s8 || type == u8;
}
bool is_16_bit(uint32_t type) {
  return type == f16 || type == bf16;
}
uint32_t k_of(uint32_t a) {
  return is_16_bit(a) ? 16 : a == tf32 ? 8 : 32;
}
bool go_together(uint32_t d, uint32_t a, uint32_t b) {
  if (a == f16) return b == f16 && (d == f32 || d == f16);
  if (a == bf16 || a == tf32) return b == a && d == f32;
  if (is_fp8(a)) return is_fp8(b) && (d == f32 || d == f16);
  return is_integer(b) && d == s32;
}

std::string registers_of_d(uint32_t d, uint32_t n) {
  return register_list("r", d == f16 ? n / 4 : n / 2, 10);
}
/// Signs, and transposes of the types that have them, as many as A's place takes.
std::string right_immediates(uint32_t a, bool in_registers) {
  if (is_integer(a)) return "";
  return is_16_bit(a) ? in_registers ? ", 1, 1, 0" : ", 1, 1, 0, 0" : ", 1, 1";
}

std::string type_slot(std::string_view name, Picks picks) {
  if (name == "registers") return registers_of_d(picks[2]->value, picks[0]->value);
  return right_immediates(picks[3]->value, picks[6]->value != 0);
}
Legality type_legality(Picks picks, Targets target) {
  const uint32_t d = picks[2]->value, a = picks[3]->value, b = picks[4]->value;
  if (target != sm_90a || !go_together(d, a, b) || picks[1]->value != k_of(a)) return Legality::illegal;
  return legal_if(picks[5]->value == 0 || is_integer(a));
}
constexpr Family types{.name = "asked.wgmma.types",
                       .text =
                           "wgmma.mma_async.sync.aligned.m64<n><k><d><at><bt><saturation> {<registers>}, "
                           "<a>, l1, p0<immediates>;",
                       .axes = type_axes,
                       .slot = type_slot};

/// n of all multiples of 4 from 4 to 264.
constexpr Choice all_extents[] = {
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
/// Value: the type of A and, times 16, of D.
constexpr Choice whole_types[] = {{"k16.f32.f16.f16", f16 + 16 * f32},
                                  {"k16.f16.f16.f16", f16 + 16 * f16},
                                  {"k8.f32.tf32.tf32", tf32 + 16 * f32},
                                  {"k32.f32.e4m3.e5m2", e4m3 + 16 * f32},
                                  {"k32.s32.s8.u8", s8 + 16 * s32}};
constexpr Axis extent_axes[] = {{"n", all_extents}, {"types", whole_types}};

std::string extent_slot(std::string_view name, Picks picks) {
  const uint32_t types = picks[1]->value;
  return name == "registers" ? registers_of_d(types / 16, picks[0]->value)
                             : right_immediates(types % 16, false);
}
Legality extent_legality(Picks picks, Targets target) {
  const uint32_t n = picks[0]->value;
  if (target != sm_90a || n % 8 != 0 || n > 256) return Legality::illegal;
  return legal_if(!is_integer(picks[1]->value % 16) || n <= 32 || n % 16 == 0);
}
constexpr Family all_n{
    .name = "asked.wgmma.extents",
    .text = "wgmma.mma_async.sync.aligned.m64n<n><types> {<registers>}, l0, l1, p0<immediates>;",
    .axes = extent_axes,
    .slot = extent_slot};

constexpr Choice signs[] = {{", 1, 1", 1}, {", -1, 1", 1}, {", 1, -1", 1}, {", -1, -1", 1},
                            {", 0, 1", 0}, {", 1, 2", 0},  {", 1", 0},     {"", 2}};
/// Value: how many, 10 where one of them is out of range.
constexpr Choice transposes[] = {{"", 0},       {", 0", 1},    {", 1", 1},    {", 2", 10},
                                 {", 0, 0", 2}, {", 1, 0", 2}, {", 0, 1", 2}, {", 2, 0", 10}};
constexpr Axis immediate_axes[] = {
    {"types", whole_types}, {"a", places_of_a}, {"signs", signs}, {"transposes", transposes}};

std::string immediate_slot(std::string_view, Picks picks) {
  return registers_of_d(picks[0]->value / 16, 8);
}
/// Numbers that a spelling has too few of are the others' places: only whole groups are asked about.
bool immediate_exists(Picks picks) {
  return picks[2]->value == 1 || picks[3]->value == 0 || picks[2]->text == ", 0, 1" ||
         picks[2]->text == ", 1, 2";
}
Legality immediate_legality(Picks picks, Targets target) {
  const uint32_t a = picks[0]->value % 16;
  if (target != sm_90a) return Legality::illegal;
  if (is_integer(a)) return legal_if(picks[2]->value == 2 && picks[3]->value == 0);
  const uint32_t wanted = is_16_bit(a) ? picks[1]->value != 0 ? 1 : 2 : 0;
  return legal_if(picks[2]->value == 1 && picks[3]->value == wanted);
}
constexpr Family immediates{
    .name = "asked.wgmma.immediates",
    .text = "wgmma.mma_async.sync.aligned.m64n8<types> {<registers>}, <a>, l1, p0<signs><transposes>;",
    .axes = immediate_axes,
    .exists = immediate_exists,
    .slot = immediate_slot};

}  // namespace

constexpr SpellingTable asked_wgmma_types{"wgmma", &types, type_legality, "PTX ISA, wgmma.mma_async"};
constexpr SpellingTable asked_wgmma_extents{"wgmma", &all_n, extent_legality, "PTX ISA, wgmma.mma_async"};
constexpr SpellingTable asked_wgmma_immediates{"wgmma", &immediates, immediate_legality,
                                               "PTX ISA, wgmma.mma_async"};

}  // namespace assay::forms
