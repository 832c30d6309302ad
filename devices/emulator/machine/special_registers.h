#pragma once

#include <cstdint>
#include <string_view>

#include "devices/emulator/machine/cluster.h"

namespace assay::emulator {

/// The values of a special register that does not change while a warp runs, for its 32 lanes. `name` with its
/// '%' and component. Nothing the caller can rely on if is_constant_special_register(name) is false.
void read_special_register(std::string_view name, const Warp& warp, uint64_t* lanes);

}  // namespace assay::emulator
