// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/words.h"

#include "devices/emulator/alu/families.h"

namespace assay::emulator::alu {
namespace {

template <class E>
struct Spelling {
  std::string_view text;
  E meaning;
};

constexpr Spelling<Type> types[] = {
    {"b8", Type::b8},         {"b16", Type::b16},         {"b32", Type::b32},       {"b64", Type::b64},
    {"b128", Type::b128},     {"u2", Type::u2},           {"u4", Type::u4},         {"u8", Type::u8},
    {"u16", Type::u16},       {"u32", Type::u32},         {"u64", Type::u64},       {"s2", Type::s2},
    {"s4", Type::s4},         {"s8", Type::s8},           {"s16", Type::s16},       {"s32", Type::s32},
    {"s64", Type::s64},       {"u16x2", Type::u16x2},     {"s16x2", Type::s16x2},   {"pred", Type::pred},
    {"f16", Type::f16},       {"f16x2", Type::f16x2},     {"bf16", Type::bf16},     {"bf16x2", Type::bf16x2},
    {"tf32", Type::tf32},     {"f32", Type::f32},         {"f32x2", Type::f32x2},   {"f64", Type::f64},
    {"e4m3x2", Type::e4m3x2}, {"e5m2x2", Type::e5m2x2},   {"e2m1x2", Type::e2m1x2}, {"e2m3x2", Type::e2m3x2},
    {"e3m2x2", Type::e3m2x2}, {"ue8m0x2", Type::ue8m0x2}, {"e4m3x4", Type::e4m3x4}, {"e5m2x4", Type::e5m2x4},
    {"e2m1x4", Type::e2m1x4}, {"e2m3x4", Type::e2m3x4},   {"e3m2x4", Type::e3m2x4},
};

constexpr Spelling<Rounding> roundings[] = {
    {"rn", Rounding::rn},   {"rz", Rounding::rz},   {"rm", Rounding::rm},   {"rp", Rounding::rp},
    {"rna", Rounding::rna}, {"rs", Rounding::rs},   {"rni", Rounding::rni}, {"rzi", Rounding::rzi},
    {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi},
};

constexpr Spelling<Flag> flag_words[] = {
    {"ftz", Flag::ftz},
    {"sat", Flag::sat},
    {"satfinite", Flag::satfinite},
    {"relu", Flag::relu},
    {"oob", Flag::oob},
    {"approx", Flag::approx},
    {"full", Flag::full},
    {"NaN", Flag::nan_wins},
    {"xorsign", Flag::xorsign},
    {"abs", Flag::abs},
    {"wide", Flag::wide},
    {"lo", Flag::lo},
    {"hi", Flag::hi},
    {"cc", Flag::cc},
    {"shiftamt", Flag::shiftamt},
    {"pack", Flag::pack},
    {"l", Flag::l},
    {"r", Flag::r},
    {"wrap", Flag::wrap},
    {"clamp", Flag::clamp},
    {"f4e", Flag::f4e},
    {"b4e", Flag::b4e},
    {"rc8", Flag::rc8},
    {"ecl", Flag::ecl},
    {"ecr", Flag::ecr},
    {"rc16", Flag::rc16},
    {"eq", Flag::eq},
    {"ne", Flag::ne},
    {"lt", Flag::lt},
    {"le", Flag::le},
    {"gt", Flag::gt},
    {"ge", Flag::ge},
    {"ls", Flag::ls},
    {"hs", Flag::hs},
    {"equ", Flag::equ},
    {"neu", Flag::neu},
    {"ltu", Flag::ltu},
    {"leu", Flag::leu},
    {"gtu", Flag::gtu},
    {"geu", Flag::geu},
    {"num", Flag::num},
    {"nan", Flag::nan},
    {"and", Flag::logical_and},
    {"or", Flag::logical_or},
    {"xor", Flag::logical_xor},
    {"finite", Flag::finite},
    {"infinite", Flag::infinite},
    {"number", Flag::number},
    {"notanumber", Flag::notanumber},
    {"normal", Flag::normal},
    {"subnormal", Flag::subnormal},
};

template <class E, size_t n>
const E* find(const Spelling<E> (&rows)[n], std::string_view text) {
  for (const Spelling<E>& row : rows)
    if (row.text == text) return &row.meaning;
  return nullptr;
}

}  // namespace

std::optional<Words> split(const Opcode& opcode) {
  Words words;
  words.base = opcode.base;
  for (const std::string& qualifier : opcode.qualifiers) {
    if (const Type* type = find(types, qualifier)) {
      if (words.type_count == 4) return std::nullopt;
      words.types[words.type_count++] = *type;
    } else if (const Rounding* rounding = find(roundings, qualifier)) {
      if (words.rounding != Rounding::none) return std::nullopt;
      words.rounding = *rounding;
    } else if (const Flag* flag = find(flag_words, qualifier)) {
      if (words.has(*flag)) return std::nullopt;
      words.set |= flags(*flag);
    } else {
      return std::nullopt;
    }
  }
  return words;
}

}  // namespace assay::emulator::alu

