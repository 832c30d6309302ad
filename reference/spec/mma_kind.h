// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::spec {

/// Kinds of tcgen05.mma; mma_kinds.h has a row for each, in this order. Kernels' records have them too.
enum class MmaKind : uint8_t { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };

}  // namespace assay::spec
