// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reference/model/barrier/sequence_case.h"

namespace assay::model {

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
