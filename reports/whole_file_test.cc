// SPDX-License-Identifier: Apache-2.0
#include "reports/whole_file.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "reports/sample_test.h"

namespace assay::report {
namespace {

size_t files_beside(const std::filesystem::path& file) {
  const std::filesystem::directory_iterator folder(file.parent_path());
  return static_cast<size_t>(std::distance(begin(folder), end(folder)));
}

TEST(WholeFile, AReaderSeesOneVersionOrTheOther) {
  const Scratch scratch;
  const std::filesystem::path file = scratch / "report";
  const std::string versions[] = {std::string(3'000'000, 'a'), std::string(2'000'000, 'b')};
  write_whole_file(file, versions[0]);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 12; ++i) write_whole_file(file, versions[i % 2]);
    done = true;
  });
  int seen = 0;
  for (; !done; ++seen) {
    std::string text;
    EXPECT_NO_THROW(text = read_whole_file(file));
    EXPECT_TRUE(text == versions[0] || text == versions[1]) << text.size() << " bytes";
  }
  writer.join();
  EXPECT_GT(seen, 0);
  EXPECT_EQ(files_beside(file), 1u);
}

TEST(WholeFile, ADeviceIsWrittenToAndStaysOne) {
  const Scratch scratch;
  const std::filesystem::path link = scratch / "null";
  std::filesystem::create_symlink("/dev/null", link);
  write_whole_file(link, "gone");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(files_beside(link), 1u);
}

TEST(WholeFile, AFailureLeavesNothingBehind) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "folder/inside");
  EXPECT_THROW(write_whole_file(scratch / "folder", "text"), std::runtime_error);
  EXPECT_EQ(files_beside(scratch / "folder"), 1u) << "the temporary file is gone";
  EXPECT_THROW(write_whole_file(scratch / "absent/file", "text"), std::runtime_error);
  EXPECT_THROW(read_whole_file(scratch / "absent"), std::runtime_error);
}

}  // namespace
}  // namespace assay::report
