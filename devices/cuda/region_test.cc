// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/region.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "devices/cuda/images.h"
#include "devices/cuda/opened_device.h"
#include "devices/cuda/test_device.h"
#include "devices/device.h"
#include "kernels/params/arena.h"
#include "reference/spec/arch.h"

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

// The arena that a device writes itself is the one that predictions use, and a stray write into it is seen.

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

TEST(Images, PtxTextOfEveryTarget) {
  for (const spec::Arch arch : spec::all_archs)
    for (const char* file : {"tensor_copy", "fixtures"}) {
      const int capability = spec::capability(arch);
      const AssayKernelImage* image = find_image(file, capability, /*takes_cubin=*/false);
      ASSERT_TRUE(image) << file << " " << capability;
      EXPECT_STREQ(image->kind, "ptx");
      const std::string text(reinterpret_cast<const char*>(image->begin),
                             reinterpret_cast<const char*>(image->end));
      EXPECT_NE(text.find(".target sm_" + std::to_string(capability) + "a"), std::string::npos);
      EXPECT_EQ(text.find('\0'), std::string::npos);
      EXPECT_EQ(*image->end, 0) << "a driver takes PTX up to its zero byte";
    }
}

TEST(Images, TheSwizzleOf96BytesIsInItsTargetOnly) {
  for (const spec::Arch arch : spec::all_archs) {
    const AssayKernelImage* image = find_image("tensor_copy", spec::capability(arch), false);
    ASSERT_TRUE(image);
    const bool has =
        std::strstr(reinterpret_cast<const char*>(image->begin), "tensormap.replace.tile.swizzle_mode");
    EXPECT_EQ(has, spec::row_of(arch).has_swizzle_96B) << spec::name(arch);
  }
}

TEST(Images, CubinsAreElfAndPreferred) {
  const AssayKernelImage* image = find_image("tensor_copy", 90, true);
  ASSERT_TRUE(image);
  if (std::strcmp(image->kind, "cubin") != 0) GTEST_SKIP() << "built without nvcc 13: PTX text only";
  EXPECT_EQ(std::memcmp(image->begin, "\177ELF", 4), 0);
}

TEST(Images, NothingForOthers) {
  EXPECT_FALSE(find_image("tensor_copy", 80, true));
  EXPECT_FALSE(find_image("tensor_copy", 109, true));
  EXPECT_FALSE(find_image("no_such_file", 90, true));
}

TEST(Images, SayWhichDriverHasTheirPtxVersion) {
  EXPECT_EQ(declared_ptx("fixtures", 90), 80);
  EXPECT_EQ(declared_ptx("tensor_copy", 90), 86);
  EXPECT_EQ(declared_ptx("tensor_copy", 107), 94);
  EXPECT_EQ(declared_ptx("no_such_file", 90), 0);
  EXPECT_EQ(module_of("tma_tiled_copy"), std::string_view("tensor_copy"));
  EXPECT_EQ(module_of("encode_tiled"), nullptr);
  EXPECT_EQ(driver_lacks("wgmma", 90, 12020),
            "its kernels need driver R550 (CUDA 12.4, PTX 8.4) or later (driver: CUDA 12.2)");
  EXPECT_EQ(driver_lacks("wgmma", 90, 12040), std::nullopt);
  EXPECT_EQ(driver_lacks("tensor_copy", 107, 13000),
            "its kernels need driver R615 (CUDA 13.4, PTX 9.4) or later (driver: CUDA 13.0)");
  // 9.1 and 9.3 have no row of their own.
  EXPECT_EQ(release_with(91)->driver, 595);
  EXPECT_EQ(release_with(96), std::nullopt);
}

using Files = std::vector<std::string>;

TEST(UsedFiles, AForkedProcessTellsTheOneThatItCameFrom) {
  UsedFiles files;
  EXPECT_EQ(files.all(), Files());
  files.note("fixtures");
  const pid_t child = fork();
  if (child == 0) {
    files.note("tensor_copy");
    files.note("fixtures");
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(files.all(), (Files{"fixtures", "tensor_copy"}));
}

TEST(UsedFiles, MoreThanThereIsRoomForAreNotNoted) {
  UsedFiles files;
  for (int i = 0; i < 200; ++i) files.note("file_" + std::to_string(i));
  const Files all = files.all();
  EXPECT_GE(all.size(), 16u);
  EXPECT_LT(all.size(), 200u);
  EXPECT_EQ(all.back(), "file_" + std::to_string(all.size() - 1));
  files.note(std::string(100, 'x'));
}

TEST(UsedFiles, OfALongNameTheBeginningIsKept) {
  UsedFiles files;
  files.note(std::string(100, 'x'));
  ASSERT_EQ(files.all().size(), 1u);
  EXPECT_EQ(files.all()[0], std::string(30, 'x'));
}

}  // namespace
}  // namespace assay::cuda
