// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/layout/canonical.h"
#include "reference/model/mma/case.h"
#include "reference/spec/question.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::model {

/// How the readings have the zero-column mask of a case, those of questions that it raises.
spec::MaskReadings mask_readings_of(const Tcgen05MmaCase&, const spec::Readings&);

/// How they have the places of A or B in shared memory.
layout::SmemReadings shared_readings_of(const Tcgen05MmaCase&, bool is_a, const spec::Readings&);

}  // namespace assay::model
