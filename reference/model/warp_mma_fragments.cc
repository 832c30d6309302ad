#include "reference/model/warp_mma_fragments.h"

#include <array>
#include <cstring>

#include "reference/layout/fragments.h"

namespace assay::model {
namespace {

/// Position of a register, or of the low half of one, in the matrix of the first tile. The row counts from
/// the warp's first.
layout::MatrixPlace place(const AccumulatorRegisters& shape, int thread, int i) {
  const layout::MatrixPlace p = shape.halves ? layout::half_accumulator_place(thread % 32, i, 0)
                                             : layout::accumulator_place(thread % 32, i);
  return {thread / 32 * shape.warp_rows + p.row, p.column};
}

/// Calls move(word index, code index of the first of two neighbours in a row) for every pair of columns: two
/// registers, or two halves of one.
template <typename Move>
void for_pairs(const AccumulatorRegisters& shape, const Move& move) {
  const int registers = shape.registers(), step = shape.halves ? 1 : 2;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < registers; i += step) {
      const layout::MatrixPlace at = place(shape, thread, i);
      size_t word = static_cast<size_t>(thread) * shape.tiles * registers + i;
      size_t code = static_cast<size_t>(at.row) * shape.columns() + at.column;
      for (int tile = 0; tile < shape.tiles; ++tile, word += registers, code += 8) move(word, code);
    }
}

}  // namespace

void matrix_of_registers(const AccumulatorRegisters& shape, std::span<const uint32_t> words,
                         std::span<uint32_t> codes) {
  const uint32_t* from = words.data();
  uint32_t* to = codes.data();
  if (shape.halves)
    for_pairs(shape, [=](size_t word, size_t code) {
      const uint64_t both = from[word];
      const uint64_t pair = (both & 0xffff) | both >> 16 << 32;
      std::memcpy(to + code, &pair, sizeof pair);
    });
  else
    for_pairs(shape, [=](size_t word, size_t code) { std::memcpy(to + code, from + word, 8); });
}

void registers_of_matrix(const AccumulatorRegisters& shape, std::span<const uint32_t> codes,
                         std::span<uint32_t> words) {
  const uint32_t* from = codes.data();
  uint32_t* to = words.data();
  if (shape.halves)
    for_pairs(shape,
              [=](size_t word, size_t code) { to[word] = (from[code] & 0xffff) | from[code + 1] << 16; });
  else
    for_pairs(shape, [=](size_t word, size_t code) { std::memcpy(to + word, from + code, 8); });
}

void a_of_registers(int warp_rows, uint32_t row_bytes, uint32_t element_bits, std::span<const uint32_t> words,
                    std::span<uint32_t> codes) {
  constexpr std::array<int, 4> slot{0, 2, 1, 3};
  const uint32_t k = row_bytes * 8 / element_bits;
  const int registers = static_cast<int>(row_bytes) / 16 * (warp_rows / 8);
  for (int thread = 0; thread < 128; ++thread)
    for (int r = 0; r < registers; ++r) {
      const layout::MatrixPlace at = layout::a_place(thread % 32, r, 0);
      const int row = thread / 32 * warp_rows + at.row;
      split_word(words[static_cast<size_t>(thread) * 4 + slot[r]], element_bits,
                 &codes[row * k + static_cast<uint32_t>(at.column) * 8 / element_bits]);
    }
}

void b_of_registers(int tiles, uint32_t column_bytes, uint32_t element_bits, std::span<const uint32_t> words,
                    std::span<uint32_t> codes) {
  const uint32_t k = column_bytes * 8 / element_bits;
  const int registers = static_cast<int>(column_bytes) / 16, words_a_lane = registers == 4 ? 4 : 2;
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < registers; ++r) {
      const layout::MatrixPlace at = layout::b_place(lane, r, 0);
      for (int tile = 0; tile < tiles; ++tile)
        split_word(words[(static_cast<size_t>(tile) * 32 + lane) * words_a_lane + r], element_bits,
                   &codes[(8 * tile + at.row) * k + static_cast<uint32_t>(at.column) * 8 / element_bits]);
    }
}

}  // namespace assay::model
