// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/spec/im2col_map_bits.h"

namespace assay::spec::tensor_map {

/// How a map of the wide im2col encoder says that it is one, and of which mode. No document has it and nobody
/// has read it off a driver: these are two bits that mean nothing on an H200, on which the emulated driver
/// and the emulated hardware of later architectures agree. Its corners are those of W alone, in 16 bits
/// whatever the rank, as the encoder's documented range has them (V-37).
inline constexpr Field wide =
    with(coded("wide", {bit_at(0x08, 1), 1}, 1), HardwareUse::reads, "of the wide im2col encoder",
         {"driver", "cuTensorMapEncodeIm2colWide, mode"});
inline constexpr Field wide_128 =
    with(coded("wide_128", {bit_at(0x08, 2), 1}, 1), HardwareUse::reads, "0 mode W, 1 mode W128",
         {"driver", "cuTensorMapEncodeIm2colWide, mode"});

/// Every bit of a wide map of any rank, in order of position.
inline constexpr auto wide_fields = [] {
  std::array<Field, im2col_fields<3>.size() + 2> fields{};
  size_t at = 0;
  for (const Field& field : im2col_fields<3>) {
    if (field.parts[0].lsb != bit_at(0x08, 1)) {
      fields[at++] = field;
      continue;
    }
    fields[at++] = wide;
    fields[at++] = wide_128;
    fields[at++] = ignored(0x08, 3, 1, {"h200", "128-byte map, 0x08"});
  }
  return fields;
}();
static_assert(tiles(wide_fields, 1024));

}  // namespace assay::spec::tensor_map
