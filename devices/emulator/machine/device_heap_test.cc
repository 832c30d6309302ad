// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/device_heap.h"

#include <gtest/gtest.h>

#include <vector>

namespace assay::emulator {
namespace {

TEST(DeviceHeap, GivesDisjointPiecesUntilItIsFullAndTakesThemBack) {
  Memory memory;
  DeviceHeap heap(memory);
  EXPECT_FALSE(heap.is_in_use());
  std::vector<uint64_t> pieces;
  for (uint64_t one; (one = heap.allocate(100, 4096)) != 0;) {
    EXPECT_EQ(one % 16, 0u);
    for (const uint64_t other : pieces) EXPECT_GE(one > other ? one - other : other - one, 112u);
    ASSERT_NE(memory.find(one, 100), nullptr);
    pieces.push_back(one);
  }
  EXPECT_TRUE(heap.is_in_use());
  EXPECT_EQ(pieces.size(), 4096u / 112);
  // In an order that leaves holes, which grow together again.
  for (size_t i = 0; i < pieces.size(); i += 2) EXPECT_TRUE(heap.release(pieces[i]));
  EXPECT_EQ(heap.allocate(200, 4096), 0u) << "only holes of 112 bytes are free";
  for (size_t i = 1; i < pieces.size(); i += 2) EXPECT_TRUE(heap.release(pieces[i]));
  EXPECT_NE(heap.allocate(4096, 0), 0u) << "all of it at once";
}

TEST(DeviceHeap, KnowsWhatItGave) {
  Memory memory;
  DeviceHeap heap(memory);
  EXPECT_FALSE(heap.release(16));
  const uint64_t piece = heap.allocate(0, 1 << 20);
  ASSERT_NE(piece, 0u);
  EXPECT_FALSE(heap.release(piece + 16));
  EXPECT_TRUE(heap.release(piece));
  EXPECT_FALSE(heap.release(piece)) << "it is free already";
  EXPECT_EQ(heap.allocate(~uint64_t{0}, 1 << 20), 0u);
}

}  // namespace
}  // namespace assay::emulator
