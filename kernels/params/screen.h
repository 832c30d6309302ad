// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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
/// Entries of an output: more than any GPU has multiprocessors.
inline constexpr uint32_t screen_most_ctas = 192;

/// One step of the hash of a thread's registers, two registers after the other: it can be undone in both of
/// its arguments, so that one wrong register always gives another hash.
constexpr uint64_t screen_hash_start = 0x243f6a8885a308d3;
constexpr uint64_t screen_hash(uint64_t hash, uint32_t low, uint32_t high) {
  hash = (hash ^ (uint64_t{high} << 32 | low)) * 0x9e3779b97f4a7c15;
  return hash << 29 | hash >> 35;
}

enum class ScreenPlant : uint32_t {
  none,
  result,  ///< bits of one register of D, at the end of one chain
  operand  ///< bits of one word of shared memory, as long as the record runs
};

/// Every CTA multiplies the same operands, `rounds` chains in each warpgroup: chain i of warpgroup g is tile
/// (i
/// + 3 * g) % 6, begins with `c` in every register of D, and adds `blocks` products of 128 bytes of K, four
/// instructions each. Word i of shared memory is operand_word(i * 4 < screen_split ? a_fill : b_fill, i).
/// Results are compared thread by thread: their hash with golden[tile][thread of the warpgroup].
struct alignas(16) ScreenRecord {
  uint32_t kind;    ///< screen_kinds
  uint32_t rounds;  ///< at least 1
  uint32_t blocks;  ///< 1 to 256
  uint32_t c;
  OperandFill a_fill, b_fill;
  ScreenPlant plant;
  uint32_t plant_cta, plant_round;  ///< modulo what there are
  uint32_t plant_warpgroup, plant_thread, plant_register;
  uint32_t plant_word;     ///< of shared memory
  uint32_t plant_mask;     ///< bits that change
  uint64_t output_offset;  ///< multiple of 256
  uint32_t output_bytes;   ///< sizeof(ScreenOutput)
  uint32_t reserved;       ///< 0
  uint64_t golden[screen_tiles][128];
};
inline constexpr uint32_t screen_kinds = 5;  ///< bf16, f16, tf32, e4m3, s8

/// What one CTA did.
struct ScreenEntry {
  uint32_t sm;          ///< %smid
  uint32_t chains;      ///< that were compared
  uint32_t mismatches;  ///< threads of chains whose hash is another
  uint32_t clocks;      ///< of the multiprocessor, in units of 1024, from the first chain to the last
};
/// The first mismatch of a CTA; all 0: it had none.
struct ScreenMismatch {
  uint32_t warpgroup, round, thread, tile;
  uint32_t d[screen_d_registers];
};
struct ScreenOutput {
  uint32_t ctas, rounds;  ///< that ran
  uint32_t nanoseconds;   ///< of CTA 0, by the global timer
  uint32_t planted;       ///< mismatches of the CTA that planted, which then are no others'
  uint32_t reserved[12];  ///< 0
  ScreenMismatch of_planted;
  ScreenEntry entries[screen_most_ctas];  ///< of CTAs that there are not: 0
  ScreenMismatch first[screen_most_ctas];
};
static_assert(sizeof(ScreenOutput) % 16 == 0);

}  // namespace assay::params
