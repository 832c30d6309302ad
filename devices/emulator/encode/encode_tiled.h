#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Arguments of cuTensorMapEncodeTiled as the caller gave them: any of the pointers may be null, the arrays
/// are read below index `rank` only.
struct EncodeTiledArguments {
  std::byte* map = nullptr;  ///< 128 bytes, any alignment (H200: X-03)
  uint32_t data_type = 0;
  uint32_t rank = 0;
  uint64_t address = 0;
  const uint64_t* dim = nullptr;
  const uint64_t* stride = nullptr;
  const uint32_t* box = nullptr;
  const uint32_t* traversal = nullptr;
  uint32_t interleave = 0, swizzle = 0, l2_promotion = 0, fill = 0;
};

/// Empty when the map was written; else why not: one sentence with the id of the rule.
using EncodeRejection = std::string;

/// What the driver does with a call: checks, and the 128 bytes as the H200's driver writes them (128-byte
/// map; what the driver accepts). sm_100a and sm_103a take the packed types and swizzles 4..6 as well, under
/// the documented rules. A rejected call leaves the map as it was if a pointer is null or an extent is zero,
/// otherwise it destroys it.
EncodeRejection encode_tiled(const EncodeTiledArguments&, const Settings&);

/// cuTensorMapReplaceAddress: looks at the address alone.
EncodeRejection replace_address(std::byte* map, uint64_t address, const Settings&);

}  // namespace assay::emulator
