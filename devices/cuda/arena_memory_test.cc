// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/arena_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "devices/device.h"
#include "kernels/params/arena.h"

namespace assay::cuda {
namespace {

TEST(ArenaMemory, HoldsTheArenaAndIsTheSameForAllOfAProcess) {
  const ArenaMemory& memory = ArenaMemory::of_process();
  EXPECT_EQ(&memory, &ArenaMemory::of_process());
  const ArenaMemory theirs(memory.fd());
  for (const uint64_t i : {uint64_t{0}, params::arena_integers / 8, params::arena_bytes / 8 - 1}) {
    uint64_t word;
    std::memcpy(&word, theirs.begin() + 8 * i, 8);
    EXPECT_EQ(word, params::arena_word(i)) << "word " << i;
  }
}

// A device's process has the descriptor: what predictions are made from is beyond it.
TEST(ArenaMemory, NobodyCanWriteToIt) {
  const int fd = ArenaMemory::of_process().fd();
  EXPECT_EQ(mmap(nullptr, params::arena_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
  EXPECT_EQ(pwrite(fd, "x", 1, 0), -1);
  EXPECT_NE(ftruncate(fd, 0), 0);
}

TEST(ArenaMemory, AFileOfAnotherSizeIsRefused) {
  const int fd = memfd_create("arena-test", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(fd, 4096), 0);
  EXPECT_THROW(ArenaMemory{fd}, DeviceError);
  close(fd);
}

}  // namespace
}  // namespace assay::cuda
