// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/barrier/sequence_case.h"

/// What the amounts of steps on tensor memory say beside what TmemOp tells: how an instruction is spelled.
namespace assay::model {

/// Shapes by which 8 columns of a warp's lanes are loaded and stored: 32x32b, 16x64b, 16x128b, 16x256b,
/// 16x32bx2. Ways of each: an address in a register; a register and an immediate; and again a register, with
/// another instruction behind whose predicate is false. A form is shape * ways + way.
inline constexpr uint32_t access_shapes = 5, spelling_ways = 3, access_forms = access_shapes * spelling_ways;

/// The amount of a load is 0, or by columns, an instruction each, or one more than a form. The form of a
/// store stands above its seed; the way of a product above bit 0, which adds, bits 2:1, the operands, bit 3,
/// which negates A, and bit 4, which leaves 64 rows of 128; the way of a shift is its amount.
inline constexpr uint32_t by_columns = 1, seed_bits = 10, choice_bits = 5;

constexpr uint32_t form_of(const SequenceStep& s) {
  switch (static_cast<TmemOp>(s.op)) {
    case TmemOp::load:
      return s.amount > by_columns ? s.amount - 1 : 0;
    case TmemOp::store:
      return s.amount >> seed_bits;
    case TmemOp::multiply:
      return s.amount >> choice_bits;
    case TmemOp::shift:
      return s.amount;
    default:
      return 0;
  }
}
/// Whether the registers of a thread hold cells of other lanes than its own.
constexpr bool has_other_shape(const SequenceStep& s) {
  const auto op = static_cast<TmemOp>(s.op);
  return (op == TmemOp::load || op == TmemOp::store) && form_of(s) >= spelling_ways;
}
constexpr bool is_form(const SequenceStep& s) {
  const auto op = static_cast<TmemOp>(s.op);
  return form_of(s) < (op == TmemOp::load || op == TmemOp::store       ? access_forms
                       : op == TmemOp::multiply || op == TmemOp::shift ? spelling_ways
                                                                       : 1);
}
constexpr SequenceStep with_form(SequenceStep s, uint32_t form) {
  const auto op = static_cast<TmemOp>(s.op);
  if (op == TmemOp::load) s.amount = form == 0 ? 0 : form + 1;
  if (op == TmemOp::shift) s.amount = form;
  if (op == TmemOp::store) s.amount = s.amount % (1u << seed_bits) | form << seed_bits;
  if (op == TmemOp::multiply) s.amount = s.amount % (1u << choice_bits) | form << choice_bits;
  return s;
}

}  // namespace assay::model
