// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "devices/emulator/encode/map_encoder.h"

namespace assay::emulator {

/// Arguments of cuTensorMapEncodeTiled.
struct EncodeTiledArguments : EncodeArguments {
  const uint32_t* box = nullptr;
};

/// What the driver does with a call: checks, and the 128 bytes as the H200's driver writes them (128-byte
/// map; what the driver accepts). sm_100a and sm_103a take the packed types and swizzles 4..6 as well, under
/// the documented rules. A rejected call leaves the map as it was if a pointer is null or an extent is zero,
/// otherwise it destroys it.
EncodeRejection encode_tiled(const EncodeTiledArguments&, const Settings&);

/// cuTensorMapReplaceAddress: looks at the address alone.
EncodeRejection replace_address(std::byte* map, uint64_t address, const Settings&);

}  // namespace assay::emulator
