// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/alu/relation.h"

namespace assay::emulator::alu {
namespace {

/// Bit i: whether the relation holds in lane i, for operands shifted down by `shift` bits.
using Compare = uint32_t (*)(const LaneArgs&, Flag relation, int shift);

template <class Operand>
uint32_t compare(const LaneArgs& x, Flag relation, int shift) {
  uint32_t found = 0;
  for (int lane = 0; lane < warp_lanes; ++lane)
    found |=
        uint32_t{holds(relation, Operand::load(x.s[0][lane] >> shift), Operand::load(x.s[1][lane] >> shift))}
        << lane;
  return found;
}

uint32_t join_lanes(Join join, uint32_t t, const LaneArgs& x) {
  if (join == Join::none) return t;
  uint32_t c = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) c |= uint32_t{x.s[2][lane] != 0} << lane;
  return join == Join::logical_and ? t & c : join == Join::logical_or ? t | c : t ^ c;
}

// Writes `truth` where the relation holds and 0 elsewhere; for a pair, in each half by its own comparison.
void set_lanes(const LaneArgs& x, Compare compare, Flag relation, Join join, uint32_t truth, bool pair) {
  const uint32_t low = join_lanes(join, compare(x, relation, 0), x);
  const uint32_t high = pair ? join_lanes(join, compare(x, relation, 16), x) : 0;
  each_lane(x.mask, [&](int lane) {
    x.d[lane] = ((low >> lane & 1) != 0 ? truth : 0) | ((high >> lane & 1) != 0 ? uint64_t{truth} << 16 : 0);
  });
}

template <Compare compare, Flag relation, Join join, uint32_t truth, bool pair>
void set(const LaneArgs& x) {
  set_lanes(x, compare, relation, join, truth, pair);
}

template <Compare compare, Flag relation, uint32_t truth, bool pair>
LaneOp with_join(Join join) {
  return for_join(join, []<Join j>() -> LaneOp { return &set<compare, relation, j, truth, pair>; });
}

// What "true" is in the destination type: all ones, or one.
template <Compare compare, Flag relation>
LaneOp with_destination(Type type, Join join) {
  switch (type) {
    case Type::u32:
    case Type::s32:
      return with_join<compare, relation, 0xffffffffu, false>(join);
    case Type::u16:
    case Type::s16:
      return with_join<compare, relation, 0xffffu, false>(join);
    case Type::f32:
      return with_join<compare, relation, 0x3f800000u, false>(join);
    case Type::f16:
      return with_join<compare, relation, 0x3c00u, false>(join);
    case Type::bf16:
      return with_join<compare, relation, 0x3f80u, false>(join);
    default:
      return nullptr;
  }
}
template <Compare compare, Flag relation>
LaneOp with_packed_destination(Type type, Join join) {
  switch (type) {
    case Type::u32:
    case Type::s32:
      return with_join<compare, relation, 0xffffu, true>(join);
    case Type::f16x2:
      return with_join<compare, relation, 0x3c00u, true>(join);
    case Type::bf16x2:
      return with_join<compare, relation, 0x3f80u, true>(join);
    default:
      return nullptr;
  }
}

// ptx, set and half precision set, as ptxas 13.0 takes them.
bool is_legal_destination(Type destination, Type source, bool ftz) {
  switch (destination) {
    case Type::u32:
    case Type::s32:
      return true;
    case Type::u16:
    case Type::s16:
      return source == Type::f16 || source == Type::bf16;
    case Type::f32:
      return source != Type::f16 && source != Type::bf16;
    case Type::f16:
      return source != Type::bf16;
    case Type::bf16:
      return !ftz;
    case Type::f16x2:
    case Type::bf16x2:
      return source == destination;
    default:
      return false;
  }
}

template <class Operand, bool pair = false>
LaneOp find(Type destination, Comparison comparison) {
  const auto with_relation = [&]<Flag relation>() -> LaneOp {
    if constexpr (pair)
      return with_packed_destination<&compare<Operand>, relation>(destination, comparison.join);
    return with_destination<&compare<Operand>, relation>(destination, comparison.join);
  };
  if constexpr (std::is_floating_point_v<decltype(Operand::load(0))>)
    return for_float_relation(comparison.relation, with_relation);
  else
    return for_integer_relation(comparison.relation, with_relation);
}

LaneOp find_plain(Type destination, Type source, Comparison c) {
  switch (source) {
    case Type::b16:
    case Type::u16:
      return find<Integer<uint16_t>>(destination, c);
    case Type::b32:
    case Type::u32:
      return find<Integer<uint32_t>>(destination, c);
    case Type::b64:
    case Type::u64:
      return find<Integer<uint64_t>>(destination, c);
    case Type::s16:
      return find<Integer<int16_t>>(destination, c);
    case Type::s32:
      return find<Integer<int32_t>>(destination, c);
    case Type::s64:
      return find<Integer<int64_t>>(destination, c);
    case Type::f32:
      return find<Float32>(destination, c);
    case Type::f64:
      return find<Float64>(destination, c);
    case Type::f16:
      return find<Float16>(destination, c);
    case Type::bf16:
      return find<Brain16>(destination, c);
    case Type::f16x2:
      return find<Float16, true>(destination, c);
    case Type::bf16x2:
      return find<Brain16, true>(destination, c);
    default:
      return nullptr;
  }
}
LaneOp find_flushed(Type destination, Type source, Comparison c) {
  switch (source) {
    case Type::f32:
      return find<Float32Flushed>(destination, c);
    case Type::f16:
      return find<Float16Flushed>(destination, c);
    case Type::f16x2:
      return find<Float16Flushed, true>(destination, c);
    default:
      return nullptr;
  }
}

}  // namespace