namespace assay::emulator {
namespace {

struct Row {
  std::string_view base;
  alu::Finder find;
};

// A base of several families has a row for each; at most one of them knows the qualifiers given.
constexpr Row rows[] = {
    {"abs", alu::find_abs_integer},
    {"abs", alu::find_abs_float},
    {"add", alu::find_add_integer},
    {"add", alu::find_add_carry},
    {"add", alu::find_add_f32},
    {"add", alu::find_add_f64},
    {"add", alu::find_add_half},
    {"add", alu::find_add_mixed},
    {"addc", alu::find_addc},
    {"and", alu::find_and},
    {"bfe", alu::find_bfe},
    {"bfi", alu::find_bfi},
    {"bfind", alu::find_bfind},
    {"bmsk", alu::find_bmsk},
    {"brev", alu::find_brev},
    {"clz", alu::find_clz},
    {"cnot", alu::find_cnot},
    {"copysign", alu::find_copysign},
    {"cos", alu::find_cos},
    {"cvt", alu::find_cvt_integer},
    {"cvt", alu::find_cvt_float},
    {"cvt", alu::find_cvt_to_integer},
    {"cvt", alu::find_cvt_from_integer},
    {"cvt", alu::find_cvt_packed},
    {"cvt", alu::find_cvt_pack},
    {"div", alu::find_div_integer},
    {"div", alu::find_div_f32},
    {"div", alu::find_div_f64},
    {"div", alu::find_div_approx},
    {"dp2a", alu::find_dp2a},
    {"dp4a", alu::find_dp4a},
    {"ex2", alu::find_ex2},
    {"fma", alu::find_fma_f32},
    {"fma", alu::find_fma_f64},
    {"fma", alu::find_fma_half},
    {"fma", alu::find_fma_mixed},
    {"fns", alu::find_fns},
    {"lg2", alu::find_lg2},
    {"lop3", alu::find_lop3},
    {"mad", alu::find_mad_integer},
    {"mad", alu::find_mad_carry},
    {"mad", alu::find_mad_f32},
    {"mad", alu::find_fma_f64},
    {"mad24", alu::find_mad24},
    {"madc", alu::find_madc},
    {"max", alu::find_max_integer},
    {"max", alu::find_max_float},
    {"min", alu::find_min_integer},
    {"min", alu::find_min_float},
    {"mov", alu::find_mov},
    {"mul", alu::find_mul_integer},
    {"mul", alu::find_mul_f32},
    {"mul", alu::find_mul_f64},
    {"mul", alu::find_mul_half},
    {"mul24", alu::find_mul24},
    {"neg", alu::find_neg_integer},
    {"neg", alu::find_neg_float},
    {"not", alu::find_not},
    {"or", alu::find_or},
    {"popc", alu::find_popc},
    {"prmt", alu::find_prmt},
    {"rcp", alu::find_rcp_f32},
    {"rcp", alu::find_rcp_f64},
    {"rcp", alu::find_rcp_approx},
    {"rem", alu::find_rem},
    {"rsqrt", alu::find_rsqrt},
    {"sad", alu::find_sad},
    {"selp", alu::find_selp},
    {"set", alu::find_set},
    {"setp", alu::find_setp},
    {"setp", alu::find_setp_half},
    {"shf", alu::find_shf},
    {"shl", alu::find_shl},
    {"shr", alu::find_shr},
    {"sin", alu::find_sin},
    {"slct", alu::find_slct},
    {"sqrt", alu::find_sqrt_f32},
    {"sqrt", alu::find_sqrt_f64},
    {"sqrt", alu::find_sqrt_approx},
    {"sub", alu::find_sub_integer},
    {"sub", alu::find_sub_carry},
    {"sub", alu::find_sub_f32},
    {"sub", alu::find_sub_f64},
    {"sub", alu::find_sub_half},
    {"sub", alu::find_sub_mixed},
    {"subc", alu::find_subc},
    {"szext", alu::find_szext},
    {"tanh", alu::find_tanh},
    {"testp", alu::find_testp},
    {"xor", alu::find_xor},
};

}  // namespace

std::optional<LaneForm> find_lane_form(const Opcode& opcode, int destination_bits,
                                       bool takes_bytes_in_order) {
  std::optional<alu::Words> words;
  for (const Row& row : rows) {
    if (row.base != opcode.base) continue;
    if (!words) words = alu::split(opcode);
    if (!words) return std::nullopt;
    words->destination_bits = destination_bits;
    words->takes_bytes_in_order = takes_bytes_in_order;
    if (auto form = row.find(*words)) return form;
  }
  return std::nullopt;
}

}  // namespace assay::emulator
