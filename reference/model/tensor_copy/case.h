// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"
#include "reference/model/tensor_map/case.h"

namespace assay {

enum class CopyDirection : uint32_t { load, store };
inline constexpr std::array<std::string_view, 2> copy_direction_names{"load", "store"};

/// Mode of the instruction. A store has the counterpart: tile::scatter4, im2col_no_offs.
enum class CopyMode : uint32_t { tile, gather4, im2col, w, w_128 };
inline constexpr std::array<std::string_view, 5> copy_mode_names{"tile", "tile::gather4", "im2col",
                                                                 "im2col::w", "im2col::w::128"};

/// What a store does to the elements that it meets: takes their place, or reduces them. The element type is
/// that of the map.
enum class TensorReduction : uint32_t { none, add, min, max, inc, dec, bit_and, bit_or, bit_xor };
inline constexpr std::array<std::string_view, 9> tensor_reduction_names{"none", "add", "min", "max", "inc",
                                                                        "dec",  "and", "or",  "xor"};

/// One tensor copy: plain data, serialises to JSON without loss.
struct TensorCopyCase {
  /// Of the modes im2col, w and w_128 a map of the im2col encoders; of tile and gather4 the base alone, whose
  /// box is one row of a copy of four. Address relative to the tensor memory of the case.
  Im2colMapArgs map;
  CopyMode mode = CopyMode::tile;
  CopyDirection direction = CopyDirection::load;
  TensorReduction reduction = TensorReduction::none;  ///< of a store
  /// By dimension of the tensor; of gather4 the column and four rows.
  std::array<int32_t, 5> coord{};
  std::array<uint16_t, 3> offset{};   ///< of a load in mode im2col: offsets along W, H, D
  uint16_t w_halo = 0, w_offset = 0;  ///< of modes w and w_128
  uint32_t instruction_rank = 0;     ///< 2 of gather4, else equal to map.rank unless the mismatch is the case
  bool is_tile_instruction = false;  ///< of an im2col map: the instruction has mode tile, which is the case
  uint32_t tile_offset = 0;          ///< shared-memory operand relative to a 1024-byte aligned window, bytes
  uint32_t window_bytes = 0;         ///< shared window, multiple of 16: guard, tile, guard
  uint32_t slot_bytes = 0;   ///< store: bytes of global memory around and under the tensor, multiple of 16
  uint64_t fill_offset = 0;  ///< arena offset of what the shared window holds before, multiple of 16
  uint64_t slot_fill_offset = 0;  ///< store: arena offset of what the slot holds before, multiple of 16
  /// Load: armed transaction bytes minus predicted ones; 0 unless that is the case.
  int32_t transaction_delta = 0;
  bool prefetch_first = false, destination_cta = false, cache_hint = false;
  bool prefetch_alone = false;  ///< tiled load of one CTA: the prefetch is all that is issued
  /// Tiled load: of the mbarrier from the window's start, multiple of 8 behind the window; 0: somewhere
  /// before it.
  uint32_t barrier_offset = 0;
  uint32_t cluster_size = 1;  ///< > 1: multicast load
  uint16_t cta_mask = 0, issuer_rank = 0;
  uint32_t cta_group = 0;     ///< of a load in a cluster: .cta_group::1 or ::2; 0: the word is left out
  bool peer_barrier = false;  ///< the mbarrier operand is that of the issuer's peer in its pair of CTAs; of a
                              ///< load to one CTA, of that CTA's peer
  bool unicast = false;       ///< no multicast, but a load to the one CTA of cta_mask
  uint32_t issuer_thread = 0;  ///< the first thread of the CTA that issues
  /// So many lanes of its warp issue at once: the box of each begins lane_step further than that of the lane
  /// before, its tile lane_pitch bytes further. Reductions in mode im2col are of one lane.
  uint32_t lanes = 1, lane_pitch = 0;
  std::array<int32_t, 5> lane_step{};
  bool in_a_row = false;  ///< the first of them issues the copies of all, one behind the other
  /// A bit a lane: it copies by another map, whose tensor begins so many bytes further, a multiple of 32, and
  /// has so many elements fewer along its outermost dimension (0 of im2col maps).
  uint32_t other_map_lanes = 0;
  uint64_t other_map_address = 0, other_map_less = 0;
  uint32_t spelling = 0;  ///< of the instruction, below most_spellings
  auto operator<=>(const TensorCopyCase&) const = default;
};

constexpr bool is_store(const TensorCopyCase& copy) {
  return copy.direction == CopyDirection::store;
}
constexpr bool is_gather(const TensorCopyCase& copy) {
  return copy.mode == CopyMode::gather4;
}
/// By a map of the im2col encoders.
constexpr bool is_column(const TensorCopyCase& copy) {
  return copy.mode >= CopyMode::im2col;
}
/// Along W alone.
constexpr bool is_wide(const TensorCopyCase& copy) {
  return copy.mode == CopyMode::w || copy.mode == CopyMode::w_128;
}

/// Rows of one gather4 or scatter4.
inline constexpr uint32_t gathered_rows = 4;
/// Pixels of im2col::w::128 without halos, and those that a halo follows.
inline constexpr uint32_t pixels_of_w_128 = 128, pixels_before_halo = 32;

/// The map of the lanes of other_map_lanes.
inline Im2colMapArgs other_map_of(const TensorCopyCase& copy) {
  Im2colMapArgs other = copy.map;
  other.global_address += copy.other_map_address;
  if (other.rank >= 1 && other.rank <= 5) other.global_dim[other.rank - 1] -= copy.other_map_less;
  return other;
}

/// The same where every lane copies by the map of the first.
inline TensorCopyCase with_shared_map(TensorCopyCase copy) {
  copy.other_map_lanes = (copy.other_map_lanes & 1) != 0 ? ~0u : 0;
  return copy;
}

/// The copy of one of its lanes. Coordinates past 32 bits, which no legal case has, go around.
inline TensorCopyCase of_lane(const TensorCopyCase& copy, uint32_t lane) {
  TensorCopyCase one = copy;
  for (size_t i = 0; i < one.coord.size(); ++i)
    one.coord[i] = static_cast<int32_t>(static_cast<uint32_t>(one.coord[i]) +
                                        lane * static_cast<uint32_t>(one.lane_step[i]));
  one.tile_offset += lane * one.lane_pitch;
  one.issuer_thread += lane;
  if ((copy.other_map_lanes >> lane & 1) != 0) one.map = other_map_of(copy);
  one.other_map_lanes = 0, one.other_map_address = one.other_map_less = 0;
  one.lanes = 1, one.lane_pitch = 0;
  one.in_a_row = false;
  one.lane_step = {};
  return one;
}

}  // namespace assay

