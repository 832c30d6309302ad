// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/machine/step.h"

/// Elements of N bytes between registers and a window, for all lanes of an access at once.
namespace assay::emulator {

template <uint32_t N>
using WordOf =
    std::conditional_t<N == 1, uint8_t,
                       std::conditional_t<N == 2, uint16_t, std::conditional_t<N == 4, uint32_t, uint64_t>>>;

template <uint32_t N>
WordOf<N> word_at(const std::byte* place) {
  WordOf<N> word;
  std::memcpy(&word, place, sizeof word);
  return word;
}

/// A word of memory as a register takes it.
template <uint32_t N, bool is_signed>
uint64_t as_register(WordOf<N> word) {
  if constexpr (is_signed && N < 8)
    return static_cast<uint64_t>(static_cast<int64_t>(static_cast<std::make_signed_t<WordOf<N>>>(word)));
  else
    return word;
}

template <uint32_t N, bool is_signed>
ASSAY_ALWAYS_INLINE inline void load_rising(const std::byte* from, uint64_t* to, uint64_t bits) {
  WordOf<N> words[warp_lanes];
  std::memcpy(words, from, sizeof words);
  for (int lane = 0; lane < warp_lanes; ++lane) to[lane] = as_register<N, is_signed>(words[lane]) & bits;
}
template <uint32_t N, bool is_signed>
void load_rising_narrow(const std::byte* from, uint64_t* to, uint64_t bits) {
  load_rising<N, is_signed>(from, to, bits);
}
template <uint32_t N, bool is_signed>
ASSAY_WIDE void load_rising_wide(const std::byte* from, uint64_t* to, uint64_t bits) {
  load_rising<N, is_signed>(from, to, bits);
}

template <uint32_t N, bool is_signed>
void load_words(const std::byte* host, const LanePlaces& places, uint32_t mask, uint32_t bytes, uint64_t* to,
                uint64_t bits) {
  if (places.order == LanePlaces::Order::rising && bytes == N) {
    const std::byte* const from = host + places.offset[0];
    has_wide_lanes ? load_rising_wide<N, is_signed>(from, to, bits)
                   : load_rising_narrow<N, is_signed>(from, to, bits);
  } else if (places.order == LanePlaces::Order::same) {
    const uint64_t value = as_register<N, is_signed>(word_at<N>(host + places.offset[0])) & bits;
    for (int lane = 0; lane < warp_lanes; ++lane) to[lane] = value;
  } else if (mask == ~0u) {
    for (size_t lane = 0; lane < warp_lanes; ++lane)
      to[lane] = as_register<N, is_signed>(word_at<N>(host + places.offset[lane])) & bits;
  } else {
    for_lanes(mask, [&](int lane) {
      to[lane] =
          as_register<N, is_signed>(word_at<N>(host + places.offset[static_cast<size_t>(lane)])) & bits;
    });
  }
}

/// The element at `at` bytes of an access of `bytes` into a column, cut to the register's `bits`. 16 bytes go
/// into two columns.
template <uint32_t N>
void load_element(const std::byte* host, const LanePlaces& places, uint32_t mask, uint32_t bytes, uint32_t at,
                  bool is_signed, uint64_t* to, uint64_t bits) {
  if constexpr (N == 16) {
    load_words<8, false>(host + at, places, mask, bytes, to, bits);
    load_words<8, false>(host + at + 8, places, mask, bytes, to + warp_lanes, ~0ull);
  } else if (is_signed) {
    load_words<N, true>(host + at, places, mask, bytes, to, bits);
  } else {
    load_words<N, false>(host + at, places, mask, bytes, to, bits);
  }
}

template <uint32_t N>
void store_element(std::byte* host, const LanePlaces& places, uint32_t mask, uint32_t bytes, uint32_t at,
                   const uint64_t* from) {
  if constexpr (N == 16) {
    store_element<8>(host, places, mask, bytes, at, from);
    store_element<8>(host, places, mask, bytes, at + 8, from + warp_lanes);
  } else if (places.order == LanePlaces::Order::rising && bytes == N) {
    WordOf<N> words[warp_lanes];
    for (int lane = 0; lane < warp_lanes; ++lane) words[lane] = static_cast<WordOf<N>>(from[lane]);
    std::memcpy(host + places.offset[0], words, sizeof words);
  } else {
    for_lanes(mask, [&](int lane) {
      std::memcpy(host + places.offset[static_cast<size_t>(lane)] + at, &from[lane], N);
    });
  }
}

/// Whether the shadow of every byte of the access says that it was written.
bool is_all_written(const uint8_t* written, const LanePlaces& places, uint32_t mask, uint32_t bytes);
void mark_written(uint8_t* written, const LanePlaces& places, uint32_t mask, uint32_t bytes);

}  // namespace assay::emulator
