// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/fragments.h"

#include <algorithm>

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

namespace {

constexpr int lanes_of_partition = 32, partitions = 4, scales_of_cell = 4;

bool has_64_rows(const DLayoutRow& layout) {
  return layout.m / layout.cta_group == 64;
}

ScalePlace place_in(int partition, int line, int position, int group) {
  return {partition * lanes_of_partition + line % lanes_of_partition,
          position / scales_of_cell * group + line / lanes_of_partition, position % scales_of_cell};
}

}  // namespace

int a_scale_group(const DLayoutRow& layout, const ScaleReadings& readings) {
  return has_64_rows(layout) && readings.rows_of_64 == ScaleReadings::RowsOf64::two_columns ? 2 : 4;
}

int b_scale_group(const DLayoutRow& layout, int n_count, const ScaleReadings& readings) {
  const bool halved = layout.folds == 2 && readings.halves_of_n;
  return (halved ? n_count / 2 : n_count) > 128 ? 8 : 4;
}

ScalePlaces a_scale_places(const DLayoutRow& layout, int row, int position, const ScaleReadings& readings) {
  const int group = a_scale_group(layout, readings);
  ScalePlaces places;
  if (has_64_rows(layout) && readings.rows_of_64 == ScaleReadings::RowsOf64::one_column) {
    for (int half = 0; half < partitions; half += 2)
      places.add(place_in(half + row / lanes_of_partition, row % lanes_of_partition, position, group));
    return places;
  }
  for (int partition = 0; partition < partitions; ++partition)
    places.add(place_in(partition, row, position, group));
  return places;
}

ScalePlaces b_scale_places(const DLayoutRow& layout, int n, int n_count, int position,
                           const ScaleReadings& readings) {
  const int group = b_scale_group(layout, n_count, readings);
  ScalePlaces places;
  if (layout.folds == 2 && readings.halves_of_n) {
    const int columns = n_count / 2, half = n / columns;
    for (const int partition : {2 * half, 2 * half + 1})
      places.add(place_in(partition, n % columns, position, group));
    return places;
  }
  for (int partition = 0; partition < partitions; ++partition)
    places.add(place_in(partition, n, position, group));
  return places;
}

const SparsityRow& sparsity_of(const spec::Format& a, bool packs_nibbles) {
  if (a.storage_bits == 32) return sparsities[1];
  return a.storage_bits == 4 && packs_nibbles ? sparsities[2] : sparsities[0];
}

bool is_listed_code(const SparsityRow& row, uint32_t code) {
  return std::find(row.codes.begin(), row.codes.end(), code) != row.codes.end();
}

bool has_meaning_in_registers(const SparsityRow& row, uint32_t code) {
  return is_listed_code(row, code) && (code & 3) < code >> 2;
}

std::vector<uint32_t> codes_of(uint32_t list) {
  std::vector<uint32_t> codes;
  for (int i = 0; i < 8; ++i) {
    const uint32_t code = list >> 4 * i & 0xf;
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
  }
  return codes;
}

std::string code_words(uint32_t list) {
  std::string text;
  for (const uint32_t code : codes_of(list)) text += (text.empty() ? "" : " ") + code_text(code);
  return text;
}

std::string code_text(uint32_t code) {
  std::string text;
  for (int bit = 3; bit >= 0; --bit) text += (code >> bit & 1) != 0 ? '1' : '0';
  return text;
}

std::string code_name(const SparsityRow& row, uint32_t code) {
  return std::string(row.name) + " code " + code_text(code);
}

int met_element(const SparsityRow& row, uint32_t code, int i) {
  switch (row.kind) {
    case SparsityKind::two_of_four:
      return static_cast<int>(code >> 2 * i & 3);
    case SparsityKind::one_of_two:
      return static_cast<int>(code >> 3 & 1);
    case SparsityKind::four_of_eight_pairs:
      break;
  }
  return 2 * static_cast<int>(code >> i / 2 * 2 & 3) + i % 2;
}

uint32_t met_halves(uint32_t code, uint32_t first, uint32_t second) {
  const uint32_t halves[] = {first & 0xffff, first >> 16, second & 0xffff, second >> 16};
  return halves[code >> 2 & 3] << 16 | halves[code & 3];
}

MetadataRegister metadata_register(int bits, int groups, int selector, int row, int group) {
  const int lane = row % 8 * 4, is_lower = row / 8;
  // Elements of 16 and 32 bits: four codes of both rows that a lane has.
  if (bits >= 16)
    return {lane + (groups == 4 ? selector : 2 * selector + group / 4), is_lower * 4 + group % 4};
  // Narrower ones: eight codes of one row.
  if (groups == 8) return {lane + 2 * selector + is_lower, group};
  return {lane + is_lower + group / 8 * 2, group % 8};
}

TmemPlace metadata_place(const DLayoutRow& layout, bool interleaved, int selector, int row, int b, int fold,
                         int lane_base) {
  const int rows = layout.m / layout.cta_group, block = row / 16, inside = row % 16;
  const int first = layout.half_of_lanes ? lane_base + block * 32 : block * 16;
  const int lane = first + fold * rows;
  if (!interleaved) return {0, lane + inside, b / 32, b % 32};
  return {0, lane + inside % 8 + 8 * (b / 16), selector, b % 16 + 16 * (inside / 8)};
}

}  // namespace assay::layout
