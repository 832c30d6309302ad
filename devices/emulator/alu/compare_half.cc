// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/operand.h"
#include "devices/emulator/alu/relation.h"

namespace assay::emulator::alu {
namespace {

template <class Operand, Flag relation, Join join>
void setp(const LaneArgs& x) {
  each_lane(x.mask, [&](int lane) {
    const bool t = holds(relation, Operand::load(x.s[0][lane]), Operand::load(x.s[1][lane]));
    const bool c = join != Join::none && x.s[2][lane] != 0;
    x.d[lane] = joined<join>(t, c);
  });
}

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

}  // namespace assay::emulator::alu
