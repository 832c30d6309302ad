// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/encode_tiled.h"
#include "kernels/params/operand_fill.h"

namespace assay::params {

/// Shared memory of a screen's CTA: blocks of A, each 64 rows of 128 bytes, and behind them blocks of B, each
/// 256 columns of 128 bytes, K-major with the swizzle of 128 bytes.
inline constexpr uint32_t screen_a_blocks = 3, screen_b_blocks = 2;
inline constexpr uint32_t screen_a_block_bytes = 64 * 128, screen_b_block_bytes = 256 * 128;
inline constexpr uint32_t screen_split = screen_a_blocks * screen_a_block_bytes;
inline constexpr uint32_t screen_window_bytes = screen_split + screen_b_blocks * screen_b_block_bytes;

/// Tiles of D that one set of operands gives: step s of tile t multiplies block (t + s) % 3 of A by block (t
/// + s) % 2 of B, so each begins with a pair of its own.
inline constexpr uint32_t screen_tiles = screen_a_blocks * screen_b_blocks;
/// Threads of a CTA are two warpgroups; each thread has so many registers of a tile.
inline constexpr uint32_t screen_warpgroups = 2, screen_d_registers = 128;
/// Vectors of 16 bytes of shared memory that each thread of a CTA has.
inline constexpr uint32_t screen_vectors = screen_window_bytes / 16 / (screen_warpgroups * 128);
static_assert(screen_vectors * 16 * screen_warpgroups * 128 == screen_window_bytes);
/// Entries of an output: more than any GPU has multiprocessors.
inline constexpr uint32_t screen_most_ctas = 192;

/// One step of the hash of a thread's registers: it can be undone in both of its arguments, so that one wrong
/// register always gives another hash. Pairs of registers go by turns into two hashes, the second of which
/// goes into the first at the end: a step waits for the one before it, and two can be under way.
constexpr uint64_t screen_hash_start = 0x243f6a8885a308d3, screen_hash_factor = 0x9e3779b97f4a7c15;
constexpr uint64_t screen_hash(uint64_t hash, uint32_t low, uint32_t high) {
  hash = (hash ^ (uint64_t{high} << 32 | low)) * screen_hash_factor;
  return hash << 29 | hash >> 35;
}

/// The same of a word, for tiles, whose bytes come faster than products of 64 bits: of a lane's pieces each
/// word has a hash of its own.
constexpr uint32_t screen_word_start = 0x85a308d3;
constexpr uint32_t screen_word_hash(uint32_t hash, uint32_t word) {
  hash = (hash ^ word) * 0x9e3779b1;
  return hash << 13 | hash >> 19;
}

/// What multiplies, each on screen_types types: bf16, f16, tf32, e4m3, s8. A record's kind names both.
enum class ScreenUnit : uint32_t { wgmma, wgmma_sparse, mma_sync, tcgen05 };
inline constexpr uint32_t screen_types = 5, screen_kinds = 4 * screen_types;
constexpr ScreenUnit screen_unit(uint32_t kind) {
  return static_cast<ScreenUnit>(kind / screen_types);
}
constexpr uint32_t screen_type(uint32_t kind) {
  return kind % screen_types;
}
/// Of tcgen05 a block of A is 128 rows, one of B 128 columns, 128 bytes each; the two of B lie behind the
/// three of A.
inline constexpr uint32_t screen_tensor_block_bytes = 128 * 128;
/// Registers of D that a fault in the middle of a chain may be planted in.
inline constexpr uint32_t screen_middle_registers[] = {5, 38, 91, 126};

enum class ScreenPlant : uint32_t {
  none,
  result,   ///< bits of one register of D, at the end of one chain, or of a tile that came
  operand,  ///< bits of one word of shared memory, as long as the record runs
  middle    ///< bits of one of screen_middle_registers, between two steps of one chain
};

/// What of a load a record runs, so that a wrong result is traced to the least that gives one.
enum class ScreenPart : uint32_t {
  whole,
  shared,  ///< shared memory is written and read
  loads    ///< of tiles: global memory is read into registers
};
inline constexpr uint32_t screen_every_sm = ~0u;

/// What runs where and when. A chain or a load of a warp begins while (global timer + phase_us) modulo (on_us
/// + off_us) is below on_us, or at any time where off_us is 0.
struct ScreenTurns {
  ScreenPart part;
  uint32_t only_sm;              ///< %smid of the CTA that takes part; screen_every_sm: of any
  uint32_t cta_step, cta_first;  ///< %ctaid.x modulo cta_step is cta_first of those that take part
  uint32_t on_us, off_us, phase_us;
  uint32_t in_phase;  ///< 1: the host that launches leaves phase_us 0
};

/// Every CTA that takes part multiplies the same operands, `rounds` chains in each warpgroup: chain i of
/// warpgroup g is tile (i + 3 * g) % 6, begins with `c` in every register of D, and adds `blocks` products of
/// 128 bytes of K, four instructions each. Word i of shared memory is operand_word(i * 4 < screen_split ?
/// a_fill : b_fill, i). Results are compared thread by thread: their hash with golden[tile][thread of the
/// warpgroup]. Of shared memory alone thread t of the CTA hashes its vectors t, t + 256, ... in place of
/// registers, and compares with golden[t / 128][t % 128].
struct alignas(16) ScreenRecord {
  uint32_t kind;    ///< below screen_kinds: also the opcode of the form screen.chain
  uint32_t rounds;  ///< at least 1
  uint32_t blocks;  ///< 0 to 256
  uint32_t c;
  OperandFill a_fill, b_fill;
  ScreenPlant plant;
  uint32_t plant_cta, plant_round;  ///< modulo what there are
  uint32_t plant_warpgroup, plant_thread, plant_register;
  uint32_t plant_word;     ///< of shared memory
  uint32_t plant_mask;     ///< bits that change
  uint64_t output_offset;  ///< multiple of 16
  uint32_t output_bytes;   ///< sizeof(ScreenOutput)
  uint32_t instr_desc;     ///< of tcgen05
  uint32_t plant_step;     ///< of the middle: steps before it, 1 to blocks - 1
  uint32_t reserved[3];    ///< 0
  ScreenTurns turns;
  uint32_t metadata[128];  ///< of each thread of a warpgroup, of a sparse A
  uint64_t golden[screen_tiles][128];
};

/// What one CTA did.
struct ScreenEntry {
  uint32_t sm;          ///< %smid
  uint32_t compared;    ///< chains of a warpgroup, or tiles; 0 where the CTA took no part
  uint32_t mismatches;  ///< hashes that are others
  uint32_t clocks;      ///< of the multiprocessor, in units of 1024
};
/// The first mismatch of a CTA; all 0: it had none.
struct ScreenMismatch {
  uint32_t warpgroup, round, thread, tile;
  uint32_t d[screen_d_registers];
};
template <typename Mismatch>
struct ScreenOutputOf {
  uint32_t ctas, rounds;  ///< that ran
  uint32_t nanoseconds;   ///< of CTA 0, by the global timer
  uint32_t planted;       ///< mismatches of the CTA that planted, which then are no others'
  uint32_t reserved[12];  ///< 0
  Mismatch of_planted;
  ScreenEntry entries[screen_most_ctas];  ///< of CTAs that there are not: 0
  Mismatch first[screen_most_ctas];
};
using ScreenOutput = ScreenOutputOf<ScreenMismatch>;
static_assert(sizeof(ScreenOutput) % 16 == 0);

/// Tiles that come by tensor copies, one of a map to one stage of a warp, in shared memory.
inline constexpr uint32_t screen_tile_bytes = 16 << 10, screen_tile_maps = 16, screen_most_tiles = 1 << 14;
inline constexpr uint32_t screen_tile_warps = 4, screen_tile_stages = 2;
inline constexpr uint32_t screen_tiles_window = screen_tile_bytes * screen_tile_warps * screen_tile_stages;
/// A lane hashes 32 pieces of 16 bytes of a tile: piece j of lane l is byte (32 * j + l) * 16.
inline constexpr uint32_t screen_tile_pieces = screen_tile_bytes / 16 / 32;

/// Where a tile lies along dimension d, below `count`: the same on host and device.
constexpr uint32_t screen_place(uint64_t seed, uint32_t tile, uint32_t d, uint32_t count) {
  return static_cast<uint32_t>((arena_mix(seed + uint64_t{tile} * 8 + d) >> 32) * count >> 32);
}

struct ScreenTileMap {
  EncodeTiledArgs map;  ///< global_address: relative to the arena
  uint32_t bytes;       ///< that it signals
  int32_t low[5];       ///< a tile begins at low + step * screen_place(..., count)
  uint32_t step[5], count[5];
  uint32_t pieces[32];  ///< by lane: those of its pieces that every load defines, a bit each, of lane 0 the
                        ///< first
  uint64_t address;     ///< of the tensor, which the host that launches writes
};
static_assert(sizeof(ScreenTileMap) == 352);

/// Of loads without a tensor map: byte of the tensor at which tile `tile` begins. No tensor is smaller than
/// 1 MiB.
constexpr uint64_t screen_plain_place(uint64_t seed, uint32_t tile) {
  return uint64_t{screen_place(seed, tile, 0, (1 << 20) / screen_tile_bytes)} * screen_tile_bytes;
}
/// Of shared memory alone: half 0 or 1 of piece `piece` of lane `lane` of a tile.
constexpr uint64_t screen_written(uint64_t seed, uint32_t tile, uint32_t piece, uint32_t lane,
                                  uint32_t half) {
  return arena_mix(seed + ((uint64_t{tile} * 32 + piece) * 32 + lane) * 2 + half);
}

/// Of each map so many are encoded, of tensors with the same bytes in memory of their own: a warp takes the
/// next one when it begins with the tiles again, so that no cache holds what comes.
inline constexpr uint32_t screen_map_sets = 4;
/// Maps of a record: those, and one of the memory that tiles are stored to.
inline constexpr uint32_t screen_all_maps = screen_tile_maps * screen_map_sets + 1;
/// Stored tiles are 16 rows of 256 words; warp w of multiprocessor m stores its n-th to rows from
/// ((n % store_slots * screen_most_ctas + m) * screen_tile_warps + w) * 16 on.
inline constexpr uint32_t screen_stored_columns = 256,
                          screen_stored_rows = screen_tile_bytes / 4 / screen_stored_columns,
                          screen_most_store_slots = 16;

/// Load i of warp w of CTA c is tile (i * warps of all CTAs + c * screen_tile_warps + w) % tiles, of map tile
/// % maps. The hash of what it defines is golden[tile]; of its pieces as global memory has them from
/// screen_plain_place() on, or as screen_written(), where turns.part says so.
struct alignas(16) ScreenTilesRecord {
  uint64_t seed;
  uint64_t output_offset;  ///< multiple of 16
  uint32_t output_bytes;   ///< sizeof(ScreenTilesOutput)
  uint32_t is_far;         ///< 1: tensors lie apart, well beyond the L2 cache; 0: in the arena
  uint32_t maps, tiles;
  uint32_t rounds;  ///< loads of each warp, at least 1
  ScreenPlant plant;
  uint32_t plant_cta, plant_round;  ///< modulo what there are
  uint32_t plant_warp;
  uint32_t plant_lane, plant_piece;  ///< of those pieces that the lane hashes, where it has none, lane 0
  uint32_t plant_word, plant_mask;   ///< of the piece
  uint32_t store_slots;  ///< 0: tiles are loaded; else each is stored and loaded again too, up to 16
  ScreenTurns turns;
  ScreenTileMap map[screen_tile_maps];
  uint64_t golden[screen_most_tiles];
};
static_assert(sizeof(ScreenTilesRecord) % 16 == 0);

struct ScreenTileMismatch {
  uint32_t warp, round, tile;
  uint32_t dumped;  ///< 1: ScreenTilesOutput has the bytes; 2: it has those that came back from a store
};
struct ScreenTilesOutput : ScreenOutputOf<ScreenTileMismatch> {
  /// What came of the first wrong tile of the CTA that planted, and of the first in a launch of any other.
  uint32_t dump[2][screen_tile_bytes / 4];
};
static_assert(sizeof(ScreenTilesOutput) % 16 == 0);

/// Both at once; each has its output where a ScreenBothOutput has it.
struct alignas(16) ScreenBothRecord {
  uint64_t output_offset;  ///< multiple of 256
  uint32_t output_bytes;   ///< sizeof(ScreenBothOutput)
  uint32_t reserved;       ///< 0
  ScreenRecord chains;
  ScreenTilesRecord tiles;
};
struct ScreenBothOutput {
  ScreenOutput chains;
  ScreenTilesOutput tiles;
};
inline constexpr uint32_t screen_tiles_output_at = sizeof(ScreenOutput);
static_assert(sizeof(ScreenBothOutput) == sizeof(ScreenOutput) + sizeof(ScreenTilesOutput));
inline constexpr uint32_t screen_both_threads = screen_warpgroups * 128 + screen_tile_warps * 32;

/// The piece that is altered: of a lane's the one of that number, counted from the lowest and around.
constexpr uint32_t screen_planted_piece(uint32_t pieces, uint32_t number) {
  uint32_t left = pieces;
  for (uint32_t i = 0; i < number; ++i) {
    left &= left - 1;
    if (left == 0) left = pieces;
  }
  uint32_t piece = 0;
  while ((left >> piece & 1) == 0) ++piece;
  return piece;
}

}  // namespace assay::params
