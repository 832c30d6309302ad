#pragma once

#include <span>

#include "suites/run/field_coverage.h"

namespace assay::suites {

/// What the fields of descriptors are in terms of the cases that have them, for Family::descriptors().
std::span<const Descriptor> tensor_map_descriptors();  ///< of TiledCase and EncodeTiledCase
std::span<const Descriptor> wgmma_descriptors();
std::span<const Descriptor> tcgen05_descriptors();

}  // namespace assay::suites
