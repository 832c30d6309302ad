#pragma once

#include "reference/spec/tensor_map_bits.h"

namespace assay::emulator {

/// How a map of the wide encoder says that it is one, and of which mode. No document has it and nobody has
/// read it off a driver: the emulated driver and the emulated hardware agree on two bits of 0x08 that mean
/// nothing on an H200.
inline constexpr spec::Field is_wide_map = spec::number("wide", -1, {spec::tensor_map::bit_at(0x08, 1), 1});
inline constexpr spec::Field is_128_map =
    spec::number("wide_128", -1, {spec::tensor_map::bit_at(0x08, 2), 1});

}  // namespace assay::emulator
