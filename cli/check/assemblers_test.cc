// SPDX-License-Identifier: Apache-2.0
// `assay check --compilers`: who takes a PTX file and who does not. The assemblers are scripts that take
// ptxas's options; where there is a ptxas, it is one more.

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>

#include "reports/scratch_test.h"
#include "reports/text.h"

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

// `assay check --compilers ... --device cuda:0`: whose code computes something else. The emulator under the
// name of a GPU's driver takes PTX where a GPU takes a cubin, so that the assemblers here are scripts that
// rewrite PTX.

namespace fs = std::filesystem;

/// Adds 1 to each of 64 words.
constexpr const char* adds_one = R"(.version 8.7
.target sm_90a
.address_size 64
// launch: --block 64 --arg buffer:256,random
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	ld.global.u32 %r2, [%rd2];
	add.u32 %r2, %r2, 1;
	st.global.u32 [%rd2], %r2;
	ret;
}
)";

/// An assembler of the name that makes its cubin of $5, the file, as `rewrite` does.
std::string rewriter(const std::string& name, const std::string& rewrite) {
  const std::string path = report::scratch_path(name).string();
  report::write_whole_file(path,
                           "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n" + rewrite + " \"$5\" > \"$4\"\n");
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

report::Ended run_with(const std::string& assemblers, const std::string& text,
                       const std::string& words = "") {
  const std::string file = report::scratch_path("run.ptx").string();
  report::write_whole_file(file, text);
  return report::shell("ASSAY_EMULATOR=sm_90a ASSAY_CUDA_DRIVER=" ASSAY_BINARY_DIR
                       "/libassay_emulator.so " ASSAY_BINARY_DIR "/assay check --device cuda:0 --compilers " +
                       assemblers + " " + words + " " + file);
}

TEST(CodeRuns, ThatAgreeAreSaidToAgree) {
  const report::Ended ended = run_with(rewriter("run_cat", "cat"), adds_one);
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_TRUE(says(ended, "run, all leave the same 256 bytes: ")) << ended.text;
  EXPECT_TRUE(says(ended, ", the driver of cuda:0 and emulator:sm_90a\n")) << ended.text;
}

TEST(CodeRuns, WhoseResultDiffersIsNamedWithItsFirstWord) {
  const std::string right = rewriter("run_right", "cat"),
                    wrong = rewriter("run_wrong", "sed 's/add.u32 %r2, %r2, 1/xor.b32 %r2, %r2, 0x100/'");
  const report::Ended ended = run_with(wrong + "," + right, adds_one);
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, wrong + ": argument 0, byte 0x0: 0x")) << ended.text;
  EXPECT_TRUE(says(ended, " of 256 bytes differ\n")) << ended.text;
  EXPECT_TRUE(says(
      ended, "run, " + wrong + " differs from " + right + ", the driver of cuda:0 and emulator:sm_90a\n"))
      << ended.text;
}

TEST(CodeRuns, OneThatFaultsOrHangsDiffers) {
  const std::string faults =
      rewriter("run_faults", "sed 's/mad.wide.u32 %rd2, %r1, 4, %rd1/mov.u64 %rd2, 8/'");
  const report::Ended ended = run_with(faults, adds_one);
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, faults + ": cuStreamSynchronize")) << ended.text;
  EXPECT_TRUE(says(ended, "run, " + faults + " differs from the driver of cuda:0 and emulator:sm_90a\n"))
      << ended.text;
  const report::Ended all = run_with(faults, adds_one, "--arg buffer:0x10");
  EXPECT_EQ(all.code, 1) << all.text;
  EXPECT_TRUE(says(all, "no variant ran to completion\n")) << all.text;
}

TEST(CodeRuns, WithoutMemoryThereIsNothingToCompare) {
  const report::Ended ended = run_with(rewriter("run_cat2", "cat"), adds_one, "--arg u64:8");
  EXPECT_EQ(ended.code, 64) << ended.text;
  EXPECT_TRUE(says(ended, "no kernel argument is memory, so there is no result to compare")) << ended.text;
}

}  // namespace
}  // namespace assay::cli::check
