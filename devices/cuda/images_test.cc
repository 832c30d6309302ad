// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/images.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstring>
#include <string>

namespace assay::cuda {
namespace {

TEST(Images, PtxTextOfEveryTarget) {
  for (const int capability : {90, 100, 103})
    for (const char* file : {"tensor_copy", "fixtures"}) {
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
  for (const int capability : {90, 100, 103}) {
    const AssayKernelImage* image = find_image("tensor_copy", capability, false);
    ASSERT_TRUE(image);
    const bool has =
        std::strstr(reinterpret_cast<const char*>(image->begin), "tensormap.replace.tile.swizzle_mode");
    EXPECT_EQ(has, capability == 103);
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
  EXPECT_FALSE(find_image("tensor_copy", 110, true));
  EXPECT_FALSE(find_image("no_such_file", 90, true));
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
