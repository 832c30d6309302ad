// SPDX-License-Identifier: Apache-2.0
#include "reference/model/warp_mma/warp_mma.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "reference/layout/fragments.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

/// Calls move(word index, code index of the first of two neighbours in a row) for every pair of columns: two
/// registers, or two halves of one. A thread of 16 rows has two pairs in a tile.
template <bool has_two, typename Move>
void for_pairs_of(const AccumulatorRegisters& shape, const Move& move) {
  const int registers = shape.registers(), step = shape.halves ? 1 : 2;
  const auto of_thread = static_cast<size_t>(shape.tiles * registers);
  const auto place = [&](int lane, int i) {
    return shape.halves ? layout::half_accumulator_place(lane, i, 0) : layout::accumulator_place(lane, i);
  };
  const int of_row = shape.is_turned ? 1 : shape.columns(), of_column = shape.is_turned ? shape.rows() : 1;
  const auto index = [&](layout::MatrixPlace at) {
    return static_cast<size_t>(at.row * of_row + at.column * of_column);
  };
  const auto of_tile = static_cast<size_t>(8 * of_column);
  for (int lane = 0; lane < 32; ++lane) {
    const size_t first = index(place(lane, 0)), second = has_two ? index(place(lane, step)) : 0;
    for (int warp = 0; warp < 4; ++warp) {
      size_t word = static_cast<size_t>(warp * 32 + lane) * of_thread;
      size_t code = static_cast<size_t>(warp * shape.warp_rows * of_row);
      for (int tile = 0; tile < shape.tiles;
           ++tile, word += static_cast<size_t>(registers), code += of_tile) {
        move(word, code + first);
        if (has_two) move(word + static_cast<size_t>(step), code + second);
      }
    }
  }
}
template <typename Move>
void for_pairs(const AccumulatorRegisters& shape, const Move& move) {
  shape.warp_rows == 16 ? for_pairs_of<true>(shape, move) : for_pairs_of<false>(shape, move);
}

size_t distance_in_row(const AccumulatorRegisters& shape) {
  return shape.is_turned ? static_cast<size_t>(shape.rows()) : 1;
}

}  // namespace

void matrix_of_registers(const AccumulatorRegisters& shape, std::span<const uint32_t> words,
                         std::span<uint32_t> codes) {
  const uint32_t* from = words.data();
  uint32_t* to = codes.data();
  const size_t next = distance_in_row(shape);
  if (shape.halves)
    for_pairs(shape, [=](size_t word, size_t code) {
      to[code] = from[word] & 0xffff, to[code + next] = from[word] >> 16;
    });
  else if (shape.is_turned)
    for_pairs(shape,
              [=](size_t word, size_t code) { to[code] = from[word], to[code + next] = from[word + 1]; });
  else
    for_pairs(shape, [=](size_t word, size_t code) { std::memcpy(to + code, from + word, 8); });
}

void matrix_of_registers(const AccumulatorRegisters& shape, std::span<const uint64_t> words,
                         std::span<uint64_t> codes) {
  for_pairs(shape, [from = words.data(), to = codes.data()](size_t word, size_t code) {
    std::memcpy(to + code, from + word, 16);
  });
}

void registers_of_matrix(const AccumulatorRegisters& shape, std::span<const uint64_t> codes,
                         std::span<uint64_t> words) {
  for_pairs(shape, [from = codes.data(), to = words.data()](size_t word, size_t code) {
    std::memcpy(to + word, from + code, 16);
  });
}

void registers_of_matrix(const AccumulatorRegisters& shape, std::span<const uint32_t> codes,
                         std::span<uint32_t> words) {
  const uint32_t* from = codes.data();
  uint32_t* to = words.data();
  const size_t next = distance_in_row(shape);
  if (shape.halves)
    for_pairs(shape,
              [=](size_t word, size_t code) { to[word] = (from[code] & 0xffff) | from[code + next] << 16; });
  else if (shape.is_turned)
    for_pairs(shape,
              [=](size_t word, size_t code) { to[word] = from[code], to[word + 1] = from[code + next]; });
  else
    for_pairs(shape, [=](size_t word, size_t code) { std::memcpy(to + word, from + code, 8); });
}

