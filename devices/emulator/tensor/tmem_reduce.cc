// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tmem_reduce.h"

#include <optional>

namespace assay::emulator {
namespace {

constexpr uint32_t sign = 0x80000000, canonical_nan = 0x7fffffff;

bool is_nan(uint32_t word) {
  return (word & ~sign) > 0x7f800000;
}

/// Numbers of the type in the order of unsigned words; -0 comes before +0.
uint32_t ordered(TmemReduction::Type type, uint32_t word) {
  switch (type) {
    case TmemReduction::Type::u32:
      return word;
    case TmemReduction::Type::s32:
      return word ^ sign;
    case TmemReduction::Type::f32:
      break;
  }
  return word & sign ? ~word : word | sign;
}

}  // namespace

uint32_t reduce(const TmemReduction& reduction, std::span<const uint32_t> words, bool gives_nan) {
  const bool is_float = reduction.type == TmemReduction::Type::f32;
  std::optional<uint32_t> best;
  for (uint32_t word : words) {
    if (is_float && is_nan(word)) {
      if (reduction.keeps_nan || gives_nan) return canonical_nan;
      continue;
    }
    if (reduction.is_of_magnitudes) word &= ~sign;
    const bool is_better =
        !best || (ordered(reduction.type, word) < ordered(reduction.type, *best)) != reduction.is_max;
    if (is_better) best = word;
  }
  return best.value_or(canonical_nan);
}

}  // namespace assay::emulator
