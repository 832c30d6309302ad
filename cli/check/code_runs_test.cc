// SPDX-License-Identifier: Apache-2.0
// `assay check --compilers ... --device cuda:0`: whose code computes something else. The emulator under the
// name of a GPU's driver takes PTX where a GPU takes a cubin, so that the assemblers here are scripts that
// rewrite PTX.
#include <gtest/gtest.h>

#include <filesystem>

#include "reports/scratch_test.h"
#include "reports/shell_test.h"
#include "reports/whole_file.h"

namespace assay::cli::check {
namespace {

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
