// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <utility>

#include "reference/layout/swizzle.h"

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

/// A vector of the n-th of eight lines, `at` bytes into it, as it is without the swizzle. (Not returned:
/// functions that do are not the same for all processors.)
template <typename Vector, int n>
[[gnu::always_inline]] inline void take_part(const std::byte* line, uint32_t at, Vector& v) {
  constexpr int pieces = sizeof(Vector) / 16, c = 2 * (n % pieces);
  std::memcpy(&v, line + (at ^ (n / pieces * pieces * 16)), sizeof v);
  if constexpr (sizeof v == 32) v = __builtin_shufflevector(v, v, 0 ^ c, 1 ^ c, 2 ^ c, 3 ^ c);
  if constexpr (sizeof v == 64)
    v = __builtin_shufflevector(v, v, 0 ^ c, 1 ^ c, 2 ^ c, 3 ^ c, 4 ^ c, 5 ^ c, 6 ^ c, 7 ^ c);
}

/// Puts the last `late` pieces of `first`, and behind them all but as many of `second`, to a multiple of a
/// vector.
template <int late>
[[gnu::always_inline]] inline void put_joined(std::byte* to, const Two& first, const Two& second) {
  constexpr int c = 4 - 2 * late;
  const Two whole = __builtin_shufflevector(first, second, c, c + 1, c + 2, c + 3);
  std::memcpy(to, &whole, sizeof whole);
}
template <int late>
[[gnu::always_inline]] inline void put_joined(std::byte* to, const Four& first, const Four& second) {
  constexpr int c = 8 - 2 * late;
  const Four whole =
      __builtin_shufflevector(first, second, c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7);
  std::memcpy(to, &whole, sizeof whole);
}

/// `late`: pieces by which the line begins behind the last multiple of a vector; `last`: the vector before
/// the one at `begin`. Every store is on such a multiple: one that lies on two lines of the cache costs two.
template <typename Vector, int late, int n>
[[gnu::always_inline]] inline void stream_line(std::byte* to, const std::byte* from, uint32_t begin,
                                               Vector& last) {
  for (uint32_t at = begin; at < 128; at += sizeof(Vector)) {
    Vector v;
    take_part<Vector, n>(from, at, v);
    put_joined<late>(to + at - 16 * late, last, v);
    last = v;
  }
}
template <typename Vector, int late, int... n>
[[gnu::always_inline]] inline void stream_eight(std::byte* to, const std::byte* from, uint32_t begin,
                                                Vector& last, std::integer_sequence<int, n...>) {
  (stream_line<Vector, late, n>(to + 128 * n, from + 128 * n, n == 0 ? begin : 0, last), ...);
}

/// Eights of lines to places that follow each other.
template <typename Vector, int late>
[[gnu::always_inline]] inline void stream_eights(std::byte* to, const std::byte* from, uint32_t eights) {
  constexpr std::make_integer_sequence<int, 8> lines;
  Vector last;
  take_part<Vector, 0>(from, 0, last);
  std::memcpy(to, &last, sizeof last - 16 * late);
  stream_eight<Vector, late>(to, from, sizeof(Vector), last, lines);
  for (uint32_t k = 1; k < eights; ++k)
    stream_eight<Vector, late>(to + 1024 * k, from + 1024 * k, 0, last, lines);
  std::memcpy(to + 1024 * eights - 16 * late,
              reinterpret_cast<const std::byte*>(&last) + sizeof last - 16 * late, 16 * late);
}

/// False: the places are as good for vectors as they are, or too few.
template <typename Vector>
[[gnu::always_inline]] inline bool stream_eights(std::byte* to, const std::byte* from, uint32_t eights) {
  const auto late = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(to) % sizeof(Vector));
  if constexpr (sizeof(Vector) >= 32) {
    if (late == 16) return stream_eights<Vector, 1>(to, from, eights), true;
    if constexpr (sizeof(Vector) == 64) {
      if (late == 32) return stream_eights<Vector, 2>(to, from, eights), true;
      if (late == 48) return stream_eights<Vector, 3>(to, from, eights), true;
    }
  }
  return false;
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
      if (pitch == 128 && stream_eights<Vector>(to, window + at, lines / 8)) {
        const uint32_t done = lines / 8 * 8;
        lines -= done, at += 128 * done, to += 128 * done;
        continue;
      }
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

std::vector<LineCopies> every_line_copies() {
  std::vector<LineCopies> all;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) all.push_back({place_avx512, fetch_avx512});
  if (__builtin_cpu_supports("avx2")) all.push_back({place_avx2, fetch_avx2});
#endif
  all.push_back({place_plain, fetch_plain});
  return all;
}

LineCopies line_copies() {
  static const LineCopies widest = every_line_copies().front();
  return widest;
}

}  // namespace assay::model
