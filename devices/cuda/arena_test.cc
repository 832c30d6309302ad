// SPDX-License-Identifier: Apache-2.0
// The arena that a device writes itself is the one that predictions use, and a stray write into it is seen.
#include <gtest/gtest.h>

#include <array>

#include "devices/cuda/opened_device.h"
#include "devices/cuda/test_device.h"

namespace assay::cuda {
namespace {

TEST(Arena, KernelsFillItAndFindAChangedWord) {
  DeviceLimits limits;
  limits.batches = 1;
  limits.output_bytes = 1 << 20;
  const Region region = Region::create(limits, /*with_arena=*/false);
  // Opened in this process, with the kernel that fills the arena also on the emulator.
  OpenedDevice device(parse_device_spec(test_device_spec()), region);
  const Driver& d = device.driver;
  std::vector<std::byte> bytes(params::arena_bytes);
  check(d, d.copy_to_host(bytes.data(), device.arena, bytes.size(), nullptr), "cuMemcpyDtoHAsync");
  check(d, d.stream_synchronize(nullptr), "cuStreamSynchronize");
  for (uint64_t i = 0; i < params::arena_bytes / 8; ++i) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + 8 * i, 8);
    ASSERT_EQ(word, params::arena_word(i)) << "word " << i;
  }

  DeviceAddress found = 0;
  check(d, d.memory_allocate(&found, 8), "cuMemAlloc");
  const auto differences = [&] {
    check(d, d.fill_bytes(found, 0, 8, nullptr), "cuMemsetD8Async");
    LaunchConfig config{};
    config.grid[0] = 8;
    config.block[0] = params::probe_threads;
    config.grid[1] = config.grid[2] = config.block[1] = config.block[2] = 1;
    void* arguments[] = {&device.arena, &found};
    check(d, d.launch(&config, device.function("fixtures", "arena"), arguments, nullptr), "cuLaunchKernelEx");
    std::array<uint32_t, 2> answer{};
    check(d, d.copy_to_host(answer.data(), found, 8, nullptr), "cuMemcpyDtoHAsync");
    check(d, d.stream_synchronize(nullptr), "cuStreamSynchronize");
    return answer;
  };
  EXPECT_EQ(differences()[0], 0u);
  check(d, d.fill_bytes(device.arena + 8 * 3'000'001 + 5, 0xee, 1, nullptr), "cuMemsetD8Async");
  ASSERT_NE(static_cast<uint8_t>(params::arena_word(3'000'001) >> 40), 0xee);
  EXPECT_EQ(differences(), (std::array<uint32_t, 2>{1, 3'000'001}));
  EXPECT_EQ(differences()[0], 0u) << "the word was not written again";
}

}  // namespace
}  // namespace assay::cuda
