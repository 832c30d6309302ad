// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_process_test.h"
#include "cli/tools/encode_call.h"
#include "cli/tools/map_argument.h"
#include "reports/scratch_test.h"

/// describe --as tensor_map, diff-maps and explain as a user starts them.
namespace assay::cli {
namespace {

using report::Ended;

std::string scratch(const std::string& name) {
  return report::scratch_path(name).string();
}

/// 128 x 64 of bf16, rows 256 bytes apart, box 64 x 8, 128B swizzle: words by the bit table of
/// spec/tensor_map_bits.h.
const std::string map_words =
    "12340000 7f 6510 10 0 0 0 0 7f 3f 0 0 0 3f000000 7 0 400 0 400 0 0 0 0 0 0 0 0 0 0 0 0 0";

TEST(DescribeMapCommand, DrawsTheMapAndSaysWhatItServes) {
  const Ended ended = start("describe --as tensor_map --arch sm_100 '" + map_words + "'");
  EXPECT_EQ(ended.code, 0);
  const size_t at = ended.text.find("no violation on sm_100");
  ASSERT_NE(at, std::string::npos) << ended.text;
  EXPECT_EQ(ended.text.substr(at),
            R"(no violation on sm_100
  tensor: 128 bf16 elements along dimension 0
    +----------------------------------------+
    |####################                    |  # box: 64 x 8
    |                                        |  dimension 1: 64 rows, 256 bytes apart
    |                                        |
    |                                        |
    |                                        |
    |                                        |
    +----------------------------------------+
  tile in shared memory: 8 rows of 128 bytes, 128 apart, 1024 in all, swizzle 128B
  row.piece of 16 bytes, where the tile begins at a multiple of 1024:
    byte     bank 0    4    8    12   16   20   24   28
    0x00000       0.0  0.1  0.2  0.3  0.4  0.5  0.6  0.7
    0x00080       1.1  1.0  1.3  1.2  1.5  1.4  1.7  1.6
    0x00100       2.2  2.3  2.0  2.1  2.6  2.7  2.4  2.5
    0x00180       3.3  3.2  3.1  3.0  3.7  3.6  3.5  3.4
    0x00200       4.4  4.5  4.6  4.7  4.0  4.1  4.2  4.3
    0x00280       5.5  5.4  5.7  5.6  5.1  5.0  5.3  5.2
    0x00300       6.6  6.7  6.4  6.5  6.2  6.3  6.0  6.1
    0x00380       7.7  7.6  7.5  7.4  7.3  7.2  7.1  7.0
serves: tile load (1024 transaction bytes), tile store, tile reduce .add .min .max
does not serve: tile reduce .inc .dec .and .or .xor
    TILE-R55: a reduction exists for the type of its map: add for u32 s32 u64 f16 bf16 f32 f64 )"
            R"(and the tf32 and flush-to-zero types, min and max for u32 s32 u64 s64 f16 bf16, inc )"
            R"(and dec for u32, and or xor for u32 s32 u64; any other faults with illegal instruction
does not serve: tile::gather4 load, tile::scatter4 store
    GATH-R05: the map of a gather4 or scatter4 has rank 2 and a box one row high; )"
            R"(another rank faults with illegal instruction
does not serve: im2col load, im2col store, im2col::w load, im2col::w::128 load
    IM2C-R15: an instruction whose mode differs from that of the map faults with illegal instruction
)");
  const Ended hopper = start("describe --as tensor_map --arch sm_90 '" + map_words + "'");
  EXPECT_TRUE(says(hopper,
                   "does not serve: tile::gather4 load, tile::scatter4 store, im2col::w load, "
                   "im2col::w::128 load: not on sm_90"))
      << hopper.text;
}

