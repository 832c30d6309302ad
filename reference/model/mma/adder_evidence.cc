// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/adder_evidence.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "reference/numerics/exact.h"
#include "reference/numerics/fast_kernels.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

/// Over the nonzero finite codes: no bit that is set lies above the one exponent or below the other.
struct Bits {
  int highest = -10000, lowest = 10000;
  bool is_any = false, has_subnormal = false, has_infinity = false, has_ignored = false;
};

Bits bits_of(const spec::Format& format, std::span<const uint32_t> codes) {
  const auto top = static_cast<uint32_t>(format.exponent_mask());
  const numerics::CodeSurvey seen = numerics::kernels_of_this_processor().front().survey(
      {static_cast<uint32_t>(format.mantissa_mask()), top, format.has_infinity() ? top : top + 1,
       format.ignored_bits, format.ignored_bits + format.mantissa_bits},
      codes);
  Bits bits;
  bits.is_any = seen.highest != 0;
  bits.has_infinity = seen.has_infinity;
  bits.has_ignored = (seen.all & ((1u << format.ignored_bits) - 1)) != 0;
  if (!bits.is_any) return bits;
  // A subnormal number has the exponent of field 1, and no leading bit.
  const int mantissa = format.mantissa_bits;
  const auto exponent_of = [mantissa](uint32_t code) {
    return static_cast<int>(std::max(1u, code >> mantissa));
  };
  const uint32_t leading = seen.highest >> mantissa != 0 ? 1u << mantissa : 0;
  const uint32_t significands = (seen.counted & ((1u << mantissa) - 1)) | leading;
  bits.has_subnormal = seen.lowest >> mantissa == 0;
  bits.highest = exponent_of(seen.highest) - format.bias;
  bits.lowest = exponent_of(seen.lowest) - format.bias - mantissa + std::countr_zero(significands);
  return bits;
}

/// Of the scales of one operand, exponents of the highest and the lowest bit.
Bits bits_of_scales(const spec::Format& format, std::span<const uint8_t> codes) {
  Bits bits;
  for (const uint8_t code : codes) {
    const spec::Value value = spec::decode(format, code);
    if (!value.is_finite() || value.kind == spec::ValueClass::zero) continue;
    bits.is_any = true;
    bits.highest = std::max(bits.highest, value.exponent + format.mantissa_bits);
    bits.lowest = std::min(bits.lowest, value.exponent);
  }
  return bits;
}

/// Rules that only what is lost can show: how many bits are kept, in which order they are added.
void note_lost_bits(const Multiplied& m, const Bits& a, const Bits& b, const Bits& c, spec::RuleSet& rules) {
  const int highest = std::max(a.is_any && b.is_any ? a.highest + b.highest + 1 : -10000, c.highest);
  const int lowest = std::min(a.is_any && b.is_any ? a.lowest + b.lowest : 10000, c.lowest);
  if (highest < lowest) return;
  const auto& arithmetic = m.arithmetic;
  const int aligned = std::max(highest, arithmetic.floor_exponent);
  // A bit in the lowest place that is kept shows as much as one below it.
  const bool cuts = lowest <= aligned - arithmetic.kept_bits;
  const int of_sum = highest + static_cast<int>(std::bit_width(static_cast<unsigned>(m.types.k)));
  const bool rounds = of_sum - lowest >= arithmetic.result_bits - 1;
  const bool is_half = m.types.d->storage_bits == 16;
  if (rounds) rules.set(is_half ? rule("ADD-R11") : rule("ADD-R10"));
  if (m.goes_on && rounds) rules.set(rule("ADD-R16"));
  if (!cuts && !rounds) return;
  if (arithmetic.operands_become_f16) {
    rules.set(rule("ADD-R19"));
    return;
  }
  rules.set(rule("ADD-R07"));
  if (!cuts) return;
  if (arithmetic.scheme == numerics::Scheme::grouped) {
    rules.set(rule("ADD-R23"));
    return;
  }
  rules.set(rule("ADD-R01")).set(rule("ADD-R02"));
  const bool wide = m.types.a->storage_bits > 8;
  rules.set(wide ? rule("ADD-R04") : arithmetic.kept_bits == 13 ? rule("ADD-R05") : rule("ADD-R06"));
  if (lowest <= arithmetic.floor_exponent - arithmetic.kept_bits)
    rules.set(is_half ? rule("ADD-R09") : rule("ADD-R08"));
}

}  // namespace

