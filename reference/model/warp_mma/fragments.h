// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace assay::model {

/// Registers of D, or of C, of 128 threads in the order of the output: thread after thread, tile of 8 columns
/// after tile, register after register. Four warps have the rows, `warp_rows` each.
struct AccumulatorRegisters {
  int tiles;
  int warp_rows;           ///< 16 or 8
  bool halves;             ///< two f16 to a register
  bool is_turned = false;  ///< codes are columns() of rows(), of 32 bits
  int registers() const { return halves || warp_rows == 8 ? 2 : 4; }
  int rows() const { return 4 * warp_rows; }
  int columns() const { return 8 * tiles; }
};

/// codes: rows() of columns(), or turned. words: 128 * tiles * registers(). Those of 64 bits are f64, no
/// halves.
void matrix_of_registers(const AccumulatorRegisters& shape, std::span<const uint32_t> words,
                         std::span<uint32_t> codes);
void matrix_of_registers(const AccumulatorRegisters& shape, std::span<const uint64_t> words,
                         std::span<uint64_t> codes);
void registers_of_matrix(const AccumulatorRegisters& shape, std::span<const uint32_t> codes,
                         std::span<uint32_t> words);
void registers_of_matrix(const AccumulatorRegisters& shape, std::span<const uint64_t> codes,
                         std::span<uint64_t> words);

/// Elements of the words of a register or of memory, the first in the low bits. element_bits: 4, 8, 16 or 32.
inline void split_word(uint32_t word, uint32_t element_bits, uint32_t* codes) {
  if (element_bits == 32) {
    codes[0] = word;
  } else if (element_bits == 16) {
    codes[0] = word & 0xffff, codes[1] = word >> 16;
  } else if (element_bits == 8) {
    for (int i = 0; i < 4; ++i) codes[i] = word >> (8 * i) & 0xff;
  } else {
    for (int i = 0; i < 8; ++i) codes[i] = word >> (4 * i) & 0xf;
  }
}

/// A of four warps from its registers, codes: 4 * warp_rows rows of k. Word t * 4 + {0, 2, 1, 3}[r] is
/// register r of thread t; a row has row_bytes bytes (16 or 32).
void a_of_registers(int warp_rows, uint32_t row_bytes, uint32_t element_bits, std::span<const uint32_t> words,
                    std::span<uint32_t> codes);
/// B of mma.sync, codes: 8 * tiles columns of k. Word (tile * 32 + lane) * w + r is register r, w being 4 for
/// columns of 64 bytes and else 2.
void b_of_registers(int tiles, uint32_t column_bytes, uint32_t element_bits, std::span<const uint32_t> words,
                    std::span<uint32_t> codes);

}  // namespace assay::model
