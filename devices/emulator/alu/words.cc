// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/words.h"

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
