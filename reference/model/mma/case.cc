// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "reference/layout/tmem.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/mma/fields.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/spec/questions.h"

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

spec::MaskReadings mask_readings_of(const Tcgen05MmaCase& c, const spec::Readings& readings) {
  spec::MaskReadings chosen;
  chosen.bit_39_disables = readings.is({"AMB-02", "set_disables"});
  if (c.mask.generate == chosen.bit_39_disables) return chosen;
  chosen.table_words = readings.is({"AMB-01", "use_spans_zeroed"});
  for (int i = 0; i < spec::sub_masks(static_cast<int>(c.m)); ++i) {
    const bool ones_first = c.mask.first_is_zeroed[static_cast<size_t>(i)];
    const uint32_t first = ones_first != chosen.table_words ? c.mask.skip_span : c.mask.use_span;
    if (c.mask.start_count[static_cast<size_t>(i)] >= first)
      chosen.start_count_saturates = readings.is({"AMB-03", "span_less_one"});
  }
  return chosen;
}

layout::SmemReadings shared_readings_of(const Tcgen05MmaCase& c, bool is_a, const spec::Readings& readings) {
  const MatrixInShared& matrix = is_a ? c.a : c.b;
  const bool transposed = is_a ? c.transpose_a : c.transpose_b;
  layout::SmemReadings chosen;
  if (matrix.swizzle != 0 && matrix.base_offset != 0) {
    if (readings.is({"AMB-05", "exclusive_or"}))
      chosen.base_offset = layout::SmemReadings::BaseOffset::exclusive_or;
    if (readings.is({"AMB-05", "added"})) chosen.base_offset = layout::SmemReadings::BaseOffset::added;
  }
  if (matrix.swizzle == spec::smem_swizzle::by_128B_atom32B && transposed && stored_k(c, is_a) > 4 &&
      readings.is({"AMB-32", "steps_8_k"}))
    chosen.lines_of_atom_32B = 8;
  // Rows of more than 32 bytes.
  if (matrix.swizzle == spec::smem_swizzle::by_32B && !transposed && (c.k96 || (c.sparse && !is_a)))
    chosen.leading_offset_in_wide_32B = readings.is({"AMB-46", "leads_to_second_half"});
  return chosen;
}

Tcgen05MmaCase on_second(const Tcgen05MmaCase& c) {
  Tcgen05MmaCase second = c;
  second.d_column = c.second_column, second.second_column = 0;
  return second;
}

Tcgen05MmaCase without_second(const Tcgen05MmaCase& c) {
  Tcgen05MmaCase first = c;
  first.second_column = 0;
  return first;
}

void leave_d_open(const Tcgen05MmaCase& c, std::span<uint32_t> defined, bool& all_defined) {
  if (all_defined) std::fill(defined.begin(), defined.end(), ~0u);
  all_defined = false;
  const layout::DLayoutRow* layout = d_layout_of(c);
  const bool shape_known = (c.idesc_flip & shape_bits(c)) == 0 && layout != nullptr && c.n >= 8 && c.n <= 256;
  const size_t columns =
      shape_known ? static_cast<size_t>(layout::d_columns(*layout, static_cast<int>(c.n))) : 256;
  for (size_t lane = 0; lane < size_t{c.cta_group} * tmem_lanes; ++lane)
    for (size_t n = 0; n < columns && c.d_column + n < c.alloc_columns; ++n)
      defined[lane * c.alloc_columns + c.d_column + n] = 0;
  if (c.second_column != 0) leave_d_open(on_second(c), defined, all_defined);
}

}  // namespace assay::model
