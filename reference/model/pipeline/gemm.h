// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "reference/model/pipeline/gemm_case.h"
#include "reference/spec/formats.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

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

/// As in case_json.h.
nlohmann::json to_json(const GemmCase&);
GemmCase gemm_case_from_json(const nlohmann::json&);

}  // namespace assay::model
