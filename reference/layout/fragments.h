// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/layout/tmem.h"
#include "reference/spec/field.h"
#include "reference/spec/formats.h"

namespace assay::layout {

/// Where elements of wgmma and mma.sync lie in the registers of a warp (wgmma: four warps, warp w of the
/// group has rows 16w to 16w + 15). Rows of A and columns of B are counted in bytes, low k in low bits; so
/// one formula serves every element width.
inline constexpr spec::Cite fragments_cite{"h200", "wgmma and mma.sync, registers"};

struct MatrixPlace {
  int row;     ///< of A, C or D; column of B
  int column;  ///< column of C or D; byte of the row of A or of the column of B
  friend bool operator==(const MatrixPlace&, const MatrixPlace&) = default;
};

/// C and D of 32 bits: register i of a thread, 0 to 127 of a warp group or 0 to 31 of a warp. mma.sync m16n8
/// has registers 0 to 3, wgmma N / 2.
MatrixPlace accumulator_place(int thread, int i);
/// C and D of f16: half 0 is the low one.
MatrixPlace half_accumulator_place(int thread, int i, int half);
/// Byte j of register r of A: a row of 32 bytes has 4 registers, of 16 bytes (mma.sync) 2. Sparse: kept
/// elements.
MatrixPlace a_place(int thread, int r, int j);
/// Byte j of register r of B of mma.sync m16n8; sparse ones have twice the registers.
MatrixPlace b_place(int lane, int r, int j);

/// Block-scaled mma.sync: the thread of four warps (row 0 to 63 of A) and the lane of a warp (column 0 to 7
/// of B) whose word holds the scales of the line. (ptx, block scaling for mma.sync; cutlass,
/// mma_traits_sm120.hpp) thread-id-a is 0 or 1, thread-id-b 0 to 3.
uint32_t scale_thread_of_row(uint32_t row, uint32_t thread_id);
uint32_t scale_lane_of_column(uint32_t column, uint32_t thread_id);

/// mma.sync on f64: row and k of register r of A, column and k of B. C and D as accumulator_place.
MatrixPlace f64_a_place(int lane, int r);
MatrixPlace f64_b_place(int lane, int r);

/// What the documents leave open about scale factors in tensor memory.
struct ScaleReadings {
  /// Where each CTA of a pair has 64 rows of A.
  enum class RowsOf64 : uint8_t { as_of_128, two_columns, one_column } rows_of_64 = RowsOf64::as_of_128;
  /// Layout B: each half of the lanes has the scales of its half of N; else all have those of all columns.
  bool halves_of_n = true;
};

/// A byte of a cell of tensor memory: one scale factor. The column counts from that of the operand's address.
struct ScalePlace {
  int lane, column, byte;
  friend bool operator==(const ScalePlace&, const ScalePlace&) = default;
};

/// Places of one scale, of which there are few.
class ScalePlaces {
 public:
  void add(const ScalePlace& place) { places_[count_++] = place; }
  const ScalePlace& front() const { return places_[0]; }
  const ScalePlace& operator[](size_t i) const { return places_[i]; }
  size_t size() const { return count_; }
  const ScalePlace* begin() const { return places_.data(); }
  const ScalePlace* end() const { return places_.data() + count_; }

 private:
  std::array<ScalePlace, 4> places_{};  ///< one in each partition of lanes at most
  size_t count_ = 0;
};

/// Columns from one group of four scales to the next.
int a_scale_group(const DLayoutRow& layout, const ScaleReadings& readings = {});
int b_scale_group(const DLayoutRow& layout, int n_count, const ScaleReadings& readings = {});

/// Every place of scale `position` of a row of A within its CTA: one in each partition of 32 lanes that must
/// hold it. Positions count along K from byte 0 of the cell at the address.
ScalePlaces a_scale_places(const DLayoutRow& layout, int row, int position,
                           const ScaleReadings& readings = {});
/// The same of column n of B. Every CTA of a pair has those of all columns.
ScalePlaces b_scale_places(const DLayoutRow& layout, int n, int n_count, int position,
                           const ScaleReadings& readings = {});

/// How a sparse A says which elements of B it multiplies: of every chunk of B along k the metadata has a code
/// of 4 bits, which names the elements that the kept elements of A meet.
enum class SparsityKind : uint8_t {
  two_of_four,         ///< bits 1:0 the place of the first, bits 3:2 that of the second
  one_of_two,          ///< tf32: the same code on the halves of two elements
  four_of_eight_pairs  ///< 4 bits: places of pairs, each of two neighbours
};
struct SparsityRow {
  SparsityKind kind;
  std::string_view name;
  int chunk;  ///< elements of B for which there is one code
  int kept;   ///< elements of A that stand for them
  /// Codes that the documents give a meaning.
  std::array<uint8_t, 7> codes;  ///< unused entries repeat the first
  spec::Cite cite;
};
inline constexpr spec::Cite sparsity_cite{"ptx", "tcgen05, sparse matrices"};
inline constexpr std::array<SparsityRow, 3> sparsities{{
    {SparsityKind::two_of_four,
     "2:4",
     4,
     2,
     {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110},
     sparsity_cite},
    {SparsityKind::one_of_two,
     "1:2",
     2,
     1,
     {0b0100, 0b1110, 0b0100, 0b0100, 0b0100, 0b0100, 0b0100},
     sparsity_cite},
    {SparsityKind::four_of_eight_pairs,
     "4:8",
     8,
     4,
     {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110},
     {"h200", "SP-02"}},
}};

/// That of A elements of a format: 1:2 of 32 bits, pairs of 4 where they are packed two a byte, else 2:4.
const SparsityRow& sparsity_of(const spec::Format& a, bool packs_nibbles);

bool is_listed_code(const SparsityRow&, uint32_t code);
/// Of mma.sp and wgmma.sp, under either spelling: places that ascend.
bool has_meaning_in_registers(const SparsityRow&, uint32_t code);
/// Of a list of eight codes each that is another, those of the low bits first; and their text, "0100 1110".
std::vector<uint32_t> codes_of(uint32_t list);
std::string code_words(uint32_t list);
/// Its four bits, "1001".
std::string code_text(uint32_t code);
/// "2:4 code 1001".
std::string code_name(const SparsityRow&, uint32_t code);

/// The element of the chunk that kept element i meets; tf32: by the upper half of its place.
int met_element(const SparsityRow&, uint32_t code, int i);

/// Of tf32 any code says which half stands where: what a kept element meets is made of halves of both
/// elements of its chunk ("h200", section on sparse operands).
uint32_t met_halves(uint32_t code, uint32_t first, uint32_t second);

/// Where a code is in the metadata registers of a warp of mma.sp, or of each warp of wgmma.sp. bits: of an
/// element of A; groups: codes of a row.
struct MetadataRegister {
  int lane;
  int nibble;  ///< 0 the lowest
};
MetadataRegister metadata_register(int bits, int groups, int selector, int row, int group);

/// Where bit b of the codes of a row of A lies in tensor memory: codes in order, the first in the lowest
/// bits. row: of the CTA; fold: the group of lanes that reads it; column: 0 or 1 from the even column of the
/// address. interleaved: kinds f16 and tf32, where 32 bits of a row take half of two cells in one column, the
/// one that the selector names.
TmemPlace metadata_place(const DLayoutRow& layout, bool interleaved, int selector, int row, int b, int fold,
                         int lane_base = 0);

}  // namespace assay::layout
