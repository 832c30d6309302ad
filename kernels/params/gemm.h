// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/operand_fill.h"
#include "kernels/params/tcgen05.h"

namespace assay::params {

/// Elements and scales of A and B; D is f32.
enum class GemmType : uint8_t {
  f16,
  bf16,
  e4m3,        ///< or any types of kind::f8f6f4: GemmRecord::a_type, b_type
  mxf8,        ///< the same of kind::mxf8f6f4, a ue8m0 scale for 32
  mxf8_e5m2,   ///< e5m2 by e4m3, a ue8m0 scale for 32
  mxf4,        ///< e2m1, a ue8m0 scale for 32
  nvf4_by_32,  ///< kind::mxf4nvf4: e2m1, a ue8m0 scale for 32
  nvf4_ue8m0,  ///< kind::mxf4nvf4: e2m1, a ue8m0 scale for 16
  nvf4,        ///< kind::mxf4nvf4: e2m1, a ue4m3 scale for 16
  sparse_f16,  ///< A holds two of four elements
  sparse_bf16,
};

/// The instruction of a type. Host code reads it; a kernel reads what settle() puts into the record.
struct GemmForm {
  MmaKind kind;
  uint8_t element_bits;    ///< of A and of B, in shared memory
  uint8_t a_type, b_type;  ///< codes of the instruction descriptor
  uint8_t scale_vector;    ///< scales of a row that an instruction reads; 0 without block scaling
  uint8_t scale_type;      ///< 1 ue8m0, 0 ue4m3
  bool is_sparse = false;  ///< 2:4, of 16 bits
};
inline constexpr GemmForm gemm_forms[] = {
    {MmaKind::f16, 16, 0, 0, 0, 0},      {MmaKind::f16, 16, 1, 1, 0, 0},
    {MmaKind::f8f6f4, 8, 0, 0, 0, 0},    {MmaKind::mxf8f6f4, 8, 0, 0, 1, 1},
    {MmaKind::mxf8f6f4, 8, 1, 0, 1, 1},  {MmaKind::mxf4, 4, 1, 1, 2, 1},
    {MmaKind::mxf4nvf4, 4, 1, 1, 2, 1},  {MmaKind::mxf4nvf4, 4, 1, 1, 4, 1},
    {MmaKind::mxf4nvf4, 4, 1, 1, 4, 0},  {MmaKind::f16, 16, 0, 0, 0, 0, true},
    {MmaKind::f16, 16, 1, 1, 0, 0, true}};
inline constexpr uint32_t gemm_types = sizeof gemm_forms / sizeof gemm_forms[0];
constexpr const GemmForm& gemm_form(GemmType type) {
  return gemm_forms[static_cast<uint32_t>(type)];
}

/// Whether A and B of a type may be any of f8f6f4. Those of fewer than 8 bits lie packed in global memory, in
/// rows of whole stages; TMA unpacks them to 16 elements in 16 bytes.
constexpr bool has_gemm_element_types(GemmType type) {
  return type == GemmType::e4m3 || type == GemmType::mxf8;
}
/// Codes of f8f6f4 in the instruction descriptor; 2 is none.
enum GemmElement : uint32_t { gemm_e4m3 = 0, gemm_e5m2 = 1, gemm_e2m3 = 3, gemm_e3m2 = 4, gemm_e2m1 = 5 };
constexpr bool is_gemm_element(uint32_t code) {
  return code <= gemm_e5m2 || (code >= gemm_e2m3 && code <= gemm_e2m1);
}
constexpr uint32_t gemm_bits_of_code(uint32_t code) {
  return code <= gemm_e5m2 ? 8 : code == gemm_e2m1 ? 4 : 6;
}

/// Bytes of K of one tcgen05.mma, and how many of them a stage of the pipeline feeds: the accumulation runs
/// over as many instructions as whole stages hold, the first of which does not read D. Beyond k their
/// operands are +0.
inline constexpr uint32_t gemm_instruction_bytes = 32;
inline constexpr uint32_t gemm_stage_bytes = 128;

/// The metadata of a sparse A lie in tiles of 2048 bytes, as tcgen05.cp.128x128b takes them: those of 128
/// rows and a stage, 16 bytes a lane, of which 4 are of an instruction. Tiles follow each other along K.
inline constexpr uint32_t gemm_metadata_tile_bytes = 2048;

/// Scales lie in tiles of 512 bytes, as tcgen05.cp.32x128b.warpx4 takes them: 128 rows by four scales along
/// K, that of row i and scale s at byte i % 32 * 16 + i / 32 * 4 + s. Tiles follow each other along K.
inline constexpr uint32_t gemm_scale_tile_bytes = 512, gemm_scale_tile_rows = 128, gemm_scale_tile_k = 4;

/// Rows of D of a CTA, and columns of D that an instruction makes.
inline constexpr uint32_t gemm_tile_m = 128;
/// Beside scales and metadata there is room in tensor memory for 128 columns; twice as much of B is in shared
/// memory where A is sparse.
constexpr bool is_gemm_tile_n(uint32_t tile_n, uint32_t cta_group, const GemmForm& form) {
  const bool is_plain = form.scale_vector == 0 && !form.is_sparse;
  return tile_n == 32 || tile_n == 64 || (tile_n == 128 && (cta_group == 2 || !form.is_sparse)) ||
         (tile_n == 256 && cta_group == 2 && is_plain);
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
/// Of the header, what maps that nobody has rewritten name.
inline constexpr uint32_t gemm_template_bytes = 128;
/// What the bytes of D's slot hold before.
inline constexpr uint32_t gemm_before = 0xcdcdcdcd;

/// A matrix in the slot as its map sees it: rows of elements; scales as rows of units of 8 bytes, since the
/// tiles of a stage are up to 2048 bytes.
struct GemmMatrix {
  uint64_t offset;         ///< bytes
  uint32_t columns, rows;  ///< elements
  uint64_t pitch;          ///< bytes
};

inline constexpr uint32_t gemm_ways_to_ask = 4, gemm_most_answers = 2;
/// Lanes of a warp that ask for clusters to be cancelled, all at once, each for one.
constexpr uint32_t gemm_asking_lanes(uint32_t asking) {
  return asking == 0 ? 1u : asking == 1 ? 1u << 13 : asking == 2 ? 3u : 1u << 5 | 1u << 31;
}

/// D = A * B^T of the production pipeline: A m rows of k, B n rows of k, D m rows of n, each row at a
/// multiple of its pitch; with `reduces` D += A * B^T. The output slot holds, one after the other: the
/// header, A (m * a_pitch bytes, word i is operand_word(a_fill, i)), B (n * b_pitch bytes,
/// operand_word(b_fill, i)), scales of A (scale_pitch bytes for each 128 rows, operand_word(a_scale_fill,
/// i)), scales of B, and D (m * d_pitch bytes, before operand_word(d_fill, i)), each at the next multiple of
/// 256. Rows of A and B hold operand words beyond k too, tiles of scales beyond m, n and k.
struct alignas(64) GemmRecord {
  uint32_t m, n, k;  ///< elements, 1 or more; k is whole bytes, of a sparse A whole chunks of 4
  GemmType type;
  uint8_t cta_group;  ///< 1 or 2: equal for all records of a batch
  uint16_t tile_n;    ///< is_gemm_tile_n()
  /// Bytes, multiples of 16 (of packed types 32), no shorter than a row.
  uint32_t a_pitch, b_pitch, d_pitch;
  uint32_t output_bytes;   ///< gemm_output_bytes()
  uint64_t output_offset;  ///< multiple of 256
  OperandFill a_fill, b_fill, a_scale_fill, b_scale_fill, d_fill;
  // As settle() writes them, but for is_grouped, has_launch_control, asking, reduces, a_type and b_type.
  uint32_t opcode;          ///< of the instruction (kernels/forms/records.h)
  uint32_t idesc;           ///< of an instruction that begins at the first scale of a tile
  uint16_t stage_elements;  ///< of K
  uint8_t is_grouped;       ///< 1: kernels rewrite the maps; equal for all records of a batch
  uint8_t b_boxes;          ///< loads of B along K of a stage: 2 where A is sparse, else 1
  uint32_t arrival_bytes;   ///< of TMA at the barrier of a stage: of one CTA, or of a pair
  uint32_t scale_pitch;     ///< bytes; 0 without block scaling
  uint16_t alloc_columns;  ///< of tensor memory, equal for all records of a batch: D in the first 128 * group
                           ///< of each half, scales behind those of the first half
  uint8_t scale_count;     ///< of a row that an instruction reads
  uint8_t scale_tiles;     ///< along K of a stage; of a sparse A 4, the metadata of a stage
  GemmMatrix matrices[5];  ///< A, B, D, scales of A (or its metadata), scales of B
  /// 1: clusters that have not started are cancelled and their tiles made by those that run; equal for all
  /// records of a batch.
  uint8_t has_launch_control;
  uint8_t reduces;         ///< 1: D is added to what is there, by cp.reduce.async.bulk.tensor
  uint8_t a_type, b_type;  ///< codes of the instruction descriptor; 0 unless has_gemm_element_types()
  /// As gemm_asking_lanes() takes it; 0 without launch control; equal for all records of a batch.
  uint8_t asking;
  uint8_t reserved_behind[3];
  /// Of the matrices: the host path writes them. Of a grouped record they are those of a piece of the header,
  /// which a kernel copies and rewrites.
  alignas(64) uint8_t maps[5][128];
};
static_assert(sizeof(GemmRecord) == 1088);

/// Bits of an element of A or B in global memory.
constexpr uint32_t gemm_element_bits(const GemmRecord& r, bool is_a) {
  return has_gemm_element_types(r.type) ? gemm_bits_of_code(is_a ? r.a_type : r.b_type)
                                        : gemm_form(r.type).element_bits;
}
/// Whether TMA unpacks it.
constexpr bool is_gemm_unpacked(const GemmRecord& r, bool is_a) {
  return has_gemm_element_types(r.type) && gemm_element_bits(r, is_a) != 8;
}
/// Bytes of a row of a stage that TMA counts: of what it unpacks those that it reads (TMA-AMB-33).
constexpr uint32_t gemm_counted_bytes(const GemmRecord& r, bool is_a) {
  return is_gemm_unpacked(r, is_a) ? gemm_stage_bytes * gemm_element_bits(r, is_a) / 8 : gemm_stage_bytes;
}
/// Elements of a row of A or B in global memory: k (of a sparse A half of it), or whole stages.
constexpr uint32_t gemm_row_elements(const GemmRecord& r, bool is_a) {
  if (is_a && gemm_form(r.type).is_sparse) return r.k / 2;
  return is_gemm_unpacked(r, is_a) ? (r.k + gemm_stage_bytes - 1) / gemm_stage_bytes * gemm_stage_bytes : r.k;
}

constexpr uint64_t gemm_aligned(uint64_t bytes) {
  return (bytes + 255) & ~uint64_t{255};
}
constexpr uint32_t gemm_scale_blocks(uint32_t rows) {
  return (rows + gemm_scale_tile_rows - 1) / gemm_scale_tile_rows;
}
/// Of the slot of a settled record.
constexpr uint64_t gemm_output_bytes(const GemmRecord& r) {
  return r.matrices[2].offset + gemm_aligned(uint64_t{r.m} * r.d_pitch);
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
  GemmMatrix matrix;
  uint32_t box_columns, box_rows;
};
/// How many of a record's maps the kernel uses.
constexpr uint32_t gemm_maps(const GemmRecord& r) {
  return r.scale_tiles == 0 ? 3 : r.b_boxes == 2 ? 4 : 5;
}
constexpr GemmMap gemm_map(const GemmRecord& r, uint32_t which) {
  constexpr uint32_t uint8 = 0, uint64 = 4, float16 = 6, float32 = 7, bfloat16 = 9, packed_u4 = 13,
                     unpacked_u4 = 14, unpacked_u6 = 15;
  constexpr uint32_t swizzle_none = 0, swizzle_128b = 3;
  const uint32_t element_bits = gemm_element_bits(r, which == 0);
  const bool is_bf16 = r.type == GemmType::bf16 || r.type == GemmType::sparse_bf16;
  const uint32_t type = is_bf16                           ? bfloat16
                        : element_bits == 16              ? float16
                        : element_bits == 8               ? uint8
                        : element_bits == 6               ? unpacked_u6
                        : is_gemm_unpacked(r, which == 0) ? unpacked_u4
                                                          : packed_u4;
  const uint32_t bits = which < 2 ? element_bits : which == 2 ? 32 : 64;
  GemmMap map{};
  map.data_type = which < 2 ? type : which == 2 ? float32 : uint64;
  map.swizzle = which < 3 ? swizzle_128b : swizzle_none;
  map.matrix = r.matrices[which];
  if (r.is_grouped)
    map.matrix = {0, bits == 6 ? gemm_stage_bytes : gemm_template_bytes * 8 / bits, 1, gemm_template_bytes};
  map.box_columns = which < 2    ? r.stage_elements
                    : which == 2 ? 32
                                 : r.scale_tiles * gemm_scale_tile_bytes / 8;
  // A pair's load of A goes to two CTAs in halves, and so does every load of B.
  map.box_rows = which == 0 ? gemm_tile_m / r.cta_group : which == 1 ? r.tile_n / 2u : which == 2 ? 32 : 1;
  return map;
}

/// The mbarriers of a CTA. What each waits for; all of them once a phase.
struct GemmBarriers {
  uint64_t full[4];         ///< A and B of a stage, in both CTAs of a pair, are there
  uint64_t empty[4];        ///< everyone who was sent this CTA's loads has multiplied them
  uint64_t accumulated[2];  ///< a half of tensor memory holds D
  uint64_t drained[2];      ///< that half has been read, in both CTAs of a pair
  uint64_t handed[2];       ///< a tile has been handed to the warps that multiply and store
  uint64_t taken[2];        ///< all of them have taken it
  uint64_t answered;        ///< a request of clusterlaunchcontrol has been answered
  uint64_t answer_read;     ///< by all CTAs of the cluster: that of its first
};
/// What a warp that has waited long leaves in the notes of the batch, until its wait ends. Above every
/// record's index: the notes before gemm_first_wait name records.
inline constexpr uint32_t gemm_wait_mark = 1u << 31;
inline constexpr uint32_t gemm_first_wait = 1024, gemm_warps = 6;
struct GemmWait {
  uint32_t barrier;  ///< position in GemmBarriers
  uint32_t parity;   ///< of the phase that it waits for
  uint32_t ended;    ///< waits of this warp before, modulo 2^25
};
constexpr uint32_t gemm_wait_word(const GemmWait& wait) {
  return gemm_wait_mark | wait.barrier << 26 | wait.parity << 25 | (wait.ended & 0x1ffffff);
}
constexpr GemmWait gemm_wait_of(uint32_t word) {
  return {word >> 26 & 31, word >> 25 & 1, word & 0x1ffffff};
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
/// Bytes from the window's start to the mbarriers of a CTA and what else its warps share: as far on as they
/// fit, at an address with the bits of 32, 64 and 128 KiB.
inline constexpr uint32_t gemm_barriers_at = 223 << 10;
inline constexpr uint32_t gemm_all_shared_bytes = gemm_barriers_at + (2 << 10);
static_assert(gemm_shared_bytes <= gemm_barriers_at);
/// Columns of tensor memory that one tile takes, and the scales of A (of B) of a stage.
inline constexpr uint32_t gemm_scale_tile_columns = 4, gemm_scale_columns = 4 * gemm_scale_tile_columns;

/// Maps of a CTA in BatchArgs::maps where it rewrites them: four that its loads use, and one of D for each
/// warp that stores.
inline constexpr uint32_t gemm_cta_maps = 8;

/// Writes the members that follow from the others but for the opcode, output_bytes with them.
constexpr void settle(GemmRecord& r) {
  const GemmForm& form = gemm_form(r.type);
  const bool is_scaled = form.scale_vector != 0;
  const uint32_t m = gemm_tile_m * r.cta_group, k = form.is_sparse ? r.k / 2 : r.k;
  const bool has_types = has_gemm_element_types(r.type);
  r.idesc = (is_scaled ? uint32_t{form.scale_type} << 23 : 1u << 4) | uint32_t{form.is_sparse} << 2 |
            uint32_t{has_types ? r.a_type : form.a_type} << 7 |
            uint32_t{has_types ? r.b_type : form.b_type} << 10 | uint32_t{r.tile_n} >> 3 << 17 | m >> 4 << 24;
  r.stage_elements = static_cast<uint16_t>(gemm_stage_bytes * 8 / form.element_bits);
  r.b_boxes = form.is_sparse ? 2 : 1;
  r.scale_count = form.scale_vector;
  r.scale_tiles = form.is_sparse
                      ? gemm_metadata_tile_bytes / gemm_scale_tile_bytes
                      : static_cast<uint8_t>(form.scale_vector * (gemm_stage_bytes / gemm_instruction_bytes) /
                                             gemm_scale_tile_k);
  // Metadata of a stage are there whole, scales by the tile.
  const uint32_t stages = (k + r.stage_elements - 1) / r.stage_elements;
  r.scale_pitch = form.is_sparse ? stages * gemm_metadata_tile_bytes
                                 : (r.k * r.scale_tiles + r.stage_elements - 1) / r.stage_elements *
                                       gemm_scale_tile_bytes;
  const uint32_t scales = (form.is_sparse ? 1 : 2) * r.scale_tiles * gemm_scale_tile_bytes;
  r.arrival_bytes = r.cta_group * (gemm_tile_m * gemm_counted_bytes(r, true) + scales) +
                    r.b_boxes * r.tile_n * gemm_counted_bytes(r, false);
  r.alloc_columns = r.scale_tiles != 0 || r.cta_group == 2 ? 512 : 256;
  const uint32_t a_blocks = gemm_scale_blocks(r.m), b_blocks = is_scaled ? gemm_scale_blocks(r.n) : 0;
  const uint64_t b = gemm_header_bytes + gemm_aligned(uint64_t{r.m} * r.a_pitch),
                 a_scales = b + gemm_aligned(uint64_t{r.n} * r.b_pitch),
                 b_scales = a_scales + uint64_t{a_blocks} * r.scale_pitch,
                 d = b_scales + uint64_t{b_blocks} * r.scale_pitch;
  r.matrices[0] = {gemm_header_bytes, gemm_row_elements(r, true), r.m, r.a_pitch};
  r.matrices[1] = {b, gemm_row_elements(r, false), r.n, r.b_pitch};
  r.matrices[2] = {d, r.n, r.m, r.d_pitch};
  r.matrices[3] = {a_scales, r.scale_pitch / 8, a_blocks, r.scale_pitch};
  r.matrices[4] = {b_scales, r.scale_pitch / 8, b_blocks, r.scale_pitch};
  r.output_bytes = static_cast<uint32_t>(gemm_output_bytes(r));
}

}  // namespace assay::params
