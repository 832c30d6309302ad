// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"
#include "reference/spec/mma_kinds.h"

namespace assay {

/// How a region of operands is filled: word i is a mix of (seed, i) with these bits kept and set, with
/// neighbours mirrored and special codes strewn in. The members of params::OperandFill, where the words are
/// made.
struct OperandPattern {
  uint64_t seed = 0;
  uint32_t keep = ~0u, set = 0;
  uint32_t mirror_bits = 0, mirror_flip = 0;
  uint32_t special_bits = 0, special_rate = 0;
  std::array<uint32_t, 4> special{};
  auto operator<=>(const OperandPattern&) const = default;
};

/// Operands that are the same in every row of A, every column of B and every element of C: one dot product,
/// known word by word, in place of the patterns.
struct KnownOperands {
  bool present = false;
  std::array<uint32_t, 8> a_row{}, b_column{};  ///< k from the low bits of the first word on
  std::array<uint32_t, 8> b_rest{};             ///< of a column of 64 bytes, beside a sparse A
  uint32_t c = 0;                               ///< a code of the accumulator
  auto operator<=>(const KnownOperands&) const = default;
};

/// A matrix in shared memory as a descriptor tells it. Bytes, multiples of 16 below 2^18; start and an
/// absolute leading offset count from the window.
struct MatrixInShared {
  uint32_t start = 0, leading_offset = 0, stride_offset = 0;
  uint32_t base_offset = 0;  ///< 0 to 7
  uint32_t swizzle = 0;      ///< code of tcgen05: 0, 1, 2, 4, 6
  bool leading_is_absolute = false;
  auto operator<=>(const MatrixInShared&) const = default;
};

/// A zero-column mask, spans in columns.
struct ColumnMask {
  std::array<uint32_t, 4> start_count{};
  std::array<bool, 4> first_is_zeroed{};
  bool generate = false;
  uint32_t skip_span = 1, use_span = 1;  ///< 1 to 256
  uint32_t column_shift = 0;
  auto operator<=>(const ColumnMask&) const = default;
};

/// The scale factors of one operand in tensor memory. Those of an instruction begin at a byte of a column and
/// count along K; every further instruction begins where the one before ended.
struct ScalesInTensorMemory {
  uint32_t id = 0;       ///< byte of the cell, 0 to 3: of the first instruction's descriptor
  uint32_t column = 0;   ///< from the allocation's first
  uint32_t columns = 0;  ///< filled with scales; 0 without block scaling
  OperandPattern fill;
  auto operator<=>(const ScalesInTensorMemory&) const = default;
};

/// The metadata of a sparse A in tensor memory: every cell of these columns holds eight codes of 4 bits, each
/// drawn from a list. The members of params::MetadataFill, where the words are made.
struct MetadataInTensorMemory {
  uint32_t column = 0;    ///< of the first step, from the allocation's first
  uint32_t columns = 0;   ///< filled with metadata; 0 without sparsity
  uint32_t selector = 0;  ///< kinds f16 and tf32: of the first step's descriptor, 0 to 3
  uint64_t seed = 0;
  uint32_t codes = 0;          ///< eight codes, the first in the low bits
  uint32_t strange_codes = 0;  ///< eight more
  uint32_t strange_rate = 0;   ///< of 256 codes so many are of those
  auto operator<=>(const MetadataInTensorMemory&) const = default;
};

/// Collector qualifier, .collector::a or .collector::bN; in a case file its number.
enum class Collector : uint8_t { none, fill, use, lastuse, discard };
constexpr uint32_t count_of(Collector) {
  return 5;
}
/// Whether the instruction multiplies what the collector holds.
constexpr bool reuses(Collector collector) {
  return collector == Collector::use || collector == Collector::lastuse;
}

/// One accumulation in tensor memory: `steps` tcgen05.mma (or .ws) instructions, the later ones adding to
/// what the first left. Plain data, serialises to JSON without loss. Words of descriptors are made from it;
/// the
/// *_flip members are then xored in, which is how a case breaks a rule of a word.
struct Tcgen05MmaCase {
  spec::MmaKind kind = spec::MmaKind::f16;
  uint32_t cta_group = 1;  ///< 1 or 2
  bool ws = false;
  bool a_in_tmem = false;
  uint32_t a_type = 0, b_type = 0, d_type = 1;  ///< codes of the instruction descriptor
  uint32_t m = 128, n = 64;                     ///< M over both CTAs of a pair
  bool transpose_a = false, transpose_b = false, negate_a = false, negate_b = false;
  bool saturate = false;
  uint32_t max_shift = 0;  ///< columns: 0, 8, 16, 32
  uint32_t idesc_flip = 0;

  MatrixInShared a, b;
  uint64_t a_flip = 0, b_flip = 0;

