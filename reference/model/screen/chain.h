// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference/model/screen/turns.h"
#include "reference/model/warp_mma/case.h"
#include "reference/model/warp_mma/warp_mma.h"

namespace assay {

/// Types of A and B in the chains of a screen. D is f32, of integers s32.
enum class ScreenKind : uint8_t { bf16, f16, tf32, e4m3, s8 };
inline constexpr uint32_t count_of_screen_kinds = 5;

/// What multiplies. Of wgmma_sparse A holds half of K, two of four elements (of tf32 one of two).
enum class ScreenUnit : uint8_t { wgmma, wgmma_sparse, mma_sync, tcgen05 };

/// What a kernel alters by itself, so that it is seen whether it would notice.
enum class PlantedFault : uint8_t {
  none,
  result,      ///< bits of one register of D, at the end of one chain of one warpgroup
  operand,     ///< bits of one word of shared memory of one CTA, for as long as the case runs
  partial_sum  ///< bits of one register of D, between two steps of one chain of one warpgroup
};

/// Chains of products that every multiprocessor computes at the same time, over and over, and compares.
/// Shared memory has three blocks of A (64 rows of 128 bytes) and behind them two of B (256 columns of 128
/// bytes), K-major, swizzled by 128 bytes, of tcgen05 128 rows and 128 columns; word i is word i of a_fill,
/// or from screen_split on of b_fill. Tile t of six begins with c in every register of D, and step s adds
/// block (t + s) % 3 of A times block (t + s) % 2 of B, four instructions. Beside a sparse A the last two
/// take the other block of B. Plain data, serialises to JSON without loss.
struct ScreenCase {
  ScreenUnit unit = ScreenUnit::wgmma;
  ScreenKind kind = ScreenKind::bf16;
  uint32_t rounds = 1;  ///< chains of each warpgroup, 1 to 2^20; a device that is slow runs fewer
  uint32_t blocks = 1;  ///< steps of a chain, 0 to 256
  uint32_t c = 0;       ///< a code of D
  OperandPattern a_fill, b_fill;
  uint64_t metadata_seed = 0;  ///< of a sparse A
  PlantedFault planted = PlantedFault::none;
  uint32_t planted_cta = 0, planted_round = 0;  ///< modulo what there are
  uint32_t planted_warpgroup = 0, planted_thread = 0, planted_register = 0;
  uint32_t planted_word = 0;  ///< of shared memory
  uint32_t planted_step = 0;  ///< of a partial sum: steps before, below `blocks`
  uint32_t planted_bits = 0;
  ScreenTurns turns;
  auto operator<=>(const ScreenCase&) const = default;
};

namespace model {

inline constexpr uint32_t screen_tiles = 6, screen_threads = 128, screen_registers = 128;
inline constexpr uint32_t screen_split = 3 * 64 * 128, screen_window_bytes = screen_split + 2 * 256 * 128;

/// Those that a partial sum may be planted in.
inline constexpr uint32_t screen_middle_registers[] = {5, 38, 91, 126};

spec::RuleSet chain_rules(const ScreenCase& c);

/// Row and column of D that a register of a thread of the warpgroup holds.
std::pair<uint32_t, uint32_t> place_of_register(ScreenUnit unit, uint32_t thread, uint32_t number);

/// The metadata of the threads of each warpgroup, for PatternWords::metadata.
SparseA chain_metadata(const ScreenCase& c);

/// Word i of shared memory. `altered`: as below.
std::vector<uint32_t> chain_window(const ScreenCase& c, bool altered, const PatternWords& words);

/// D of tile 0 to 5: register r of thread t of the warpgroup is word t * 128 + r. `altered`: with the
/// operand, or the partial sum, that is planted.
void predict_chain(const ScreenCase& c, uint32_t tile, bool altered, const PatternWords& words,
                   std::span<uint32_t> d);

}  // namespace model

inline constexpr std::array<std::string_view, count_of_screen_kinds> screen_kind_names{"bf16", "f16", "tf32",
                                                                                       "e4m3", "s8"};
inline constexpr std::array<std::string_view, 4> planted_fault_names{"none", "result", "operand",
                                                                     "partial sum"};

inline constexpr std::array<std::string_view, 4> screen_unit_names{"wgmma", "wgmma.sp", "mma.sync",
                                                                   "tcgen05"};

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(ScreenKind) {
  return screen_kind_names;
}
inline const auto& spellings_of(ScreenUnit) {
  return screen_unit_names;
}
inline const auto& spellings_of(PlantedFault) {
  return planted_fault_names;
}

template <typename Screen, typename Visit>
requires std::same_as<std::remove_const_t<Screen>, ScreenCase>
void visit_fields(Screen& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, blocks, .most = 256, .told = always, .called = "blocks of K");
  ASSAY_FIELD(visit, c, c, .told = always, .called = "C", .shows = as_hex);
  ASSAY_FIELD(visit, c, kind, .told = elsewhere);
  ASSAY_FIELD(visit, c, metadata_seed, .shows = as_hex);
  ASSAY_FIELD(visit, c, planted);
  ASSAY_FIELD(visit, c, planted_bits, .shows = as_hex);
  ASSAY_FIELD(visit, c, planted_cta);
  ASSAY_FIELD(visit, c, planted_register, .most = model::screen_registers - 1);
  ASSAY_FIELD(visit, c, planted_round);
  ASSAY_FIELD(visit, c, planted_step, .most = 255);
  ASSAY_FIELD(visit, c, planted_thread, .most = model::screen_threads - 1);
  ASSAY_FIELD(visit, c, planted_warpgroup, .most = 1);
  ASSAY_FIELD(visit, c, planted_word, .most = model::screen_window_bytes / 4 - 1);
  ASSAY_FIELD(visit, c, rounds, .least = 1, .most = 1 << 20, .told = always);
  ASSAY_FIELD(visit, c, turns);
  ASSAY_FIELD(visit, c, unit);
}

}  // namespace assay
