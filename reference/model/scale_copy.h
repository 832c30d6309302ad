#pragma once

#include <cstdint>

#include "reference/layout/tmem_copy.h"
#include "reference/model/bend.h"
#include "reference/model/tcgen05_mma.h"

/// Scale factors that tcgen05.cp.32x128b.warpx4 brings to tensor memory: 32 rows of 16 bytes a copy, four
/// scales of four lines each, for all four partitions of the lanes.
namespace assay::model {

/// Of layout::tmem_copy_shapes.
inline constexpr uint32_t scale_copy_shape = 5;
inline constexpr uint32_t scale_copy_columns = 4;
/// Of shared memory for one copy: its rows, and as many that none reads.
inline constexpr uint32_t scale_copy_bytes = 1024;

/// Columns that are filled with scales of an operand, so that all that are read are: whole copies.
uint32_t filled_scale_columns(const Tcgen05MmaCase&, bool is_a);
/// Shared memory that the copies of an operand read; 0 where tcgen05.st brings its scales.
uint32_t copied_scale_bytes(const Tcgen05MmaCase&, bool is_a);
/// Descriptor of the rows of a copy that lies at the window's start.
uint64_t scale_copy_descriptor();

/// What a cell receives: word `column` of a row of the scales that a CTA has, over all copies of an operand.
struct CopiedScale {
  uint32_t cta, row, column;
};

/// The CTA whose shared memory a CTA's copies read.
uint32_t scale_copy_source(const Tcgen05MmaCase&, const spec::Readings&, uint32_t cta);

/// visit(lane, column of the allocation, CopiedScale) for each cell that the copies of an operand write in a
/// CTA.
template <typename Visit>
void each_copied_scale(const Tcgen05MmaCase& c, const spec::Readings& readings, bool is_a, uint32_t cta,
                       const Visit& visit) {
  static constexpr TmemCopyBend nothing;
  const TmemCopyBend& bend = readings.bend() == nullptr ? nothing : readings.bend()->tmem_copy;
  const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
  const uint32_t from = scale_copy_source(c, readings, cta);
  for (uint32_t first = 0; first < scales.columns; first += scale_copy_columns) {
    uint32_t begin = scales.column + first;
    if (bend.column != nullptr) begin = bend.column(scale_copy_shape, begin);
    for (int row = 0; row < layout::tmem_copy_shapes[scale_copy_shape].rows; ++row) {
      int copy = 0;
      for (int lane : layout::tmem_copy_lanes(scale_copy_shape, row)) {
        if (bend.lane != nullptr) lane = bend.lane(scale_copy_shape, row, copy, lane);
        ++copy;
        if (lane < 0 || lane >= static_cast<int>(tmem_lanes)) continue;
        const int source_row = bend.row == nullptr ? row : bend.row(scale_copy_shape, row);
        for (int word = 0; word < static_cast<int>(scale_copy_columns); ++word) {
          const uint32_t column = begin + static_cast<uint32_t>(word);
          const int source_word = bend.word == nullptr ? word : bend.word(scale_copy_shape, word);
          if (column < c.alloc_columns)
            visit(static_cast<uint32_t>(lane), column,
                  CopiedScale{from, static_cast<uint32_t>(source_row),
                              first + static_cast<uint32_t>(source_word)});
        }
      }
    }
  }
}

/// Whether scales that are copied differ between partitions of the lanes, of which nobody knows which is
/// read.
bool have_scales_apart(const Tcgen05MmaCase&, std::span<const uint32_t> cells);

/// Rules of copies that a legal case exercises.
void mark_scale_copy_rules(const Tcgen05MmaCase&, spec::RuleSet&);

/// Copies of 32x128b.warpx4 altered, and whose shared memory they read.
std::span<const Bend> scale_copy_bends();

}  // namespace assay::model