  bool enable_input_d = false;  ///< of the first step
  bool has_scale_input_d = false;
  uint32_t scale_input_d = 0;  ///< D * 2^-this
  bool has_disabled_lanes = false;
  std::array<uint32_t, 8> disabled_lanes{};
  bool has_mask = false;
  ColumnMask mask;
  uint64_t mask_flip = 0;
  Collector collector = Collector::none;
  uint32_t collector_buffer = 0;  ///< 0 to 3, ws
  /// With use and lastuse: before the instruction of each step goes the same one with fill, and both
  /// accumulate.
  bool collector_filled = false;
  bool ashift = false;  ///< A in tensor memory, M of 128 or 256: its rows are shifted down

  // Block-scaled kinds.
  uint32_t scale_vector = 0;  ///< qualifier: 0 none, 1, 2, 4 .scale_vec::NX, 16, 32 .blockN
  uint32_t scale_type = 1;    ///< code: 1 ue8m0, 0 ue4m3
  bool k96 = false;           ///< 96 products, mxf4 and mxf4nvf4
  ScalesInTensorMemory a_scales, b_scales;
  /// The two halves of the lanes hold scales of B of their own; else all four partitions of 32 lanes the
  /// same.
  bool scale_halves = false;
  /// tcgen05.cp.32x128b.warpx4 brings the scales, four columns a copy, from shared memory behind the window,
  /// those of B that are apart 64x128b.warpx2::01_23; else tcgen05.st does.
  bool scales_copied = false;
  /// Behind the first accumulation, with nothing between, as many copies bring the words that lie behind
  /// those of the first ones; what second_column says comes after them.
  bool scales_refilled = false;

  /// .sp: A holds half of the elements of its rows, and the metadata say which of B they meet. Every further
  /// instruction has its metadata behind those of the one before.
  bool sparse = false;
  MetadataInTensorMemory metadata;
  /// tcgen05.cp.128x128b brings the metadata, four columns a copy, from shared memory behind all else; else
  /// tcgen05.st does.
  bool metadata_copied = false;

  uint32_t steps = 1;
  uint32_t a_step = 0, b_step = 0;      ///< 16-byte units of the start; columns where A is in tensor memory
  uint32_t lane = 0;                    ///< 0, or 16 where half of the lanes hold D
  uint32_t d_column = 0, a_column = 0;  ///< from the allocation's first
  /// Where the whole accumulation is issued a second time, before the one commit; 0: nowhere.
  uint32_t second_column = 0;
  uint32_t alloc_columns = 32;

