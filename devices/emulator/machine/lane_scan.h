// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "devices/emulator/lane_op.h"

// What the machine asks of all lanes of a warp before nearly every instruction, four lanes at a time.
namespace assay::emulator {

using LaneCounters = std::array<uint32_t, warp_lanes>;

/// The program counter of lanes that have exited: behind all others.
inline constexpr uint32_t behind_all = 0x7fffffff;

/// How lanes stand to one program counter.
struct LanesAround {
  uint32_t at = 0, before = 0;  ///< lanes, a bit each
  uint32_t next = behind_all;   ///< the lowest program counter after it
};

#if defined(__SSE2__)

/// All ones in the lanes of four that the mask has.
inline __m128i spread(uint32_t mask, int first_lane) {
  const __m128i bits = _mm_setr_epi32(1, 2, 4, 8);
  return _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(mask >> first_lane)), bits), bits);
}

/// Lanes whose value of 64 bits is not zero; registers of predicates and of 32 bits have zeros above.
inline uint32_t lanes_where_true(const uint64_t* column) {
  uint32_t zero = 0;
  for (int lane = 0; lane < warp_lanes; lane += 4) {
    const __m128 low = _mm_loadu_ps(reinterpret_cast<const float*>(column + lane));
    const __m128 high = _mm_loadu_ps(reinterpret_cast<const float*>(column + lane + 2));
    const __m128i even = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i odd = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
    const __m128i is_zero = _mm_cmpeq_epi32(_mm_or_si128(even, odd), _mm_setzero_si128());
    zero |= static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(is_zero))) << lane;
  }
  return ~zero;
}

inline LanesAround look_around(const LaneCounters& pc, uint32_t at) {
  LanesAround found;
  const __m128i here = _mm_set1_epi32(static_cast<int>(at));
  __m128i next = _mm_set1_epi32(static_cast<int>(behind_all));
  for (int lane = 0; lane < warp_lanes; lane += 4) {
    const __m128i counters = _mm_loadu_si128(reinterpret_cast<const __m128i*>(pc.data() + lane));
    const __m128i equal = _mm_cmpeq_epi32(counters, here), after = _mm_cmpgt_epi32(counters, here);
    const auto bits = [&](__m128i lanes) {
      return static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(lanes))) << lane;
    };
    found.at |= bits(equal);
    found.before |= bits(_mm_cmplt_epi32(counters, here));
    const __m128i closer = _mm_and_si128(after, _mm_cmplt_epi32(counters, next));
    next = _mm_or_si128(_mm_and_si128(closer, counters), _mm_andnot_si128(closer, next));
  }
  alignas(16) std::array<uint32_t, 4> four;
  _mm_store_si128(reinterpret_cast<__m128i*>(four.data()), next);
  found.next = *std::min_element(four.begin(), four.end());
  return found;
}

/// The lowest program counter of some lanes.
inline uint32_t lowest_counter(const LaneCounters& pc, uint32_t mask) {
  __m128i lowest = _mm_set1_epi32(static_cast<int>(behind_all));
  for (int lane = 0; lane < warp_lanes; lane += 4) {
    const __m128i counters = _mm_loadu_si128(reinterpret_cast<const __m128i*>(pc.data() + lane));
    const __m128i closer = _mm_and_si128(spread(mask, lane), _mm_cmplt_epi32(counters, lowest));
    lowest = _mm_or_si128(_mm_and_si128(closer, counters), _mm_andnot_si128(closer, lowest));
  }
  alignas(16) std::array<uint32_t, 4> four;
  _mm_store_si128(reinterpret_cast<__m128i*>(four.data()), lowest);
  return *std::min_element(four.begin(), four.end());
}

inline void set_counters(LaneCounters& pc, uint32_t mask, uint32_t to) {
  if (mask == ~0u) return pc.fill(to);
  const __m128i value = _mm_set1_epi32(static_cast<int>(to));
  for (int lane = 0; lane < warp_lanes; lane += 4) {
    auto* const four = reinterpret_cast<__m128i*>(pc.data() + lane);
    const __m128i lanes = spread(mask, lane);
    _mm_storeu_si128(
        four, _mm_or_si128(_mm_and_si128(lanes, value), _mm_andnot_si128(lanes, _mm_loadu_si128(four))));
  }
}

#else

inline uint32_t lanes_where_true(const uint64_t* column) {
  uint32_t mask = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) mask |= static_cast<uint32_t>(column[lane] != 0) << lane;
  return mask;
}

inline LanesAround look_around(const LaneCounters& pc, uint32_t at) {
  LanesAround found;
  for (size_t lane = 0; lane < pc.size(); ++lane) {
    found.at |= static_cast<uint32_t>(pc[lane] == at) << lane;
    found.before |= static_cast<uint32_t>(pc[lane] < at) << lane;
    if (pc[lane] > at) found.next = std::min(found.next, pc[lane]);
  }
  return found;
}

inline uint32_t lowest_counter(const LaneCounters& pc, uint32_t mask) {
  uint32_t lowest = behind_all;
  for (; mask != 0; mask &= mask - 1) lowest = std::min(lowest, pc[static_cast<size_t>(__builtin_ctz(mask))]);
  return lowest;
}

inline void set_counters(LaneCounters& pc, uint32_t mask, uint32_t to) {
  for (; mask != 0; mask &= mask - 1) pc[static_cast<size_t>(__builtin_ctz(mask))] = to;
}

#endif

}  // namespace assay::emulator
