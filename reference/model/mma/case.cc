// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/mma/fields.h"
#include "reference/model/mma/form.h"
#include "reference/model/mma/mma.h"
#include "reference/model/mma/scale.h"
#include "reference/model/mma/sparse.h"
#include "reference/model/tmem/scale_copy.h"

namespace assay::model {

ASSAY_CASE_JSON(Tcgen05MmaCase);
ASSAY_CASE_JSON(TmemAccessCase);

namespace {

constexpr uint32_t largest_window = rig::max_operand_window_bytes;

/// End of the last 128-byte line that a matrix touches, whatever the phase of the swizzle; ~0 when far out.
uint32_t end_of(const Tcgen05MmaCase& c, bool is_a, uint32_t first, uint32_t count) {
  const MatrixInShared& from = is_a ? c.a : c.b;
  const uint32_t step = is_a ? c.a_step : c.b_step;
  const layout::SmemOperand operand = shared_operand(c, is_a);
  layout::SmemReadings other;
  other.lines_of_atom_32B = 8;
  spec::SmemMatrix matrix = matrix_of(from);
  matrix.start += step * 16 * (c.steps - 1);
  if (from.start >= largest_window || step >= largest_window / 16 || matrix.start >= largest_window)
    return ~0u;
  // Nothing lies further out than in the last step.
  const layout::LaidMatrix laid(matrix, operand), laid_otherwise(matrix, operand, other);
  uint32_t last = 0;
  const uint32_t k_step = operand.element_bits == 4 && !operand.mn_major ? 16 : 1;  // half a cell or a cell
  for (uint32_t mn = first; mn < first + count; ++mn)
    for (uint32_t k = 0; k < static_cast<uint32_t>(stored_k(c, is_a)); k += k_step) {
      last = std::max(last, laid.linear_cell(mn, k));
      if (matrix.swizzle->lines == 4) last = std::max(last, laid_otherwise.linear_cell(mn, k));
    }
  return (last | 127) + 1;
}

/// Of the absolute address that earlier steps may go on at, as well as the last one.
uint32_t end_of_all_steps(const Tcgen05MmaCase& c, bool is_a, uint32_t first, uint32_t count) {
  const MatrixInShared& matrix = is_a ? c.a : c.b;
  uint32_t end = end_of(c, is_a, first, count);
  if (!matrix.leading_is_absolute || end == ~0u) return end;
  Tcgen05MmaCase earlier = c;
  for (earlier.steps = 1; earlier.steps < c.steps; ++earlier.steps)
    end = std::max(end, end_of(earlier, is_a, first, count));
  return end;
}

/// Columns [first, end).
struct ColumnRange {
  uint32_t first, end;
};

/// Scales and metadata lie apart from each other and from all else, and as many are filled as are read.
bool fits_scales(const Tcgen05MmaCase& c, const std::vector<ColumnRange>& taken) {
  std::vector<ColumnRange> ranges = taken;
  const MetadataInTensorMemory& metadata = c.metadata;
  if (!c.sparse && metadata != MetadataInTensorMemory{}) return false;
  if (c.sparse) {
    if (metadata.column >= c.alloc_columns || metadata.columns > c.alloc_columns) return false;
    if (metadata_columns(c) > metadata.columns) return false;
    if (c.metadata_copied && metadata.columns % metadata_copy_columns != 0) return false;
    ranges.push_back({metadata.column, metadata.column + metadata.columns});
  }
  for (const bool is_a : {true, false}) {
    const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
    if (scales.column >= c.alloc_columns || scales.columns > c.alloc_columns) return false;
    if (!is_block_scaled(c) && scales != ScalesInTensorMemory{}) return false;
    if (!is_block_scaled(c)) continue;
    if (scale_columns(c, is_a) > scales.columns) return false;
    if (c.scales_copied && scales.columns % scale_copy_columns != 0) return false;
    ranges.push_back({scales.column, scales.column + scales.columns});
  }
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].end > c.alloc_columns) return false;
    for (size_t j = 0; j < i; ++j)
      if (ranges[i].first < ranges[j].end && ranges[j].first < ranges[i].end) return false;
  }
  return true;
}

