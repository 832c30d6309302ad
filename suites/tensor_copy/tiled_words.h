// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_copy/tiled_case.h"
#include "suites/run/family.h"

namespace assay::suites {

/// The element that a wrong byte of a tiled copy's output belongs to, by its coordinates in the tensor, where
/// in the box it is and where its 16-byte piece lies: `f16[17, 3] = 0x3c00, expected 0x4200`. Of a byte
/// outside the tile, and of types and layouts whose elements share bytes, nothing.
Diagnosis diagnose_tiled(const TiledCase&, const spec::Readings&, const ExpectedOutput&,
                         std::span<const uint8_t> observed, uint64_t byte);

/// The field of a tensor map that a wrong bit belongs to: `box[1] is 7, expected 8`.
Diagnosis diagnose_tensor_map(const ExpectedOutput&, std::span<const uint8_t> observed, uint64_t byte);

}  // namespace assay::suites
