// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cli/run_process_test.h"
#include "devices/cuda/nvml.h"
#include "reports/results.h"
#include "reports/scratch_test.h"

/// `assay screen` on the emulated GPU: what it refuses, what it cannot run, and what it finds.
namespace assay::cli {
namespace {

using report::Ended;
using report::says;

std::filesystem::path out;  ///< of the last call

Ended screen(const std::string& words) {
  static int number = 0;
  out = report::scratch_path("screen" + std::to_string(number++));
  return start("screen --out " + out.string() + " " + words);
}

TEST(ScreenCommand, RefusesWhatItCannotDoInOneSentence) {
  Ended ended = screen("--device emulator:sm_90a --load wgmma.f64");
  EXPECT_EQ(ended.code, 64) << ended.text;
  EXPECT_TRUE(says(ended, "--load: unknown load 'wgmma.f64'; the loads are wgmma.bf16, ")) << ended.text;
  ended = screen("--device emulator:sm_90a --budget 9s");
  EXPECT_EQ(ended.code, 64) << ended.text;
  EXPECT_TRUE(says(ended, "--budget: too short for 5 loads; the least is 10s")) << ended.text;
  ended = screen("--device emulator:sm_90a --seed 1x");
  EXPECT_EQ(ended.code, 64) << ended.text;
  EXPECT_TRUE(says(ended, "--seed: invalid seed '1x'")) << ended.text;
}

TEST(ScreenCommand, IsNotPassedWhereALoadDidNotRun) {
  const Ended ended = screen("--device emulator:sm_100a --load wgmma.s8 --cases 3");
  EXPECT_EQ(ended.code, 2) << ended.text;
  EXPECT_TRUE(says(ended, "could not screen: emulator:sm_100a: screen.wgmma.s8 did not run: requires "))
      << ended.text;
}

TEST(ScreenCommand, FailsAndSaysWhere) {
  const Ended ended = screen("--device emulator:sm_90a,fault=adder_rare_bit --load wgmma.s8 --cases 3");
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, "multiprocessor ")) << ended.text;
  EXPECT_TRUE(says(ended, "replay: assay replay")) << ended.text;
  // The emulator runs two CTAs of each case.
  uint64_t ran = 0, failed = 0;
  const report::Results results = report::read_results(out / "results.db");
  for (const report::PlaceRow& place : results.devices.at(0).properties.at(0).places)
    ran += place.cases, failed += place.failing;
  EXPECT_EQ(ran, 6u);
  EXPECT_GE(failed, 3u);
}

TEST(Telemetry, NamesEachReasonForSlowClocks) {
  EXPECT_EQ(cuda::throttle_words(0x1), "") << "an idle GPU";
  EXPECT_EQ(cuda::throttle_words(0x44), "SW power cap, HW thermal slowdown");
}

/// On a machine without NVML, and with it: nobody made this GPU.
TEST(Telemetry, SaysWhyThereIsNone) {
  cuda::Telemetry none("GPU-00000000-0000-0000-0000-000000000000");
  EXPECT_NE(none.absent(), "");
  EXPECT_TRUE(none.stop().empty());
  EXPECT_EQ(cuda::Nvml("GPU-00000000-0000-0000-0000-000000000000").processes(), std::nullopt);
}

}  // namespace
}  // namespace assay::cli
