// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "devices/emulator/async/async.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tma/engine.h"

namespace assay::emulator {

struct Steps;

/// A tensor map taken apart, as one copy uses it. Lengths in elements are slices when interleaved. Of an
/// im2col map box[0] is the channels of a pixel, and the rest of the box says nothing.
struct TiledShape {
  uint64_t address = 0;
  int rank = 1;
  uint32_t type_code = 0;
  bool is_tf32 = false;
  bool flushes_subnormals = false;  ///< type is one of the .ftz types
  bool nan_fill = false;
  std::optional<Reduction> reduction;  ///< of a store that reduces what is there
  uint32_t slice_bytes = 0;            ///< 16 or 32; 0: not interleaved
  SwizzleKind swizzle = SwizzleKind::none;
  uint32_t span = 0;  ///< bytes between rows that are narrower; 0: rows are dense
  std::array<uint64_t, 5> dim{};
  std::array<uint64_t, 5> stride{};  ///< bytes; [0] is not used: elements of dimension 0 follow each other
  std::array<uint32_t, 5> box{}, traversal{};
  DeviceReadings readings;

  // A row of the box is made of cells: what a copy moves as one, 16 bytes of shared memory for most types.
  uint32_t cell_elements = 1;
  uint32_t cell_global_bytes = 16;
  uint32_t cell_shared_bytes = 16;
  uint32_t element_bits = 8;  ///< in global memory; 8 * slice_bytes when interleaved

  bool interleaved() const { return slice_bytes != 0; }
  /// One element a byte in shared memory, 6 bits in global memory; only a store does that.
  bool packs_6bit = false;
};

/// What an im2col map has beside that.
struct Im2colShape {
  const TiledShape& base;
  std::array<int64_t, 3> lowest{}, highest{};  ///< first and last position of the pixel box: W, H, D
  uint32_t pixels = 0;
  int axes = 0;  ///< spatial ones
};
/// Where the walk through the pixel box is, offsets not added.
struct Im2colPosition {
  std::array<int64_t, 3> at{};
  int64_t image = 0;
};

/// The same of a map of the wide encoder and the instruction through it.
struct WideShape {
  const TiledShape& base;
  bool is_128 = false;              ///< the instruction is im2col::w::128
  int64_t lowest = 0, highest = 0;  ///< first and last position along W, wOffset added
  uint32_t pixels = 0;              ///< of the map's column
  uint32_t halo = 0;
};
/// Where its walk is.
struct WidePosition {
  int64_t at = 0;
  int64_t image = 0;
  bool is_over = false;  ///< what follows lies nowhere
};

/// Reads the bits that the hardware of request.target reads, or says which fault using the map raises.
/// Source of every check: tensor map bits and fault causes measured on the H200 (128-byte map, faults); for
/// sm_100a and sm_103a the packed types and swizzles of PTX ISA 9.0, 5.5.1.1, 5.5.7 and the restrictions on
/// tensor copies.
std::variant<TiledShape, TensorCopyFault> read_tensor_map(const TensorCopyRequest& request,
                                                          const Steps& steps, const DeviceReadings& readings);

}  // namespace assay::emulator

/// Codes of the type field of a tensor map, as instructions read them (H200, 128-byte map, byte 9; the packed
/// ones PTX ISA 9.0). The emulator's own list: with the table of the reference both would agree whatever it
/// says.
namespace assay::emulator::type_codes {

inline constexpr uint32_t f16 = 6, f32 = 7, f32_ftz = 8, f64 = 9, bf16 = 10, b4x16 = 11, b4x16_p64 = 12,
                          b6x16_p32 = 13;
inline constexpr uint32_t first_float = f16;

}  // namespace assay::emulator::type_codes
