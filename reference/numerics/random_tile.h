// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "reference/numerics/fast.h"

namespace assay::numerics {

/// Operands for the tests of this folder, in mixes that each stress one thing.
enum class Mix { bits, interesting, narrow_exponents, wide_exponents, cancelling, tiny, sparse, specials };
inline constexpr int mix_count = 8;

struct RandomTile {
  std::vector<uint32_t> a, b, c;
  std::vector<uint8_t> scale_a, scale_b;
  int scale_input_d = 0;
  Tile tile(int m, int n) const { return {m, n, a, b, c, scale_a, scale_b, scale_input_d}; }
};

class TileMaker {
 public:
  explicit TileMaker(uint64_t seed) : random_(seed) {}

  RandomTile make(const Types& types, int m, int n, Mix mix) {
    RandomTile tile;
    fill(tile.a, *types.a, static_cast<size_t>(m) * types.k, mix);
    fill(tile.b, *types.b, static_cast<size_t>(n) * types.k, mix);
    fill(tile.c, *types.d, static_cast<size_t>(m) * n, below(3) == 0 ? Mix::narrow_exponents : mix);
    if (mix == Mix::cancelling) cancel(types, tile, m, n);
    if (types.scale != nullptr)
      for (auto* scales : {&tile.scale_a, &tile.scale_b})
        for (int i = 0; i < (scales == &tile.scale_a ? m : n) * types.scale_count(); ++i)
          scales->push_back(static_cast<uint8_t>(scale_code(*types.scale, mix)));
    return tile;
  }
  uint64_t below(uint64_t n) { return random_() % n; }

 private:
  void fill(std::vector<uint32_t>& codes, const spec::Format& format, size_t count, Mix mix) {
    const auto interesting = spec::interesting_codes(format);
    for (size_t i = 0; i < count; ++i) codes.push_back(static_cast<uint32_t>(code(format, mix, interesting)));
  }
  uint64_t with_exponent(const spec::Format& format, int low, int high) {
    const int exponent = low + static_cast<int>(below(high - low + 1));
    const auto field =
        std::clamp<int64_t>(exponent + format.bias, 0, static_cast<int64_t>(format.exponent_mask()) - 1);
    return format.code(below(2) != 0, static_cast<uint64_t>(field), random_() & format.mantissa_mask()) |
           (random_() & ((uint64_t{1} << format.ignored_bits) - 1));
  }
  uint64_t code(const spec::Format& format, Mix mix, const std::vector<uint64_t>& interesting) {
    if (format.is_integer()) return random_() & format.code_mask();
    switch (mix) {
      case Mix::bits:
        return random_() & format.code_mask();
      case Mix::interesting:
        return interesting[below(interesting.size())];
      case Mix::narrow_exponents:
      case Mix::cancelling:
        return with_exponent(format, -2, 2);
      case Mix::wide_exponents:
        return with_exponent(format, format.emin() - 1, -format.emin());
      case Mix::tiny:
        return with_exponent(format, format.emin() - 1, format.emin() / 2);
      case Mix::sparse:
        return below(4) != 0 ? (below(2) != 0 ? 0 : format.sign_bit()) : with_exponent(format, -30, 30);
      case Mix::specials:
        return below(24) == 0 ? interesting[interesting.size() - 1 - below(interesting.size() / 3)]
                              : with_exponent(format, -8, 8);
    }
    return 0;
  }
  uint64_t scale_code(const spec::Format& format, Mix mix) {
    if (mix == Mix::specials && below(20) == 0) return format.canonical_nan();
    if (mix == Mix::sparse && below(3) == 0) return 0;
    if (mix == Mix::narrow_exponents || mix == Mix::cancelling) return with_exponent(format, -3, 3);
    return std::min<uint64_t>(random_() & format.code_mask(), 0xfe);
  }
  /// The second half of each dot product undoes the first, but for what rounding and a few last bits leave.
  void cancel(const Types& types, RandomTile& tile, int m, int n) {
    for (int line = 0; line < m; ++line)
      for (int k = 0; k + 1 < types.k; k += 2) {
        uint32_t* at = &tile.a[static_cast<size_t>(line) * types.k + k];
        if (below(8) != 0) at[1] = at[0] ^ static_cast<uint32_t>(types.a->sign_bit());
      }
    for (int line = 0; line < n; ++line)
      for (int k = 0; k + 1 < types.k; k += 2) {
        uint32_t* at = &tile.b[static_cast<size_t>(line) * types.k + k];
        if (below(8) != 0) at[1] = at[0];
      }
  }

  std::mt19937_64 random_;
};

}  // namespace assay::numerics
