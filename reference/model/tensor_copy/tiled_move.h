// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/model/tensor_copy/tf32.h"
#include "reference/model/tensor_copy/tiled_shape.h"

namespace assay::model {

/// How bytes change on their way.
struct Transfer {
  uint64_t base = 0;         ///< of the tensor, in the memory that `global` is
  uint32_t tile_offset = 0;  ///< of the shared operand in the window; the window starts on a multiple of 1024
  uint64_t fill = 0;         ///< 8 bytes of fill pattern; elements of at most 8 bytes are aligned in it
  Tf32Conversion convert;
  bool clips_pieces = true;  ///< stores: dimension 0 ends at a whole 16-byte piece (X-17)
};

/// The least range of global memory, relative to where base is counted from, that the in-bounds units lie in;
/// for a store that clips pieces, those pieces. False: it does not fit 64 bits.
bool global_range(const TiledShape&, const Transfer&, bool store, uint64_t& begin, uint64_t& end);

/// Rows that follow each other in shared memory, equally far apart in global memory: all of them in or all
/// out of bounds above dimension 0.
struct RowRun {
  bool inside;
  uint32_t rows;
  uint32_t shared;   ///< offset of the first row in the window
  uint64_t global;   ///< address of unit 0 of the first row
  uint64_t advance;  ///< from row to row in global memory
};

/// Loads the box row by row. Everything lies inside the spans. `defined` (or empty) gets 0 for bytes of
/// padding; the caller has set it to 0xff.
void load_rows(const TiledShape&, const Transfer&, std::span<const std::byte> global,
               std::span<std::byte> window, std::span<std::byte> defined);
/// The same of these rows; of the shape only what is said of dimension 0, of a row and of the swizzle is
/// looked at.
void load_runs(std::span<const RowRun>, const TiledShape&, const Transfer&, std::span<const std::byte> global,
               std::span<std::byte> window, std::span<std::byte> defined);

/// Stores the box row by row. `written` (or empty) counts per byte of `global` how often it is written: 0, 1,
/// 2 = more.
void store_rows(const TiledShape&, const Transfer&, std::span<const std::byte> window,
                std::span<std::byte> global, std::span<std::byte> written);
/// The same of these rows, as load_runs().
void store_runs(std::span<const RowRun>, const TiledShape&, const Transfer&,
                std::span<const std::byte> window, std::span<std::byte> global, std::span<std::byte> written);

}  // namespace assay::model
