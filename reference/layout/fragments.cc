// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/fragments.h"

namespace assay::layout {
namespace {

/// Four threads share a row: `row` of the eight, `quarter` of the row.
struct Lane {
  int first_row, row, quarter;
  explicit Lane(int thread) : first_row(thread / 32 * 16), row(thread % 32 / 4), quarter(thread % 4) {}
};

}  // namespace

MatrixPlace accumulator_place(int thread, int i) {
  const Lane lane(thread);
  return {lane.first_row + lane.row + i / 2 % 2 * 8, i / 4 * 8 + lane.quarter * 2 + i % 2};
}

MatrixPlace half_accumulator_place(int thread, int i, int half) {
  const Lane lane(thread);
  return {lane.first_row + lane.row + i % 2 * 8, i / 2 * 8 + lane.quarter * 2 + half};
}

MatrixPlace a_place(int thread, int r, int j) {
  const Lane lane(thread);
  return {lane.first_row + lane.row + r % 2 * 8, lane.quarter * 4 + r / 2 * 16 + j};
}

MatrixPlace b_place(int lane, int r, int j) {
  return {Lane(lane).row, Lane(lane).quarter * 4 + r * 16 + j};
}

MatrixPlace f64_a_place(int lane, int r) {
  return {Lane(lane).row + r % 2 * 8, Lane(lane).quarter + r / 2 * 4};
}

MatrixPlace f64_b_place(int lane, int r) {
  return {Lane(lane).row, Lane(lane).quarter + r * 4};
}

uint32_t scale_thread_of_row(uint32_t row, uint32_t thread_id) {
  const uint32_t warp = row / 16, quad = row % 8, second = row % 16 / 8;
  return warp * 32 + quad * 4 + thread_id * 2 + second;
}
uint32_t scale_lane_of_column(uint32_t column, uint32_t thread_id) {
  return column * 4 + thread_id;
}

}  // namespace assay::layout
