// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "reference/layout/tmem.h"
#include "reference/model/as_if.h"
#include "reference/model/mma/bends.h"
#include "reference/model/tmem/copy_case.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/spec/rules.h"

/// Bends of copies into tensor memory and of shifts within it.
namespace assay::suites {
namespace {

using model::as_if, model::Bend, model::TmemCopyBend;
using spec::rule;

template <uint32_t shape, int flip>
int lane_moved(uint32_t of, int, int, int right) {
  return of == shape ? right ^ flip : right;
}
template <uint32_t shape, int flip>
int row_moved(uint32_t of, int right) {
  return of == shape ? right ^ flip : right;
}
template <uint32_t shape>
int last_row_left_out(uint32_t of, int right) {
  return of == shape && right == layout::tmem_copy_shapes[shape].rows - 1 ? right - 1 : right;
}
template <uint32_t shape, int flip>
int word_moved(uint32_t of, int right) {
  return of == shape ? right ^ flip : right;
}
/// Beyond all lanes: nothing is written.
constexpr int nowhere = 1 << 20;
template <uint32_t shape, int left_out>
int copy_left_out(uint32_t of, int, int copy, int right) {
  return of == shape && copy == left_out ? nowhere : right;
}
template <uint32_t shape, bool last>
int row_left_out(uint32_t of, int row, int, int right) {
  const int edge = last ? layout::tmem_copy_shapes[shape].rows - 1 : 0;
  return of == shape && row == edge ? nowhere : right;
}
template <uint32_t shape, uint32_t as>
int lanes_as(uint32_t of, int row, int copy, int right) {
  return of == shape ? layout::tmem_copy_lanes(as, row)[static_cast<size_t>(copy)] : right;
}
template <int width>
uint32_t within_low_bits(int bits, uint32_t code, uint32_t right) {
  return bits == width ? code : right;
}
template <int width, int shift>
uint32_t shifted_up(int bits, uint32_t code, uint32_t right) {
  return bits == width ? code << shift : right;
}
template <int width>
bool takes_bytes(int bits) {
  return bits != width;
}

constexpr Bend rows[] = {
    as_if("TCP-R01", "the last row of 128x256b were the one before", &TmemCopyBend::row,
          last_row_left_out<0>),
    as_if("TCP-R01", "the halves of a row of 128x256b were swapped", &TmemCopyBend::word, word_moved<0, 4>),
    as_if("TCP-R01", "neighbouring rows of 128x256b were swapped", &TmemCopyBend::row, row_moved<0, 1>),
    as_if("TCP-R01", "the halves of the lanes of 128x256b were swapped", &TmemCopyBend::lane,
          lane_moved<0, 64>),
    as_if("TCP-R01", "the last row of 128x128b were the one before", &TmemCopyBend::row,
          last_row_left_out<2>),
    as_if("TCP-R01", "the halves of a row of 128x128b were swapped", &TmemCopyBend::word, word_moved<2, 2>),
    as_if("TCP-R01", "neighbouring rows of 128x128b were swapped", &TmemCopyBend::row, row_moved<2, 1>),
    as_if("TCP-R01", "the halves of the lanes of 128x128b were swapped", &TmemCopyBend::lane,
          lane_moved<2, 64>),
    as_if("TCP-R01", "the last row of 128x256b were not written", &TmemCopyBend::lane, row_left_out<0, true>),
    as_if("TCP-R01", "the first row of 128x256b were not written", &TmemCopyBend::lane,
          row_left_out<0, false>),
    as_if("TCP-R01", "the last row of 128x128b were not written", &TmemCopyBend::lane, row_left_out<2, true>),
    as_if("TCP-R01", "the first row of 128x128b were not written", &TmemCopyBend::lane,
          row_left_out<2, false>),
    as_if("TCP-R02", "the last row of 4x256b were the one before", &TmemCopyBend::row, last_row_left_out<1>),
    as_if("TCP-R02", "rows of 4x256b went to neighbouring lanes", &TmemCopyBend::lane,
          [](uint32_t shape, int row, int, int right) { return shape == 1 ? row : right; }),
    as_if("TCP-R02", "neighbouring rows of 4x256b were swapped", &TmemCopyBend::row, row_moved<1, 1>),
    as_if("TCP-R02", "the halves of a row of 4x256b were swapped", &TmemCopyBend::word, word_moved<1, 4>),
    as_if("TCP-R03", "::02_13 were ::01_23", &TmemCopyBend::lane,
          lanes_as<layout::copy_of_02_13, layout::copy_of_01_23>),
    as_if("TCP-R03", "the halves of the rows of ::02_13 were swapped", &TmemCopyBend::row,
          row_moved<layout::copy_of_02_13, 32>),
    as_if("TCP-R03", "the second warp of ::02_13 received nothing", &TmemCopyBend::lane,
          copy_left_out<layout::copy_of_02_13, 1>),
    as_if("TCP-R03", "the last row of ::02_13 were the one before", &TmemCopyBend::row,
          last_row_left_out<layout::copy_of_02_13>),
    as_if("TCP-R04", "::01_23 were ::02_13", &TmemCopyBend::lane,
          lanes_as<layout::copy_of_01_23, layout::copy_of_02_13>),
    as_if("TCP-R04", "the halves of the rows of ::01_23 were swapped", &TmemCopyBend::row,
          row_moved<layout::copy_of_01_23, 32>),
    as_if("TCP-R04", "the second warp of ::01_23 received nothing", &TmemCopyBend::lane,
          copy_left_out<layout::copy_of_01_23, 1>),
    as_if("TCP-R04", "the last row of ::01_23 were the one before", &TmemCopyBend::row,
          last_row_left_out<layout::copy_of_01_23>),
    as_if("TCP-R06", "6-bit elements were copied as they are", &TmemCopyBend::decompresses, takes_bytes<6>),
    as_if("TCP-R06", "6-bit elements went to the upper bits", &TmemCopyBend::element, shifted_up<6, 2>),
    as_if("TCP-R06", "6-bit elements lost their sign", &TmemCopyBend::element,
          [](int bits, uint32_t, uint32_t right) { return bits == 6 ? right & 0x1f : right; }),
    as_if("TCP-R06", "a 6-bit element of all ones were zero", &TmemCopyBend::element,
          [](int bits, uint32_t code, uint32_t right) { return bits == 6 && code == 0x3f ? 0 : right; }),
    as_if("TCP-R06", "6-bit elements of minus zero were zero", &TmemCopyBend::element,
          [](int bits, uint32_t code, uint32_t right) { return bits == 6 && code == 0x20 ? 0 : right; }),
    as_if("TCP-R07", "4-bit elements were copied as they are", &TmemCopyBend::decompresses, takes_bytes<4>),
    as_if("TCP-R07", "4-bit elements went to the lowest bits", &TmemCopyBend::element, within_low_bits<4>),
    as_if("TCP-R07", "4-bit elements went to the upper bits", &TmemCopyBend::element, shifted_up<4, 4>),
    as_if("TCP-R07", "a 4-bit element of minus zero were zero", &TmemCopyBend::element,
          [](int bits, uint32_t code, uint32_t right) { return bits == 4 && code == 8 ? 0 : right; }),
    as_if("TCP-R10", "a copy behind a shift came first", &TmemCopyBend::moves_overtake, true),
    as_if("TCP-R11", "rows were shifted up", &TmemCopyBend::shifted,
          [](int lane, int) { return lane == 0 ? 0 : lane - 1; }),
    as_if("TCP-R11", "the last lane received the first one's cells", &TmemCopyBend::shifted,
          [](int lane, int) { return (lane + 1) % 32; }),
    as_if("TCP-R11", "rows were shifted by two", &TmemCopyBend::shifted,
          [](int lane, int) { return lane + 2 < 32 ? lane + 2 : 31; }),
    as_if("TCP-R11", "the last partition were not shifted", &TmemCopyBend::shifts,
          [](int partition) { return partition != 3; }),
    as_if("TCP-R11", "the first partition alone were shifted", &TmemCopyBend::shifts,
          [](int partition) { return partition == 0; }),
    as_if("TCP-R11", "nothing were shifted", &TmemCopyBend::shifts, [](int) { return false; }),
    as_if("TCP-R11", "four columns were shifted", &TmemCopyBend::shifted_columns, [](int) { return 4; }),
    as_if("TCP-R11", "seven columns were shifted", &TmemCopyBend::shifted_columns, [](int) { return 7; }),
};

}  // namespace

std::span<const Bend> tmem_copy_bends() {
  static const std::vector<Bend> all = [] {
    std::vector<Bend> made(std::begin(rows), std::end(rows));
    for (const Bend& bend : model::scale_copy_bends())
      if (!bend.tmem_copy.products_overtake) made.push_back(bend);
    for (const Bend& bend : model::smem_bends())
      if (bend.mma.transposed == nullptr && bend.rule != rule("SMEM-R20")) made.push_back(bend);
    return made;
  }();
  return all;
}

}  // namespace assay::suites

