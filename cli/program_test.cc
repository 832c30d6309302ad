#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

/// The program as a user starts it: what it prints and how it ends.
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

std::string folder(const std::string& name) {
  const auto path = std::filesystem::path(testing::TempDir()) / ("assay_program_test_" + name);
  std::filesystem::remove_all(path);
  return path.string();
}

bool says(const Ended& ended, const std::string& words) {
  return ended.text.find(words) != std::string::npos;
}

TEST(Program, ConformingRunEndsWith0AndLeavesThreeFiles) {
  const std::string out = folder("conforms");
  const Ended run = start("run tma.tiled.load --device emulator:sm_90a --cases 40 --out " + out);
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_TRUE(says(run, "EMULATOR sm_90")) << run.text;
  EXPECT_FALSE(says(run, "SILICON")) << run.text;
  for (const char* file : {"results.db", "junit.xml", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
}

TEST(Program, ViolationEndsWith1AndItsReplayLineRepeatsIt) {
  const std::string out = folder("violates");
  const Ended run = start(
      "run tma.tiled.load --device emulator:sm_90a,fault=swizzle_128b_bit_dropped --cases 200 --out " + out);
  EXPECT_EQ(run.code, 1) << run.text;
  const size_t at = run.text.find("assay replay ");
  ASSERT_NE(at, std::string::npos) << run.text;
  const Ended again = start(run.text.substr(at + 6, run.text.find('\n', at) - at - 6));
  EXPECT_EQ(again.code, 1) << again.text;
}

TEST(Program, WhatCannotRunEndsWith2AndOneSentence) {
  const Ended fault =
      start("run --device emulator:fault=no_such_fault --cases 1 --out " + folder("no_fault"));
  EXPECT_EQ(fault.code, 2) << fault.text;
  EXPECT_TRUE(says(fault, "no_such_fault")) << fault.text;
  const Ended gpu = start("run --device cuda:63 --cases 1 --out " + folder("no_gpu"));
  EXPECT_EQ(gpu.code, 2) << gpu.text;
  const Ended file = start("check-vectors /nonexistent/vectors.csv");
  EXPECT_EQ(file.code, 2) << file.text;
  EXPECT_TRUE(says(file, "/nonexistent/vectors.csv")) << file.text;
}

TEST(Program, WrongWordsEndWith64) {
  for (const char* words :
       {"fly", "run --cases many", "run --cases 0", "run --budget soon", "run --budget 0s", "describe V-999",
        "describe 0xzz --as smem", "describe 0x1 --as nonsense", "replay"})
    EXPECT_EQ(start(words).code, 64) << words;
}

TEST(Program, SpoiltVectorFileEndsWith1AndNamesTheRow) {
  const std::string path = folder("vectors.csv");
  std::ofstream(path) << "id,kind,confidence,params,expected,notes,silicon\n"
                         "TV019,SWZBASE,doc,mode=128;dst=0x380,baseoffset=6,,confirmed\n";
  const Ended check = start("check-vectors " + path);
  EXPECT_EQ(check.code, 1) << check.text;
  EXPECT_TRUE(says(check, "TV019")) << check.text;
}

TEST(Program, DescribesARuleAQuestionAPropertyAndAWord) {
  EXPECT_TRUE(says(start("describe V-23"), "source"));
  EXPECT_TRUE(says(start("describe TMA-AMB-04"), "default:"));
  EXPECT_TRUE(says(start("describe tma.tiled.load"), "claim"));
  EXPECT_TRUE(says(start("describe 0x4000404000010080 --as smem"), "swizzle"));
  EXPECT_TRUE(says(start("describe 0x4000404000010080 --as smem --json"), "{"));
}

}  // namespace
}  // namespace assay::cli
