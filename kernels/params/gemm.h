#pragma once

#include <cstdint>

#include "kernels/params/operand_fill.h"

namespace assay::params {

/// Element type of A and B; D is f32.
enum class GemmType : uint8_t { f16 = 0, bf16 = 1, e4m3 = 2 };

constexpr uint32_t gemm_element_bytes(GemmType type) {
  return type == GemmType::e4m3 ? 1 : 2;
}

/// K of one tcgen05.mma, bytes, and how many of them a stage of the pipeline feeds: the accumulation runs
/// over gemm_instructions() instructions, the first of which does not read D. Beyond k their operands are +0.
inline constexpr uint32_t gemm_instruction_bytes = 32;
inline constexpr uint32_t gemm_stage_bytes = 128;
constexpr uint32_t gemm_instructions(GemmType type, uint32_t k) {
  const uint64_t bytes = uint64_t{k} * gemm_element_bytes(type);
  return static_cast<uint32_t>((bytes + gemm_stage_bytes - 1) / gemm_stage_bytes *
                               (gemm_stage_bytes / gemm_instruction_bytes));
}

/// Rows of D of a CTA, and columns of D that an instruction makes.
inline constexpr uint32_t gemm_tile_m = 128;
constexpr bool is_gemm_tile_n(uint32_t tile_n, uint32_t cta_group) {
  return tile_n == 32 || tile_n == 64 || tile_n == 128 || (tile_n == 256 && cta_group == 2);
}
/// CTAs of a cluster: two side by side along M that share B (cta_group 1), or two pairs side by side along N
/// that share A (cta_group 2).
constexpr uint32_t gemm_cluster(uint32_t cta_group) {
  return cta_group == 2 ? 4 : 2;
}
/// Rows and columns of D that a cluster makes at a time.
inline constexpr uint32_t gemm_cluster_m = 2 * gemm_tile_m;
constexpr uint32_t gemm_cluster_n(uint32_t tile_n, uint32_t cta_group) {
  return tile_n * cta_group;
}

/// Bytes before A in a slot: word 0 counts the warps that have stored their part of a tile, the rest is 0.
inline constexpr uint32_t gemm_header_bytes = 256;
/// What the bytes of D's slot hold before.
inline constexpr uint32_t gemm_before = 0xcdcdcdcd;

/// D = A * B^T of the production pipeline: A m rows of k, B n rows of k, D m rows of n, each row at a
/// multiple of its pitch. The output slot holds, one after the other: the header, A (m * a_pitch bytes, word
/// i is operand_word(a_fill, i)), B (n * b_pitch bytes, operand_word(b_fill, i)) and D (m * d_pitch bytes),
/// A, B and D each at the next multiple of 256. Rows of A and B hold operand words beyond k too.
struct alignas(64) GemmRecord {
  uint32_t m, n, k;  ///< elements, 1 or more
  GemmType type;
  uint8_t cta_group;                   ///< 1 or 2: equal for all records of a batch
  uint16_t tile_n;                     ///< is_gemm_tile_n()
  uint32_t a_pitch, b_pitch, d_pitch;  ///< bytes, multiples of 16, no shorter than a row
  uint32_t output_bytes;               ///< gemm_output_bytes()
  uint64_t output_offset;              ///< multiple of 256
  OperandFill a_fill, b_fill;
  uint32_t reserved[10];             ///< 0
  alignas(64) uint8_t maps[3][128];  ///< of A, B, D: the host path writes them
};
static_assert(sizeof(GemmRecord) == 576);

constexpr uint64_t gemm_aligned(uint64_t bytes) {
  return (bytes + 255) & ~uint64_t{255};
}
/// Offsets in the slot.
constexpr uint64_t gemm_b_offset(const GemmRecord& r) {
  return gemm_header_bytes + gemm_aligned(uint64_t{r.m} * r.a_pitch);
}
constexpr uint64_t gemm_d_offset(const GemmRecord& r) {
  return gemm_b_offset(r) + gemm_aligned(uint64_t{r.n} * r.b_pitch);
}
constexpr uint64_t gemm_output_bytes(const GemmRecord& r) {
  return gemm_d_offset(r) + gemm_aligned(uint64_t{r.m} * r.d_pitch);
}
/// Tiles of a cluster, along M and along N.
constexpr uint32_t gemm_tiles_m(const GemmRecord& r) {
  return (r.m + gemm_cluster_m - 1) / gemm_cluster_m;
}
constexpr uint32_t gemm_tiles_n(const GemmRecord& r) {
  return (r.n + gemm_cluster_n(r.tile_n, r.cta_group) - 1) / gemm_cluster_n(r.tile_n, r.cta_group);
}
/// What word 0 of the header holds at the end: four warps of each CTA store a tile.
constexpr uint32_t gemm_parts(const GemmRecord& r) {
  return gemm_tiles_m(r) * gemm_tiles_n(r) * gemm_cluster(r.cta_group) * 4;
}

/// The mbarriers of a CTA, with which its shared memory begins. What each waits for; all of them once a
/// phase.
struct GemmBarriers {
  uint64_t full[4];         ///< A and B of a stage, in both CTAs of a pair, are there
  uint64_t empty[4];        ///< everyone who was sent this CTA's loads has multiplied them
  uint64_t accumulated[2];  ///< a half of tensor memory holds D
  uint64_t drained[2];      ///< that half has been read, in both CTAs of a pair
};
/// What a warp that has waited long leaves in the notes of the batch, until its wait ends. Above every
/// record's index: the notes before gemm_first_wait name records.
inline constexpr uint32_t gemm_wait_mark = 1u << 31;
inline constexpr uint32_t gemm_first_wait = 1024, gemm_warps = 6;
struct GemmWait {
  uint32_t barrier;  ///< position in GemmBarriers
  uint32_t parity;   ///< of the phase that it waits for
  uint32_t ended;    ///< waits of this warp before, modulo 2^26
};
constexpr uint32_t gemm_wait_word(const GemmWait& wait) {
  return gemm_wait_mark | wait.barrier << 27 | wait.parity << 26 | (wait.ended & 0x3ffffff);
}
constexpr GemmWait gemm_wait_of(uint32_t word) {
  return {word >> 27 & 15, word >> 26 & 1, word & 0x3ffffff};
}

/// Threads of a CTA: a warp that loads, one that multiplies, four that store.
inline constexpr uint32_t gemm_threads = 192;
inline constexpr uint32_t gemm_stages = 4;
/// Of one stage: 128 rows of A and up to 128 of B.
inline constexpr uint32_t gemm_operand_bytes = 128 * gemm_stage_bytes;
/// A warp stores 32 rows of 32 columns at a time and has two such boxes.
inline constexpr uint32_t gemm_box_bytes = 32 * 128;
inline constexpr uint32_t gemm_shared_bytes = gemm_stages * 2 * gemm_operand_bytes + 4 * 2 * gemm_box_bytes;

}  // namespace assay::params
