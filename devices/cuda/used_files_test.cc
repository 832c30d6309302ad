// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/used_files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::cuda {
namespace {

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
