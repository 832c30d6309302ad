// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::model {

/// What a bend may change about tcgen05.cp and tcgen05.shift. Each step gets what the rules say; null: as the
/// rules say. The source of a copy is bent as an operand of matrix instructions is (mma_bend.h).
struct TmemCopyBend {
  /// The lane of a row. shape: index of layout::tmem_copy_shapes; copy: which of the row's lanes.
  int (*lane)(uint32_t shape, int row, int copy, int right) = nullptr;
  /// The first column that a copy writes.
  uint32_t (*column)(uint32_t shape, uint32_t right) = nullptr;
  /// The row and the word of it that a cell has.
  int (*row)(uint32_t shape, int right) = nullptr;
  int (*word)(uint32_t shape, int right) = nullptr;
  /// The byte of an element. bits: 4 or 6.
  uint32_t (*element)(int bits, uint32_t code, uint32_t right) = nullptr;
  bool (*decompresses)(int bits) = nullptr;
  /// The CTA of a pair whose shared memory a CTA's copy of that shape reads.
  int (*source_cta)(uint32_t shape, int right) = nullptr;
  /// The lane, of 32, that a lane receives the cells of.
  int (*shifted)(int lane, int right) = nullptr;
  bool (*shifts)(int partition) = nullptr;
  int (*shifted_columns)(int right) = nullptr;
  /// Whether a move that waits for nothing comes after those before it.
  bool moves_overtake = false;
  /// Whether matrix instructions come before the copies that their thread has issued.
  bool products_overtake = false;
};

/// What a bend may change about tcgen05.ld.red.
struct RegisterReductionBend {
  /// The registers of a thread that are reduced.
  uint32_t (*first)(uint32_t count) = nullptr;
  uint32_t (*last)(uint32_t count) = nullptr;
  void (*operation)(bool& is_max, bool& is_of_magnitudes, bool& keeps_nan) = nullptr;
  uint32_t (*result)(uint32_t right) = nullptr;
};

}  // namespace assay::model
