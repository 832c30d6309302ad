// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "suites/run/family.h"

namespace assay::suites {

/// What a case is, as Family::fields and Family::brief.
std::vector<std::pair<std::string, std::string>> copy_fields(const TensorCopyCase&);
std::string copy_brief(const TensorCopyCase&);
/// What shared memory holds of the tensor: a "tile", "rows" or a "column".
std::string_view place_words(const TensorCopyCase&);

/// The element that a wrong byte of the output of a copy by one lane belongs to and where it lies:
/// `f16[17, 3] = 0x3c00, expected 0x4200`. Of a byte outside the tile, of types and layouts whose elements
/// share bytes, and of stores in mode im2col nothing.
Diagnosis diagnose_copy(const TensorCopyCase&, const spec::Readings&, const ExpectedOutput&,
                        std::span<const uint8_t> observed, uint64_t byte);

/// The field of a tensor map that a wrong bit belongs to: `box[1] is 7, expected 8`.
Diagnosis diagnose_tensor_map(const ExpectedOutput&, std::span<const uint8_t> observed, uint64_t byte);

}  // namespace assay::suites