/// The members of tensor copies.
namespace assay {

constexpr const auto& spellings_of(CopyDirection) {
  return copy_direction_names;
}
constexpr const auto& spellings_of(CopyMode) {
  return copy_mode_names;
}

// Beside the type, where the templates of case_fields.h find it.
template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, TensorCopyCase>
void visit_fields(Copy& copy, const Visit& visit) {
  ASSAY_FIELD(visit, copy, barrier_offset, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 8,
              .called = "mbarrier at");
  ASSAY_FIELD(visit, copy, cache_hint, .called = "cache hint", .yes = "evict_first");
  ASSAY_FIELD(visit, copy, cluster_size, .values = cluster_sizes, .told = elsewhere, .shrinks = false);
  ASSAY_FIELD(visit, copy, coord, .told = elsewhere);
  ASSAY_FIELD(visit, copy, cta_group, .values = written_cta_groups, .called = "cta_group", .shrinks = false);
  ASSAY_FIELD(visit, copy, cta_mask, .told = elsewhere, .shows = as_hex, .shrinks = false);
  ASSAY_FIELD(visit, copy, destination_cta, .called = "destination", .yes = "shared::cta");
  ASSAY_FIELD(visit, copy, direction, .told = elsewhere);
  ASSAY_FIELD(visit, copy, fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, copy, in_a_row, .called = "copies", .yes = "by one thread, one behind the other");
  ASSAY_FIELD(visit, copy, instruction_rank, .told = elsewhere, .shrinks = false);
  ASSAY_FIELD(visit, copy, is_tile_instruction, .called = "instruction mode", .yes = "tile");
  ASSAY_FIELD(visit, copy, issuer_rank, .most = 15, .told = elsewhere, .shrinks = false);
  ASSAY_FIELD(visit, copy, issuer_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD(visit, copy, lane_pitch, .unit = "bytes", .called = "from tile to tile of lanes",
              .shrinks = false);
  ASSAY_FIELD(visit, copy, lane_step, .called = "from box to box of lanes");
  ASSAY_FIELD(visit, copy, lanes, .least = 1, .most = 32, .shrinks = false);
  ASSAY_FIELD(visit, copy, map, .told = elsewhere);
  ASSAY_FIELD(visit, copy, mode, .told = elsewhere);
  ASSAY_FIELD(visit, copy, offset, .called = "offsets");
  ASSAY_FIELD(visit, copy, other_map_address, .unit = "bytes", .called = "other map begins later by",
              .shrinks = false);
  ASSAY_FIELD(visit, copy, other_map_lanes, .called = "lanes with the other map", .shows = as_hex,
              .shrinks = false);
  ASSAY_FIELD(visit, copy, other_map_less, .unit = "elements", .called = "other map is shorter by",
              .shrinks = false);
  ASSAY_FIELD(visit, copy, peer_barrier, .called = "mbarrier", .yes = "of the peer");
  ASSAY_FIELD(visit, copy, prefetch_alone, .called = "prefetch", .yes = "in place of the load");
  ASSAY_FIELD(visit, copy, prefetch_first, .called = "prefetch", .yes = "before the load");
  ASSAY_FIELD(visit, copy, reduction, .told = elsewhere);
  ASSAY_FIELD(visit, copy, slot_bytes, .unit = "bytes", .most = rig::max_slot_bytes, .multiple = 16,
              .called = "slot", .shrinks = false);
  ASSAY_FIELD(visit, copy, slot_fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, copy, spelling, .most = most_spellings - 1);
  // Further on lies other CTAs' memory, or nothing: no document says which fault comes first there.
  ASSAY_FIELD(visit, copy, tile_offset, .unit = "bytes", .most = rig::max_window_bytes - 1, .told = elsewhere,
              .shrinks = false);
  ASSAY_FIELD(visit, copy, transaction_delta, .unit = "bytes", .called = "armed bytes off by",
              .shrinks = false);
  ASSAY_FIELD(visit, copy, unicast, .called = "receiver", .yes = "one CTA, without a mask");
  ASSAY_FIELD(visit, copy, w_halo, .unit = "pixels", .called = "wHalo");
  ASSAY_FIELD(visit, copy, w_offset, .unit = "pixels", .called = "wOffset");
  ASSAY_FIELD(visit, copy, window_bytes, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 16,
              .told = always, .called = "window", .shrinks = false);
}

}  // namespace assay
