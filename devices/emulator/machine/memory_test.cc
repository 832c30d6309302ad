// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/memory.h"
#include "devices/emulator/machine/tmem.h"

#include <gtest/gtest.h>
#include <cstring>
#include <vector>

namespace assay::emulator {
namespace {

TEST(Memory, FindsWholeRangesOfAllocationsOnly) {
  Memory memory;
  const uint64_t a = memory.allocate(1000), b = memory.allocate(1);
  ASSERT_NE(a, 0u);
  ASSERT_NE(b, 0u);
  EXPECT_EQ(a % 256, 0u);
  EXPECT_EQ(b % 256, 0u);
  EXPECT_EQ(reinterpret_cast<uint64_t>(memory.find(a, 1000)), a);
  EXPECT_EQ(memory.find(a, 1001), nullptr);
  EXPECT_EQ(memory.find(a - 1, 2), nullptr);
  EXPECT_NE(memory.find(a + 999, 1), nullptr);
  EXPECT_EQ(memory.find(a + 1000, 1), nullptr);
  EXPECT_EQ(memory.find(a + 4, ~size_t{0}), nullptr);
  EXPECT_NE(memory.find(b, 1), nullptr);
  std::memset(memory.find(a, 1000), 7, 1000);
}

TEST(Memory, ReleasedAndUnmappedRangesAreGone) {
  Memory memory;
  const uint64_t a = memory.allocate(64);
  EXPECT_TRUE(memory.release(a));
  EXPECT_FALSE(memory.release(a));
  EXPECT_EQ(memory.find(a, 1), nullptr);
  std::byte host[32];
  const uint64_t address = reinterpret_cast<uint64_t>(host);
  memory.map_host(host, sizeof host);
  EXPECT_EQ(memory.find(address + 8, 24), host + 8);
  EXPECT_FALSE(memory.release(address)) << "host memory is unmapped, not released";
  memory.unmap_host(host);
  EXPECT_EQ(memory.find(address, 1), nullptr);
}

TEST(Memory, AllocationsLieAtTheSameAddressesAgain) {
  std::vector<uint64_t> first;
  const auto made = [] {
    Memory memory;
    std::vector<uint64_t> addresses;
    for (const size_t bytes : {size_t{300}, size_t{5} << 20, size_t{1}})
      addresses.push_back(memory.allocate(bytes));
    EXPECT_TRUE(memory.release(addresses[1]));
    addresses.push_back(memory.allocate(size_t{3} << 20));
    EXPECT_EQ(addresses[3] >> 22, addresses[1] >> 22) << "the gap is used again";
    return addresses;
  };
  first = made();
  EXPECT_EQ(made(), first);
  // The small ones lie around the border of a mebibyte: bits 20 to 33 are set below it and clear above.
  EXPECT_EQ(first[0] >> 20 & 0x3fff, 0x3fffu);
  EXPECT_EQ(first[2] >> 20 & 0x3fff, 4u);
  const Memory other;
  Memory beside;
  EXPECT_NE(beside.allocate(300) >> 35, first[0] >> 35) << "two memories at once share no address";
}

TEST(Memory, SaysWhereAnAddressOutsideLies) {
  Memory memory;
  const uint64_t first = memory.allocate(4096), second = memory.allocate(100);
  EXPECT_EQ(memory.where(first + 4096, 4), "right past the end of the 4,096 bytes of allocation 1");
  EXPECT_EQ(memory.where(first + 4000, 4096), "4,000 bytes past the end of the 4,096 bytes of allocation 1");
  EXPECT_EQ(memory.where(first - 16, 4), "16 bytes before the 4,096 bytes of allocation 1");
  memory.release(second);
  EXPECT_EQ(memory.where(second + 8, 4),
            "in the 100 bytes of allocation 2, which call 1 of cudaFree (or cudaFreeAsync, cuMemFree) freed");
  EXPECT_EQ(memory.where(0, 4), "outside every allocation");
}

TEST(Memory, RefusesWhatNoMachineHas) {
  Memory memory;
  EXPECT_EQ(memory.allocate(0), 0u);
  EXPECT_EQ(memory.allocate(size_t{1} << 60), 0u);
}

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

// A store that nobody waits for, and a load of another warp behind many accesses.
TEST(TensorOrder, ForgetsTheOldestOfManyAccesses) {
  for (const bool is_forgotten : {false, true}) {
    race::Grid grid;
    race::Races races(1, 64, 0, grid, [](const race::Race&) {});
    std::vector<std::string> found;
    TensorOrder order([&](std::string_view clause, const Issuer&, const Issuer*, std::string_view,
                          const race::Order::Sent*) { found.emplace_back(clause); },
                      [](const race::Race&) {}, true);
    order.races = &races;
    order.stores({{0, 0, 0, 1}}, {0, 0, 1});
    for (size_t i = 2; i < TensorOrder::most_accesses + is_forgotten; ++i) order.stores({}, {0, 0, 2});
    order.loads({{0, 0, 0, 1}}, {0, 32, 3});
    EXPECT_EQ(found.empty(), is_forgotten);
  }
}

}  // namespace
}  // namespace assay::emulator
