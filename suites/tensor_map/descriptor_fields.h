// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "suites/run/field_coverage.h"

namespace assay::suites {

/// The tensor map of TensorCopyCase and EncodeTiledCase.
std::span<const Descriptor> tensor_map_descriptors();

}  // namespace assay::suites
