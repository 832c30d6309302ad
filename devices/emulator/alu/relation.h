// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "devices/emulator/alu/half.h"
#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/alu/words.h"

/// How comparisons read their operands: load() gives a value that C++ compares as PTX does.
namespace assay::emulator::alu {

template <class T>
struct Integer {
  static T load(uint64_t bits) { return value_of<T>(bits); }
};
struct Float32 {
  static float load(uint64_t bits) { return value_of<float>(bits); }
};
struct Float32Flushed {
  static float load(uint64_t bits) { return flushed(value_of<float>(bits)); }
};
struct Float64 {
  static double load(uint64_t bits) { return value_of<double>(bits); }
};
struct Float16 {
  static float load(uint64_t bits) { return f16_to_float(static_cast<uint16_t>(bits)); }
};
struct Float16Flushed {
  static float load(uint64_t bits) { return f16_to_float(flushed_f16(static_cast<uint16_t>(bits))); }
};
struct Brain16 {
  static float load(uint64_t bits) { return bf16_to_float(static_cast<uint16_t>(bits)); }
};

// The comparison operators of set and setp over integers and over every floating-point type.

inline constexpr uint64_t integer_relations =
    flags(Flag::eq, Flag::ne, Flag::lt, Flag::le, Flag::gt, Flag::ge);
inline constexpr uint64_t unsigned_relations = flags(Flag::lo, Flag::ls, Flag::hi, Flag::hs);
inline constexpr uint64_t float_relations =
    integer_relations |
    flags(Flag::equ, Flag::neu, Flag::ltu, Flag::leu, Flag::gtu, Flag::geu, Flag::num, Flag::nan);
inline constexpr uint64_t all_relations = float_relations | unsigned_relations;
inline constexpr uint64_t boolean_operations = flags(Flag::logical_and, Flag::logical_or, Flag::logical_xor);

/// lo, ls, hi and hs are lt, le, gt and ge under names that say "unsigned".
constexpr Flag canonical(Flag relation) {
  switch (relation) {
    case Flag::lo:
      return Flag::lt;
    case Flag::ls:
      return Flag::le;
    case Flag::hi:
      return Flag::gt;
    case Flag::hs:
      return Flag::ge;
    default:
      return relation;
  }
}

/// a (relation) b, for any relation but the unsigned names. With a NaN the six plain relations are false,
/// their ...u forms true.
template <class T>
bool holds(Flag relation, T a, T b) {
  const bool unordered = std::is_floating_point_v<T> && (a != a || b != b);
  switch (relation) {
    case Flag::eq:
      return a == b;
    case Flag::ne:
      return !unordered && a != b;
    case Flag::lt:
      return a < b;
    case Flag::le:
      return a <= b;
    case Flag::gt:
      return a > b;
    case Flag::ge:
      return a >= b;
    case Flag::equ:
      return unordered || a == b;
    case Flag::neu:
      return unordered || a != b;
    case Flag::ltu:
      return unordered || a < b;
    case Flag::leu:
      return unordered || a <= b;
    case Flag::gtu:
      return unordered || a > b;
    case Flag::geu:
      return unordered || a >= b;
    case Flag::num:
      return !unordered;
    case Flag::nan:
      return unordered;
    default:
      return false;
  }
}

/// What joins the comparison and the predicate operand c; none: there is no c.
enum class Join { none, logical_and, logical_or, logical_xor };

template <Join join>
bool joined(bool t, bool c) {
  switch (join) {
    case Join::logical_and:
      return t && c;
    case Join::logical_or:
      return t || c;
    case Join::logical_xor:
      return t != c;
    default:
      return t;
  }
}

/// The relation and the joining operation among the flags of set and setp, if there is exactly one and at
/// most one.
struct Comparison {
  Flag relation;
  Join join;
};
std::optional<Comparison> comparison_of(const Words& w);

/// Untyped words can only be equal or not; the unsigned names are for unsigned integers; floats know NaN.
bool is_legal_relation(Flag relation, Type type);

/// f.operator()<relation>() for a relation of integers, its unsigned name resolved.
template <class F>
auto for_integer_relation(Flag relation, F f) {
  switch (canonical(relation)) {
    case Flag::eq:
      return f.template operator()<Flag::eq>();
    case Flag::ne:
      return f.template operator()<Flag::ne>();
    case Flag::lt:
      return f.template operator()<Flag::lt>();
    case Flag::le:
      return f.template operator()<Flag::le>();
    case Flag::gt:
      return f.template operator()<Flag::gt>();
    default:
      return f.template operator()<Flag::ge>();
  }
}
template <class F>
auto for_float_relation(Flag relation, F f) {
  switch (relation) {
    case Flag::equ:
      return f.template operator()<Flag::equ>();
    case Flag::neu:
      return f.template operator()<Flag::neu>();
    case Flag::ltu:
      return f.template operator()<Flag::ltu>();
    case Flag::leu:
      return f.template operator()<Flag::leu>();
    case Flag::gtu:
      return f.template operator()<Flag::gtu>();
    case Flag::geu:
      return f.template operator()<Flag::geu>();
    case Flag::num:
      return f.template operator()<Flag::num>();
    case Flag::nan:
      return f.template operator()<Flag::nan>();
    default:
      return for_integer_relation(relation, f);
  }
}
template <class F>
auto for_join(Join join, F f) {
  switch (join) {
    case Join::logical_and:
      return f.template operator()<Join::logical_and>();
    case Join::logical_or:
      return f.template operator()<Join::logical_or>();
    case Join::logical_xor:
      return f.template operator()<Join::logical_xor>();
    default:
      return f.template operator()<Join::none>();
  }
}

}  // namespace assay::emulator::alu
