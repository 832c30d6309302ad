// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/tiled_move.h"

namespace assay::model {

/// The pixels of a column as runs of rows: those of a run lie in or out of the tensor together. Addresses are
/// exact modulo 2^64, thus exact wherever they are used.
class PixelRuns {
 public:
  PixelRuns(const TensorCopyCase&, const ColumnShape&, const spec::Readings&);
  std::span<const RowRun> runs() const { return many_.empty() ? std::span(few_.data(), count_) : many_; }
  /// Pixels that lie in the tensor with channels of the copy.
  uint64_t inside() const { return inside_; }
  /// Of those, where the first and the last one begin, relative to the case's tensor memory; first channel or
  /// not.
  unsigned __int128 lowest() const { return lowest_; }
  unsigned __int128 highest() const { return highest_; }
  /// False only if no two pixels can share a byte when each has `bytes` of them.
  bool may_overlap(uint64_t bytes) const;

 private:
  void add(uint32_t rows, bool inside, unsigned __int128 byte);
  /// The run that is being added to has ended.
  void close();

  std::array<RowRun, 16> few_;  ///< the first ones; all of them in `many_` where there are more
  std::vector<RowRun> many_;
  size_t count_ = 0;
  RowRun last_{};
  unsigned __int128 first_byte_ = 0, next_byte_ = 0;  ///< of `last_`, and behind it
  uint32_t shared_, pitch_;
  uint64_t advance_;
  int64_t first_channel_;
  uint64_t inside_ = 0;
  unsigned __int128 lowest_ = 0, highest_ = 0;
};

}  // namespace assay::model
