// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

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

/// Allocations of tensor memory and what their cells hold: small integers as f32, so that every sum is exact.
/// A step is allowed where everything that it depends on is known to be complete: stores by a wait, products
/// by a commit and a wait for it (ptx, tcgen05 memory consistency model).
class TmemMachine {
 public:
  /// Without values only what is allowed is known, which is much quicker. `late_loads`: of an altered rule.
  explicit TmemMachine(bool has_values = true, uint32_t late_loads = 0)
      : has_values_(has_values), late_loads_(late_loads) {}
  /// False where the step is not allowed. `digests`: 128 words, those of a load or a replacement, else ~0;
  /// may be empty.
  bool step(const SequenceStep&, std::span<uint32_t> digests);

 private:
  static constexpr uint32_t lanes = 128, width = 8, product_columns = 16, columns = 512, unit = 32;
  struct Slot {
    std::vector<bool> is_defined;  ///< of each column; empty: not allocated
    std::vector<float> cells;      ///< column after column, 128 lanes each
    uint64_t stores = 0;           ///< groups of `width` columns with one that is not waited for
    bool has_product = false;
    std::vector<uint32_t> rows;  ///< of the products that are not committed, by groups of columns; 0: none
    uint32_t commits = 0;        ///< a bit a barrier: its commit, not waited for, tracks what was done here
    uint64_t copies = 0, shifts = 0;  ///< the same of copies and shifts that are not committed
    bool has_work() const { return has_product || copies != 0 || shifts != 0; }
    bool has_committed() const { return commits != 0; }
    bool is_quiet() const { return stores == 0 && !has_work() && !has_committed(); }
  };
  bool multiply(Slot&, const SequenceStep&);
  void store(Slot&, const SequenceStep&, uint32_t first = 0);
  bool load(const Slot&, const SequenceStep&, std::span<uint32_t> digests) const;
  bool commit(uint32_t barrier);
  bool wait(uint32_t barrier);
  void wait_for_stores();
  bool copy(Slot&, const SequenceStep&);
  bool shift(Slot&, const SequenceStep&);
  void allocate(Slot&, uint32_t columns);
  bool exchange(const SequenceStep&, Slot&);
  /// Columns that nobody has; and whether so many are to be had beside each other, wherever the allocations
  /// lie.
  uint32_t free_columns() const;
  bool must_be_found(uint32_t columns) const;

  bool has_values_;
  uint32_t late_loads_;
  std::array<Slot, tmem_targets> slots_;
  uint32_t commits_ = 0;  ///< a bit a barrier: one is not waited for
};

}  // namespace assay::model
