// SPDX-License-Identifier: Apache-2.0
#include "reference/model/warp_mma/mma_sync_f64.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string_view>
#include <vector>

namespace assay::model {
namespace {

std::vector<uint64_t> codes(const std::vector<double>& values) {
  std::vector<uint64_t> made;
  for (const double value : values) made.push_back(std::bit_cast<uint64_t>(value));
  return made;
}

/// A row of A and a column of B by which an altered chain is told from the right one.
struct Chain {
  std::string_view words;
  std::vector<uint64_t> a, b;
  double c;
  uint64_t expected;
};
const double near_one = 1 + 0x1p-30, huge = 0x1p53;
const double infinite = std::numeric_limits<double>::infinity();
const Chain chains[] = {
    {"each product were rounded before it is added", codes({near_one}), codes({near_one}), -1,
     std::bit_cast<uint64_t>(0x1p-29)},
    {"each finite product were rounded before it is added", codes({near_one}), codes({near_one}), -1,
     std::bit_cast<uint64_t>(0x1p-29)},
    {"k went down", codes({1, huge, -huge}), codes({1, 1, 1}), 0, std::bit_cast<uint64_t>(1.0)},
    {"C were added last", codes({huge, -huge}), codes({1, 1}), 1, std::bit_cast<uint64_t>(1.0)},
    {"C were not read", codes({2}), codes({3}), 10, std::bit_cast<uint64_t>(6.0)},
    {"subnormal numbers were flushed to zero", codes({0x1p-1060}), codes({0x1p100}), 0, 0},
    {"subnormal results were flushed to zero", codes({0x1p-1000}), codes({0x1p-60}), 0, 0},
    {"every NaN result were 0x7fffffffffffffff", codes({infinite}), codes({0}), 0, 0x7fffffffffffffff},
    {"a NaN of A came before one of C and B",
     {0x7ff8000000000001},
     {0x7ff8000000000002},
     0,
     0x7ff8000000000001},
};

TEST(F64Bends, EachChainIsWhatItsWordsSay) {
  EXPECT_EQ(f64_bends().size(), std::size(chains));
  for (const Chain& one : chains) {
    const auto bend = std::ranges::find(f64_bends(), one.words, &Bend::words);
    ASSERT_NE(bend, f64_bends().end()) << one.words;
    EXPECT_EQ(bend->mma.chain(one.a, one.b, std::bit_cast<uint64_t>(one.c)), one.expected) << one.words;
  }
}

}  // namespace
}  // namespace assay::model
