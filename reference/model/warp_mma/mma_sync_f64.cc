// SPDX-License-Identifier: Apache-2.0
#include "reference/model/warp_mma/mma_sync_f64.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "reference/layout/fragments.h"
#include "reference/model/as_if.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/warp_mma/warp_mma.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/fast.h"
#include "reference/numerics/fast_kernels.h"
#include "reference/spec/formats.h"
#include "reference/spec/rules.h"

namespace assay {

namespace model {
namespace {

using spec::rule;

const numerics::Arithmetic& arithmetic_of(const MmaSyncF64Case& c) {
  const spec::Format& f64 = spec::format("f64");
  return numerics::find_instruction("mma_sm90", {&f64, &f64, &f64, static_cast<int>(c.k)}, false)->arithmetic;
}

/// Codes of A as rows of k, and of B as k rows of columns; C and D as rows of columns. One thread reuses them
/// from case to case.
struct Operands {
  std::vector<uint64_t> words, a, b, c, d;
  static std::span<uint64_t> take(std::vector<uint64_t>& from, size_t size) {
    if (from.size() < size) from.resize(size);
    return {from.data(), size};
  }
};

size_t columns_of(const MmaSyncF64Case& c) {
  return size_t{8} * c.tiles;
}

Operands& operands_of(const MmaSyncF64Case& c, DoubleElements source) {
  thread_local Operands kept;
  const size_t columns = columns_of(c);
  const std::span<uint64_t> a = Operands::take(kept.a, size_t{4} * c.m * c.k);
  const std::span<uint64_t> b = Operands::take(kept.b, columns * c.k);
  const std::span<uint64_t> words = Operands::take(kept.words, size_t{128} * std::max(8u, c.tiles));
  const int a_registers = static_cast<int>(c.m * c.k / 32), b_registers = static_cast<int>(c.k / 4);
  source(c.a_fill, 0, words.first(128 * 8));
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < a_registers; ++r) {
      const layout::MatrixPlace at = layout::f64_a_place(lane, r);
      for (size_t warp = 0; warp < 4; ++warp)
        a[(warp * c.m + static_cast<size_t>(at.row)) * c.k + static_cast<size_t>(at.column)] =
            words[(warp * 32 + static_cast<size_t>(lane)) * 8 + static_cast<size_t>(r)];
    }
  source(c.b_fill, 0, words.first(size_t{128} * c.tiles));
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < b_registers; ++r) {
      const layout::MatrixPlace at = layout::f64_b_place(lane, r);
      uint64_t* const to = &b[static_cast<size_t>(at.column) * columns + static_cast<size_t>(at.row)];
      const uint64_t* const from = &words[static_cast<size_t>(lane) * 4 + static_cast<size_t>(r)];
      for (size_t tile = 0; tile < c.tiles; ++tile) to[tile * 8] = from[tile * 128];
    }
  return kept;
}

AccumulatorRegisters registers_of(const MmaSyncF64Case& c) {
  return {static_cast<int>(c.tiles), static_cast<int>(c.m), false};
}

/// Row and column of an element of the output.
layout::MatrixPlace place_of(const MmaSyncF64Case& c, uint32_t i) {
  const uint32_t registers = d_registers(c);
  const int r = static_cast<int>(i % registers), thread = static_cast<int>(i / registers / c.tiles);
  const layout::MatrixPlace at = layout::accumulator_place(thread % 32, r);
  return {thread / 32 * static_cast<int>(c.m) + at.row,
          static_cast<int>(i / registers % c.tiles) * 8 + at.column};
}

double value(uint64_t code) {
  return std::bit_cast<double>(code);
}

uint64_t with_quiet_nan(double made, uint64_t nan) {
  return std::isnan(made) ? nan : std::bit_cast<uint64_t>(made);
}

constexpr uint64_t invalid = 0xfff8000000000000;

/// Each a chain that has one thing wrong.
uint64_t unfused(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  volatile double product = 0;  // so that no compiler fuses the two
  for (size_t k = 0; k < a.size(); ++k) {
    product = value(a[k]) * value(b[k]);
    c = with_quiet_nan(product + value(c), invalid);
  }
  return c;
}
/// The same, but where nothing is infinite or no number.
uint64_t unfused_where_finite(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  volatile double product = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    product = value(a[k]) * value(b[k]);
    const double sum = product + value(c);
    const uint64_t right = numerics::fast_chain({.nan = invalid}, {&a[k], 1}, {&b[k], 1}, c);
    c = std::isfinite(sum) && std::isfinite(value(right)) ? std::bit_cast<uint64_t>(sum) : right;
  }
  return c;
}
uint64_t with_k_descending(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  for (size_t k = a.size(); k-- > 0;) c = numerics::fast_chain({.nan = invalid}, {&a[k], 1}, {&b[k], 1}, c);
  return c;
}
uint64_t c_last(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  const uint64_t products = numerics::fast_chain({.nan = invalid}, a, b, 0);
  return with_quiet_nan(value(products) + value(c), invalid);
}
uint64_t without_c(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t) {
  return numerics::fast_chain({.nan = invalid}, a, b, 0);
}
uint64_t flushing(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  const auto flushed = [](uint64_t code) { return (code << 1) >> 53 == 0 ? code & 1ull << 63 : code; };
  c = flushed(c);
  for (size_t k = 0; k < a.size(); ++k) {
    const uint64_t x = flushed(a[k]), y = flushed(b[k]);
    c = flushed(numerics::fast_chain({.nan = invalid}, {&x, 1}, {&y, 1}, c));
  }
  return c;
}
uint64_t flushing_results(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  for (size_t k = 0; k < a.size(); ++k) {
    c = numerics::fast_chain({.nan = invalid}, {&a[k], 1}, {&b[k], 1}, c);
    if ((c << 1) >> 53 == 0) c &= 1ull << 63;
  }
  return c;
}
uint64_t canonical_nan(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  return with_quiet_nan(value(numerics::fast_chain({.nan = invalid}, a, b, c)), 0x7fffffffffffffff);
}
/// The scalar unit's choice, for which the tensor unit has the factors exchanged.
uint64_t nan_of_a_first(std::span<const uint64_t> a, std::span<const uint64_t> b, uint64_t c) {
  return numerics::fast_chain({.nan = invalid}, b, a, c);
}

