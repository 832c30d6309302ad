// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/scale_copy.h"
#include "reference/spec/rules.h"

/// Bends of copies of scales and metadata, of whose shared memory copies read, and of products behind them.
namespace assay::model {
namespace {

using spec::rule;

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

// clang-format off
constexpr Bend scale_copy_rows[] = {
    {.rule = rule("TCP-R05"), .words = "the last warp of .warpx4 received nothing",
     .tmem_copy = {.lane = without_warp<3>}},
    {.rule = rule("TCP-R05"), .words = "the third warp of .warpx4 received nothing",
     .tmem_copy = {.lane = without_warp<2>}},
    {.rule = rule("TCP-R05"), .words = "the second warp of .warpx4 received nothing",
     .tmem_copy = {.lane = without_warp<1>}},
    {.rule = rule("TCP-R05"), .words = "the first warp of .warpx4 received nothing",
     .tmem_copy = {.lane = without_warp<0>}},
    {.rule = rule("TCP-R05"), .words = "the first warp of .warpx4 alone received its rows",
     .tmem_copy = {.lane = [](uint32_t shape, int, int copy, int right) { return is_it(shape) && copy != 0
         ? nowhere : right; }}},
    {.rule = rule("TCP-R05"), .words = "the last row of 32x128b were not written",
     .tmem_copy = {.lane = without_row<31>}},
    {.rule = rule("TCP-R05"), .words = "the first row of 32x128b were not written",
     .tmem_copy = {.lane = without_row<0>}},
    {.rule = rule("TCP-R05"), .words = "neighbouring rows of 32x128b had changed places",
     .tmem_copy = {.row = moved<1>}},
    {.rule = rule("TCP-R05"), .words = "the last row of 32x128b were the one before",
     .tmem_copy = {.row = [](uint32_t shape, int right) { return is_it(shape) && right == 31 ? 30
         : right; }}},
    {.rule = rule("TCP-R05"), .words = "the halves of a row of 32x128b had changed places",
     .tmem_copy = {.word = moved<2>}},
    {.rule = rule("TCP-R05"), .words = "neighbouring words of 32x128b had changed places",
     .tmem_copy = {.word = moved<1>}},
    {.rule = rule("TCP-R05"), .words = "32x128b began at a multiple of 4 columns",
     .tmem_copy = {.column = column_cut<4>}},
    {.rule = rule("TCP-R05"), .words = "32x128b began one column on",
     .tmem_copy = {.column = column_moved<1>}},
    {.rule = rule("TCP-R05"), .words = "32x128b began one column before",
     .tmem_copy = {.column = column_moved<-1>}},
    {.rule = rule("TCP-R05"), .words = "32x128b dropped the highest bit of its column",
     .tmem_copy = {.column = column_wraps<256>}},
    {.rule = rule("TCP-R04"), .words = "the second half of the rows of .warpx2::01_23 were the first",
     .tmem_copy = {.row = [](uint32_t shape, int right) { return shape == layout::copy_of_01_23 ? right % 32
         : right; }}},
    {.rule = rule("TCP-R04"), .words = "the halves of the rows of .warpx2::01_23 had changed places",
     .tmem_copy = {.row = [](uint32_t shape, int right) { return shape == layout::copy_of_01_23 ? right ^ 32
         : right; }}},
    {.rule = rule("TCP-R01"), .words = "the last warp of 128x128b received nothing",
     .tmem_copy = {.lane = [](uint32_t shape, int row, int, int right) { return shape == metadata_copy_shape
         && row >= 96 ? nowhere : right; }}},
    {.rule = rule("TCP-R01"), .words = "the last row of 128x128b were not written",
     .tmem_copy = {.lane = [](uint32_t shape, int row, int, int right) { return shape == metadata_copy_shape
         && row == 127 ? nowhere : right; }}},
    {.rule = rule("TCP-R01"), .words = "128x128b began at a multiple of 4 columns",
     .tmem_copy = {.column = [](uint32_t shape, uint32_t right) { return shape == metadata_copy_shape
         ? right / 4 * 4 : right; }}},
    {.rule = rule("TCP-R01"), .words = "the halves of a row of 128x128b had changed places",
     .tmem_copy = {.word = [](uint32_t shape, int right) { return shape == metadata_copy_shape ? right ^ 2
         : right; }}},
    {.rule = rule("TCP-R08"), .words = "the CTAs of a pair had changed places",
     .tmem_copy = {.source_cta = [](uint32_t, int right) { return right ^ 1; }}},
    {.rule = rule("TCP-R08"), .words = "both CTAs copied from the even one",
     .tmem_copy = {.source_cta = [](uint32_t, int) { return 0; }}},
    {.rule = rule("TCP-R08"), .words = "both CTAs copied 32x128b from the even one",
     .tmem_copy = {.source_cta = [](uint32_t shape, int right) { return is_it(shape) ? 0 : right; }}},
    {.rule = rule("TCP-R08"), .words = "both CTAs copied 128x128b from the even one",
     .tmem_copy = {.source_cta = [](uint32_t shape, int right) { return shape == metadata_copy_shape ? 0
         : right; }}},
    {.rule = rule("TCP-R08"), .words = "both CTAs copied from the odd one",
     .tmem_copy = {.source_cta = [](uint32_t, int) { return 1; }}},
    {.rule = rule("TCP-R13"), .words = "products came before the copies of their scales and metadata",
     .tmem_copy = {.products_overtake = true}},
};
// clang-format on

}  // namespace

std::span<const Bend> scale_copy_bends() {
  return scale_copy_rows;
}

}  // namespace assay::model