TEST(DescribeMapCommand, DrawsIm2colMapsAndNoneOfMapsThatNoEncoderWrites) {
  const Ended im2col =
      start("describe --as tensor_map '00001000 0 00006331 8 48 3f0 0 0 3f 8 d 7 0 3f000000 ffffffff 20'");
  EXPECT_TRUE(says(im2col,
                   "  pixel box: W -1 to 7 of 0 to 8, H -1 to 12 of 0 to 13\n"
                   "  column in shared memory: 33 pixels of 128 bytes, 128 apart, 4224 in all"))
      << im2col.text;
  EXPECT_TRUE(says(im2col, "does not serve: im2col store")) << im2col.text;
  EXPECT_TRUE(says(im2col, "IM2C-R13")) << im2col.text;
  const Ended spoilt = start("describe --as tensor_map '" + std::string(256, '0') + "'");
  EXPECT_EQ(spoilt.code, 0);
  EXPECT_TRUE(says(spoilt, "violates V-16")) << spoilt.text;
  EXPECT_TRUE(says(spoilt, "no picture: the driver refuses these arguments")) << spoilt.text;
  EXPECT_FALSE(says(spoilt, "serve")) << spoilt.text;
}

TEST(DescribeMapCommand, JsonHasTheCopies) {
  const Ended ended = start("describe --json --as tensor_map --arch sm_100 '" + map_words + "'");
  const nlohmann::json document = nlohmann::json::parse(ended.text);
  bool load = false, gather = false;
  for (const auto& copy : document.at("copies")) {
    load |=
        copy.at("copy") == "tile load" && copy.at("serves") == true && copy.at("transaction_bytes") == 1024;
    gather |= copy.at("copy") == "tile::gather4 load" && copy.at("rule") == "GATH-R05";
  }
  EXPECT_TRUE(load && gather) << ended.text;
}

TEST(MapArgument, AFileOrStandardInputHoldsAMapTooBinaryOrText) {
  const std::string folder = scratch("map_files");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/words") << map_words << "\n";
  const Ended explained = start(
      "explain encode_tiled --type bf16 --dims 128,64 --strides 256 --box 64,8 --swizzle 128B --address "
      "0x7f12340000 --arch sm_90 --json");
  const std::string digits = nlohmann::json::parse(explained.text).at("map");
  std::ofstream binary(folder + "/binary", std::ios::binary);
  for (size_t at = 0; at < digits.size(); at += 2)
    binary.put(static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16)));
  binary.close();
  mkfifo((folder + "/pipe").c_str(), 0600);
  const std::string to_all[] = {"diff-maps " + folder + "/words " + folder + "/binary",
                                "diff-maps " + digits + " " + folder + "/words",
                                "diff-maps - " + folder + "/binary < " + folder + "/words",
                                "diff-maps " + folder + "/words - < " + folder + "/binary",
                                "diff-maps " + folder + "/pipe " + digits + " & cat " + folder + "/words > " +
                                    folder + "/pipe; wait %1"};
  for (const std::string& words : to_all) {
    const Ended ended = start(words);
    EXPECT_EQ(ended.code, 0) << words << "\n" << ended.text;
    EXPECT_EQ(ended.text, "the maps are the same in all fields\n") << words;
  }
}

TEST(MapArgument, WhatCannotBeReadIsSaidInOneSentence) {
  const std::string folder = scratch("no_map_files");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/short", std::ios::binary) << std::string(127, '\1');
  std::ofstream(folder + "/text") << "not a map\n";
  std::ofstream(folder + "/empty");
  mkfifo((folder + "/pipe").c_str(), 0600);
  std::filesystem::permissions(folder + "/empty", std::filesystem::perms::owner_read);
  const struct {
    std::string map;
    int code;
    const char* why;
  } rows[] = {
      {folder + "/none", 2, "No such file or directory"},
      {folder, 2, "it is a directory"},
      {folder + "/short", 2, "it has 127 bytes; a tensor map has 128"},
      {folder + "/text", 2, "'not' is not hexadecimal"},
      {folder + "/empty", 2, "it is empty"},
      {folder + "/pipe", 2, "it is a pipe, and nothing was written to it"},
      {"/dev/zero", 2, "it is longer than 16 KiB, and a tensor map has 128 bytes"},
      {"- < " + folder + "/empty", 2, "cannot read a tensor map from standard input: it is empty"},
      {"- < /dev/zero", 2, "it is longer than 16 KiB"},
      {"- <&-", 2, "cannot read a tensor map from standard input: Bad file descriptor"},
      {"nonsense", 64,
       "expected a file, or the 128 bytes of a tensor map in hexadecimal or base64: 'nonsense' is not"},
      {"''", 64, "needs a value"},
      {std::string(254, 'a'), 64, "it has 127 bytes"}};
  for (const auto& row : rows) {
    const Ended ended = start("describe --as tensor_map " + row.map);
    EXPECT_EQ(ended.code, row.code) << row.map << "\n" << ended.text;
    EXPECT_TRUE(says(ended, row.why)) << row.map << "\n" << ended.text;
    const Ended diff = start("diff-maps " + std::string(256, '0') + " " + row.map);
    EXPECT_EQ(diff.code, row.code) << row.map << "\n" << diff.text;
    EXPECT_TRUE(says(diff, row.why)) << row.map << "\n" << diff.text;
  }
  const Ended twice = start("diff-maps - - < " + folder + "/empty");
  EXPECT_EQ(twice.code, 2) << twice.text;  // empty here; a second reading is a mistake of its own
  std::ofstream(folder + "/map") << map_words;
  const Ended again = start("diff-maps - - < " + folder + "/map");
  EXPECT_EQ(again.code, 64) << again.text;
  EXPECT_TRUE(says(again, "standard input can be read only once")) << again.text;
  EXPECT_TRUE(says(start("describe --as tensor_map --arch sm_9 " + std::string(256, '0')),
                   "unknown architecture 'sm_9'"));
}

