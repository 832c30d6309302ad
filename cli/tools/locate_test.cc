// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/locate.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "cli/command.h"
#include "reports/scratch_test.h"
#include "suites/vectors/csv.h"

namespace assay::cli {
namespace {

uint64_t byte_of(const Located& found) {
  return found.members.at("places").at(0).at("byte");
}

std::string content(const char* name) {
  std::ifstream in(std::string(ASSAY_VECTORS "/") + name);
  EXPECT_TRUE(in.good()) << name;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The worked examples of the swizzling modes, measured on an H200 where that has the mode: bytes before and
// after, from a base that is not always where the pattern begins.
TEST(Locate, TilesAgreeWithTheWorkedSwizzles) {
  const std::pair<std::string, const char*> names[] = {{"none", "none"},
                                                       {"32", "32B"},
                                                       {"64", "64B"},
                                                       {"128", "128B"},
                                                       {"128a32", "128B_atom32B"},
                                                       {"128a64", "128B_atom64B"},
                                                       {"128a32f8", "128B_atom32B_flip8B"}};
  int compared = 0;
  for (const CsvRow& row : parse_csv(content("vectors_tma.csv"))) {
    if (row.cells.at(1) != "SWZ") continue;
    const vectors::Pairs asked(row.cells.at(3)), given(row.cells.at(4));
    LocateQuestion question;
    question.type = "u8";
    uint32_t width = 128;
    for (const auto& [mode, name] : names)
      if (mode == asked.text("mode")) question.swizzle = name;
    if (asked.text("mode") == "96") continue;  // its rows of 96 bytes do not fill lines
    if (question.swizzle == "32B" || question.swizzle == "64B") width = question.swizzle == "32B" ? 32 : 64;
    question.address = static_cast<uint64_t>(asked.number("base"));
    const auto logical = asked.list("logical"), physical = given.list("physical");
    ASSERT_EQ(logical.size(), physical.size());
    for (size_t i = 0; i < logical.size(); ++i, ++compared) {
      question.row = static_cast<uint64_t>(logical[i]) / width;
      question.column = static_cast<uint64_t>(logical[i]) % width;
      const Located found = locate_in_tile(question);
      EXPECT_EQ(byte_of(found), question.address + static_cast<uint64_t>(physical[i]))
          << row.cells[0] << " " << logical[i];
      EXPECT_EQ(found.members["places"][0]["byte_of_tile"], static_cast<uint64_t>(physical[i]));
    }
  }
  EXPECT_GT(compared, 300);
}

// What makes kernels work: a tile that TMA writes with a swizzle is the K-major operand of that swizzle.
TEST(Locate, ATileIsTheOperandThatItsSwizzleMakesIt) {
  for (const auto& [swizzle, width] :
       {std::pair<const char*, uint64_t>{"128B", 128}, {"64B", 64}, {"32B", 32}})
    for (const auto& [type, bytes] : {std::pair<const char*, uint64_t>{"bf16", 2}, {"u8", 1}, {"f32", 4}})
      for (uint64_t row = 0; row < 40; row += 3)
        for (uint64_t k = 0; k < width / bytes; k += 5) {
          LocateQuestion question;
          question.swizzle = swizzle;
          question.type = type;
          question.row = row, question.column = k;
          question.address = 4096;
          const uint64_t tile = byte_of(locate_in_tile(question));
          question.stride_offset = 8 * width, question.leading_offset = 16;
          EXPECT_EQ(byte_of(locate_operand(question)), tile) << swizzle << type << row << "," << k;
        }
}

// Descriptor words of CUTLASS (vectors_descriptors.csv): the word that is printed, and where element (0, 0)
// is.
TEST(Locate, OperandsHaveTheDescriptorsThatLibrariesBuild) {
  const std::pair<std::string, const char*> names[] = {
      {"NONE", "none"}, {"32B", "32B"}, {"64B", "64B"}, {"128B", "128B"}, {"128B_B32", "128B_atom32B"}};
  int compared = 0;
  for (const CsvRow& row : parse_csv(content("vectors_descriptors.csv"))) {
    if (row.cells.at(1) != "smem" || row.cells.at(4) == "invalid") continue;
    const std::string& variant = row.cells.at(2);
    const size_t line = variant.find('_');
    if (line == variant.npos) continue;
    const vectors::Pairs params(row.cells.at(3));
    LocateQuestion question;
    question.major = variant.substr(0, line) == "MN" ? "mn" : "k";
    question.swizzle.clear();
    for (const auto& [suffix, name] : names)
      if (suffix == variant.substr(line + 1)) question.swizzle = name;
    if (question.swizzle.empty() || !params.has("start") || !params.has("LBO_B")) continue;
    question.type = "u8";
    question.address = static_cast<uint64_t>(params.number("start"));
    question.leading_offset = static_cast<uint64_t>(params.number("LBO_B"));
    question.stride_offset = static_cast<uint64_t>(params.number("SBO_B"));
    if (*question.leading_offset == 0 || *question.stride_offset == 0) continue;
    std::ostringstream word;
    const Located found = locate_operand(question);
    word << std::hex << std::uppercase << found.members.at("descriptor").get<uint64_t>();
    std::string expected = row.cells.at(5).substr(2);
    expected.erase(0, expected.find_first_not_of('0'));
    EXPECT_EQ(word.str(), expected) << row.cells[0];
    question.descriptor = row.cells.at(5);
    EXPECT_EQ(byte_of(locate_operand(question)), byte_of(found)) << row.cells[0];
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

/// FNV-1a of 32-bit numbers, low byte first, as the file of positions has it.
struct Digest {
  uint64_t hash = 0xcbf29ce484222325u;
  void add(uint32_t number) {
    for (int i = 0; i < 32; i += 8) hash = (hash ^ (number >> i & 0xff)) * 0x100000001b3u;
  }
};

// The fragments of D that CUTLASS 4.7.0 publishes: every element of every layout but C.
TEST(Locate, AccumulatorsLieWhereLibrariesHaveThem) {
  struct Form {
    int m, cta_group;
    bool ws;
  };
  const std::pair<char, Form> forms[] = {{'A', {256, 2, false}}, {'B', {128, 2, false}},
                                         {'D', {128, 1, false}}, {'E', {64, 1, true}},
                                         {'F', {64, 1, false}},  {'G', {32, 1, true}}};
  int fragments = 0;
  for (const CsvRow& row : parse_csv(content("cutlass_tmem_positions.csv"))) {
    if (row.cells.at(1) != "d") continue;
    for (const auto& [letter, form] : forms) {
      if (row.cells[2][0] != letter) continue;
      LocateQuestion question;
      question.m = form.m, question.cta_group = form.cta_group, question.ws = form.ws;
      question.n = std::stoi(row.cells[2].substr(2));
      if (question.n > 64) continue;  // each element draws a picture
      Digest digest;
      for (int m = 0; m < form.m / form.cta_group; ++m)
        for (int n = 0; n < question.n; ++n) {
          question.row = static_cast<uint64_t>(m), question.column = static_cast<uint64_t>(n);
          const nlohmann::json place = locate_accumulator(question).members.at("places").at(0);
          digest.add(place.at("lane").get<uint32_t>() << 16 | place.at("column").get<uint32_t>());
        }
      std::ostringstream text;
      text << std::hex << digest.hash;
      EXPECT_EQ(text.str(), row.cells.at(6)) << row.cells[2];
      ++fragments;
    }
  }
  EXPECT_GE(fragments, 5);
}

report::Ended locate(const std::string& words) {
  return report::shell(ASSAY_BINARY_DIR "/assay locate " + words);
}

TEST(Locate, PicturesFitOnAScreen) {
  const std::pair<const char*, const char*> asked[] = {
      {"--swizzle 128B --row 3 --col 17",
       R"(bf16 tile, 128B swizzle: rows of 64 elements, 128 bytes, 128 apart
row 3, element 17 lies at byte 0x192 (402) of the tile
  line 3, piece 1 (before the swizzle 2), bank 4
row,element at the start of each 16-byte piece:
    byte     bank 0     4     8     12    16    20    24    28
    0x00000       0,0   0,8   0,16  0,24  0,32  0,40  0,48  0,56
    0x00080       1,8   1,0   1,24  1,16  1,40  1,32  1,56  1,48
    0x00100       2,16  2,24  2,0   2,8   2,48  2,56  2,32  2,40
    0x00180       3,24 [3,16] 3,8   3,0   3,56  3,48  3,40  3,32
    0x00200       4,32  4,40  4,48  4,56  4,0   4,8   4,16  4,24
    0x00280       5,40  5,32  5,56  5,48  5,8   5,0   5,24  5,16
    0x00300       6,48  6,56  6,32  6,40  6,16  6,24  6,0   6,8
    0x00380       7,56  7,48  7,40  7,32  7,24  7,16  7,8   7,0
)"},
      {"--layout smem --major mn --swizzle none --sbo 128 --lbo 1024 --type e4m3 --row 25 --col 9",
       R"(descriptor 0x0000400800400000: MN-major e4m3, swizzle none, start 0, LBO 1024, SBO 128
element (mn 25, k 9) lies at byte 0x499 (1177) of shared memory
  0x499 (1177) from the start, piece 1 (before the swizzle 1), bank 6
mn,k at the start of each 16-byte piece:
    byte     bank 0       4       8       12      16      20      24      28
    0x00400       0,8     0,9     0,10    0,11    0,12    0,13    0,14    0,15
    0x00480       16,8   [16,9]   16,10   16,11   16,12   16,13   16,14   16,15
    0x00500       32,8    32,9    32,10   32,11   32,12   32,13   32,14   32,15
    0x00580       48,8    48,9    48,10   48,11   48,12   48,13   48,14   48,15
    0x00600       64,8    64,9    64,10   64,11   64,12   64,13   64,14   64,15
    0x00680       80,8    80,9    80,10   80,11   80,12   80,13   80,14   80,15
    0x00700       96,8    96,9    96,10   96,11   96,12   96,13   96,14   96,15
    0x00780       112,8   112,9   112,10  112,11  112,12  112,13  112,14  112,15
)"},
      {"--layout d --m 64 --n 128 --ws --row 40 --col 100",
       R"(D of tcgen05.mma.ws, M 64, cta_group::1: layout E (data path 2x2), N 128
element (m 40, n 100) lies in lane 104, column 36 of D
  lanes      m          n          columns
  0-63       0-63       0-63       0-63
  64-127     0-63       64-127     0-63   <- lane 104, column 36
)"},
      {"--layout d --m 128 --cta-group 2 --sparse --row 90 --col 5 --lane-base 16",
       R"(D of tcgen05.mma.sp, M 128, cta_group::2: layout C (data path 4x1), N 256
element (m 90, n 5) lies in odd CTA, lane 58, column 5 of D
  CTA  lanes      m          n          columns
  0    16-31      0-15       0-255      0-255
  0    48-63      16-31      0-255      0-255
  0    80-95      32-47      0-255      0-255
  0    112-127    48-63      0-255      0-255
  1    16-31      64-79      0-255      0-255
  1    48-63      80-95      0-255      0-255   <- lane 58, column 5
  1    80-95      96-111     0-255      0-255
  1    112-127    112-127    0-255      0-255
)"},
      {"--layout a --m 64 --ws --n 128 --row 40 --col 5",
       R"(A of tcgen05.mma.ws, M 64, cta_group::1: layout E (data path 2x2), bf16 in tensor memory
element (m 40, k 5) lies in lane 40, column 2 and in lane 104, column 2, )"
       R"(bits 16 to 31 of 32 (2 elements a cell)
  lanes      m
  0-63       0-63   <- lane 40, column 2
  64-127     0-63   <- lane 104, column 2
)"},
      {"--scales a --row 40 --col 70",
       R"(scales of A of tcgen05.mma, M 128, cta_group::1: layout D (data path 4x1), N 256, )"
       R"(one per 32 elements of K
the scale of element (m 40, k 70) is scale 2 of the row: column 1, byte 2, lanes 8, 40, 72 and 104
m,scale in lane 8:
    column   byte 0   byte 1   byte 2   byte 3
    0        8,0      8,1      8,2      8,3
    1        40,0     40,1    [40,2]    40,3
    2        72,0     72,1     72,2     72,3
    3        104,0    104,1    104,2    104,3
)"}};
  for (const auto& [words, picture] : asked) {
    const report::Ended ended = locate(words);
    EXPECT_EQ(ended.code, 0) << words;
    EXPECT_EQ(ended.text, picture) << words;
  }
}

TEST(Locate, WhatThereIsNotEndsWith64AndOneSentence) {
  const std::pair<const char*, const char*> asked[] = {
      {"--row 1", "missing option --col"},
      {"--row 1 --col x", "--col: 'x' is not a number of at most 32 bits"},
      {"--row -1 --col 1", "--row: '-1' is not a number"},
      {"--row 1 --col 64 --swizzle 128B", "64 is past the end of a row of 64 elements"},
      {"--row 256 --col 1 --swizzle 128B", "256 is past the end of a box of 256 rows"},
      {"--row 1 --col 1 --swizzle 128", "the swizzles are none 32B 64B 128B"},
      {"--row 1 --col 1 --swizzle 64B --atom 32B", "only 128B swizzle has atoms of other sizes"},
      {"--row 1 --col 1 --swizzle 128B --atom 8B", "'128B_atom8B' is not a tensor map swizzle"},
      {"--row 1 --col 1 --type bf61", "did you mean 'bf16'"},
      {"--row 1 --col 1 --type b4x16 --arch sm_90", "no such tile on sm_90: V-02"},
      {"--row 1 --col 1 --box 128,8 --swizzle 128B", "no such tile on sm_100: V-23"},
      {"--row 1 --col 1 --box 7,8", "V-16"},
      {"--row 1 --col 1 --box 1,2,3,4,5,6", "at most 5 dimensions"},
      {"--row 1 --col 1 --box 8,", "a number is missing"},
      {"--row 1 --col 1 --address 16 --swizzle 128B", "(TILE-R22)"},
      {"--row 1 --col 1 --layout til", "did you mean 'tile'?"},
      {"--row 1 --col 1 --ws", "--ws: does not apply to --layout tile"},
      {"--row 1 --col 1 --layout d --box 8,8", "--box: does not apply to --layout d"},
      {"--row 1 --col 1 --scales a --lbo 16", "--lbo: does not apply to --scales"},
      {"--row 1 --col 1 --layout smem --swizzle 128B", "--sbo: required for this layout"},
      {"--row 1 --col 1 --layout smem --sbo 128", "--lbo: required for this layout"},
      {"--row 1 --col 1 --layout smem --swizzle 128B --sbo 100", "100 is not a multiple of 16 below 262144"},
      {"--row 1 --col 1 --layout smem --swizzle 96B --sbo 128", "is not a descriptor swizzle"},
      {"--row 1 --col 1 --layout smem --descriptor 0x6000404000010080", "its swizzle code is not defined"},
      {"--row 1 --col 1 --layout smem --descriptor fish", "'fish' is not a word of at most 64 bits"},
      {"--row 256 --col 1 --layout smem --swizzle 128B --sbo 128", "rows are 0 to 255"},
      {"--row 1 --col 1 --layout d --m 100", "this form of tcgen05.mma has no M of 100; it has 128, 64"},
      {"--row 1 --col 1 --layout d --cta-group 2 --ws", ".ws and .cta_group::2 exclude each other"},
      {"--row 1 --col 1 --layout d --n 7", "has M 128 and N 7 in this form"},
      {"--row 128 --col 1 --layout d", "128 is out of range; there are 128 rows of D"},
      {"--row 1 --col 1 --layout d --lane-base 16", "layout D uses all lanes"},
      {"--row 1 --col 1 --layout d --lane-base 8", "must be 0 or 16"},
      {"--row 1 --col 1 --layout d --arch sm_90", "sm_90 has no tensor memory"},
      {"--row 1 --col 1 --layout a --type u64", "'u64' is not an operand type"},
      {"--row 1 --col 1 --scales c", "'c' is neither a nor b"},
      {"--row 1 --col 1 --scales a --block 8", "covers 16 or 32 elements"},
      {"--row 1 --col 1 --scales a --m 64", "with scale factors has M 64"},
      {"--row 1 --col 1 --colour", "unknown option '--colour' for 'assay locate'"}};
  for (const auto& [words, why] : asked) {
    const report::Ended ended = locate(words);
    EXPECT_EQ(ended.code, 64) << words << "\n" << ended.text;
    EXPECT_NE(ended.text.find(why), std::string::npos) << words << "\n" << ended.text;
  }
}

}  // namespace
}  // namespace assay::cli
