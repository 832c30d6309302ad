// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/screen/both.h"
#include "reference/model/screen/chain.h"
#include "reference/model/screen/tiles.h"

namespace assay::gen {

/// What the operands of a chain toggle.
inline constexpr std::string_view screen_pattern_names[] = {
    "near one",      ///< signs and mantissas any, exponents of a factor of two or four
    "wide",          ///< exponents of a factor of 2^14
    "checkerboard",  ///< two words in turn, each the other's complement below the exponent
    "few",           ///< short mantissas: sums are exact for long
};

/// The dimension that counts what each multiprocessor did: words that it compared, products of two elements
/// that it added up, and on silicon the time and the clocks that the first one took for its cases.
inline constexpr std::string_view screen_done = "on each multiprocessor";
inline constexpr std::string_view screen_done_names[] = {"32-bit words compared", "multiplications",
                                                         "nanoseconds", "clocks"};

/// Cells: pattern x what is planted.
uint32_t screen_cells();
std::string screen_cell_name(uint32_t cell);
/// The pattern goes with the index, the same one for sixteen cases.
uint32_t screen_cell(const ScreenCase& c, uint64_t index);

/// Steps of a chain that cases have.
inline constexpr uint32_t screen_steps[] = {4, 16, 32, 64};
/// Steps of all chains of a warpgroup in a case: a hundredth of a second on an H200. Many batches are on
/// their way to a device when the time of a screen ends, and all of them run.
constexpr uint32_t screen_work(ScreenUnit unit) {
  return unit == ScreenUnit::mma_sync ? 1 << 11 : 1 << 13;
}

/// Of every sixteen cases the first, second and fourth plant a fault: in a result, an operand and a partial
/// sum. These and the third have short chains.
void make_chain(const CaseId& id, ScreenUnit unit, ScreenKind kind, ScreenCase& c);

/// Chains of bf16 of the unit that the architecture has, on every second CTA alone, by turns the even ones
/// and the odd ones.
void make_halves(const CaseId& id, ScreenCase& c);
/// The same on all, in pulses as long as the pauses between them: 1 ms and 10 ms, of sixteen cases in one 100
/// ms, of 64 cases in one 500 ms.
void make_pulses(const CaseId& id, bool in_phase, ScreenCase& c);

/// Chains as those, beside tiles: what each of both takes is about the same time.
void make_both(const CaseId& id, TileKind kind, ScreenBothCase& c);

/// Of every sixteen cases the first two plant a fault; these and the third have few tiles, of which each
/// comes soon again.
void make_tiles(const CaseId& id, TileKind kind, ScreenTilesCase& c);

std::vector<ScreenCase> simpler(const ScreenCase& c);
std::vector<ScreenTilesCase> simpler(const ScreenTilesCase& c);
std::vector<ScreenBothCase> simpler(const ScreenBothCase& c);

}  // namespace assay::gen
