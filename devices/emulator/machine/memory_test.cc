#include "devices/emulator/machine/memory.h"

#include <gtest/gtest.h>

#include <cstring>

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

TEST(Memory, RefusesWhatNoMachineHas) {
  Memory memory;
  EXPECT_EQ(memory.allocate(0), 0u);
  EXPECT_EQ(memory.allocate(size_t{1} << 60), 0u);
}

}  // namespace
}  // namespace assay::emulator
