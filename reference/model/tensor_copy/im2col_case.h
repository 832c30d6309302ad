// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "reference/model/tensor_copy/tiled_case.h"

namespace assay {

/// Logical arguments of cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide; values may be illegal.
struct Im2colMapArgs {
  TensorMapArgs base;              ///< what all maps have; its box_dim plays no part
  std::array<int32_t, 3> lower{};  ///< corners of the pixel box: W, H, D; the wide encoder takes that of W
  std::array<int32_t, 3> upper{};
  uint32_t channels = 0;   ///< of a pixel
  uint32_t pixels = 0;     ///< of a column
  bool wide = false;       ///< by cuTensorMapEncodeIm2colWide
  uint32_t wide_mode = 0;  ///< of that encoder: 0 W, 1 W128
  auto operator<=>(const Im2colMapArgs&) const = default;
};

/// One call of an im2col encoder.
struct EncodeIm2colCase {
  Im2colMapArgs map;       ///< global_address absolute
  uint32_t null_mask = 0;  ///< which pointers are null: bit 0 map, 1 dim, 2 stride, 3 lower corner, 4 element
                           ///< stride, 5 upper corner; the wide encoder has no pointers to corners
  uint32_t map_offset = 0;  ///< output pointer = 64-byte boundary + this, 0..63
  uint8_t before = 0xcd;    ///< content of the output map before the call
  auto operator<=>(const EncodeIm2colCase&) const = default;
};

/// Of an instruction: .im2col (of stores .im2col_no_offs), .im2col::w, .im2col::w::128.
enum class Im2colMode : uint32_t { im2col, w, w_128 };

/// One im2col tensor copy: plain data, serialises to JSON without loss.
struct Im2colCase {
  Im2colMapArgs map;  ///< global_address relative to the tensor memory of the case
  TiledDirection direction = TiledDirection::load;
  TensorReduction reduction = TensorReduction::none;  ///< of a store
  Im2colMode mode = Im2colMode::im2col;  ///< of the instruction; another one than im2col is that of a load
  uint16_t w_halo = 0, w_offset = 0;     ///< of modes w and w_128
  std::array<int32_t, 5> coord{};        ///< by dimension of the tensor, as the instruction has them
  std::array<uint16_t, 3> offset{};      ///< load: im2col offsets W, H, D
  uint32_t instruction_rank = 0;         ///< equal to the map's unless the mismatch is the case
  bool is_tile_instruction = false;      ///< the instruction is of tile mode: the mismatch is the case
  uint32_t tile_offset = 0;   ///< shared-memory operand relative to a 1024-byte aligned window, bytes
  uint32_t window_bytes = 0;  ///< shared window, multiple of 16: guard, image, guard
  uint32_t slot_bytes = 0;    ///< store: bytes of global memory around and under the tensor, multiple of 16
  uint64_t fill_offset = 0;   ///< arena offset of what the shared window holds before, multiple of 16
  uint64_t slot_fill_offset = 0;  ///< store: arena offset of what the slot holds before, multiple of 16
  int32_t transaction_delta = 0;  ///< load: armed transaction bytes minus predicted ones
  bool prefetch_first = false, destination_cta = false, cache_hint = false;
  uint32_t cluster_size = 1;  ///< > 1: multicast load
  uint16_t cta_mask = 0, issuer_rank = 0;
  uint32_t issuer_thread = 0;  ///< the first of the CTA that issues
  /// As of a tiled copy: lanes that issue at once, each with a column and a place of its own, and those of
  /// them that copy by another map, whose tensor begins further on. Reductions are of one lane.
  uint32_t lanes = 1, lane_pitch = 0;
  std::array<int32_t, 5> lane_step{};
  bool in_a_row = false;
  uint32_t other_map_lanes = 0;
  uint64_t other_map_address = 0;
  uint32_t cta_group = 0;     ///< of a load in a cluster: .cta_group::1 or ::2; 0: the word is left out
  bool peer_barrier = false;  ///< the mbarrier operand is that of the issuer's peer in its pair of CTAs; of a
                              ///< load to one CTA, of that CTA's peer
  bool unicast = false;       ///< no multicast, but a load to the one CTA of cta_mask
  uint32_t spelling = 0;      ///< of the instruction, below most_spellings
  auto operator<=>(const Im2colCase&) const = default;
};

/// The copy of one of its lanes.
inline Im2colCase of_lane(const Im2colCase& copy, uint32_t lane) {
  Im2colCase one = copy;
  if (take_lane(one, lane)) one.map.base.global_address += copy.other_map_address;
  return one;
}

constexpr bool is_wide(const Im2colCase& copy) {
  return copy.mode != Im2colMode::im2col;
}
/// Pixels of im2col::w::128 without halos, and those that a halo follows.
inline constexpr uint32_t pixels_of_w_128 = 128, pixels_before_halo = 32;

/// Spatial dimensions of a map of a rank of 3 to 5, and the tensor's dimension that spatial axis k (W, H, D)
/// is: dimension 0 holds channels, but W of an interleaved map.
constexpr uint32_t spatial_axes(uint32_t rank) {
  return rank >= 3 && rank <= 5 ? rank - 2 : 0;
}
constexpr uint32_t dimension_of_axis(const TensorMapArgs& map, uint32_t axis) {
  return axis + (map.interleave == 0 ? 1 : 0);
}

}  // namespace assay