void a_of_registers(int warp_rows, uint32_t row_bytes, uint32_t element_bits, std::span<const uint32_t> words,
                    std::span<uint32_t> codes) {
  constexpr std::array<int, 4> slot{0, 2, 1, 3};
  const uint32_t k = row_bytes * 8 / element_bits;
  const int registers = static_cast<int>(row_bytes) / 16 * (warp_rows / 8);
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < registers; ++r) {
      const layout::MatrixPlace at = layout::a_place(lane, r, 0);
      const uint32_t first = static_cast<uint32_t>(at.column) * 8 / element_bits;
      for (int warp = 0; warp < 4; ++warp)
        split_word(words[static_cast<size_t>(warp * 32 + lane) * 4 + slot[r]], element_bits,
                   &codes[static_cast<uint32_t>(warp * warp_rows + at.row) * k + first]);
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

namespace {

using spec::rule;

constexpr int warps = SparseRows::rows / 16, warp_rows = 16, most_kept = 64;

}  // namespace

SparseRows::SparseRows(const layout::SparsityRow& sparsity, int bits, int kept, int selector,
                       std::span<const uint32_t> words, const MmaBend* bend)
    : sparsity_(sparsity), bits_(bits), kept_(kept), groups_(kept / sparsity.kept), bend_(bend) {
  const auto bent_register = bend_ == nullptr ? nullptr : bend_->register_metadata;
  const auto bent_code = bend_ == nullptr ? nullptr : bend_->metadata_code;
  std::array<bool, 16> has_meaning{};
  for (uint8_t code = 0; code < has_meaning.size(); ++code) {
    has_meaning[code] = layout::has_meaning_in_registers(sparsity_, code);
    for (int i = 0; i < sparsity_.kept; ++i)
      met_[code][static_cast<size_t>(i)] = static_cast<uint8_t>(
          has_bent_places() ? bend_->met(sparsity_, code, i) : layout::met_element(sparsity_, code, i));
  }
  for (int inside = 0; inside < warp_rows; ++inside)
    for (int group = 0; group < groups_; ++group) {
      layout::MetadataRegister at = layout::metadata_register(bits_, groups_, selector, inside, group);
      if (bent_register != nullptr) at = bent_register({bits_, groups_, selector, inside, group}, at);
      for (int warp = 0; warp < warps; ++warp) {
        const int row = warp * warp_rows + inside;
        auto code =
            static_cast<uint8_t>(words[static_cast<size_t>(warp * 32 + at.lane)] >> 4 * at.nibble & 0xf);
        if (!has_meaning[code]) open_[static_cast<size_t>(row)] = 1;
        if (bent_code != nullptr) code = bent_code(sparsity_, code);
        codes_[static_cast<size_t>(row * groups_ + group)] = code;
      }
    }
}

template <typename Place>
void SparseRows::row_places(int row, Place* places) const {
  const auto groups = static_cast<size_t>(groups_), kept = static_cast<size_t>(sparsity_.kept);
  const uint8_t* const codes = &codes_[static_cast<size_t>(row) * groups];
  for (size_t group = 0, first = 0; group < groups; ++group, first += static_cast<size_t>(sparsity_.chunk))
    for (size_t i = 0; i < kept; ++i) *places++ = static_cast<Place>(first + met_[codes[group]][i]);
}

void SparseRows::places(std::vector<uint16_t>& places) const {
  places.resize(size_t{rows} * static_cast<size_t>(kept_));
  for (int row = 0; row < rows; ++row)
    row_places(row, &places[static_cast<size_t>(row) * static_cast<size_t>(kept_)]);
}

void SparseRows::meet(int row, std::span<const uint32_t> b, std::span<uint32_t> met) const {
  const auto kept = static_cast<size_t>(kept_), stored = 2 * kept;
  // Any code has two halves of elements ("h200", section on sparse operands); those with a meaning, one
  // element.
  if (meets_halves(row)) {
    for (size_t n = 0; n * stored < b.size(); ++n)
      for (size_t k = 0; k < kept; ++k) {
        const uint8_t code = codes_[static_cast<size_t>(row * groups_) + k];
        met[n * kept + k] = layout::met_halves(code, b[n * stored + 2 * k], b[n * stored + 2 * k + 1]);
      }
    return;
  }
  std::array<size_t, most_kept> places{};
  row_places(row, places.data());
  for (size_t n = 0; n * stored < b.size(); ++n)
    for (size_t k = 0; k < kept; ++k) met[n * kept + k] = b[n * stored + places[k]];
}

bool SparseRows::has_open_rows() const {
  return std::find(open_.begin(), open_.end(), 1) != open_.end();
}

void SparseRows::mark_rules(spec::RuleSet& rules) const {
  rules.set(rule("SPARSE-R01"));
  switch (sparsity_.kind) {
    case layout::SparsityKind::two_of_four:
      rules.set(rule("SPARSE-R02"));
      break;
    case layout::SparsityKind::one_of_two:
      rules.set(rule("SPARSE-R03"));
      break;
    case layout::SparsityKind::four_of_eight_pairs:
      rules.set(rule("SPARSE-R04"));
  }
  if (has_open_rows()) rules.set(rule("SPARSE-R10"));
  rules.set(bits_ >= 16 ? rule("SPARSE-R12") : rule("SPARSE-R13"));
}

void leave_rows_open(const SparseRows& sparse, const AccumulatorRegisters& shape, size_t words,
                     Openness& openness) {
  const auto columns = static_cast<size_t>(shape.columns());
  std::vector<uint32_t> matrix(static_cast<size_t>(shape.rows()) * columns), defined(words);
  for (int row = 0; row < shape.rows(); ++row)
    std::fill_n(matrix.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(row) * columns), columns,
                sparse.is_open(row) ? 0u : ~0u);
  registers_of_matrix(shape, matrix, defined);
  for (size_t i = 0; i < words; ++i)
    openness.defined[i] = openness.is_any ? openness.defined[i] & defined[i] : defined[i];
  openness.is_any = true;
}

}  // namespace assay::model