TEST(DiffMaps, TellsFieldByFieldWhatDiffers) {
  // Another swizzle, box and address; of the book-keeping the hardware reads nothing.
  const std::string other =
      "12350000 7f 4510 10 0 0 0 0 7f 3f 0 0 0 1f000000 7 0 200 0 200 0 0 0 0 0 0 0 0 0 0 0 0 0";
  const Ended ended = start("diff-maps '" + map_words + "' '" + other + "'");
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.text,
            "  field                A                      B                      where\n"
            "  global_address       0x7f12340000           0x7f12350000           0x00 63:0\n"
            "  swizzle_width        128B                   64B                    0x08 14:13\n"
            "  box_dim[0]           64                     32                     0x34 31:24\n"
            "  box_bytes            1024                   512                    0x40 31:0  (not read by "
            "hardware)\n"
            "  swizzle_period       1024                   512                    0x48 31:0  (not read by "
            "hardware)\n"
            "5 fields differ\n");
  const Ended same = start("diff-maps '" + map_words + "' '" + map_words + "'");
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(same.text, "the maps are the same in all fields\n");
  // Only what no hardware reads; and bit 85, which stands in a field that it does.
  std::string kept = map_words, bit_85 = map_words;
  kept.replace(kept.find(" 400 "), 5, " 800 ");
  EXPECT_TRUE(says(start("diff-maps '" + map_words + "' '" + kept + "'"),
                   "1 field differs; hardware treats both maps the same"));
  bit_85.replace(bit_85.find("6510"), 4, "206510");
  EXPECT_TRUE(says(start("diff-maps '" + map_words + "' '" + bit_85 + "'"), "swizzle_atomicity    0"));
}

TEST(DiffMaps, OfDifferentModesNamesTheFieldsThatOneHasAlone) {
  const std::string im2col = "00001000 0 00006331 8 48 3f0 0 0 3f 8 d 7 0 3f000000 ffffffff 20";
  const Ended ended = start("diff-maps --json '" + map_words + "' '" + im2col + "'");
  EXPECT_EQ(ended.code, 1);
  const nlohmann::json document = nlohmann::json::parse(ended.text);
  EXPECT_EQ(document.at("same"), false);
  EXPECT_EQ(document.at("modes"), nlohmann::json({"tiled", "im2col"}));
  bool pixels = false, box = false;
  for (const auto& field : document.at("fields")) {
    pixels |= field.at("name") == "pixels" && field.at("before").is_null() && field.at("after") == "33";
    box |= field.at("name") == "box_dim[1]" && field.at("before") == "8" && field.at("after").is_null();
  }
  EXPECT_TRUE(pixels) << ended.text;
  EXPECT_TRUE(box) << ended.text;
}

/// Bytes that no two are alike and none of which is 0.
spec::TensorMapBytes some_map() {
  spec::TensorMapBytes map{};
  for (size_t i = 0; i < map.size(); ++i) map[i] = static_cast<std::byte>(i + 1);
  return map;
}

