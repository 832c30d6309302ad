// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>

namespace assay {

/// Logical arguments of cuTensorMapEncodeTiled. Values are host enumerators (spec/tensor_map.h) and may be
/// illegal.
struct TensorMapArgs {
  uint64_t global_address = 0;           ///< bytes. In a TiledCase: relative to the tensor memory of the case
  std::array<uint64_t, 5> global_dim{};  ///< elements
  std::array<uint64_t, 4> global_stride{};   ///< bytes, [i] is the stride of dimension i+1
  std::array<uint32_t, 5> box_dim{};         ///< elements
  std::array<uint32_t, 5> element_stride{};  ///< elements
  uint32_t data_type = 0, rank = 0, interleave = 0, swizzle = 0, l2_promotion = 0, oob_fill = 0;
  auto operator<=>(const TensorMapArgs&) const = default;
};

/// Value of TensorMapArgs::swizzle for the 96B swizzle, which has no host enumerator in CUDA 13.0 (V-44); the
/// map is encoded with swizzle NONE and tensormap.replace.tile.swizzle_mode 4 follows on the device.
inline constexpr uint32_t swizzle_96B = 0x96;

enum class TiledDirection : uint32_t { load, store };

/// What a store does to the elements that it meets: takes their place, or reduces them. The element type is
/// that of the map.
enum class TensorReduction : uint32_t { none, add, min, max, inc, dec, bit_and, bit_or, bit_xor };
inline constexpr std::array<std::string_view, 9> tensor_reduction_names{"none", "add", "min", "max", "inc",
                                                                        "dec",  "and", "or",  "xor"};

/// One tiled tensor copy: plain data, serialises to JSON without loss.
struct TiledCase {
  TensorMapArgs map;
  TiledDirection direction = TiledDirection::load;
  TensorReduction reduction = TensorReduction::none;  ///< of a store
  std::array<int32_t, 5> coord{};
  uint32_t instruction_rank = 0;  ///< equal to map.rank unless the mismatch is the case
  uint32_t tile_offset = 0;       ///< shared-memory operand relative to a 1024-byte aligned window, bytes
  uint32_t window_bytes = 0;      ///< shared window, multiple of 16: guard, tile, guard
  uint32_t slot_bytes = 0;   ///< store: bytes of global memory around and under the tensor, multiple of 16
  uint64_t fill_offset = 0;  ///< arena offset of what the shared window holds before, multiple of 16
  uint64_t slot_fill_offset = 0;  ///< store: arena offset of what the slot holds before, multiple of 16
  int32_t transaction_delta =
      0;  ///< load: armed transaction bytes minus predicted ones; 0 unless that is the case
  bool prefetch_first = false, destination_cta = false, cache_hint = false;
  bool prefetch_alone = false;  ///< load of one CTA: the prefetch is all that is issued
  /// Load: of the mbarrier from the window's start, multiple of 8 behind the window; 0: somewhere before it.
  uint32_t barrier_offset = 0;
  uint32_t cluster_size = 1;  ///< > 1: multicast load
  uint16_t cta_mask = 0, issuer_rank = 0;
  uint32_t cta_group = 0;     ///< of a load in a cluster: .cta_group::1 or ::2; 0: the word is left out
  bool peer_barrier = false;  ///< the mbarrier operand is that of the issuer's peer in its pair of CTAs; of a
                              ///< load to one CTA, of that CTA's peer
  bool unicast = false;       ///< no multicast, but a load to the one CTA of cta_mask
  uint32_t issuer_thread = 0;  ///< the first thread of the CTA that issues
  /// So many lanes of its warp issue at once: the box of each begins lane_step further than that of the lane
  /// before, its tile lane_pitch bytes further.
  uint32_t lanes = 1, lane_pitch = 0;
  std::array<int32_t, 5> lane_step{};
  bool in_a_row = false;  ///< the first of them issues the copies of all, one behind the other
  /// A bit a lane: it copies by another map, whose tensor begins so many bytes further, a multiple of 32, and
  /// has so many elements fewer along its outermost dimension.
  uint32_t other_map_lanes = 0;
  uint64_t other_map_address = 0, other_map_less = 0;
  uint32_t spelling = 0;  ///< of the instruction, below most_spellings
  auto operator<=>(const TiledCase&) const = default;
};

/// Makes the copy that of one of its lanes, whatever its mode, but for the map; coordinates past 32 bits,
/// which no legal case has, go around. Whether the lane copies by the other map.
template <typename Copy>
bool take_lane(Copy& copy, uint32_t lane) {
  for (size_t i = 0; i < copy.coord.size(); ++i)
    copy.coord[i] = static_cast<int32_t>(static_cast<uint32_t>(copy.coord[i]) +
                                         lane * static_cast<uint32_t>(copy.lane_step[i]));
  copy.tile_offset += lane * copy.lane_pitch;
  copy.issuer_thread += lane;
  const bool is_by_other_map = (copy.other_map_lanes >> lane & 1) != 0;
  copy.other_map_lanes = 0, copy.other_map_address = 0;
  copy.lanes = 1, copy.lane_pitch = 0;
  copy.in_a_row = false;
  copy.lane_step = {};
  return is_by_other_map;
}

/// The map of the lanes of other_map_lanes.
inline TensorMapArgs other_map_of(const TiledCase& copy) {
  TensorMapArgs other = copy.map;
  other.global_address += copy.other_map_address;
  if (other.rank >= 1 && other.rank <= 5) other.global_dim[other.rank - 1] -= copy.other_map_less;
  return other;
}

/// The same where every lane copies by the map of the first.
template <typename Copy>
Copy with_shared_map(Copy copy) {
  copy.other_map_lanes = (copy.other_map_lanes & 1) != 0 ? ~0u : 0;
  return copy;
}

/// The copy of one of its lanes.
inline TiledCase of_lane(const TiledCase& copy, uint32_t lane) {
  TiledCase one = copy;
  if (take_lane(one, lane)) one.map = other_map_of(copy);
  one.other_map_less = 0;
  return one;
}

/// One call of the encoder, and of what changes its map.
struct EncodeTiledCase {
  TensorMapArgs map;  ///< global_address absolute
  uint32_t null_mask =
      0;  ///< which pointer arguments are null: bit 0 map, 1 dim, 2 stride, 3 box, 4 element stride
  uint32_t map_offset = 0;   ///< output pointer = 64-byte boundary + this, 0..63
  uint8_t before = 0xcd;     ///< content of the output map before the call
  bool replaces = false;     ///< cuTensorMapReplaceAddress follows on what the encoder accepted
  uint64_t replacement = 0;  ///< the address that it is given
  auto operator<=>(const EncodeTiledCase&) const = default;
};

}  // namespace assay
