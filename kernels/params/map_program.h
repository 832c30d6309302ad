// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/arena.h"
#include "kernels/params/encode_tiled.h"

namespace assay::params {

/// What a step of a program does to a tensor map. Those before `plain_address` are the fields of
/// tensormap.replace.tile.
enum class MapCommand : uint8_t {
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  swizzle_atomicity,
  fill_mode,
  plain_address,  ///< an ordinary 8-byte store of the address in the place of a replacement
  release,        ///< fence.proxy.tensormap::generic.release
  acquire,        ///< fence.proxy.tensormap::generic.acquire of the map's address + 64 * ordinal
  copy_fence,     ///< tensormap.cp_fenceproxy from the map in shared memory to the one in global memory
  use,            ///< a copy through the map in global memory, the next of the record's uses
};
inline constexpr uint32_t map_commands = 16;

struct MapStep {
  MapCommand command;
  uint8_t ordinal;  ///< dimension of a replacement; of an acquire: 64 bytes from the map's address, 0 to 4
  uint8_t scope;    ///< of fences: 0 cta, 1 cluster, 2 gpu, 3 sys
  uint8_t reserved;
  uint32_t opcode;  ///< of a replacement: by forms::opcode_of
  /// Of a replacement. Of an acquire, unless 0: all lanes of the warp execute it, and those behind the one
  /// that acts acquire so many times 64 bytes further each, those before it as much before.
  uint64_t value;
};
static_assert(sizeof(MapStep) == 16);

/// What copies through the map; those from `im2col_load` on are of im2col mode.
enum class MapInstruction : uint8_t { load, store, add, im2col_load, im2col_store };
inline constexpr uint32_t map_instructions = 5;

/// One copy: the instruction, its rank, coordinates and im2col offsets, and what the barrier of a load is
/// armed with.
struct MapUse {
  int32_t coord[5];
  uint32_t rank;  ///< 1 to 5, of im2col mode 3 to 5
  uint32_t expect_tx;
  uint16_t offset[3];  ///< W, H, D
  MapInstruction instruction;
  uint8_t is_of_other;  ///< 1: it is through the driver's map where the host wrote it, which nobody changes
  uint32_t opcode;      ///< by forms::opcode_of
};
static_assert(sizeof(MapUse) == 40);

enum MapFlags : uint32_t {
  map_from_words = 1,   ///< the program begins with `words`, not with the map of the driver
  map_in_shared = 2,    ///< replacements are of the map in shared memory
  map_is_absolute = 4,  ///< addresses are as they stand, not relative to the arena
};

inline constexpr uint32_t most_map_steps = 32, most_map_uses = 4;
/// Bytes of the output before the first snapshot, where the map in global memory lies.
inline constexpr uint32_t map_area_bytes = 256;
/// What the area holds beside the map, in every byte.
inline constexpr uint8_t map_area_fill = 0xa5;

/// Where the map of a record is when it is used.
enum class MapSpace : uint32_t { global, parameter, constant };

/// A program of replacements, publications and copies by one thread of a CTA, its warp where one has to.
///
/// Output: the area with the map in global memory at its end, `place` bytes into it; after each step the 128
/// bytes of the map that replacements are of (zeros after a use); after those the window of each use; on the
/// next multiple of 256 the slot, where there is one. Addresses are relative to the slot, without one to the
/// arena, unless they are absolute: what the output has of a map is less that. A map in shared memory reaches
/// the area by copy_fence alone. Before each use the window is filled with the arena's bytes from
/// fill_offset, and before the first step the slot with those from slot_fill_offset. In another space than
/// global memory no step is a replacement or a publication. Stores and reductions need a slot.
struct alignas(16) MapProgramRecord {
  EncodeTiledArgs map;  ///< global_address: relative to the arena, with a slot to the record's output
  uint32_t flags;       ///< MapFlags
  uint32_t steps;       ///< 0 to most_map_steps
  uint64_t fill_offset, output_offset;
  uint32_t output_bytes;
  uint32_t window_bytes;  ///< multiple of 16
  uint32_t tile_offset;   ///< of every use
  uint32_t place;         ///< 0, 64 or, in global memory, 128
  MapSpace space;         ///< equal for all records of a batch
  uint32_t uses;
  uint32_t slot_at;           ///< bytes from the start of the output; 0 without a slot
  uint32_t slot_bytes;        ///< multiple of 16, 0 without a slot
  uint64_t slot_fill_offset;  ///< multiple of 16, + slot_bytes <= arena_bytes
  uint32_t
      shared_map;  ///< from the window's start, a multiple of 128 behind the window: the map in shared memory
  uint32_t issuer_thread;  ///< 0 to 127
  uint32_t words[32];      ///< read 16 bytes at a time
  MapUse use[most_map_uses];
  MapStep step[most_map_steps];
};
static_assert(sizeof(MapProgramRecord) == 224 + 128 + 40 * most_map_uses + 16 * most_map_steps);

/// Of shared memory, from the window's start.
inline constexpr uint32_t map_bytes = 128;
constexpr uint32_t map_program_shared_bytes(const MapProgramRecord& r) {
  return r.shared_map + map_bytes;
}

/// Where the slot begins, or the output ends that has none.
constexpr uint32_t map_program_bytes(uint32_t steps, uint32_t uses, uint32_t window_bytes,
                                     uint32_t slot_bytes = 0) {
  const uint32_t before = map_area_bytes + 128 * steps + uses * window_bytes;
  return slot_bytes == 0 ? before : (before + 255) / 256 * 256;
}

/// Maps in kernel parameters or constant memory: record i of a batch has map i modulo this. On 128 bytes, so
/// that a place of 64 is one (TMA-AMB-22).
inline constexpr uint32_t table_maps = 24;
struct alignas(128) MapTable {
  uint64_t words[table_maps][16];
};

}  // namespace assay::params
