#pragma once

#include <cstdint>
#include <string_view>

#include "devices/emulator/machine/cluster.h"

namespace assay::emulator {

/// The value of a special register that does not change while a warp runs. `name` with its '%' and component.
/// Nothing the caller can rely on if is_constant_special_register(name) is false.
uint64_t special_register(std::string_view name, const Warp& warp, int lane);

}  // namespace assay::emulator
