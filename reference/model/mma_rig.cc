#include <algorithm>
#include <bit>

#include "reference/model/mma.h"
#include "reference/model/mma_form.h"

namespace assay::model {
namespace {

constexpr uint32_t largest_window = 226 * 1024;

/// End of the last 128-byte line that a matrix touches, whatever the phase of the swizzle; ~0 when far out.
uint32_t end_of(const MmaCase& c, const MatrixInShared& from, const spec::Format& format, bool transposed,
                uint32_t first, uint32_t count, uint32_t step) {
  const layout::SmemOperand operand = shared_operand(format, transposed);
  layout::SmemReadings other;
  other.lines_of_atom_32B = 8;
  spec::SmemMatrix matrix = matrix_of(from);
  matrix.start += step * 16 * (c.steps - 1);
  if (from.start >= largest_window || step >= largest_window / 16 || matrix.start >= largest_window)
    return ~0u;
  // Nothing lies further out than in the last step.
  uint32_t last = 0;
  for (uint32_t mn = first; mn < first + count; ++mn)
    for (uint32_t k = 0; k < static_cast<uint32_t>(k_of(c)); ++k) {
      last = std::max(last, layout::linear_cell(matrix, operand, mn, k));
      if (matrix.swizzle->lines == 4)
        last = std::max(last, layout::linear_cell(matrix, operand, mn, k, other));
    }
  return (last | 127) + 1;
}

bool fits_tensor_memory(const MmaCase& c, const layout::DLayoutRow& layout) {
  if (!std::has_single_bit(c.alloc_columns) || c.alloc_columns < 32 || c.alloc_columns > 512) return false;
  if (c.tmem_split > c.alloc_columns || c.lane > 16 || c.lane % 16 != 0) return false;
  const auto columns = static_cast<uint32_t>(layout::d_columns(layout, static_cast<int>(c.n)));
  const uint32_t d_end = c.d_column + columns;
  if (c.d_column >= c.alloc_columns || d_end > c.alloc_columns) return false;
  // The second accumulator lies behind everything else.
  const uint32_t second = c.second_column;
  if (second != 0 && (second < d_end || second >= c.alloc_columns || second + columns > c.alloc_columns))
    return false;
  if (!c.a_in_tmem) return true;
  if (c.a_column >= c.alloc_columns || c.a_step > c.alloc_columns) return false;
  const uint32_t a_end = c.a_column + c.a_step * (c.steps - 1) + 8;
  return a_end <= c.alloc_columns && (a_end <= c.d_column || d_end <= c.a_column) &&
         (second == 0 || a_end <= second);
}

/// What the fields of a descriptor can hold.
bool is_encodable(const MatrixInShared& matrix) {
  for (const uint32_t bytes : {matrix.start, matrix.leading_offset, matrix.stride_offset})
    if (bytes % 16 != 0 || bytes >= 1u << 18) return false;
  return matrix.base_offset < 8 && spec::find_smem_swizzle(matrix.swizzle) != nullptr;
}
bool is_encodable(const ColumnMask& mask) {
  for (const uint32_t count : mask.start_count)
    if (count > 255) return false;
  for (const uint32_t span : {mask.skip_span, mask.use_span})
    if (span < 1 || span > 256) return false;
  return mask.column_shift < 64;
}

}  // namespace

bool fits_rig(const MmaCase& c) {
  if (c.kind > 3 || (c.cta_group != 1 && c.cta_group != 2) || c.steps < 1 || c.steps > 64) return false;
  if (c.window_bytes > largest_window || c.window_bytes % 16 != 0 || c.split % 16 != 0) return false;
  if (!is_encodable(c.a) || !is_encodable(c.b) || !is_encodable(c.mask)) return false;
  if (c.max_shift != 0 && c.max_shift != 8 && c.max_shift != 16 && c.max_shift != 32) return false;
  if (c.by_tma && (c.window_bytes == 0 || c.window_bytes % 1024 != 0)) return false;
  if (c.odd_cta_issues && c.cta_group != 2) return false;
  if (c.collector > 4 || c.collector_buffer > 3 || c.split > c.window_bytes) return false;
  if (c.collector_filled && c.collector != 2 && c.collector != 3) return false;
  if (c.n < 8 || c.n > 256 || c.n % 8 != 0) return false;
  if (c.has_scale_input_d && (c.kind > 1 || c.ws || c.collector != 0 || c.scale_input_d > 15)) return false;
  if (c.has_disabled_lanes && c.ws) return false;
  if ((c.has_mask && !c.ws) || (c.collector_buffer != 0 && !c.ws) || (c.ws && c.cta_group != 1)) return false;
  const MmaFormats formats = formats_of(c);
  const auto* layout =
      layout::find_d_layout(static_cast<int>(c.m), static_cast<int>(c.cta_group), c.ws, false);
  if (formats.a == nullptr || formats.b == nullptr || formats.d == nullptr || layout == nullptr) return false;
  if (c.lane != 0 && !layout->half_of_lanes) return false;
  if (!fits_tensor_memory(c, *layout)) return false;
  if (!c.a_in_tmem && shared_end(c, 0) > c.window_bytes) return false;
  return shared_end(c, 1) <= c.window_bytes;
}

uint32_t shared_end(const MmaCase& c, int operand) {
  const MmaFormats formats = formats_of(c);
  if (operand == 0) return end_of(c, c.a, *formats.a, c.transpose_a, 0, c.m / c.cta_group, c.a_step);
  const uint32_t shift = c.has_mask ? c.mask.column_shift : 0;
  return end_of(c, c.b, *formats.b, c.transpose_b, shift, c.n / c.cta_group, c.b_step);
}

}  // namespace assay::model
