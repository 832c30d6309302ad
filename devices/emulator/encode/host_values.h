// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Values of the driver's enumerations (CUDA 13.0: CUtensorMapDataType, CUtensorMapSwizzle,
/// CUtensorMapInterleave) that the emulated encoder treats apart: a list of its own, beside the reference's.
namespace assay::emulator {

namespace host_type {
inline constexpr uint32_t first_float = 6, b4x16 = 13, b4x16_p64 = 14, b6x16_p32 = 15, first_packed = b4x16;
}
namespace host_swizzle {
inline constexpr uint32_t none = 0, by_32B = 1, by_64B = 2, by_128B = 3, by_128B_atom32B = 4,
                          by_128B_atom64B = 6;
}
namespace host_interleave {
inline constexpr uint32_t by_16B = 1, by_32B = 2;
}

}  // namespace assay::emulator
