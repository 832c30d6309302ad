// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/layout/canonical.h"
#include "reference/model/end.h"
#include "reference/model/mma/case.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::model {

struct Tcgen05MmaPrediction {
  End end = End::done;
  bool all_defined = true;  ///< false: `defined` holds a mask
  spec::RuleSet rules;      ///< rules this case exercises, or those it breaks
};

/// What the CTAs' shared windows hold: the one CTA's, or even and odd one's of a pair. Every place that a
/// descriptor leads to must lie in them.
using MmaWindows = std::array<std::span<const std::byte>, 2>;

/// Lanes of tensor memory.
inline constexpr uint32_t tmem_lanes = 128;

/// Predicts the whole allocation of tensor memory of each CTA. `cells`: cell (lane, column) of CTA v at
/// (v * 128 + lane) * alloc_columns + column, what was there before; receives what must be there after.
/// `defined` (same size) gets the bits that are defined; it is written only when not all are.
Tcgen05MmaPrediction predict_mma(const Tcgen05MmaCase&, const spec::Readings&, const MmaWindows& windows,
                                 std::span<uint32_t> cells, std::span<uint32_t> defined);

/// True when everything the case reads and writes lies inside its window and its allocation: else no probe
/// can run it. Words with flips are taken without them.
bool fits_rig(const Tcgen05MmaCase&);

/// First byte of the window, a multiple of 128, behind everything that A (operand 0) or B (1) reads; ~0 when
/// that is far outside. The type codes must have meanings.
uint32_t shared_end(const Tcgen05MmaCase&, int operand);

/// How the readings have the zero-column mask of a case, those of questions that it raises.
spec::MaskReadings mask_readings_of(const Tcgen05MmaCase&, const spec::Readings&);

/// How they have the places of A or B in shared memory.
layout::SmemReadings shared_readings_of(const Tcgen05MmaCase&, bool is_a, const spec::Readings&);

/// The case of its second accumulator alone.
Tcgen05MmaCase on_second(const Tcgen05MmaCase&);
/// And that of its first one.
Tcgen05MmaCase without_second(const Tcgen05MmaCase&);

/// Marks D as undefined in `defined`, a mask as predict_mma() gives it, which it makes if all was defined so
/// far. An instruction that breaks a rule may write any D: its own where the shape is known, else every lane
/// of as many columns as the largest has. What is around it stays. So it is with a second accumulator.
void leave_d_open(const Tcgen05MmaCase&, std::span<uint32_t> defined, bool& all_defined);

}  // namespace assay::model