/// Bends of copies of scales and metadata, of whose shared memory copies read, and of products behind them.
namespace assay::model {
namespace {

/// Beyond all lanes: nothing is written.
constexpr int nowhere = 1 << 20;

bool is_it(uint32_t shape) {
  return shape == scale_copy_shape;
}
template <int left_out>
int without_warp(uint32_t shape, int, int copy, int right) {
  return is_it(shape) && copy == left_out ? nowhere : right;
}
template <int left_out>
int without_row(uint32_t shape, int row, int, int right) {
  return is_it(shape) && row == left_out ? nowhere : right;
}
template <int flip>
int moved(uint32_t shape, int right) {
  return is_it(shape) ? right ^ flip : right;
}
template <int by>
uint32_t column_moved(uint32_t shape, uint32_t right) {
  return is_it(shape) ? right + static_cast<uint32_t>(by) : right;
}
template <uint32_t unit>
uint32_t column_cut(uint32_t shape, uint32_t right) {
  return is_it(shape) ? right / unit * unit : right;
}
template <uint32_t columns>
uint32_t column_wraps(uint32_t shape, uint32_t right) {
  return is_it(shape) ? right % columns : right;
}

constexpr Bend scale_copy_rows[] = {
    as_if("TCP-R05", "the last warp of .warpx4 received nothing", &TmemCopyBend::lane, without_warp<3>),
    as_if("TCP-R05", "the third warp of .warpx4 received nothing", &TmemCopyBend::lane, without_warp<2>),
    as_if("TCP-R05", "the second warp of .warpx4 received nothing", &TmemCopyBend::lane, without_warp<1>),
    as_if("TCP-R05", "the first warp of .warpx4 received nothing", &TmemCopyBend::lane, without_warp<0>),
    as_if(
        "TCP-R05", "the first warp of .warpx4 alone received its rows", &TmemCopyBend::lane,
        [](uint32_t shape, int, int copy, int right) { return is_it(shape) && copy != 0 ? nowhere : right; }),
    as_if("TCP-R05", "the last row of 32x128b were not written", &TmemCopyBend::lane, without_row<31>),
    as_if("TCP-R05", "the first row of 32x128b were not written", &TmemCopyBend::lane, without_row<0>),
    as_if("TCP-R05", "neighbouring rows of 32x128b were swapped", &TmemCopyBend::row, moved<1>),
    as_if("TCP-R05", "the last row of 32x128b were the one before", &TmemCopyBend::row,
          [](uint32_t shape, int right) { return is_it(shape) && right == 31 ? 30 : right; }),
    as_if("TCP-R05", "the halves of a row of 32x128b were swapped", &TmemCopyBend::word, moved<2>),
    as_if("TCP-R05", "neighbouring words of 32x128b were swapped", &TmemCopyBend::word, moved<1>),
    as_if("TCP-R05", "32x128b began at a multiple of 4 columns", &TmemCopyBend::column, column_cut<4>),
    as_if("TCP-R05", "32x128b began one column on", &TmemCopyBend::column, column_moved<1>),
    as_if("TCP-R05", "32x128b began one column before", &TmemCopyBend::column, column_moved<-1>),
    as_if("TCP-R05", "32x128b dropped the highest bit of its column", &TmemCopyBend::column,
          column_wraps<256>),
    as_if("TCP-R04", "the second half of the rows of .warpx2::01_23 were the first", &TmemCopyBend::row,
          [](uint32_t shape, int right) { return shape == layout::copy_of_01_23 ? right % 32 : right; }),
    as_if("TCP-R04", "the halves of the rows of .warpx2::01_23 were swapped", &TmemCopyBend::row,
          [](uint32_t shape, int right) { return shape == layout::copy_of_01_23 ? right ^ 32 : right; }),
    as_if("TCP-R01", "the last warp of 128x128b received nothing", &TmemCopyBend::lane,
          [](uint32_t shape, int row, int, int right) {
            return shape == metadata_copy_shape && row >= 96 ? nowhere : right;
          }),
    as_if("TCP-R01", "the last row of 128x128b were not written", &TmemCopyBend::lane,
          [](uint32_t shape, int row, int, int right) {
            return shape == metadata_copy_shape && row == 127 ? nowhere : right;
          }),
    as_if(
        "TCP-R01", "128x128b began at a multiple of 4 columns", &TmemCopyBend::column,
        [](uint32_t shape, uint32_t right) { return shape == metadata_copy_shape ? right / 4 * 4 : right; }),
    as_if("TCP-R01", "the halves of a row of 128x128b were swapped", &TmemCopyBend::word,
          [](uint32_t shape, int right) { return shape == metadata_copy_shape ? right ^ 2 : right; }),
    as_if("TCP-R08", "the CTAs of a pair were swapped", &TmemCopyBend::source_cta,
          [](uint32_t, int right) { return right ^ 1; }),
    as_if("TCP-R08", "both CTAs copied from the even one", &TmemCopyBend::source_cta,
          [](uint32_t, int) { return 0; }),
    as_if("TCP-R08", "both CTAs copied 32x128b from the even one", &TmemCopyBend::source_cta,
          [](uint32_t shape, int right) { return is_it(shape) ? 0 : right; }),
    as_if("TCP-R08", "both CTAs copied 128x128b from the even one", &TmemCopyBend::source_cta,
          [](uint32_t shape, int right) { return shape == metadata_copy_shape ? 0 : right; }),
    as_if("TCP-R08", "both CTAs copied from the odd one", &TmemCopyBend::source_cta,
          [](uint32_t, int) { return 1; }),
    as_if("TCP-R13", "products came before the copies of their scales and metadata",
          &TmemCopyBend::products_overtake, true),
};

}  // namespace

std::span<const Bend> scale_copy_bends() {
  return scale_copy_rows;
}

}  // namespace assay::model
