// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/region.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "kernels/params/arena.h"

namespace assay::cuda {
namespace {

TEST(Region, PartsDoNotOverlapAndBothSidesSeeTheSame) {
  DeviceLimits limits;
  limits.batches = 3;
  limits.records_bytes = 64 * 1024;
  limits.output_bytes = 100'000;
  const Region ours = Region::create(limits, /*with_arena=*/true, /*processes=*/2);
  const Region theirs = Region::attach(dup(ours.fd()), ours.arena_fd());
  ASSERT_EQ(theirs.shape().batches, 3u);
  EXPECT_EQ(theirs.shape().output_bytes, 100'000u);
  EXPECT_EQ(reinterpret_cast<const uint64_t*>(theirs.arena())[12345], params::arena_word(12345));

  // Fill every part with its own byte, then look for intrusions from the other mapping.
  struct Part {
    std::byte* at;
    size_t bytes;
  };
  const auto parts = [&](const Region& region) {
    std::vector<Part> all{{reinterpret_cast<std::byte*>(region.identity(0)), Region::text_bytes},
                          {reinterpret_cast<std::byte*>(region.identity(1)), Region::text_bytes}};
    for (uint32_t i = 0; i < 3; ++i) {
      const Region::BatchMemory m = region.batch(i);
      const size_t capacity = region.shape().capacity;
      const auto add = [&](auto* at, size_t bytes) {
        all.push_back({reinterpret_cast<std::byte*>(at), bytes});
      };
      add(m.control, sizeof *m.control);
      add(m.records, limits.records_bytes);
      add(m.ends, capacity * sizeof(params::ProbeEnd));
      add(m.device_ends, capacity * sizeof(params::ProbeEnd));
      add(m.maps, region.shape().maps_bytes());
      add(m.group, capacity * 4);
      add(m.launch_lists, capacity * 4);
      add(m.notes, params::batch_notes * 4);
      add(m.text, Region::text_bytes);
      add(m.output, limits.output_bytes);
    }
    return all;
  };
  int value = 0;
  for (const Part& part : parts(ours)) std::memset(part.at, ++value, part.bytes);
  value = 0;
  for (const Part& part : parts(theirs)) {
    ++value;
    for (size_t i = 0; i < part.bytes; ++i) ASSERT_EQ(static_cast<int>(part.at[i]), value) << "byte " << i;
  }
  EXPECT_EQ(theirs.shape().batches, 3u);
}

TEST(Region, AFileOfAnotherSizeIsRefused) {
  DeviceLimits limits;
  limits.batches = 1;
  const Region region = Region::create(limits, false);
  EXPECT_EQ(region.arena(), nullptr);
  ASSERT_EQ(ftruncate(region.fd(), 8192), 0);
  EXPECT_THROW(Region::attach(dup(region.fd()), -1), DeviceError);
}

}  // namespace
}  // namespace assay::cuda