void note_adder_rules(const Multiplied& m, spec::RuleSet& rules) {
  if (m.types.a->is_integer()) {
    rules.set(rule("ADD-R20"));
    return;
  }
  Bits a = bits_of(*m.types.a, m.a), b = bits_of(*m.types.b, m.b);
  bool has_nan_scale = false;
  for (const auto& [codes, bits] : {std::pair{m.a_scales, &a}, std::pair{m.b_scales, &b}}) {
    if (codes.empty()) continue;
    const Bits scales = bits_of_scales(*m.types.scale, codes);
    bits->is_any = bits->is_any && scales.is_any;
    bits->highest += scales.is_any ? scales.highest : 0, bits->lowest += scales.is_any ? scales.lowest : 0;
    for (const uint8_t code : codes)
      has_nan_scale |= spec::decode(*m.types.scale, code).kind == spec::ValueClass::nan;
  }
  const bool is_grouped = m.arithmetic.scheme == numerics::Scheme::grouped;
  Bits c = bits_of(*m.types.d, m.c);
  c.highest -= m.scale_input_d, c.lowest -= m.scale_input_d;
  note_lost_bits(m, a, b, c, rules);
  if (!is_grouped && (a.has_subnormal || b.has_subnormal)) rules.set(rule("ADD-R03"));
  if (m.types.a->name == "tf32" && (a.has_ignored || b.has_ignored)) rules.set(rule("ADD-R15"));
  const bool is_half = m.types.d->storage_bits == 16;
  const numerics::CodeKinds d = numerics::kernels_of_this_processor().front().kinds(
      is_half ? 0x7fff : 0x7fffffff, is_half ? 0x7c00 : 0x7f800000, m.d);
  const bool has_infinity = a.has_infinity || b.has_infinity || c.has_infinity;
  if (d.zero) rules.set(rule("ADD-R12"));
  if (d.nan) rules.set(has_nan_scale ? rule("ADD-R24") : rule("ADD-R13"));
  if (d.infinity) rules.set(has_infinity ? rule("ADD-R14") : is_half ? rule("ADD-R11") : rule("ADD-R10"));
}

namespace {

std::vector<uint64_t> line_of(std::span<const uint8_t> codes, size_t line, size_t length) {
  const auto begin = codes.begin() + static_cast<ptrdiff_t>(line * length);
  return {begin, begin + static_cast<ptrdiff_t>(length)};
}

/// With vectors where they keep every bit, else one element after the other.
void sum(const numerics::Arithmetic& arithmetic, const numerics::Types& types, const numerics::Tile& tile,
         std::span<uint32_t> d) {
  if (numerics::fast_supports(arithmetic, types)) return numerics::fast_tile(arithmetic, types, tile, d);
  const auto k = static_cast<size_t>(types.k);
  std::vector<uint64_t> a(k), b(k);
  for (size_t row = 0; row < static_cast<size_t>(tile.m); ++row)
    for (size_t column = 0; column < static_cast<size_t>(tile.n); ++column) {
      std::copy_n(tile.a.begin() + static_cast<ptrdiff_t>(row * k), k, a.begin());
      for (size_t i = 0; i < k; ++i) b[i] = tile.b[tile.b_at(row, column, i, k)];
      const size_t at = row * static_cast<size_t>(tile.n) + column;
      numerics::Dot dot;
      dot.a = a, dot.b = b, dot.c = tile.c[at], dot.scale_input_d = tile.scale_input_d;
      const auto scales = static_cast<size_t>(types.scale_count());
      const std::vector<uint64_t> of_row = line_of(tile.scale_a, row, scales),
                                  of_column = line_of(tile.scale_b, column, scales);
      dot.scale_a = of_row, dot.scale_b = of_column;
      d[at] = static_cast<uint32_t>(numerics::exact_dot(arithmetic, types, dot));
    }
}

/// Products of other blocks are zeros: they count for nothing.
std::vector<uint32_t> of_block(const MmaBend& bend, const numerics::Types& types, bool reads_c,
                               std::span<const uint32_t> codes, int block) {
  std::vector<uint32_t> kept(codes.begin(), codes.end());
  for (size_t i = 0; i < kept.size(); ++i)
    if (bend.block(types, reads_c, static_cast<int>(i % static_cast<size_t>(types.k))) != block) kept[i] = 0;
  return kept;
}

}  // namespace

void bent_tile(const MmaBend& bend, numerics::Arithmetic arithmetic, const numerics::Types& types,
               const numerics::Tile& tile, bool reads_c, std::span<uint32_t> d, std::span<uint32_t> open) {
  std::vector<uint32_t> a(tile.a.begin(), tile.a.end()), b(tile.b.begin(), tile.b.end()),
      c(tile.c.begin(), tile.c.end());
  if (bend.operand != nullptr) {
    for (uint32_t& code : a) code = bend.operand(*types.a, code);
    for (uint32_t& code : b) code = bend.operand(*types.b, code);
  }
  if (bend.arithmetic != nullptr) bend.arithmetic(types, arithmetic);
  numerics::Tile bent = tile;
  bent.a = a, bent.b = b, bent.c = c;
  if (bend.block == nullptr) {
    sum(arithmetic, types, bent, d);
  } else {
    for (int block = 0; block < 2; ++block) {
      const std::vector<uint32_t> some_a = of_block(bend, types, reads_c, a, block),
                                  some_b = of_block(bend, types, reads_c, b, block);
      const bool is_empty = std::none_of(some_a.begin(), some_a.end(), [](uint32_t code) { return code; });
      if (block != 0 && is_empty) break;
      bent.a = some_a, bent.b = some_b, bent.c = c;
      sum(arithmetic, types, bent, d);
      c.assign(d.begin(), d.begin() + static_cast<ptrdiff_t>(c.size()));
      bent.scale_input_d = 0;
    }
  }
  for (size_t i = 0; i < open.size(); ++i) {
    open[i] = bend.open_bits == nullptr ? 0 : bend.open_bits(types, d[i]);
    if (bend.result != nullptr) d[i] = bend.result(types, d[i]);
  }
}

}  // namespace assay::model
