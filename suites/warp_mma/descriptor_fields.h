// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "suites/run/field_coverage.h"

namespace assay::suites {

/// The matrix descriptors of WgmmaCase.
std::span<const Descriptor> wgmma_descriptors();

}  // namespace assay::suites