  uint32_t window_bytes = 16, split = 0;  ///< of shared memory; A's pattern below split, B's above
  bool by_tma = false;          ///< the window comes by TMA, with B's swizzle; its bytes are whole KiB
  bool odd_cta_issues = false;  ///< of a pair
  uint32_t issuing_thread = 0;  ///< of the CTA's 128
  uint32_t spelling = 0;        ///< of the instruction, below most_spellings
  uint32_t tmem_split = 0;      ///< columns from here on hold A's pattern
  OperandPattern a_fill, b_fill, d_fill, tmem_a_fill;
  /// In place of the patterns of shared memory: halves of 16 bytes, 128 bytes apart, the same for all rows. C
  /// is what d_fill says.
  KnownOperands known;
  auto operator<=>(const Tcgen05MmaCase&) const = default;
};

inline constexpr uint32_t mma_m_extents[] = {32, 64, 128, 256}, mma_max_shifts[] = {0, 8, 16, 32},
                          mma_scale_vectors[] = {0, 1, 2, 4, 16, 32};

/// Where members are covered that a descriptor or an instruction's scale factors hold.
inline constexpr std::string_view in_mma_desc = "instruction descriptor", by_scales = "scale factors";

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, Tcgen05MmaCase>
void visit_fields(Mma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, kind, .told = elsewhere, .shows = mma_kind_name, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, cta_group, .values = cta_groups, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, ws, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, a_type, .most = 7, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, b_type, .most = 7, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, d_type, .most = 3, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, m, .values = mma_m_extents, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, n, .least = 8, .most = 256, .multiple = 8, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, transpose_a, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, transpose_b, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, negate_a, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, negate_b, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, saturate, .told = elsewhere, .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, max_shift, .unit = "columns", .values = mma_max_shifts, .told = elsewhere,
              .covered = in_mma_desc);
  ASSAY_FIELD(visit, c, scale_vector, .values = mma_scale_vectors, .told = elsewhere, .called = "qualifier",
              .shows = scale_vector_name, .covered = by_scales);
  ASSAY_FIELD(visit, c, scale_type, .most = 1, .told = elsewhere, .shows = scale_type_name,
              .covered = by_scales);
  ASSAY_FIELD(visit, c, a_scales, .covered = by_scales);
  ASSAY_FIELD(visit, c, b_scales, .covered = by_scales);
  ASSAY_FIELD(visit, c, k96, .covered = by_scales);
  ASSAY_FIELD(visit, c, scale_halves, .told = elsewhere, .called = "halves", .covered = by_scales);
  ASSAY_FIELD(visit, c, a);
  ASSAY_FIELD(visit, c, a_column, .unit = "columns", .most = 511, .told = elsewhere);
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, a_flip, .called = "flipped in A's descriptor", .shows = as_hex);
  ASSAY_FIELD(visit, c, a_in_tmem, .told = elsewhere);
  ASSAY_FIELD(visit, c, a_step, .told = elsewhere);
  ASSAY_FIELD(visit, c, alloc_columns, .unit = "columns", .values = powers_from_32, .told = elsewhere);
  ASSAY_FIELD(visit, c, ashift, .told = elsewhere);
  ASSAY_FIELD(visit, c, b);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, b_flip, .called = "flipped in B's descriptor", .shows = as_hex);
  ASSAY_FIELD(visit, c, b_step, .told = elsewhere);
  ASSAY_FIELD(visit, c, collector, .told = elsewhere);
  ASSAY_FIELD(visit, c, collector_buffer, .most = 3, .told = elsewhere);
  ASSAY_FIELD(visit, c, collector_filled, .told = elsewhere);
  ASSAY_FIELD(visit, c, by_tma, .called = "operands placed by", .yes = "TMA");
  ASSAY_FIELD(visit, c, d_column, .unit = "columns", .most = 511, .told = elsewhere);
  ASSAY_FIELD(visit, c, d_fill);
  ASSAY_FIELD(visit, c, disabled_lanes, .told = elsewhere);
  ASSAY_FIELD(visit, c, enable_input_d, .told = elsewhere);
  ASSAY_FIELD(visit, c, has_disabled_lanes, .told = elsewhere);
  ASSAY_FIELD(visit, c, has_mask, .told = elsewhere);
  ASSAY_FIELD(visit, c, has_scale_input_d, .told = elsewhere);
  ASSAY_FIELD(visit, c, idesc_flip, .called = "flipped in the instruction descriptor", .shows = as_hex);
  ASSAY_FIELD(visit, c, issuing_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD(visit, c, known);
  ASSAY_FIELD(visit, c, lane, .values = half_lanes, .told = elsewhere);
  ASSAY_FIELD(visit, c, mask);
  ASSAY_FIELD(visit, c, mask_flip, .called = "flipped in the mask", .shows = as_hex);
  ASSAY_FIELD(visit, c, metadata);
  ASSAY_FIELD(visit, c, metadata_copied, .called = "metadata placed by", .yes = "tcgen05.cp.128x128b");
  ASSAY_FIELD(visit, c, odd_cta_issues, .called = "issued by", .yes = "the odd CTA");
  ASSAY_FIELD(visit, c, scale_input_d, .most = 15, .told = elsewhere);
  ASSAY_FIELD(visit, c, scales_copied, .told = elsewhere);
  ASSAY_FIELD(visit, c, scales_refilled, .told = elsewhere);
  ASSAY_FIELD(visit, c, second_column, .most = 511, .called = "second D in column");
  ASSAY_FIELD(visit, c, sparse, .told = elsewhere);
  ASSAY_FIELD(visit, c, spelling, .most = most_spellings - 1);
  ASSAY_FIELD(visit, c, split, .unit = "bytes", .most = rig::max_operand_window_bytes, .multiple = 16,
              .called = "A's bytes below");
  ASSAY_FIELD(visit, c, steps, .least = 1, .most = 64);
  ASSAY_FIELD(visit, c, tmem_a_fill);
  ASSAY_FIELD(visit, c, tmem_split, .unit = "columns", .most = 512, .called = "A's cells from");
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .most = rig::max_operand_window_bytes, .multiple = 16,
              .told = always, .called = "window");
}

/// Places of known operands: 32 bytes a row, rows of 8 over each other.
constexpr void place_known(Tcgen05MmaCase& c) {
  c.a = {.start = 0, .leading_offset = 128};
  c.b = {.start = 1024, .leading_offset = 128};
  c.split = 1024;
  c.window_bytes = 2048;
}

/// Whether the patterns of shared memory have changed roles: the matrix below `split` is B.
constexpr bool b_lies_first(const Tcgen05MmaCase& c) {
  return !c.a_in_tmem && c.b.start < c.split;
}

/// One tcgen05.ld or tcgen05.st by each of four warps, warp w at lanes 32 w and up.
struct TmemAccessCase {
  bool is_store = false;
  uint32_t shape = 0;  ///< 0 .16x64b, 1 .16x128b, 2 .16x256b, 3 .32x32b, 4 .16x32bx2
  uint32_t count = 1;  ///< .num: 1, 2, 4, ... 128
  bool packs = false;  ///< .pack::16b, .unpack::16b
  uint32_t lane = 0;   ///< 0, or 16 for shapes of 16 lanes
  uint32_t column = 0;
  uint32_t split = 0;  ///< .16x32bx2: columns between its halves
  uint32_t alloc_columns = 32;
  OperandPattern d_fill, register_fill;
  /// All four warps give one address: a lane field with the 32 lanes of warp `named_warp` (0 to 3), not each
  /// its own.
  bool same_address = false;
  uint32_t named_warp = 0;
  uint32_t warps = 4;  ///< of the CTA: 4, or 8, of which the last four do all that
  auto operator<=>(const TmemAccessCase&) const = default;
};

}  // namespace assay
