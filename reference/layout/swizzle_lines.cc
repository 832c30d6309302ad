#include "reference/layout/swizzle_lines.h"

#include <cstring>
#include <utility>

namespace assay::model {
namespace {

// Pieces of 16 bytes that are moved at once: one, two, four.
using One = uint64_t __attribute__((vector_size(16)));
using Two = uint64_t __attribute__((vector_size(32)));
using Four = uint64_t __attribute__((vector_size(64)));

/// One line, a vector at a time: `within` exchanges the pieces of a vector, the rest of the displacement says
/// where it goes. A displacement is its own inverse: either side may be the swizzled one.
template <typename Vector, int within>
[[gnu::always_inline]] inline void copy_line(std::byte* to, uint32_t to_change, const std::byte* from,
                                             uint32_t from_change) {
  constexpr int c = 2 * (within % (sizeof(Vector) / 16));
  for (uint32_t at = 0; at < 128; at += sizeof(Vector)) {
    Vector v;
    std::memcpy(&v, from + (at ^ from_change), sizeof v);
    if constexpr (sizeof v == 32) v = __builtin_shufflevector(v, v, 0 ^ c, 1 ^ c, 2 ^ c, 3 ^ c);
    if constexpr (sizeof v == 64)
      v = __builtin_shufflevector(v, v, 0 ^ c, 1 ^ c, 2 ^ c, 3 ^ c, 4 ^ c, 5 ^ c, 6 ^ c, 7 ^ c);
    std::memcpy(to + (at ^ to_change), &v, sizeof v);
  }
}

/// One of the displacements is 0.
template <typename Vector>
[[gnu::always_inline]] inline void copy_line(std::byte* to, uint32_t to_change, const std::byte* from,
                                             uint32_t from_change) {
  constexpr uint32_t pieces = sizeof(Vector) / 16, beyond = ~(16 * pieces - 1);
  switch ((to_change | from_change) / 16 % pieces) {
    case 0:
      return copy_line<Vector, 0>(to, to_change & beyond, from, from_change & beyond);
    case 1:
      return copy_line<Vector, 1>(to, to_change & beyond, from, from_change & beyond);
    case 2:
      return copy_line<Vector, 2>(to, to_change & beyond, from, from_change & beyond);
    default:
      return copy_line<Vector, 3>(to, to_change & beyond, from, from_change & beyond);
  }
}

/// Eight lines of the 128B swizzle, the first in a place that is a multiple of 1024: the n-th is displaced by
/// n pieces, which the compiler knows.
template <typename Vector, bool to_swizzled, int... n>
[[gnu::always_inline]] inline void copy_eight(std::byte* to, uint64_t to_pitch, const std::byte* from,
                                              uint64_t from_pitch, std::integer_sequence<int, n...>) {
  constexpr int pieces = sizeof(Vector) / 16;
  (copy_line<Vector, n % pieces>(to + n * to_pitch, to_swizzled ? n / pieces * pieces * 16 : 0,
                                 from + n * from_pitch, to_swizzled ? 0 : n / pieces * pieces * 16),
   ...);
}

bool comes_in_eights(SwizzlePattern swizzle, uint32_t at, uint32_t lines) {
  return lines >= 8 && at % 1024 == 0 && swizzle.atoms == 8 && swizzle.atom_bytes == 16;
}

template <typename Vector>
[[gnu::always_inline]] inline void place(SwizzlePattern swizzle, std::byte* window, uint32_t at,
                                         const std::byte* from, uint64_t pitch, uint32_t lines) {
  while (lines != 0) {
    if (comes_in_eights(swizzle, at, lines)) {
      copy_eight<Vector, true>(window + at, 128, from, pitch, std::make_integer_sequence<int, 8>());
      lines -= 8, at += 1024, from += 8 * pitch;
    } else {
      copy_line<Vector>(window + at, swizzle.line_xor(at), from, 0);
      --lines, at += 128, from += pitch;
    }
  }
}

template <typename Vector>
[[gnu::always_inline]] inline void fetch(SwizzlePattern swizzle, std::byte* to, uint64_t pitch,
                                         const std::byte* window, uint32_t at, uint32_t lines) {
  while (lines != 0) {
    if (comes_in_eights(swizzle, at, lines)) {
      copy_eight<Vector, false>(to, pitch, window + at, 128, std::make_integer_sequence<int, 8>());
      lines -= 8, at += 1024, to += 8 * pitch;
    } else {
      copy_line<Vector>(to, 0, window + at, swizzle.line_xor(at));
      --lines, at += 128, to += pitch;
    }
  }
}

#define ASSAY_LINE_COPIES(NAME, VECTOR, ...)                                             \
  __VA_ARGS__ void place_##NAME(SwizzlePattern swizzle, std::byte* window, uint32_t at,  \
                                const std::byte* from, uint64_t pitch, uint32_t lines) { \
    place<VECTOR>(swizzle, window, at, from, pitch, lines);                              \
  }                                                                                      \
  __VA_ARGS__ void fetch_##NAME(SwizzlePattern swizzle, std::byte* to, uint64_t pitch,   \
                                const std::byte* window, uint32_t at, uint32_t lines) {  \
    fetch<VECTOR>(swizzle, to, pitch, window, at, lines);                                \
  }

ASSAY_LINE_COPIES(plain, One)
#if defined(__x86_64__)
ASSAY_LINE_COPIES(avx2, Two, [[gnu::target("avx2")]])
ASSAY_LINE_COPIES(avx512, Four, [[gnu::target("avx512f")]])
#endif

#undef ASSAY_LINE_COPIES

}  // namespace

LineCopies plain_line_copies() {
  return {place_plain, fetch_plain};
}

LineCopies line_copies() {
#if defined(__x86_64__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512f"), has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx512) return {place_avx512, fetch_avx512};
  if (has_avx2) return {place_avx2, fetch_avx2};
#endif
  return plain_line_copies();
}

}  // namespace assay::model
