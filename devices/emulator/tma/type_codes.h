// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Codes of the type field of a tensor map, as instructions read them (H200, 128-byte map, byte 9; the packed
/// ones PTX ISA 9.0). The emulator's own list: with the table of the reference both would agree whatever it
/// says.
namespace assay::emulator::type_codes {

inline constexpr uint32_t f16 = 6, f32 = 7, f32_ftz = 8, f64 = 9, bf16 = 10, b4x16 = 11, b4x16_p64 = 12,
                          b6x16_p32 = 13;
inline constexpr uint32_t first_float = f16;

}  // namespace assay::emulator::type_codes
