// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "suites/run/field_coverage.h"

namespace assay::suites {

/// The matrix descriptors, the instruction descriptor, the mask of zero columns and the scales of
/// Tcgen05MmaCase.
std::span<const Descriptor> tcgen05_descriptors();

}  // namespace assay::suites
