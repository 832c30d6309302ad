#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// `assay faults` as a user starts it.
namespace assay::cli {
namespace {

struct Ended {
  int code;
  std::string text;  ///< standard output and error
};

Ended start(const std::string& arguments) {
  const std::string command = std::string(ASSAY_BINARY_DIR) + "/assay " + arguments + " 2>&1 </dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  Ended ended{-1, {}};
  if (pipe == nullptr) return ended;
  std::array<char, 4096> part;
  while (const size_t bytes = fread(part.data(), 1, part.size(), pipe)) ended.text.append(part.data(), bytes);
  const int status = pclose(pipe);
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

std::filesystem::path folder(const std::string& name) {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    ("assay_faults_test_" + std::to_string(getpid()) + "_" + name);
  std::filesystem::remove_all(path);
  return path;
}

TEST(FaultsCommand, WritesPageTableAndACaseThatReplays) {
  const auto out = folder("caught");
  const Ended ran = start("faults tx_16_long --budget 60s --jobs 1 --out " + out.string());
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find("caught by tma.tiled.load after"), std::string::npos) << ran.text;
  for (const char* file : {"detection.html", "detection.md", "cases/tx_16_long.json"})
    EXPECT_TRUE(std::filesystem::exists(out / file)) << file;
  const Ended again = start("replay " + (out / "cases/tx_16_long.json").string() +
                            " --device emulator:sm_90a,fault=tx_16_long");
  EXPECT_EQ(again.code, 1) << again.text;
}

TEST(FaultsCommand, MakesTheRowsOfTheNamedFaultsAnewAndKeepsTheOthers) {
  const auto out = folder("rows");
  std::filesystem::create_directories(out);
  const auto table = out / "table.md";
  const std::string common = " --jobs 1 --out " + out.string() + " --markdown " + table.string();
  EXPECT_EQ(start("faults tx_16_long" + common).code, 0);
  EXPECT_EQ(start("faults tx_16_short" + common).code, 0);
  std::ifstream in(table);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("| `tx_16_long` |"), std::string::npos) << text;
  EXPECT_NE(text.find("| `tx_16_short` |"), std::string::npos) << text;
  EXPECT_NE(text.find("Of 2 faults 2 were caught"), std::string::npos) << text;
}

TEST(FaultsCommand, ASurvivorFailsTheRun) {
  // A property that never meets the step that is wrong.
  const Ended ran =
      start("faults tx_16_long --budget 2s --property mma_sync.f16 --out " + folder("survives").string());
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_NE(ran.text.find("SURVIVED"), std::string::npos) << ran.text;
}

TEST(FaultsCommand, RefusesUnknownNames) {
  const Ended unknown = start("faults no_such_fault --out " + folder("unknown").string());
  EXPECT_EQ(unknown.code, 64) << unknown.text;
  EXPECT_NE(unknown.text.find("no fault is named 'no_such_fault'"), std::string::npos) << unknown.text;
}

}  // namespace
}  // namespace assay::cli
