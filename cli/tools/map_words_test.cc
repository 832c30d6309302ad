// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/map_argument.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace assay::cli {
namespace {

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

}  // namespace
}  // namespace assay::cli
