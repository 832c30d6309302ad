// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>

#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/relation.h"

namespace assay::emulator::alu {
namespace {

// What does not depend on types and relation is compiled once: there are 90 pairs of these.
template <Join join>
[[gnu::noinline]] void store(const LaneArgs& x, const uint64_t* tests) {
  const uint64_t* c = join == Join::none ? nullptr : x.s[2];
  const auto with_c = [=](bool t, int lane) -> uint64_t {
    if constexpr (join == Join::none)
      return t;
    else
      return joined<join>(t, c[lane] != 0);
  };
  uint64_t *p = x.d, *q = x.d2;
  each_lane(x.mask, [=](int lane) {
    const bool t = tests[lane] != 0;
    const uint64_t first = with_c(t, lane), second = with_c(!t, lane);
    if (p != nullptr) p[lane] = first;
    if (q != nullptr) q[lane] = second;
  });
}

template <class Operand, Flag relation>
ASSAY_ALWAYS_INLINE inline void relate_lanes(const LaneArgs& x, uint64_t* tests) {
  const uint64_t *a = x.s[0], *b = x.s[1];
  each_lane(x.mask,
            [=](int lane) { tests[lane] = holds(relation, Operand::load(a[lane]), Operand::load(b[lane])); });
}
template <class Operand, Flag relation>
[[gnu::noinline]] void relate_narrow(const LaneArgs& x, uint64_t* tests) {
  relate_lanes<Operand, relation>(x, tests);
}
template <class Operand, Flag relation>
[[gnu::noinline]] ASSAY_WIDE void relate_wide(const LaneArgs& x, uint64_t* tests) {
  relate_lanes<Operand, relation>(x, tests);
}
template <class Operand, Flag relation>
void relate(const LaneArgs& x, uint64_t* tests) {
  has_wide_lanes ? relate_wide<Operand, relation>(x, tests) : relate_narrow<Operand, relation>(x, tests);
}

// p = (a R b) op c, q = !(a R b) op c.
template <class Operand, Flag relation, Join join>
void setp(const LaneArgs& x) {
  if (join == Join::none && x.d != nullptr && x.d2 == nullptr) return relate<Operand, relation>(x, x.d);
  uint64_t tests[warp_lanes];
  relate<Operand, relation>(x, tests);
  store<join>(x, tests);
}

template <class Operand>
LaneForm setp_form(Comparison comparison) {
  const auto with_relation = [&]<Flag relation>() {
    return for_join(comparison.join, []<Join join>() -> LaneOp { return &setp<Operand, relation, join>; });
  };
  LaneForm form;
  if constexpr (std::is_floating_point_v<decltype(Operand::load(0))>)
    form.op = for_float_relation(comparison.relation, with_relation);
  else
    form.op = for_integer_relation(comparison.relation, with_relation);
  form.sources = comparison.join == Join::none ? 2 : 3;
  form.second_destination = true;
  return form;
}

template <class T, Flag test>
bool testp(T a) {
  switch (test) {
    case Flag::finite:
      return std::isfinite(a);
    case Flag::infinite:
      return std::isinf(a);
    case Flag::number:
      return !std::isnan(a);
    case Flag::notanumber:
      return std::isnan(a);
    case Flag::normal:
      return std::isnormal(a) || a == 0;  // zero too, against the document (h200)
    default:
      return std::fpclassify(a) == FP_SUBNORMAL;
  }
}
template <class T>
LaneForm testp_form(const Words& w) {
  if (w.has(Flag::finite)) return form<&testp<T, Flag::finite>>();
  if (w.has(Flag::infinite)) return form<&testp<T, Flag::infinite>>();
  if (w.has(Flag::number)) return form<&testp<T, Flag::number>>();
  if (w.has(Flag::notanumber)) return form<&testp<T, Flag::notanumber>>();
  if (w.has(Flag::normal)) return form<&testp<T, Flag::normal>>();
  return form<&testp<T, Flag::subnormal>>();
}

}  // namespace

std::optional<LaneForm> find_setp(const Words& w) {
  const auto comparison = comparison_of(w);
  if (!comparison || w.type_count != 1 || w.rounding != Rounding::none) return std::nullopt;
  if (!w.only(all_relations | boolean_operations | flags(Flag::ftz))) return std::nullopt;
  const Type type = w.types[0];
  if (!is_legal_relation(comparison->relation, type)) return std::nullopt;
  if (w.has(Flag::ftz)) {
    if (type == Type::f32) return setp_form<Float32Flushed>(*comparison);
    return std::nullopt;
  }
  switch (type) {
    case Type::b16:
    case Type::u16:
      return setp_form<Integer<uint16_t>>(*comparison);
    case Type::b32:
    case Type::u32:
      return setp_form<Integer<uint32_t>>(*comparison);
    case Type::b64:
    case Type::u64:
      return setp_form<Integer<uint64_t>>(*comparison);
    case Type::s16:
      return setp_form<Integer<int16_t>>(*comparison);
    case Type::s32:
      return setp_form<Integer<int32_t>>(*comparison);
    case Type::s64:
      return setp_form<Integer<int64_t>>(*comparison);
    case Type::f32:
      return setp_form<Float32>(*comparison);
    case Type::f64:
      return setp_form<Float64>(*comparison);
    default:
      return std::nullopt;
  }
}

std::optional<LaneForm> find_testp(const Words& w) {
  constexpr uint64_t tests =
      flags(Flag::finite, Flag::infinite, Flag::number, Flag::notanumber, Flag::normal, Flag::subnormal);
  if (!w.only(tests) || std::popcount(w.set) != 1 || w.rounding != Rounding::none) return std::nullopt;
  if (w.is(Type::f32)) return testp_form<float>(w);
  if (w.is(Type::f64)) return testp_form<double>(w);
  return std::nullopt;
}

namespace {

// Two comparisons: p takes that of the low halves, q that of the high ones (ptx, half precision setp).
template <class Operand, Flag relation, Join join>
void setp_x2(const LaneArgs& x) {
  each_lane(x.mask, [&](int lane) {
    const uint64_t a = x.s[0][lane], b = x.s[1][lane];
    const bool c = join != Join::none && x.s[2][lane] != 0;
    const bool low = holds(relation, Operand::load(a), Operand::load(b));
    const bool high = holds(relation, Operand::load(a >> 16), Operand::load(b >> 16));
    if (x.d != nullptr) x.d[lane] = joined<join>(low, c);
    if (x.d2 != nullptr) x.d2[lane] = joined<join>(high, c);
  });
}

template <class Operand, bool pair>
LaneForm setp_form(Comparison comparison) {
  LaneForm form;
  form.op = for_float_relation(comparison.relation, [&]<Flag relation>() {
    return for_join(comparison.join, []<Join join>() -> LaneOp {
      if constexpr (pair) return &setp_x2<Operand, relation, join>;
      return &setp<Operand, relation, join>;
    });
  });
  form.sources = comparison.join == Join::none ? 2 : 3;
  form.second_destination = pair;
  return form;
}

}  // namespace

std::optional<LaneForm> find_setp_half(const Words& w) {
  const auto comparison = comparison_of(w);
  if (!comparison || w.type_count != 1 || w.rounding != Rounding::none) return std::nullopt;
  if (!w.only(float_relations | boolean_operations | flags(Flag::ftz))) return std::nullopt;
  const bool ftz = w.has(Flag::ftz);
  switch (w.types[0]) {
    case Type::f16:
      return ftz ? setp_form<Float16Flushed, false>(*comparison) : setp_form<Float16, false>(*comparison);
    case Type::f16x2:
      return ftz ? setp_form<Float16Flushed, true>(*comparison) : setp_form<Float16, true>(*comparison);
    case Type::bf16:
      if (ftz) return std::nullopt;
      return setp_form<Brain16, false>(*comparison);
    case Type::bf16x2:
      if (ftz) return std::nullopt;
      return setp_form<Brain16, true>(*comparison);
    default:
      return std::nullopt;
  }
}

std::optional<Comparison> comparison_of(const Words& w) {
  const uint64_t relation = w.set & all_relations, join = w.set & boolean_operations;
  if (std::popcount(relation) != 1 || std::popcount(join) > 1) return std::nullopt;
  Comparison found{static_cast<Flag>(std::countr_zero(relation)), Join::none};
  if (w.has(Flag::logical_and)) found.join = Join::logical_and;
  if (w.has(Flag::logical_or)) found.join = Join::logical_or;
  if (w.has(Flag::logical_xor)) found.join = Join::logical_xor;
  return found;
}

bool is_legal_relation(Flag relation, Type type) {
  const uint64_t one = flags(relation);
  switch (type) {
    case Type::b16:
    case Type::b32:
    case Type::b64:
      return (one & flags(Flag::eq, Flag::ne)) != 0;
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return (one & integer_relations) != 0;
    case Type::u16:
    case Type::u32:
    case Type::u64:
      return (one & (integer_relations | unsigned_relations)) != 0;
    default:
      return (one & float_relations) != 0;
  }
}

}  // namespace assay::emulator::alu
