// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "reference/layout/fragments.h"
#include "reference/model/mma/bend.h"
#include "reference/model/warp_mma/case.h"
#include "reference/numerics/arithmetic.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/smem_desc.h"

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
[[gnu::always_inline]] inline void split_word(uint32_t word, uint32_t element_bits, uint32_t* codes) {
  // Two codes at a time: at -O1 loops of four or eight stay loops.
  const auto split_bytes = [codes](uint32_t four, size_t at) __attribute__((always_inline)) {
    const uint64_t low = (four & 0xff) | uint64_t{four & 0xff00} << 24;
    const uint64_t high = (four >> 16 & 0xff) | uint64_t{four >> 24} << 32;
    std::memcpy(codes + at, &low, sizeof low);
    std::memcpy(codes + at + 2, &high, sizeof high);
  };
  /// A byte for each of the low four halves of bytes.
  const auto spread = [](uint32_t half) {
    const uint32_t bytes = (half | half << 8) & 0x00ff00ff;
    return (bytes | bytes << 4) & 0x0f0f0f0f;
  };
  if (element_bits == 32) {
    codes[0] = word;
  } else if (element_bits == 16) {
    codes[0] = word & 0xffff, codes[1] = word >> 16;
  } else if (element_bits == 8) {
    split_bytes(word, 0);
  } else {
    split_bytes(spread(word & 0xffff), 0);
    split_bytes(spread(word >> 16), 4);
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

/// A column of B that is known, of 64 bytes.
std::array<uint32_t, 16> known_column(const KnownOperands& known);
/// Every line of `codes` holds the same k elements, those of `words`.
void repeat_known(std::span<const uint32_t> words, uint32_t element_bits, uint32_t k,
                  std::span<uint32_t> codes);

/// How the words of an operand pattern are made.
struct PatternWords {
  /// words[4 * i + j] = word first[i] + j.
  void (*quads)(const OperandPattern& pattern, std::span<const uint32_t> first, uint32_t* words);
  /// words[i] = word first + i.
  void (*range)(const OperandPattern& pattern, uint64_t first, std::span<uint32_t> words);
  /// words[t] = the metadata of thread t.
  void (*metadata)(const SparseA& sparse, std::span<uint32_t> words) = nullptr;
};

numerics::Types numeric_types(const MmaTypes& types, int k);
/// K of one wgmma of these types, 32 bytes: of a sparse A what it keeps.
constexpr int wgmma_k(const MmaTypes& types) {
  return 32 / static_cast<int>(element_bytes(types.a));
}

/// What a descriptor of the case says. The swizzle must be one that wgmma has.
spec::SmemMatrix smem_matrix(const MatrixInShared& matrix);

/// What a prediction with a bend does not say: `defined`, as many words as the output, is written where
/// `is_any`.
struct Openness {
  std::span<uint32_t> defined;
  bool is_any = false;
  bool leaves_window = false;  ///< an operand is read where the case says nothing of memory
};

/// The output of a legal case: register r of D of thread t in tile i is word (t * tiles + i) * registers + r,
/// as the case types say. `output` holds output_bytes() / 4 words. Returns the rules that the case exercises.
spec::RuleSet predict(const WgmmaCase& c, const spec::Readings& readings, const PatternWords& words,
                      std::span<uint32_t> output, Openness* openness = nullptr);
spec::RuleSet predict(const MmaSyncCase& c, const spec::Readings& readings, const PatternWords& words,
                      std::span<uint32_t> output, Openness* openness = nullptr);

/// The metadata of a sparse A in the registers of four warps, 16 rows each, as codes of its rows.
class SparseRows {
 public:
  static constexpr int rows = 64, most_groups = 16;
  /// bits: of an element of A in its register. kept: elements that A holds of a row, whole chunks. words: the
  /// registers of 128 threads. The bend, which may be null, outlives the object.
  SparseRows(const layout::SparsityRow& sparsity, int bits, int kept, int selector,
             std::span<const uint32_t> words, const MmaBend* bend);

  /// Of each column of B (2 * kept elements) those that the kept elements of a row meet: columns of kept.
  void meet(int row, std::span<const uint32_t> b, std::span<uint32_t> met) const;
  /// The same as places in a column of B, rows of kept. Not of rows that meet halves.
  void places(std::vector<uint16_t>& places) const;
  /// Whether kept elements of the row meet halves of two elements, which no place has.
  bool meets_halves(int row) const {
    const bool has_bent_codes = bend_ != nullptr && bend_->metadata_code != nullptr;
    return sparsity_.kind == layout::SparsityKind::one_of_two && !has_bent_places() &&
           (has_bent_codes || is_open(row));
  }
  void mark_rules(spec::RuleSet&) const;
  /// Whether a code of the row is one that no document gives a meaning: what the row multiplies is open.
  bool is_open(int row) const { return open_[static_cast<size_t>(row)] != 0; }
  bool has_open_rows() const;

 private:
  bool has_bent_places() const { return bend_ != nullptr && bend_->met != nullptr; }
  /// Places of the kept elements of a row.
  template <typename Place>
  void row_places(int row, Place* places) const;

  const layout::SparsityRow& sparsity_;
  int bits_, kept_, groups_;
  const MmaBend* bend_;
  std::array<std::array<uint8_t, 4>, 16> met_{};   ///< of each code, which elements of its chunk
  std::array<uint8_t, rows * most_groups> codes_;  ///< rows of groups
  std::array<uint8_t, rows> open_{};               ///< of each row
};

/// Rows with a code that has no meaning have no result; all others have theirs, as far as the openness says.
/// words: of the output.
void leave_rows_open(const SparseRows& sparse, const AccumulatorRegisters& shape, size_t words,
                     Openness& openness);

}  // namespace assay::model
