// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/scale_copy.h"

#include <cstring>

#include "reference/model/mma/mma.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/smem_desc.h"

namespace assay::model {

using spec::rule;

uint32_t filled_scale_columns(const Tcgen05MmaCase& c, bool is_a) {
  const uint32_t read = scale_columns(c, is_a);
  return c.scales_copied ? (read + scale_copy_columns - 1) / scale_copy_columns * scale_copy_columns : read;
}

uint32_t copied_scale_bytes(const Tcgen05MmaCase& c, bool is_a) {
  if (!c.scales_copied) return 0;
  const uint32_t fills = c.scales_refilled ? 2 : 1;
  return (is_a ? c.a_scales : c.b_scales).columns / scale_copy_columns * scale_copy_bytes * fills;
}

uint32_t filled_metadata_columns(const Tcgen05MmaCase& c) {
  const uint32_t read = metadata_columns(c);
  return c.metadata_copied
             ? (read + metadata_copy_columns - 1) / metadata_copy_columns * metadata_copy_columns
             : read;
}

uint32_t copied_metadata_bytes(const Tcgen05MmaCase& c) {
  return c.metadata_copied ? c.metadata.columns / metadata_copy_columns * metadata_copy_bytes : 0;
}

uint32_t copied_bytes(const Tcgen05MmaCase& c) {
  return copied_scale_bytes(c, true) + copied_scale_bytes(c, false) + copied_metadata_bytes(c);
}

CellCopies copies_of_scales(const Tcgen05MmaCase& c, bool is_a) {
  const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
  return {!is_a && c.scale_halves ? layout::copy_of_01_23 : scale_copy_shape, scales.column, scales.columns};
}

CellCopies copies_of_metadata(const Tcgen05MmaCase& c) {
  return {metadata_copy_shape, c.metadata.column, c.metadata.columns};
}

uint32_t shape_of_lanes(uint32_t shape, const spec::Readings& readings) {
  const bool has_halves = shape == layout::copy_of_02_13 || shape == layout::copy_of_01_23;
  if (!has_halves || !readings.is({"AMB-25", "half_for_a_warp"})) return shape;
  return shape == layout::copy_of_02_13 ? layout::copy_of_01_23 : layout::copy_of_02_13;
}

uint64_t scale_copy_descriptor() {
  // Eight rows of 16 bytes lie together, the next eight behind them; of the one column nothing leads on.
  return spec::encode_smem_desc(matrix_of({.start = 0, .leading_offset = 16, .stride_offset = 128}));
}

uint32_t scale_copy_source(const Tcgen05MmaCase& c, const spec::Readings& readings, uint32_t shape,
                           uint32_t cta) {
  if (c.cta_group == 1) return 0;
  const uint32_t from = readings.is({"AMB-27", "memory_of_issuer"}) ? (c.odd_cta_issues ? 1u : 0u) : cta;
  if (readings.bend() == nullptr || readings.bend()->tmem_copy.source_cta == nullptr) return from;
  return static_cast<uint32_t>(readings.bend()->tmem_copy.source_cta(shape, static_cast<int>(from)));
}

void refill_scales(const Tcgen05MmaCase& c, const spec::Readings& readings, const MmaWindows& windows,
                   std::span<uint32_t> cells) {
  size_t source = c.window_bytes;
  for (const bool is_a : {true, false}) {
    const size_t bytes = copied_scale_bytes(c, is_a);
    for (uint32_t cta = 0; cta < c.cta_group; ++cta) {
      uint32_t* const of_cta = cells.data() + size_t{cta} * tmem_lanes * c.alloc_columns;
      const auto receive = [&](uint32_t lane, uint32_t column, const CopiedCell& from) {
        const size_t copy = from.column / scale_copy_columns * scale_copy_bytes,
                     word = from.row * 16 + from.column % scale_copy_columns * 4;
        std::memcpy(of_cta + size_t{lane} * c.alloc_columns + column,
                    &windows[from.cta][source + bytes / 2 + copy + word], 4);
      };
      each_copied_cell(c, readings, copies_of_scales(c, is_a), cta, receive);
    }
    source += bytes;
  }
}

bool have_scales_apart(const Tcgen05MmaCase& c, std::span<const uint32_t> cells) {
  if (!c.scales_copied) return false;
  for (const bool is_a : {true, false}) {
    const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
    const size_t alike = !is_a && c.scale_halves ? tmem_lanes / 2 : tmem_lanes;
    for (size_t lane = 0; lane < size_t{c.cta_group} * tmem_lanes; ++lane) {
      const size_t first = lane / alike * alike + lane % 32;
      for (size_t column = scales.column; column < scales.column + scales.columns; ++column)
        if (cells[lane * c.alloc_columns + column] != cells[first * c.alloc_columns + column]) return true;
    }
  }
  return false;
}

void mark_scale_copy_rules(const Tcgen05MmaCase& c, spec::RuleSet& rules) {
  if (!c.scales_copied && !c.metadata_copied) return;
  rules.set(rule("TCP-R13")).set(rule("SMEM-R11")).set(rule("SMEM-R12"));
  if (c.scales_copied) rules.set(rule("TCP-R05"));
  if (c.scales_copied && c.scale_halves) rules.set(rule("TCP-R04"));
  if (c.metadata_copied) rules.set(rule("TCP-R01"));
  if (c.cta_group == 2) rules.set(rule("TCP-R08"));
}

}  // namespace assay::model
