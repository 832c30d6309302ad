// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/fragments.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <utility>

namespace assay::layout {
namespace {

// Anchors, read off the pictures of the documents.
TEST(Fragments, GoldenPlaces) {
  EXPECT_EQ(accumulator_place(0, 0), (MatrixPlace{0, 0}));
  EXPECT_EQ(accumulator_place(0, 3), (MatrixPlace{8, 1}));
  EXPECT_EQ(accumulator_place(5, 2), (MatrixPlace{9, 2}));
  EXPECT_EQ(accumulator_place(127, 127), (MatrixPlace{63, 255}));
  EXPECT_EQ(half_accumulator_place(37, 3, 1), (MatrixPlace{25, 11}));
  EXPECT_EQ(a_place(6, 1, 2), (MatrixPlace{9, 10}));
  EXPECT_EQ(a_place(6, 2, 0), (MatrixPlace{1, 24}));
  EXPECT_EQ(b_place(6, 1, 3), (MatrixPlace{1, 27}));
  EXPECT_EQ(f64_a_place(7, 3), (MatrixPlace{9, 7}));
  EXPECT_EQ(f64_b_place(7, 1), (MatrixPlace{1, 7}));
}

/// Every place of a rows x columns matrix exactly once.
void expect_bijection(int threads, int registers, int parts, int rows, int columns,
                      const std::function<MatrixPlace(int, int, int)>& place) {
  std::set<std::pair<int, int>> places;
  for (int thread = 0; thread < threads; ++thread)
    for (int r = 0; r < registers; ++r)
      for (int part = 0; part < parts; ++part) {
        const MatrixPlace one = place(thread, r, part);
        EXPECT_TRUE(one.row >= 0 && one.row < rows && one.column >= 0 && one.column < columns);
        EXPECT_TRUE(places.insert({one.row, one.column}).second) << thread << " " << r << " " << part;
      }
  EXPECT_EQ(places.size(), static_cast<size_t>(rows * columns));
}

TEST(Fragments, EveryElementHasOnePlace) {
  for (const int n : {8, 64, 256}) {
    expect_bijection(128, n / 2, 1, 64, n, [](int t, int r, int) { return accumulator_place(t, r); });
    expect_bijection(128, n / 4, 2, 64, n, half_accumulator_place);
  }
  expect_bijection(128, 4, 4, 64, 32, a_place);
  expect_bijection(32, 2, 4, 16, 16, a_place);
  for (const int registers : {1, 2, 4}) expect_bijection(32, registers, 4, 8, 16 * registers, b_place);
  for (const int k : {4, 8, 16}) {
    expect_bijection(32, k / 2, 1, 16, k, [](int t, int r, int) { return f64_a_place(t, r); });
    expect_bijection(32, k / 4, 1, 8, k, [](int t, int r, int) { return f64_b_place(t, r); });
  }
}

}  // namespace
}  // namespace assay::layout