bool fits_tensor_memory(const Tcgen05MmaCase& c, const layout::DLayoutRow& layout) {
  if (c.tmem_split > c.alloc_columns) return false;
  const auto columns = static_cast<uint32_t>(layout::d_columns(layout, static_cast<int>(c.n)));
  const uint32_t d_end = c.d_column + columns;
  if (c.d_column >= c.alloc_columns || d_end > c.alloc_columns) return false;
  // The second accumulator lies behind everything else.
  const uint32_t second = c.second_column;
  if (second != 0 && (second < d_end || second >= c.alloc_columns || second + columns > c.alloc_columns))
    return false;
  std::vector<ColumnRange> taken{{c.d_column, d_end}};
  if (second != 0) taken.push_back({second, second + columns});
  if (!c.a_in_tmem) return fits_scales(c, taken);
  if (c.a_column >= c.alloc_columns || c.a_step > c.alloc_columns) return false;
  const uint32_t a_end = c.a_column + c.a_step * (c.steps - 1) + a_columns(c);
  taken.push_back({c.a_column, a_end});
  if (!fits_scales(c, taken)) return false;
  return a_end <= c.alloc_columns && (a_end <= c.d_column || d_end <= c.a_column) &&
         (second == 0 || a_end <= second);
}

}  // namespace

bool fits_rig(const Tcgen05MmaCase& c) {
  if (static_cast<int>(c.kind) >= spec::mma_kind_count || !fields::wrong_field(c).empty()) return false;
  if (c.scales_refilled && !c.scales_copied) return false;
  if ((c.scales_copied && !is_block_scaled(c)) || (c.metadata_copied && !c.sparse)) return false;
  if (c.window_bytes + copied_bytes(c) > largest_window) return false;
  if (c.mask.column_shift >= 64) return false;
  if (c.by_tma && (c.window_bytes == 0 || c.window_bytes % 1024 != 0)) return false;
  if (c.odd_cta_issues && c.cta_group != 2) return false;
  if (c.collector > Collector::discard || c.split > c.window_bytes) return false;
  if (c.collector_filled && !reuses(c.collector)) return false;
  if (c.ashift && (spec::is_scaled(c.kind) || !c.a_in_tmem || c.ws || c.m < 128 ||
                   (c.collector != Collector::none && c.collector != Collector::discard) ||
                   c.has_scale_input_d || c.second_column != 0))
    return false;
  if (c.has_scale_input_d && (!spec::row_of(c.kind).scales_d || c.ws || c.collector != Collector::none))
    return false;
  if (c.has_disabled_lanes && c.ws) return false;
  if ((c.has_mask && !c.ws) || (c.collector_buffer != 0 && !c.ws) || (c.ws && c.cta_group != 1)) return false;
  if (spec::is_scaled(c.kind) && (c.ws || c.has_disabled_lanes || c.saturate || c.max_shift != 0))
    return false;
  const bool one_step_in_shared = c.steps == 1 && !c.a_in_tmem && !c.by_tma && c.a_flip == 0 && c.b_flip == 0;
  if (c.sparse && (c.k96 || !has_selector(c))) return false;
  if (c.known.present &&
      (c.sparse || !one_step_in_shared || c.k96 || c.window_bytes != 2048 || c.split != 1024))
    return false;
  if (!has_legal_scale_vector(c) || (c.k96 && !is_packed_kind(c))) return false;
  const MmaFormats formats = formats_of(c);
  const layout::DLayoutRow* layout = d_layout_of(c);
  if (formats.a == nullptr || formats.b == nullptr || formats.d == nullptr || layout == nullptr) return false;
  if (c.lane != 0 && !layout->half_of_lanes) return false;
  if (!fits_tensor_memory(c, *layout)) return false;
  if (!c.a_in_tmem && shared_end(c, 0) > c.window_bytes) return false;
  return shared_end(c, 1) <= c.window_bytes;
}

uint32_t shared_end(const Tcgen05MmaCase& c, int operand) {
  if (operand == 0) return end_of_all_steps(c, true, 0, c.m / c.cta_group);
  const uint32_t shift = c.has_mask ? c.mask.column_shift : 0;
  return end_of_all_steps(c, false, shift, c.n / c.cta_group);
}

}  // namespace assay::model
