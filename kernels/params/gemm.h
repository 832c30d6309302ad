#pragma once

#include <cstdint>

#include "kernels/params/operand_fill.h"
#include "kernels/params/tcgen05.h"

namespace assay::params {

/// Elements and scales of A and B; D is f32.
enum class GemmType : uint8_t {
  f16,
  bf16,
  e4m3,
  mxf8,        ///< e4m3 by e4m3, a ue8m0 scale for 32
  mxf8_e5m2,   ///< e5m2 by e4m3, a ue8m0 scale for 32
  mxf4,        ///< e2m1, a ue8m0 scale for 32
  nvf4_by_32,  ///< kind::mxf4nvf4: e2m1, a ue8m0 scale for 32
  nvf4_ue8m0,  ///< kind::mxf4nvf4: e2m1, a ue8m0 scale for 16
  nvf4,        ///< kind::mxf4nvf4: e2m1, a ue4m3 scale for 16
};

/// The instruction of a type. Host code reads it; a kernel reads what settle() puts into the record.
struct GemmForm {
  MmaKind kind;
  uint8_t element_bits;    ///< of A and of B, in global memory
  uint8_t a_type, b_type;  ///< codes of the instruction descriptor
  uint8_t scale_vector;    ///< scales of a row that an instruction reads; 0 without block scaling
  uint8_t scale_type;      ///< 1 ue8m0, 0 ue4m3
};
inline constexpr GemmForm gemm_forms[] = {
    {MmaKind::f16, 16, 0, 0, 0, 0},     {MmaKind::f16, 16, 1, 1, 0, 0},
    {MmaKind::f8f6f4, 8, 0, 0, 0, 0},   {MmaKind::mxf8f6f4, 8, 0, 0, 1, 1},
    {MmaKind::mxf8f6f4, 8, 1, 0, 1, 1}, {MmaKind::mxf4, 4, 1, 1, 2, 1},
    {MmaKind::mxf4nvf4, 4, 1, 1, 2, 1}, {MmaKind::mxf4nvf4, 4, 1, 1, 4, 1},
    {MmaKind::mxf4nvf4, 4, 1, 1, 4, 0}};
inline constexpr uint32_t gemm_types = sizeof gemm_forms / sizeof gemm_forms[0];
constexpr const GemmForm& gemm_form(GemmType type) {
  return gemm_forms[static_cast<uint32_t>(type)];
}

/// Bytes of K of one tcgen05.mma, and how many of them a stage of the pipeline feeds: the accumulation runs
/// over as many instructions as whole stages hold, the first of which does not read D. Beyond k their
/// operands are +0.
inline constexpr uint32_t gemm_instruction_bytes = 32;
inline constexpr uint32_t gemm_stage_bytes = 128;

/// Scales lie in tiles of 512 bytes, as tcgen05.cp.32x128b.warpx4 takes them: 128 rows by four scales along
/// K, that of row i and scale s at byte i % 32 * 16 + i / 32 * 4 + s. Tiles follow each other along K.
inline constexpr uint32_t gemm_scale_tile_bytes = 512, gemm_scale_tile_rows = 128, gemm_scale_tile_k = 4;

/// Rows of D of a CTA, and columns of D that an instruction makes.
inline constexpr uint32_t gemm_tile_m = 128;
/// Beside scales there is room in tensor memory for 128 columns.
constexpr bool is_gemm_tile_n(uint32_t tile_n, uint32_t cta_group, bool is_scaled) {
  return tile_n == 32 || tile_n == 64 || tile_n == 128 || (tile_n == 256 && cta_group == 2 && !is_scaled);
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
/// i is operand_word(a_fill, i)), B (n * b_pitch bytes, operand_word(b_fill, i)), scales of A (scale_pitch
/// bytes for each 128 rows, operand_word(a_scale_fill, i)), scales of B, and D (m * d_pitch bytes), each at
/// the next multiple of 256. Rows of A and B hold operand words beyond k too, tiles of scales beyond m, n
/// and k.
struct alignas(64) GemmRecord {
  uint32_t m, n, k;  ///< elements, 1 or more; k is whole bytes
  GemmType type;
  uint8_t cta_group;                   ///< 1 or 2: equal for all records of a batch
  uint16_t tile_n;                     ///< is_gemm_tile_n()
  uint32_t a_pitch, b_pitch, d_pitch;  ///< bytes, multiples of 16, no shorter than a row
  uint32_t output_bytes;               ///< gemm_output_bytes()
  uint64_t output_offset;              ///< multiple of 256
  OperandFill a_fill, b_fill, a_scale_fill, b_scale_fill;
  // From here on as settle() writes it.
  uint32_t opcode;          ///< of the instruction (kernels/forms/records.h)
  uint32_t idesc;           ///< of an instruction that begins at the first scale of a tile
  uint32_t stage_elements;  ///< of K
  uint32_t arrival_bytes;   ///< of TMA at the barrier of a stage: of one CTA, or of a pair
  uint32_t scale_pitch;     ///< bytes; 0 without block scaling
  uint16_t alloc_columns;  ///< of tensor memory, equal for all records of a batch: D in the first 128 * group
                           ///< of each half, scales behind those of the first half
  uint8_t scale_count;     ///< of a row that an instruction reads
  uint8_t scale_tiles;     ///< along K of a stage
  alignas(64) uint8_t maps[5][128];  ///< of A, B, D and scales of A and B: the host path writes them
};
static_assert(sizeof(GemmRecord) == 896);

constexpr uint64_t gemm_aligned(uint64_t bytes) {
  return (bytes + 255) & ~uint64_t{255};
}
constexpr uint32_t gemm_scale_blocks(uint32_t rows) {
  return (rows + gemm_scale_tile_rows - 1) / gemm_scale_tile_rows;
}
/// Offsets in the slot.
constexpr uint64_t gemm_b_offset(const GemmRecord& r) {
  return gemm_header_bytes + gemm_aligned(uint64_t{r.m} * r.a_pitch);
}
constexpr uint64_t gemm_a_scales_offset(const GemmRecord& r) {
  return gemm_b_offset(r) + gemm_aligned(uint64_t{r.n} * r.b_pitch);
}
constexpr uint64_t gemm_b_scales_offset(const GemmRecord& r) {
  return gemm_a_scales_offset(r) + uint64_t{gemm_scale_blocks(r.m)} * r.scale_pitch;
}
constexpr uint64_t gemm_d_offset(const GemmRecord& r) {
  return gemm_b_scales_offset(r) + uint64_t{gemm_scale_blocks(r.n)} * r.scale_pitch;
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

/// The arguments of cuTensorMapEncodeTiled for a map of the pipeline. Two dimensions, 128-byte L2 promotion.
struct GemmMap {
  uint32_t data_type, swizzle;  ///< CUtensorMapDataType, CUtensorMapSwizzle
  uint64_t offset;              ///< bytes, in the slot
  uint64_t columns, rows, pitch;
  uint32_t box_columns, box_rows;
};
/// How many of a record's maps the kernel uses.
constexpr uint32_t gemm_maps(const GemmRecord& r) {
  return r.scale_tiles != 0 ? 5 : 3;
}
constexpr GemmMap gemm_map(const GemmRecord& r, uint32_t which) {
  constexpr uint32_t uint8 = 0, uint64 = 4, float16 = 6, float32 = 7, bfloat16 = 9, packed_u4 = 13;
  constexpr uint32_t swizzle_none = 0, swizzle_128b = 3;
  const uint32_t element_bits = gemm_form(r.type).element_bits;
  const uint32_t type = r.type == GemmType::f16    ? float16
                        : r.type == GemmType::bf16 ? bfloat16
                        : element_bits == 4        ? packed_u4
                                                   : uint8;
  // A pair's load of A goes to two CTAs in halves, and so does every load of B.
  if (which == 0)
    return {type, swizzle_128b, gemm_header_bytes, r.k,
            r.m,  r.a_pitch,    r.stage_elements,  gemm_tile_m / r.cta_group};
  if (which == 1)
    return {type, swizzle_128b, gemm_b_offset(r), r.k,
            r.n,  r.b_pitch,    r.stage_elements, uint32_t{r.tile_n} / 2};
  if (which == 2) return {float32, swizzle_128b, gemm_d_offset(r), r.n, r.m, r.d_pitch, 32, 32};
  // Tiles of scales in units of 8 bytes, since those of a stage are up to 2048 bytes.
  const bool is_a = which == 3;
  return {uint64,
          swizzle_none,
          is_a ? gemm_a_scales_offset(r) : gemm_b_scales_offset(r),
          r.scale_pitch / 8,
          gemm_scale_blocks(is_a ? r.m : r.n),
          r.scale_pitch,
          r.scale_tiles * gemm_scale_tile_bytes / 8,
          1};
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
/// Scales of a stage: up to four tiles of A, and as many of B.
inline constexpr uint32_t gemm_scale_bytes = 4 * gemm_scale_tile_bytes;
inline constexpr uint32_t gemm_shared_bytes =
    gemm_stages * (2 * gemm_operand_bytes + 2 * gemm_scale_bytes) + 4 * 2 * gemm_box_bytes;
/// Columns of tensor memory that one tile takes, and the scales of A (of B) of a stage.
inline constexpr uint32_t gemm_scale_tile_columns = 4, gemm_scale_columns = 4 * gemm_scale_tile_columns;

/// Writes the members that follow from the others but for the opcode, output_bytes with them.
constexpr void settle(GemmRecord& r) {
  const GemmForm& form = gemm_form(r.type);
  const bool is_scaled = form.scale_vector != 0;
  const uint32_t m = gemm_tile_m * r.cta_group;
  r.idesc = (is_scaled ? uint32_t{form.scale_type} << 23 : 1u << 4) | uint32_t{form.a_type} << 7 |
            uint32_t{form.b_type} << 10 | uint32_t{r.tile_n} >> 3 << 17 | m >> 4 << 24;
  r.stage_elements = gemm_stage_bytes * 8 / form.element_bits;
  r.scale_count = form.scale_vector;
  r.scale_tiles = static_cast<uint8_t>(form.scale_vector * (gemm_stage_bytes / gemm_instruction_bytes) /
                                       gemm_scale_tile_k);
  const uint32_t tiles = is_scaled ? (r.k * r.scale_tiles + r.stage_elements - 1) / r.stage_elements : 0;
  r.scale_pitch = tiles * gemm_scale_tile_bytes;
  r.arrival_bytes = r.cta_group * (gemm_operand_bytes + 2 * r.scale_tiles * gemm_scale_tile_bytes) +
                    r.tile_n * gemm_stage_bytes;
  r.alloc_columns = is_scaled || r.cta_group == 2 ? 512 : 256;
  r.output_bytes = static_cast<uint32_t>(gemm_output_bytes(r));
}

}  // namespace assay::params
