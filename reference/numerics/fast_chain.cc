// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>

#include "reference/numerics/fast.h"
#include "reference/numerics/fast_kernels.h"

namespace assay::numerics {

uint64_t fast_chain(const Arithmetic& arithmetic, std::span<const uint64_t> a, std::span<const uint64_t> b,
                    uint64_t c) {
  constexpr uint64_t quiet = uint64_t{1} << 51;
  const auto is_nan = [](uint64_t bits) { return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000; };
  uint64_t d = c;
  for (size_t k = 0; k < a.size(); ++k) {
    if (is_nan(b[k]) || is_nan(d) || is_nan(a[k])) {
      d = (is_nan(b[k]) ? b[k] : is_nan(d) ? d : a[k]) | quiet;
      continue;
    }
    const double sum =
        std::fma(std::bit_cast<double>(b[k]), std::bit_cast<double>(a[k]), std::bit_cast<double>(d));
    d = std::isnan(sum) ? arithmetic.nan : std::bit_cast<uint64_t>(sum);
  }
  return d;
}

void fast_chain_row(const Kernels& kernels, const Arithmetic& arithmetic, std::span<const uint64_t> a,
                    std::span<const uint64_t> b, std::span<const uint64_t> c, std::span<uint64_t> d) {
  const auto doubles = [](auto codes) { return reinterpret_cast<const double*>(codes.data()); };
  kernels.chain(doubles(a), doubles(b), doubles(c), static_cast<int>(a.size()), static_cast<int>(d.size()),
                std::bit_cast<double>(arithmetic.nan), reinterpret_cast<double*>(d.data()));
}

}  // namespace assay::numerics
