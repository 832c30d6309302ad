// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "reference/layout/canonical.h"
#include "reference/model/mma/case.h"
#include "reference/spec/question.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::model {

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
