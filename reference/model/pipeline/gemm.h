// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/case.h"
#include "reference/model/mma/fields.h"
#include "reference/spec/formats.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay {

inline constexpr uint32_t gemm_ways_to_ask = 4;

/// One product of matrices by the production pipeline: D = A * B^T in f32, A m rows of k, B n rows of k. Rows
/// lie as close as 16-byte pitches let them, and gaps further apart; what lies between rows of A and B is
/// operand words too.
struct GemmCase {
  /// Of A and B: 0 f16, 1 bf16, 2 f8f6f4; with scales 3 mxf8f6f4, 4 its e5m2 by e4m3, 5 mxf4, and of mxf4nvf4
  /// 6 ue8m0 for 32, 7 ue8m0 for 16, 8 ue4m3 for 16; with a sparse A 9 f16, 10 bf16.
  uint32_t type = 0;
  /// Of types 2 and 3, else 0: the format as the instruction descriptor names it, 0 e4m3, 1 e5m2, 3 e2m3, 4
  /// e3m2, 5 e2m1. Those of fewer than 8 bits lie packed in memory, in rows of a multiple of 128 elements and
  /// 32 bytes.
  uint32_t a_type = 0, b_type = 0;
  uint32_t cta_group = 1;                    ///< 1 or 2
  uint32_t tile_n = 32;                      ///< columns of an instruction: 32, 64, 128; 256 on pairs
  uint32_t m = 1, n = 1, k = 1;              ///< elements
  uint32_t a_gap = 0, b_gap = 0, d_gap = 0;  ///< between rows, in units of what pitches are multiples of
  bool grouped = false;         ///< maps are rewritten in the kernel, which takes one product after the other
  bool launch_control = false;  ///< clusters that run take tiles of those that they cancel, else by turns
  /// With launch control, who asks for a cluster to take the tiles of: 0 the first lane of a warp, 1 lane 13,
  /// 2 lanes 0 and 1 at once, each for a cluster of its own, 3 so lanes 5 and 31.
  uint32_t asking = 0;
  bool reduces = false;  ///< D = C + A * B^T, by TMA's reduction into C
  OperandPattern a_fill, b_fill;
  OperandPattern c_fill;                      ///< where C counts: of all that lies where D will
  OperandPattern a_scale_fill, b_scale_fill;  ///< of a sparse A the first is of its metadata
  auto operator<=>(const GemmCase&) const = default;
};

}  // namespace assay

namespace assay::model {

inline constexpr uint32_t gemm_types = 11, plain_gemm_types = 3,
                          first_sparse_gemm_type = 9;  ///< of GemmCase::type
inline constexpr uint32_t most_gemm_extent = 4096;     ///< of m, n and k

/// Whether the pipeline has such a tile and the extents are ones it takes.
bool fits_rig(const GemmCase&);

const spec::Format& operand_format(const GemmCase&, bool is_a = true);
/// Types 2 and 3: a_type and b_type say what A and B are.
bool has_element_types(const GemmCase&);
/// Whether TMA unpacks A (or B): types of 4 and 6 bits of f8f6f4, which take a byte in shared memory.
bool is_unpacked(const GemmCase&, bool is_a);
/// Bits that an element takes in shared memory: of f8f6f4 a byte, whatever its format.
uint32_t shared_bits(const GemmCase&);
/// Stages of 128 bytes that a row of A takes in shared memory.
uint32_t stages_of_row(const GemmCase&);
bool is_scaled(const GemmCase&);
bool is_sparse(const GemmCase&);
/// Elements along K that an extent is made of.
uint32_t k_unit(const GemmCase&);
/// Null without block scaling.
const spec::Format* scale_format(const GemmCase&);

/// Bytes from row to row.
struct GemmPitches {
  uint32_t a, b, d;
};
GemmPitches pitches_of(const GemmCase&);
/// From the scales of 128 rows to those of the next: tiles of 512 bytes, each four scales along K. Of a
/// sparse A from its metadata to those of the next 128 rows: tiles of 2048 bytes, each four instructions
/// along K.
uint32_t scale_pitch_of(const GemmCase&);

/// Bytes of memory: m and n rows, each at its pitch; as many tiles of scales as hold them.
struct GemmOperands {
  std::span<const std::byte> a, b, a_scales, b_scales;
};

/// D, or what is added to C, as the chain of tcgen05.mma instructions of 32 bytes of K each that the pipeline
/// issues: as many as a whole number of 128-byte stages holds, +0 behind k (packed types: what memory holds),
/// the first without D as input. Scales of blocks behind k, in a tile that has others, are what memory holds;
/// those of tiles behind it 0. `d`: m rows, C or what was there before; receives what must be there after.
/// `defined` (same size) gets 0 where a store may write bytes behind the last column (those that share 16
/// bytes with it), 0xff elsewhere. The result is the rules that the case exercises.
spec::RuleSet predict_gemm(const GemmCase&, const spec::Readings&, const GemmOperands&,
                           std::span<std::byte> d, std::span<std::byte> defined);

}  // namespace assay::model

/// The members of products by the pipeline.
namespace assay {

inline constexpr uint32_t gemm_tiles[] = {32, 64, 128, 256};

template <typename Gemm, typename Visit>
requires std::same_as<std::remove_const_t<Gemm>, GemmCase>
void visit_fields(Gemm& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, a_gap, .most = 63, .told = elsewhere);
  ASSAY_FIELD(visit, c, a_scale_fill);
  ASSAY_FIELD(visit, c, a_type, .most = 5, .told = elsewhere);
  ASSAY_FIELD(visit, c, asking, .most = gemm_ways_to_ask - 1, .told = elsewhere);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, b_gap, .most = 63, .told = elsewhere);
  ASSAY_FIELD(visit, c, b_scale_fill);
  ASSAY_FIELD(visit, c, b_type, .most = 5, .told = elsewhere);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, cta_group, .values = cta_groups, .told = elsewhere);
  ASSAY_FIELD(visit, c, d_gap, .most = 63, .told = elsewhere);
  ASSAY_FIELD(visit, c, grouped, .told = elsewhere);
  ASSAY_FIELD(visit, c, k, .unit = "elements", .least = 1, .most = model::most_gemm_extent,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, launch_control, .told = elsewhere);
  ASSAY_FIELD(visit, c, m, .unit = "elements", .least = 1, .most = model::most_gemm_extent,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, n, .unit = "elements", .least = 1, .most = model::most_gemm_extent,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, reduces, .told = elsewhere);
  ASSAY_FIELD(visit, c, tile_n, .unit = "columns", .values = gemm_tiles, .told = elsewhere);
  ASSAY_FIELD(visit, c, type, .most = model::gemm_types - 1, .told = elsewhere);
}

}  // namespace assay
