// SPDX-License-Identifier: Apache-2.0
// `assay check --compilers`: who takes a PTX file and who does not. The assemblers are scripts that take
// ptxas's options; where there is a ptxas, it is one more.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "reports/scratch_test.h"
#include "reports/shell_test.h"
#include "reports/whole_file.h"

namespace assay::cli::check {
namespace {

namespace fs = std::filesystem;

constexpr const char* ptx =
    ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n\tadd.u32 "
    "%r1, %r2, %r2;\n\tret;\n}\n";

/// A script with the name; `body` sees the words as ptxas would, $4 being the file to write.
std::string script(const std::string& name, const std::string& body) {
  const std::string path = report::scratch_path(name).string();
  report::write_whole_file(
      path,
      "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Cuda compilation tools, V12.8.93' && exit "
      "0\n" +
          body + "\n");
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

report::Ended compare(const std::string& assemblers, const std::string& text) {
  const std::string file = report::scratch_path("compared.ptx").string();
  report::write_whole_file(file, text);
  return report::shell(std::string(ASSAY_BINARY_DIR) + "/assay check --compilers " + assemblers + " " + file);
}

TEST(Compilers, AgreementIsSaidWithWhatEachMakesOfIt) {
  const std::string one = script("takes_one", R"([ "$1" = -arch=sm_90a ] || exit 3
echo 'ptxas info : 0 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads'
echo 'ptxas info : Used 24 registers'
printf 12345 > "$4")");
  const report::Ended ended = compare(one + "," + one, ptx);
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_TRUE(says(ended, one + " (12.8.93): assembles it, 5 bytes; 24 registers, 8 bytes spilled\n"))
      << ended.text;
  EXPECT_TRUE(says(ended, "emulator:sm_90a: accepts it\n")) << ended.text;
  EXPECT_TRUE(says(ended, ": accepted by all\nassay: the code was assembled but not run")) << ended.text;
}

TEST(Compilers, WhoRefusesIsNamed) {
  const std::string takes = script("takes_two", "printf 1 > \"$4\"");
  const std::string refuses =
      script("refuses_two", "echo noise; echo 'ptxas file.ptx, line 7; error : no'; exit 255");
  const report::Ended ended = compare(takes + "," + refuses, ptx);
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, refuses + " (12.8.93): rejects it: ptxas file.ptx, line 7; error : no\n"))
      << ended.text;
  EXPECT_TRUE(says(
      ended, "accepted by " + takes + " (12.8.93), emulator:sm_90a; rejected by " + refuses + " (12.8.93)\n"))
      << ended.text;
  const report::Ended crashes = compare(script("crashes", "kill -SEGV $$"), ptx);
  EXPECT_EQ(crashes.code, 1) << crashes.text;
  EXPECT_TRUE(says(crashes, "rejects it: killed by signal 11")) << crashes.text;
}

TEST(Compilers, TheEmulatorIsAVoterLikeTheOthers) {
  const std::string takes = script("takes_three", "printf 1 > \"$4\"");
  std::string text = ptx;
  text.replace(text.find("add.u32"), 7, "frobnicate.u32");
  const report::Ended ended = compare(takes, text);
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, "emulator:sm_90a: rejects it: line 7: ")) << ended.text;
  const report::Ended nobody = compare(script("refuses_three", "exit 255"), text);
  EXPECT_EQ(nobody.code, 2) << nobody.text;
  EXPECT_TRUE(says(nobody, ": rejected by all")) << nobody.text;
}

TEST(Compilers, WhatCannotBeStartedIsSaid) {
  const report::Ended ended = compare("/nonexistent/ptxas", ptx);
  EXPECT_EQ(ended.code, 2) << ended.text;
  EXPECT_TRUE(says(ended, "/nonexistent/ptxas: cannot be started: No such file or directory")) << ended.text;
  EXPECT_EQ(report::shell(std::string(ASSAY_BINARY_DIR) + "/assay check --compilers a").code, 64);
}

TEST(Compilers, TheToolkitsOwn) {
  const std::string ptxas = "/usr/local/cuda/bin/ptxas";
  if (access(ptxas.c_str(), X_OK) != 0) GTEST_SKIP() << "there is no ptxas";
  const report::Ended ended = compare(ptxas, ptx);
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_TRUE(says(ended, " registers, 0 bytes spilled")) << ended.text;
  std::string text = ptx;
  text.replace(text.find("add.u32"), 7, "frobnicate.u32");
  const report::Ended wrong = compare(ptxas, text);
  EXPECT_EQ(wrong.code, 2) << wrong.text;
  EXPECT_TRUE(says(wrong, "error")) << wrong.text;
}

}  // namespace
}  // namespace assay::cli::check
