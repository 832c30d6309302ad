// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "devices/emulator/gpu.h"
#include "devices/emulator/readings.h"
#include "reference/spec/tensor_map_bits.h"

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

struct Steps;

/// What all encoders of tensor maps take, as the caller gave it: any of the pointers may be null, the arrays
/// are read below index `rank` only.
struct EncodeArguments {
  std::byte* map = nullptr;  ///< 128 bytes, any alignment (H200: X-03)
  uint32_t data_type = 0;
  uint32_t rank = 0;
  uint64_t address = 0;
  const uint64_t* dim = nullptr;
  const uint64_t* stride = nullptr;
  const uint32_t* traversal = nullptr;
  uint32_t interleave = 0, swizzle = 0, l2_promotion = 0, fill = 0;
};

/// Empty when the map was written; else why not: one sentence with the id of the rule.
using EncodeRejection = std::string;

/// What a call of any encoder has in common with the others: checks in the order of the fields, each field
/// written once what it depends on has been checked, so that a rejected call leaves what the real one leaves:
/// a map that begins well.
class MapEncoder {
 protected:
  MapEncoder(const EncodeArguments&, const Settings&);

  bool require(std::string_view id, bool holds, std::string message);
  /// A fault may lift a rule, but no table has a row to go on with.
  bool reject_unknown(std::string_view argument);
  void put(const spec::Field& field, uint64_t value);
  /// The map to the caller, as the fault that is acted out has it; of a rejected call what is left.
  void give(bool is_accepted);

  /// True if this device goes by the documents where the H200's driver does not.
  /// The packed types and the wide atoms exist, or the driver does not look at the architecture.
  bool has_new_values() const;
  bool is_padded() const;
  /// What counts as one element of dimension 0; 0 without interleave, and for codes that no interleave has.
  uint32_t slice_bytes() const;
  static std::string at(std::string_view array, uint32_t i);

  bool pointers();
  /// What the driver looks at before it touches the map (H200: V-50), but for the box.
  bool no_zero_extents();
  bool type();
  bool address();
  bool extents();
  bool strides();
  bool modes();
  /// Documented for the packed types, but for the box; the H200's driver does not know them (V-02).
  bool packed();
  /// V-23, of rows that are not interleaved.
  bool fits_swizzle(uint64_t inner_bits);
  /// The driver's own book-keeping, which no hardware reads.
  void write_sizes(uint64_t box_bytes);

  const EncodeArguments& a_;
  const Target target_;
  const DeviceReadings readings_;
  const Steps& steps_;
  spec::TensorMapBytes map_{};
  uint32_t element_bits_ = 8;
  EncodeRejection rejection_;

 private:
  bool traversal_is_ignored(uint32_t i) const;
  bool stride_is_cumulative(uint32_t i) const;
  unsigned __int128 tensor_bytes() const;
};

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

/// Arguments of cuTensorMapEncodeIm2col, and of cuTensorMapEncodeIm2colWide.
struct EncodeIm2colArguments : EncodeArguments {
  const int32_t* lower = nullptr;  ///< corners, rank - 2 of them: W, H, D; of the wide encoder one
  const int32_t* upper = nullptr;
  uint32_t channels = 0, pixels = 0;
  bool wide = false;
  uint32_t mode = 0;  ///< of the wide encoder: 0 W, 1 W128
};

/// What the driver does with a call, as encode_tiled has it. On sm_90a the wide encoder is the plain one with
/// corners of 0 for H and D (H200: X-12); what a later driver writes for a wide map nobody has read off it:
/// here it is the corners of W in 16 bits each, whatever the rank, and the bits
/// of reference/spec/tensor_map_bits.h.
EncodeRejection encode_im2col(const EncodeIm2colArguments&, const Settings&);

}  // namespace assay::emulator
