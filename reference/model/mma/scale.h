// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "reference/layout/scales_and_metadata.h"
#include "reference/model/mma/bend.h"
#include "reference/model/mma/case.h"
#include "reference/numerics/arithmetic.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// What block-scaled cases have beside the others.
bool is_block_scaled(const Tcgen05MmaCase&);
/// Kinds whose elements of 4 bits lie in shared memory without padding.
bool is_packed_kind(const Tcgen05MmaCase&);

/// Elements of K that share a scale: 16 or 32. Zero without block scaling.
int scale_block(const Tcgen05MmaCase&);
/// Scales of a row for one instruction.
int scale_count(const Tcgen05MmaCase&);
/// Null without block scaling.
const spec::Format* scale_format(const Tcgen05MmaCase&);
/// How many the qualifier names; of the default of its kind, where there is none.
std::optional<spec::ScaleVec> scale_vec_of(const Tcgen05MmaCase&);
/// Whether ptxas takes the qualifier with the kind.
bool has_legal_scale_vector(const Tcgen05MmaCase&);

/// Columns from one group of four scales to the next, as the program steps them.
uint32_t scale_group(const Tcgen05MmaCase&, bool is_a);
/// Where the scales of a step begin.
struct ScaleStart {
  uint32_t column, id;
};
ScaleStart scale_start(const Tcgen05MmaCase&, bool is_a, uint32_t step);
/// Columns that all steps together read, under any reading.
uint32_t scale_columns(const Tcgen05MmaCase&, bool is_a);

layout::ScaleReadings scale_readings(const Tcgen05MmaCase&, const spec::Readings&);

/// Scale `s` of a row of A within a CTA, or of column n of B, in one step; `cell(lane, column)` is a cell of
/// tensor memory of that CTA.
template <typename Cell>
uint8_t scale_at(const Tcgen05MmaCase& c, const layout::DLayoutRow& layout,
                 const layout::ScaleReadings& readings, const MmaBend* bend, bool is_a, int line,
                 uint32_t step, int s, Cell cell) {
  const ScaleStart start = scale_start(c, is_a, step);
  const int position = static_cast<int>(start.id) + s, n = static_cast<int>(c.n);
  layout::ScalePlace place = is_a ? layout::a_scale_places(layout, line, position, readings).front()
                                  : layout::b_scale_places(layout, line, n, position, readings).front();
  if (bend != nullptr && bend->scale != nullptr)
    place = bend->scale({c, layout, is_a, line, static_cast<int>(start.id), s}, place);
  return static_cast<uint8_t>(cell(place.lane, static_cast<int>(start.column) + place.column) >>
                              place.byte * 8);
}

/// What the readings make of bit 7 of ue4m3 scales: the scale that counts, and whether it negates.
struct ScaleCode {
  uint8_t code;
  bool negates;
};
ScaleCode read_scale(const spec::Format& format, uint8_t code, const spec::Readings& readings);

/// Bits that sums of groups keep, and products that a group adds exactly, which is open with scales of ue4m3.
void choose_grouped_sum(const spec::Readings&, bool has_ue4m3_scales, numerics::Arithmetic&);

/// Parameters of the adder that open questions of block scaling choose.
void choose_scaled_arithmetic(const Tcgen05MmaCase&, const spec::Readings&, numerics::Arithmetic&);

/// Rules of scales that a legal case exercises.
void mark_scale_rules(const Tcgen05MmaCase&, spec::RuleSet&);

}  // namespace assay::model
