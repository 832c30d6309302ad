// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_copy/im2col_case.h"
#include "suites/run/family.h"

namespace assay::suites {

std::vector<std::pair<std::string, std::string>> im2col_copy_fields(const Im2colCase&);

/// The element of a load that a wrong byte belongs to, by its pixel and channel: `f16 channel 9 of pixel 12
/// is 0x3c00, expected 0x4200`. Of a store, of a byte outside the column, and of packed types nothing.
Diagnosis diagnose_im2col(const Im2colCase&, const spec::Readings&, const ExpectedOutput&,
                          std::span<const uint8_t> observed, uint64_t byte);

}  // namespace assay::suites