std::optional<LaneForm> find_set(const Words& w) {
  const auto comparison = comparison_of(w);
  if (!comparison || w.type_count != 2 || w.rounding != Rounding::none) return std::nullopt;
  if (!w.only(all_relations | boolean_operations | flags(Flag::ftz))) return std::nullopt;
  const auto [destination, source] = std::pair{w.types[0], w.types[1]};
  if (!is_legal_relation(comparison->relation, source)) return std::nullopt;
  if (!is_legal_destination(destination, source, w.has(Flag::ftz))) return std::nullopt;
  LaneForm form;
  form.op = w.has(Flag::ftz) ? find_flushed(destination, source, *comparison)
                             : find_plain(destination, source, *comparison);
  if (form.op == nullptr) return std::nullopt;
  form.sources = comparison->join == Join::none ? 2 : 3;
  return form;
}

namespace {

template <class U>
U move(U a) {
  return a;
}
template <class U>
U select(U a, U b, bool c) {
  return c ? a : b;
}
template <class U>
U select_by_sign(U a, U b, int32_t c) {
  return c >= 0 ? a : b;
}
// Minus zero is not below zero and a NaN is not at or above it (ptx, slct). Flushing c to a zero of its sign
// makes every subnormal select a.
template <class U, bool flush>
U select_by_float(U a, U b, uint32_t c) {
  if (flush && (c & 0x7f800000u) == 0) return a;
  return value_of<float>(c) >= 0 ? a : b;
}

/// The untyped word of a type's width, for instructions that only copy.
Type word_of(Type type) {
  switch (type) {
    case Type::u16:
    case Type::s16:
      return Type::b16;
    case Type::u32:
    case Type::s32:
    case Type::f32:
      return Type::b32;
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return Type::b64;
    default:
      return type;
  }
}

}  // namespace

// Moves of vectors ({a,b} to or from a wider register), of addresses and of 128-bit registers are the
// machine's.
std::optional<LaneForm> find_mov(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none || w.set != 0) return std::nullopt;
  if (w.is(Type::pred)) return form<&move<bool>>();
  return for_bits(word_of(w.types[0]), []<class U>() { return form<&move<U>>(); });
}
std::optional<LaneForm> find_selp(const Words& w) {
  if (w.type_count != 1 || w.rounding != Rounding::none || w.set != 0) return std::nullopt;
  return for_bits(word_of(w.types[0]), []<class U>() { return form<&select<U>>(); });
}
std::optional<LaneForm> find_slct(const Words& w) {
  if (w.type_count != 2 || w.rounding != Rounding::none) return std::nullopt;
  const Type word = word_of(w.types[0]);
  if (w.types[1] == Type::s32 && w.set == 0)
    return for_bits(word, []<class U>() { return form<&select_by_sign<U>>(); });
  if (w.types[1] == Type::f32 && w.set == 0)
    return for_bits(word, []<class U>() { return form<&select_by_float<U, false>>(); });
  if (w.types[1] == Type::f32 && w.set == flags(Flag::ftz))
    return for_bits(word, []<class U>() { return form<&select_by_float<U, true>>(); });
  return std::nullopt;
}

}  // namespace assay::emulator::alu
