// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/layout/sparsity.h"
#include "reference/model/mma/bend.h"
#include "reference/model/warp_mma/fragments.h"
#include "reference/model/warp_mma/warp_mma.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// The metadata of a sparse A in the registers of four warps, 16 rows each, as codes of its rows.
class SparseRows {
 public:
  static constexpr int rows = 64, most_groups = 16;
  /// bits: of an element of A in its register. kept: elements that A holds of a row, whole chunks. words: the
  /// registers of 128 threads. The bend, which may be null, outlives the object.
  SparseRows(const layout::SparsityRow& sparsity, int bits, int kept, int selector,
             std::span<const uint32_t> words, const MmaBend* bend);

  /// Of each column of B (2 * kept elements) those that the kept elements of a row meet: columns of kept.
  void meet(int row, std::span<const uint32_t> b, std::span<uint32_t> met) const;
  /// The same as places in a column of B, rows of kept. Not of rows that meet halves.
  void places(std::vector<uint16_t>& places) const;
  /// Whether kept elements of the row meet halves of two elements, which no place has.
  bool meets_halves(int row) const {
    const bool has_bent_codes = bend_ != nullptr && bend_->metadata_code != nullptr;
    return sparsity_.kind == layout::SparsityKind::one_of_two && !has_bent_places() &&
           (has_bent_codes || is_open(row));
  }
  void mark_rules(spec::RuleSet&) const;
  /// Whether a code of the row is one that no document gives a meaning: what the row multiplies is open.
  bool is_open(int row) const { return open_[static_cast<size_t>(row)] != 0; }
  bool has_open_rows() const;

 private:
  bool has_bent_places() const { return bend_ != nullptr && bend_->met != nullptr; }
  /// Places of the kept elements of a row.
  template <typename Place>
  void row_places(int row, Place* places) const;

  const layout::SparsityRow& sparsity_;
  int bits_, kept_, groups_;
  const MmaBend* bend_;
  std::array<std::array<uint8_t, 4>, 16> met_{};   ///< of each code, which elements of its chunk
  std::array<uint8_t, rows * most_groups> codes_;  ///< rows of groups
  std::array<uint8_t, rows> open_{};               ///< of each row
};

/// Rows with a code that has no meaning have no result; all others have theirs, as far as the openness says.
/// words: of the output.
void leave_rows_open(const SparseRows& sparse, const AccumulatorRegisters& shape, size_t words,
                     Openness& openness);

}  // namespace assay::model
