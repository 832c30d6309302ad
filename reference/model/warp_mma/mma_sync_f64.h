// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <type_traits>

#include "reference/model/bend.h"
#include "reference/model/case_field.h"
#include "reference/spec/question.h"

namespace assay {

/// How an operand is filled: element i is a mix of (seed, i) with these bits kept and set; afterwards
/// special_rate of 256 elements become one of `special`. The members of params::DoubleFill.
struct DoublePattern {
  uint64_t seed = 0, keep = ~uint64_t{0}, set = 0;
  uint32_t special_rate = 0;  ///< 0 to 256
  std::array<uint64_t, 4> special{};
  auto operator<=>(const DoublePattern&) const = default;
};

/// `tiles` mma.sync on f64 by each of four warps: a matrix of 4 * m rows by one of 8 * tiles columns.
/// Elements of the patterns: register r of A of thread t is element t * 8 + r, register r of B of lane l in
/// tile i element (i * 32 + l) * 4 + r, register r of C of thread t in tile i element (t * tiles + i) *
/// registers + r.
struct MmaSyncF64Case {
  uint32_t m = 8, k = 4;  ///< 8 with 4, or 16 with 4, 8 or 16
  uint32_t tiles = 1;     ///< 1 to 64
  DoublePattern a_fill, b_fill, c_fill;
  auto operator<=>(const MmaSyncF64Case&) const = default;
};

inline constexpr uint32_t most_f64_tiles = 64;

/// Registers of 64 bits of C, or D, in a thread, of one tile.
constexpr uint32_t d_registers(const MmaSyncF64Case& c) {
  return c.m / 4;
}
constexpr uint32_t output_bytes(const MmaSyncF64Case& c) {
  return 128 * 8 * d_registers(c) * c.tiles;
}
constexpr bool is_legal(const MmaSyncF64Case& c) {
  const bool has_shape = c.m == 8 ? c.k == 4 : c.m == 16 && (c.k == 4 || c.k == 8 || c.k == 16);
  return has_shape && c.tiles >= 1 && c.tiles <= most_f64_tiles;
}

namespace model {

/// elements[i] = element first + i of a pattern.
using DoubleElements = void (*)(const DoublePattern&, uint64_t first, std::span<uint64_t> elements);

/// One element of D and what it is made of.
struct DoubleSteps {
  uint32_t row = 0, column = 0;
  std::array<uint64_t, 16> a{}, b{};  ///< the first k
  uint64_t c = 0;
};

/// Where element i of the output lies in D, and its operands.
DoubleSteps steps_of(const MmaSyncF64Case& c, DoubleElements source, uint32_t i);

/// D of a legal case, output_bytes() / 8 elements.
spec::RuleSet predict(const MmaSyncF64Case& c, const spec::Readings& readings, DoubleElements source,
                      std::span<uint64_t> output);

/// Rules of the chain altered.
std::span<const Bend> f64_bends();

}  // namespace model

// The members of mma.sync on f64.

template <typename Pattern, typename Visit>
requires std::same_as<std::remove_const_t<Pattern>, DoublePattern>
void visit_fields(Pattern& p, const Visit& visit) {
  ASSAY_FIELD(visit, p, keep, .shows = as_hex);
  ASSAY_FIELD(visit, p, seed);
  ASSAY_FIELD(visit, p, set, .shows = as_hex);
  ASSAY_FIELD(visit, p, special, .shows = as_hex);
  ASSAY_FIELD(visit, p, special_rate, .unit = "of 256", .most = 256);
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, MmaSyncF64Case>
void visit_fields(Mma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, k, .told = elsewhere);
  ASSAY_FIELD(visit, c, m, .told = elsewhere);
  ASSAY_FIELD(visit, c, tiles, .least = 1, .most = most_f64_tiles, .told = elsewhere);
}

}  // namespace assay
