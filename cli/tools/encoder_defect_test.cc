// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/encode_call.h"

#include <gtest/gtest.h>

#include "reports/scratch_test.h"

namespace assay::cli {
namespace {

/// `assay doctor` with the emulator as the machine's driver: what it says about the encoder.
report::Ended doctor(const std::string& settings, const std::string& options = "") {
  return report::shell("ASSAY_EMULATOR=" + settings +
                       " ASSAY_CUDA_DRIVER=" ASSAY_BINARY_DIR "/libassay_emulator.so " ASSAY_BINARY_DIR
                       "/assay doctor " +
                       options);
}

TEST(EncoderDefect, AnEncoderThatLeavesTheBitAloneIsSound) {
  for (const char* spec : {"emulator:sm_90a", "emulator:sm_100a", "emulator:sm_103a"}) {
    const EncoderDefect answer = ask_for_bit_85(spec);
    EXPECT_TRUE(answer.is_known) << answer.words;
    EXPECT_FALSE(answer.is_there) << answer.words;
    EXPECT_EQ(answer.words, "the encoder leaves bit 85 of tensor maps clear (12 tensors tried)") << spec;
  }
}

TEST(EncoderDefect, OneThatSetsItForSmallTensorsHasTheDefect) {
  const EncoderDefect answer = ask_for_bit_85("emulator:sm_90a,fault=encoder_bit_21_of_small_tensors");
  EXPECT_TRUE(answer.is_known);
  EXPECT_TRUE(answer.is_there);
  // The fault is of tensors with wide gaps.
  EXPECT_NE(answer.words.find("2 of 4 tensors below 128 KiB with gaps between their rows, 0 of 4 dense ones "
                              "below it, 0 of 4 larger ones"),
            std::string::npos)
      << answer.words;
}

// The other reading of what the bit is for (TMA-AMB-28).
TEST(EncoderDefect, OneThatSetsItForLargerTensorsHasNot) {
  const EncoderDefect answer = ask_for_bit_85("emulator:sm_90a,reading=TMA-AMB-28:B");
  EXPECT_TRUE(answer.is_known);
  EXPECT_FALSE(answer.is_there);
  EXPECT_NE(answer.words.find("for larger tensors only"), std::string::npos) << answer.words;
}

TEST(EncoderDefect, ADeviceThatDoesNotAnswerIsNoSoundOne) {
  EXPECT_FALSE(ask_for_bit_85("cuda:63").is_known);
  const EncoderDefect picky = ask_for_bit_85("emulator:sm_90a,fault=encoder_small_box_refused");
  EXPECT_FALSE(picky.is_known && picky.is_there);
}

TEST(EncoderDefect, DoctorAsksTheDriverOfTheFirstGpu) {
  const report::Ended sound = doctor("sm_90a");
  EXPECT_EQ(sound.code, 0) << sound.text;
  EXPECT_NE(sound.text.find("yes sound encoder, cuda:0  the encoder leaves bit 85"), std::string::npos)
      << sound.text;
  const report::Ended spoilt = doctor("sm_90a,fault=encoder_bit_21_of_small_tensors");
  EXPECT_EQ(spoilt.code, 0) << spoilt.text;
  EXPECT_NE(spoilt.text.find("no  sound encoder, cuda:0  the encoder sets bit 85"), std::string::npos)
      << spoilt.text;
  const report::Ended json = doctor("sm_90a,fault=encoder_bit_21_of_small_tensors", "--json");
  EXPECT_NE(json.text.find("\"item\":\"sound encoder, cuda:0\""), std::string::npos) << json.text;
}

}  // namespace
}  // namespace assay::cli
