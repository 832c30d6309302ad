// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/operand_fill.h"
#include "kernels/probe.cuh"

/// Memory filled with params::operand_word, and tensor memory written out, by all threads of a probe's CTA.
namespace assay::probe {

using params::OperandFill;

/// Most fills only draw bits: a shorter way to the same words.
__device__ inline bool is_plain(const OperandFill& fill) {
  return fill.mirror_bits == 0 && fill.special_bits == 0;
}
__device__ inline uint32_t plain_word(const OperandFill& fill, uint64_t i) {
  return (static_cast<uint32_t>(params::arena_mix(fill.seed + i)) & fill.keep) | fill.set;
}

/// registers[i] = value, i not known at compile time: no array in local memory.
template <typename Value, uint32_t count>
__device__ inline void put_register(Value (&registers)[count], uint32_t i, Value value) {
#pragma unroll
  for (uint32_t j = 0; j < count; ++j) registers[j] = i == j ? value : registers[j];
}

/// The registers of A (which hold something) of a thread of wgmma and mma.sync: words of the same row follow
/// each other.
__device__ inline void a_registers(uint32_t (&a)[4], const params::KnownOperands& known,
                                   const OperandFill& fill) {
#pragma unroll 1
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t word = threadIdx.x % probe_threads * 4 + (i >> 1 | (i & 1) << 1);
    put_register(a, i,
                 known.present ? known.a_row[word / 4 % 4 + word % 2 * 4] : params::operand_word(fill, word));
  }
}

/// window[begin, end) = operand words, numbered from the window's start; both are multiples of 16. By threads
/// numbered 0 to 127, as in the other two.
__device__ inline void fill_operands(uint32_t window, uint32_t begin, uint32_t end, const OperandFill& fill,
                                     uint32_t thread = threadIdx.x) {
  if (is_plain(fill)) {
#pragma unroll 1
    for (uint32_t at = begin + thread * vector_bytes; at < end; at += sweep_bytes) {
      const uint64_t i = at / 4;
      ptx::st_shared_v4(window + at, make_uint4(plain_word(fill, i), plain_word(fill, i + 1),
                                                plain_word(fill, i + 2), plain_word(fill, i + 3)));
    }
  } else {
#pragma unroll 1
    for (uint32_t at = begin + thread * 4; at < end; at += probe_threads * 4)
      ptx::st_shared_u32(window + at, params::operand_word(fill, at / 4));
  }
}

/// Columns [begin, end) of an allocation: cell (lane, column) = operand word lane * columns + column. The
/// caller waits for the stores.
__device__ inline void fill_tensor_memory(uint32_t tmem, uint32_t columns, uint32_t begin, uint32_t end,
                                          const OperandFill& fill, uint32_t thread = threadIdx.x) {
  const uint64_t first = uint64_t{thread} * columns;
  const uint32_t lanes = tmem + ((thread & ~31u) << 16);
  uint32_t column = begin;
  if (is_plain(fill)) {
#pragma unroll 1
    for (; column + 4 <= end; column += 4) {
      uint32_t v[4];
#pragma unroll
      for (uint32_t j = 0; j < 4; ++j) v[j] = plain_word(fill, first + column + j);
      ptx::tcgen05_st_32x32b_x4(lanes + column, v);
    }
  }
#pragma unroll 1
  for (; column < end; ++column)
    ptx::tcgen05_st_32x32b_x1(lanes + column, params::operand_word(fill, first + column));
}

/// target = the cells of an allocation, lane after lane, 4 bytes each. columns is a multiple of 32.
__device__ inline void read_tensor_memory(unsigned char* target, uint32_t tmem, uint32_t columns,
                                          uint32_t thread = threadIdx.x) {
  unsigned char* to = target + uint64_t{thread} * columns * 4;
  const uint32_t lanes = tmem + ((thread & ~31u) << 16);
#pragma unroll 1
  for (uint32_t column = 0; column < columns; column += 32, to += 128) {
    uint32_t v[32];
    ptx::tcgen05_ld_32x32b_x32(v, lanes + column);
    ptx::tcgen05_wait_ld();
#pragma unroll
    for (uint32_t j = 0; j < 32; j += 4)
      ptx::st_global_v4(to + j * 4, make_uint4(v[j], v[j + 1], v[j + 2], v[j + 3]));
  }
}

}  // namespace assay::probe
