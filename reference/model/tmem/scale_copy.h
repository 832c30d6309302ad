// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/layout/tmem.h"
#include "reference/model/bend.h"
#include "reference/model/mma/mma.h"

/// Scale factors and metadata that tcgen05.cp brings to tensor memory, four columns a copy. Of scales
/// 32x128b.warpx4: 32 rows of 16 bytes, four scales of four lines each, for all four partitions of the lanes;
/// 64x128b.warpx2::01_23 where the halves of the lanes have scales of B of their own: 64 rows, half of them
/// for two partitions. Of metadata 128x128b: a row for each lane.
namespace assay::model {

/// Of layout::tmem_copy_shapes.
inline constexpr uint32_t scale_copy_shape = 5;
inline constexpr uint32_t scale_copy_columns = 4;
/// Of shared memory for one copy: 64 rows, of which 32x128b reads the first half.
inline constexpr uint32_t scale_copy_bytes = 1024;

/// Of layout::tmem_copy_shapes, columns and bytes of a copy of metadata.
inline constexpr uint32_t metadata_copy_shape = 2, metadata_copy_columns = 4, metadata_copy_bytes = 2048;

/// Columns that are filled with scales of an operand, so that all that are read are: whole copies.
uint32_t filled_scale_columns(const Tcgen05MmaCase&, bool is_a);
/// Shared memory that the copies of an operand read, those that refill with it; 0 where tcgen05.st brings its
/// scales.
uint32_t copied_scale_bytes(const Tcgen05MmaCase&, bool is_a);
/// Columns that are filled with metadata: all that are read, as whole copies.
uint32_t filled_metadata_columns(const Tcgen05MmaCase&);
/// Shared memory that their copies read; 0 where tcgen05.st brings them.
uint32_t copied_metadata_bytes(const Tcgen05MmaCase&);
/// Of scales and metadata together.
uint32_t copied_bytes(const Tcgen05MmaCase&);
/// Descriptor of the rows of a copy that lies at the window's start.
uint64_t scale_copy_descriptor();

/// What a cell receives: word `column` of a row that a CTA has, over all copies of one kind.
struct CopiedCell {
  uint32_t cta, row, column;
};
/// Copies behind each other, four columns each.
struct CellCopies {
  uint32_t shape;            ///< of layout::tmem_copy_shapes
  uint32_t column, columns;  ///< of the allocation
};
CellCopies copies_of_scales(const Tcgen05MmaCase&, bool is_a);
CellCopies copies_of_metadata(const Tcgen05MmaCase&);

/// The CTA whose shared memory a CTA's copies read. shape: index of layout::tmem_copy_shapes.
uint32_t scale_copy_source(const Tcgen05MmaCase&, const spec::Readings&, uint32_t shape, uint32_t cta);
/// The shape whose lanes a copy writes: under a rival each warp of a pair has a half of 64 rows.
uint32_t shape_of_lanes(uint32_t shape, const spec::Readings&);

/// visit(lane, column of the allocation, CopiedCell) for each cell that the copies write in a CTA.
template <typename Visit>
void each_copied_cell(const Tcgen05MmaCase& c, const spec::Readings& readings, const CellCopies& copies,
                      uint32_t cta, const Visit& visit) {
  static constexpr TmemCopyBend nothing;
  const TmemCopyBend& bend = readings.bend() == nullptr ? nothing : readings.bend()->tmem_copy;
  const uint32_t shape = copies.shape, from = scale_copy_source(c, readings, shape, cta);
  const layout::TmemCopyShapeRow& of_shape = layout::tmem_copy_shapes[shape];
  const auto columns_of_copy = static_cast<uint32_t>(of_shape.words);
  for (uint32_t first = 0; first < copies.columns; first += columns_of_copy) {
    uint32_t begin = copies.column + first;
    if (bend.column != nullptr) begin = bend.column(shape, begin);
    for (int row = 0; row < of_shape.rows; ++row) {
      int copy = 0;
      for (int lane : layout::tmem_copy_lanes(shape_of_lanes(shape, readings), row)) {
        if (bend.lane != nullptr) lane = bend.lane(shape, row, copy, lane);
        ++copy;
        if (lane < 0 || lane >= static_cast<int>(tmem_lanes)) continue;
        const int source_row = bend.row == nullptr ? row : bend.row(shape, row);
        for (int word = 0; word < of_shape.words; ++word) {
          const uint32_t column = begin + static_cast<uint32_t>(word);
          const int source_word = bend.word == nullptr ? word : bend.word(shape, word);
          if (column < c.alloc_columns)
            visit(static_cast<uint32_t>(lane), column,
                  CopiedCell{from, static_cast<uint32_t>(source_row),
                             first + static_cast<uint32_t>(source_word)});
        }
      }
    }
  }
}

/// The scales that a case's second copies bring, from their words in the windows.
void refill_scales(const Tcgen05MmaCase&, const spec::Readings&, const MmaWindows&,
                   std::span<uint32_t> cells);

/// Whether scales that are copied differ between partitions of the lanes that are to hold the same, of which
/// nobody knows which is read.
bool have_scales_apart(const Tcgen05MmaCase&, std::span<const uint32_t> cells);

/// Rules of copies that a legal case exercises.
void mark_scale_copy_rules(const Tcgen05MmaCase&, spec::RuleSet&);

/// Copies of those shapes altered, and whose shared memory they read.
std::span<const Bend> scale_copy_bends();

}  // namespace assay::model
