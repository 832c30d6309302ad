// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/mma.h"

#include <algorithm>

#include "reference/layout/tmem.h"
#include "reference/model/mma/form.h"
#include "reference/spec/questions.h"

namespace assay::model {

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
