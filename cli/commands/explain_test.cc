// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reports/scratch_test.h"

namespace assay::cli {
namespace {

report::Ended explain(const std::string& words) {
  return report::shell(ASSAY_BINARY_DIR "/assay explain " + words);
}

const std::string sound = "encode_tiled --type bf16 --dims 128,64 --strides 256 --box 64,8";

TEST(Explain, NamesEveryRuleThatACallBreaks) {
  const report::Ended ended =
      explain("encode_tiled --type bf16 --dims 128,64 --strides 250 --box 7,300 --swizzle 128B");
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(
      ended.text,
      R"(cuTensorMapEncodeTiled of bf16, dims 128,64, strides 250, box 7,300, swizzle 128B, at 0x100000000
refused on sm_100: CUDA_ERROR_INVALID_VALUE
  V-12  every stride below the rank is a multiple of 16
        [driver, cuTensorMapEncodeTiled, globalStrides]
  V-15  every box extent below the rank is 1 to 256
        [driver, cuTensorMapEncodeTiled, boxDim]
  V-16  the inner box extent is a multiple of 16 bytes
        [driver, cuTensorMapEncodeTiled, boxDim; ptx, 5.5.3.1 dimension, size and stride requirements]
)");
}

TEST(Explain, ShowsTheBytesOfAnAcceptedCallAndWhatIsNotKnownOfThem) {
  const report::Ended ended = explain(sound + " --swizzle 128B");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.text.substr(ended.text.find("accepted")), R"(accepted on sm_100; the 128 bytes:
  0x00:  00 00 00 00 01 00 00 00 10 65 00 00 10 00 00 00
  0x10:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0x20:  7f 00 00 00 3f 00 00 00 00 00 00 00 00 00 00 00
  0x30:  00 00 00 00 00 00 00 3f 07 00 00 00 00 00 00 00
  0x40:  00 04 00 00 00 00 00 00 00 04 00 00 00 00 00 00
  0x50:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0x60:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0x70:  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
not known for sm_100, never observed: byte 0x0a bit 5, bytes 0x40 to 0x7f
)");
  EXPECT_EQ(explain(sound + " --arch sm_90").text.find("not known"), std::string::npos);
  EXPECT_NE(explain(sound + " --arch sm_120").text.find("has been neither published nor measured"),
            std::string::npos);
}

// A call whose answer rests on a question that no device of the architecture has decided says which.
TEST(Explain, NamesOpenQuestions) {
  const std::string narrow =
      "encode_tiled --type u8 --dims 128,64,2 --strides 128,8192 --box 7,8,1 --interleave 16B";
  const report::Ended on_sm_90 = explain(narrow + " --arch sm_90"), on_sm_100 = explain(narrow);
  EXPECT_EQ(on_sm_90.code, 1);  // measured there
  EXPECT_NE(on_sm_90.text.find("V-16"), std::string::npos) << on_sm_90.text;
  EXPECT_EQ(on_sm_90.text.find("open question"), std::string::npos) << on_sm_90.text;
  EXPECT_EQ(on_sm_100.code, 1);
  EXPECT_NE(on_sm_100.text.find("open question X-08 on sm_100 (assay describe X-08)"), std::string::npos)
      << on_sm_100.text;
}

TEST(Explain, TheOtherEncodersTakeCornersChannelsAndPixels) {
  const std::string im2col =
      " --type f16 --dims 64,20,10,6 --strides 128,4096,65536 --channels 64 --pixels 32 --swizzle 128B ";
  const report::Ended plain =
      explain("encode_im2col" + im2col + "--lower-corner=-1,-1 --upper-corner 0,0 --arch sm_90 --json");
  EXPECT_EQ(plain.code, 0) << plain.text;
  const nlohmann::json document = nlohmann::json::parse(plain.text);
  EXPECT_EQ(document.at("accepted"), true);
  EXPECT_EQ(document.at("map").get<std::string>().substr(96, 32), "000000000000003fffff00001f000000");
  EXPECT_EQ(document.at("defined"), std::string(256, 'f'));
  const report::Ended far =
      explain("encode_im2col" + im2col + "--lower-corner 30,-1 --upper-corner 0,0 --arch sm_90");
  EXPECT_EQ(far.code, 1);
  EXPECT_NE(far.text.find("V-34"), std::string::npos) << far.text;
  const report::Ended wide = explain("encode_im2col_wide" + im2col + "--lower-corner -1 --upper-corner 0");
  EXPECT_EQ(wide.code, 0) << wide.text;
  const report::Ended w128 = explain("encode_im2col_wide" + im2col +
                                     "--lower-corner -1 --upper-corner 0 --mode w128 --interleave 16B");
  EXPECT_EQ(w128.code, 1);
  EXPECT_NE(w128.text.find("V-39"), std::string::npos) << w128.text;
}

TEST(Explain, NumbersOfEnumeratorsThatThereAreNotAreRefusedByTheirRule) {
  for (const auto& [words, rule] :
       {std::pair{"--type 17 --dims 128 --box 64", "V-02"},
        {"--type u8 --dims 128 --box 64 --swizzle 9", "V-22"},
        {"--type u8 --dims 128 --box 64 --interleave 3", "V-21"},
        {"--type u8 --dims 128 --box 64 --l2-promotion 4", "V-28"},
        {"--type u8 --dims 128 --box 64 --fill 2", "V-29"},
        {"--type u8 --dims 128 --box 64 --fill nan", "V-27"},
        {"--type u8 --dims 1,1,1,1,1,1 --strides 16,16,16,16,16 --box 16,1,1,1,1,1", "V-03"}}) {
    const report::Ended ended = explain("encode_tiled " + std::string(words));
    EXPECT_EQ(ended.code, 1) << words << ended.text;
    EXPECT_NE(ended.text.find(std::string("  ") + rule + "  "), std::string::npos) << words << ended.text;
  }
}

TEST(Explain, WrongWordsEndWith64) {
  for (const auto& [words, why] :
       {std::pair<std::string, const char*>{"encode_tile --type u8 --dims 1", "did you mean 'encode_tiled'"},
        {"encode_tiled --dims 1", "missing option --type: "},
        {"encode_tiled --type bf17 --dims 1 --box 8", "did you mean 'bf16'"},
        {"encode_tiled --type u8 --dims 16", "--box: encode_tiled requires it"},
        {"encode_tiled --type u8 --dims 16,16 --box 16,16", "--strides: a map of rank 2 requires it"},
        {"encode_tiled --type u8 --dims 16,16 --strides 16,16 --box 16,16",
         "--strides: expected 1 number, one for each dimension above 0, but got 2"},
        {"encode_tiled --type u8 --dims 16,16 --strides 16 --box 16",
         "--box: expected 2 numbers, one per dimension, but got 1"},
        {"encode_tiled --type u8 --dims 16 --box 16 --pixels 3",
         "--pixels: encode_tiled takes no such argument"},
        {"encode_tiled --type u8 --dims 16 --box 16 --swizzle 12B",
         "unknown value '12B'; expected one of none 32B"},
        {"encode_tiled --type u8 --dims 16, --box 16", "--dims: a number is missing"},
        {"encode_tiled --type u8 --dims 16 --box 99999999999", "99999999999 has more than 32 bits"},
        {"encode_tiled --type u8 --dims 16 --box 16 --address here", "'here' is not a number"},
        {"encode_im2col --type u8 --dims 16,16,16 --strides 16,256",
         "--lower-corner: encode_im2col requires it"},
        {"encode_im2col --type u8 --dims 16,16,16 --strides 16,256 --lower-corner 0,0 --upper-corner 0 "
         "--channels 16 --pixels 1",
         "--lower-corner: expected 1 number, W first, but got 2"},
        {"encode_im2col_wide --type u8 --dims 16,16,16 --strides 16,256 --lower-corner 0 --upper-corner 0 "
         "--channels 16 --pixels 1 --mode h",
         "'h' is neither w nor w128"},
        {sound + " --arch sm_80", "unknown architecture 'sm_80'"}}) {
    const report::Ended ended = explain(words);
    EXPECT_EQ(ended.code, 64) << words << "\n" << ended.text;
    EXPECT_NE(ended.text.find(why), std::string::npos) << words << "\n" << ended.text;
  }
}

}  // namespace
}  // namespace assay::cli