/// The first `bytes` of it in words of `word` bytes, each behind `before`.
std::string words(size_t word, const char* before, const char* between, size_t bytes = 128) {
  const spec::TensorMapBytes map = some_map();
  std::string text;
  for (size_t at = 0; at < bytes; at += word) {
    text += (at == 0 ? "" : between) + std::string(before);
    for (size_t i = word; i-- > 0;) {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x", std::to_integer<unsigned>(map[at + i]));
      text += digits;
    }
  }
  return text;
}

TEST(MapWords, EveryFormIsTheSameMap) {
  std::string lines;
  for (size_t at = 0; at < 256; at += 64) lines += words(1, "", "").substr(at, 64) + "\n";
  std::string debugger;  // x/32xw
  for (size_t at = 0; at < 8; ++at)
    debugger += "0x7ffe" + std::to_string(1000 + 16 * at) + " <map+16>:\t" +
                words(4, "0x", "\t").substr(at * 44, 43) + "\n";
  const std::string base64 =
      "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/"
      "QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4A=";
  const std::vector<std::string> forms{words(4, "", " "),
                                       words(4, "0x", ", "),
                                       "{" + words(4, "0x", "u, ") + "u}",
                                       words(8, "0X", "\n"),
                                       words(8, "", ","),
                                       words(1, "", ""),
                                       words(1, "", " "),
                                       words(1, "0x", ", "),
                                       lines,
                                       debugger,
                                       base64,
                                       base64.substr(0, 76) + "\n" + base64.substr(76),
                                       base64.substr(0, base64.size() - 1)};
  for (const std::string& form : forms) {
    const MapOfText parsed = parse_map(form);
    ASSERT_TRUE(parsed.map.has_value()) << form << "\n" << parsed.problem;
    EXPECT_EQ(*parsed.map, some_map()) << form;
  }
}

TEST(MapWords, TheSecondHalfMayBeLeftOut) {
  spec::TensorMapBytes half = some_map();
  std::fill(half.begin() + 64, half.end(), std::byte{0});
  for (const std::string& form :
       {words(4, "", " ", 64), words(8, "", " ", 64), words(1, "", "", 64), words(1, "", " ", 64),
        std::string("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8w"
                    "MTIzNDU2Nzg5Ojs8PT4/QA==")}) {
    const MapOfText parsed = parse_map(form);
    ASSERT_TRUE(parsed.map.has_value()) << form << "\n" << parsed.problem;
    EXPECT_EQ(*parsed.map, half) << form;
  }
  // Leading zeros may be left out of words.
  EXPECT_TRUE(parse_map("1 2 3 4 5 6 7 8 9 a b c d e f 10").map.has_value());
}

TEST(MapWords, WhatIsNoMapIsSaidInASentence) {
  const std::pair<std::string, const char*> wrong[] = {
      {"", "it is empty"},
      {" ,\n", "it is empty"},
      {"1 2 3", "got 3 words where 32 words of 8 hexadecimal digits"},
      {words(1, "", "") + "00", "it has 129 bytes; a tensor map has 128"},
      {words(1, "", "").substr(2), "it has 127 bytes; a tensor map has 128"},
      {words(1, "", "").substr(1), "it has 255 digits; a byte is written as two"},
      {words(1, "", " ").substr(3), "got 127 words"},
      {words(4, "", " ").substr(9), "got 31 words"},
      {words(4, "", " ").replace(3, 1, "g"), "'040g0201' is not hexadecimal"},
      {words(4, "", " ").replace(0, 8, "123456789"), "got 32 words"},
      {words(8, "", " ", 64).replace(0, 0, "1"), "it has 129 digits"},
      {std::string(168, 'Q'), "as base64 it has 126 bytes"},
      {"hello", "'hello' is not hexadecimal"},
      {std::string(100, '!'), "...' is not hexadecimal"}};
  for (const auto& [text, problem] : wrong) {
    const MapOfText parsed = parse_map(text);
    EXPECT_FALSE(parsed.map.has_value()) << text;
    EXPECT_NE(parsed.problem.find(problem), std::string::npos) << text << "\n" << parsed.problem;
  }
}

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