constexpr Bend bends[] = {
    as_if("ADD-R21", "each product were rounded before it is added", &MmaBend::chain, unfused),
    as_if("ADD-R21", "each finite product were rounded before it is added", &MmaBend::chain,
          unfused_where_finite),
    as_if("ADD-R21", "k went down", &MmaBend::chain, with_k_descending),
    as_if("ADD-R21", "C were added last", &MmaBend::chain, c_last),
    as_if("ADD-R21", "C were not read", &MmaBend::chain, without_c),
    as_if("ADD-R21", "subnormal numbers were flushed to zero", &MmaBend::chain, flushing),
    as_if("ADD-R21", "subnormal results were flushed to zero", &MmaBend::chain, flushing_results),
    as_if("ADD-R21", "every NaN result were 0x7fffffffffffffff", &MmaBend::chain, canonical_nan),
    as_if("ADD-R21", "a NaN of A came before one of C and B", &MmaBend::chain, nan_of_a_first),
};

}  // namespace

DoubleSteps steps_of(const MmaSyncF64Case& c, DoubleElements source, uint32_t i) {
  const Operands& operands = operands_of(c, source);
  const layout::MatrixPlace at = place_of(c, i);
  DoubleSteps steps;
  steps.row = static_cast<uint32_t>(at.row), steps.column = static_cast<uint32_t>(at.column);
  for (size_t k = 0; k < c.k; ++k) {
    steps.a[k] = operands.a[steps.row * c.k + k];
    steps.b[k] = operands.b[k * columns_of(c) + steps.column];
  }
  source(c.c_fill, i, {&steps.c, 1});
  return steps;
}

spec::RuleSet predict(const MmaSyncF64Case& c, const spec::Readings& readings, DoubleElements source,
                      std::span<uint64_t> output) {
  Operands& operands = operands_of(c, source);
  const numerics::Arithmetic& arithmetic = arithmetic_of(c);
  const auto bent = readings.bend() == nullptr ? nullptr : readings.bend()->mma.chain;
  const size_t columns = columns_of(c);
  const std::span<uint64_t> old = Operands::take(operands.c, output.size());
  const std::span<uint64_t> made = Operands::take(operands.d, output.size());
  const std::span<const uint64_t> b(operands.b.data(), columns * c.k);
  source(c.c_fill, 0, output);
  matrix_of_registers(registers_of(c), std::span<const uint64_t>(output), old);
  const numerics::Kernels& kernels = numerics::kernels_of_this_processor().front();
  std::array<uint64_t, 16> column{};
  for (size_t row = 0; row < size_t{4} * c.m; ++row) {
    const std::span<const uint64_t> a(&operands.a[row * c.k], c.k);
    const std::span<const uint64_t> old_row = old.subspan(row * columns, columns);
    const std::span<uint64_t> d = made.subspan(row * columns, columns);
    if (bent == nullptr) {
      numerics::fast_chain_row(kernels, arithmetic, a, b, old_row, d);
      continue;
    }
    for (size_t n = 0; n < columns; ++n) {
      for (size_t k = 0; k < c.k; ++k) column[k] = b[k * columns + n];
      d[n] = bent(a, std::span(column).first(c.k), old_row[n]);
    }
  }
  registers_of_matrix(registers_of(c), std::span<const uint64_t>(made), output);
  spec::RuleSet rules;
  rules.set(rule("ADD-R21"));
  return rules;
}

std::span<const Bend> f64_bends() {
  return bends;
}

}  // namespace model

static std::string what_is_wrong(const MmaSyncF64Case& c) {
  const std::string shape = "m" + std::to_string(c.m) + "n8k" + std::to_string(c.k);
  if (!is_legal({.m = c.m, .k = c.k}))
    model::fields::refuse(
        "k", "makes the shape " + shape + "; mma.sync on f64 has m8n8k4, m16n8k4, m16n8k8 and m16n8k16");
  return {};
}

namespace model {

ASSAY_CASE_JSON(MmaSyncF64Case);

}  // namespace model
}  // namespace assay
