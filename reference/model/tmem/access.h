// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "reference/model/bend.h"
#include "reference/model/case_field.h"
#include "reference/model/mma/case.h"
#include "reference/model/mma/fields.h"
#include "reference/model/mma/mma.h"

namespace assay::model {

/// Registers that the output of a load has for each of 128 threads; those that the instruction lacks stay all
/// ones.
inline constexpr uint32_t tmem_output_registers = 128;

/// Predicts a store: `cells`, 128 lanes of alloc_columns, hold what was there and receive what must be there.
/// `registers` of thread t at t * 128. `defined` (as many as cells) is written when not all bits are defined.
Tcgen05MmaPrediction predict_tmem_store(const TmemAccessCase&, const spec::Readings&,
                                        std::span<const uint32_t> registers, std::span<uint32_t> cells,
                                        std::span<uint32_t> defined);
/// Predicts a load: `output`, 128 threads of tmem_output_registers.
Tcgen05MmaPrediction predict_tmem_load(const TmemAccessCase&, const spec::Readings&,
                                       std::span<const uint32_t> cells, std::span<uint32_t> output);

/// True when the access exists, stays in its allocation, and no two registers of a store meet in a cell.
bool fits_rig(const TmemAccessCase&);

}  // namespace assay::model

namespace assay {

/// What tcgen05.ld.red reduces registers by.
struct RegisterReduction {
  std::string_view name;  ///< as PTX spells it
  enum class Type : uint8_t { u32, s32, f32 } type;
  bool is_max, is_of_magnitudes, keeps_nan;
};
using enum RegisterReduction::Type;
/// By the numbers that the probe has for them.
inline constexpr std::array<RegisterReduction, 12> register_reductions{{
    {".min.u32", u32, false, false, false},
    {".max.u32", u32, true, false, false},
    {".min.s32", s32, false, false, false},
    {".max.s32", s32, true, false, false},
    {".min.f32", f32, false, false, false},
    {".min.NaN.f32", f32, false, false, true},
    {".min.abs.f32", f32, false, true, false},
    {".min.abs.NaN.f32", f32, false, true, true},
    {".max.f32", f32, true, false, false},
    {".max.NaN.f32", f32, true, false, true},
    {".max.abs.f32", f32, true, true, false},
    {".max.abs.NaN.f32", f32, true, true, true},
}};

/// One tcgen05.ld.red by each of four warps, warp w at lanes 32 w and up: plain data, serialises to JSON
/// without loss.
struct TmemLdRedCase {
  bool is_split = false;   ///< .16x32bx2, its halves `count` columns apart; else .32x32b
  uint32_t count = 2;      ///< .num: 2, 4, ... 128
  uint32_t operation = 0;  ///< position in register_reductions
  uint32_t lane = 0;       ///< 0, or 16 of the split shape
  uint32_t column = 0;
  uint32_t alloc_columns = 32;
  OperandPattern d_fill;
  auto operator<=>(const TmemLdRedCase&) const = default;
};

/// Columns from the first to the last that a warp reads.
uint32_t columns_of(const TmemLdRedCase&);
/// "tcgen05.ld.red.32x32b.x8.min.u32"
std::string instruction_words(const TmemLdRedCase&);

/// Why the probe cannot run the case, in one sentence, or nothing.
std::string what_is_wrong(const TmemLdRedCase&);

// The members of tcgen05.ld.red.

inline constexpr uint32_t reduction_counts[] = {2, 4, 8, 16, 32, 64, 128};

template <typename Load, typename Visit>
requires std::same_as<std::remove_const_t<Load>, TmemLdRedCase>
void visit_fields(Load& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, alloc_columns, .unit = "columns", .values = powers_from_32, .called = "allocation");
  ASSAY_FIELD(visit, c, column, .most = 511, .told = elsewhere);
  ASSAY_FIELD(visit, c, count, .values = reduction_counts, .told = elsewhere);
  ASSAY_FIELD(visit, c, d_fill);
  ASSAY_FIELD(visit, c, is_split, .told = elsewhere);
  ASSAY_FIELD(visit, c, lane, .values = half_lanes, .told = elsewhere);
  ASSAY_FIELD(visit, c, operation, .most = register_reductions.size() - 1, .told = elsewhere);
}

}  // namespace assay

namespace assay::suites {

inline constexpr uint32_t reduced_words = 132;  ///< of a thread's output

/// cells: lane after lane of the allocation; output: 128 threads of reduced_words words each.
model::Tcgen05MmaPrediction predict_tmem_ld_red(const TmemLdRedCase&, const spec::Readings&,
                                                std::span<const uint32_t> cells, std::span<uint32_t> output);

std::span<const model::Bend> register_reduction_bends();

}  // namespace assay::suites
