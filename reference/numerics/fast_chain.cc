#include <bit>
#include <cmath>

#include "reference/numerics/fast.h"

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

}  // namespace assay::numerics
