// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>

#include "reports/html/pages_test.h"
#include "reports/html/sections.h"
#include "reports/text.h"

/// Values split into their parts, pictures of outputs, and maps that filter.
namespace assay::report {
namespace {

CaseRow row_of(const char* format, std::vector<uint32_t> expected, std::vector<uint32_t> observed) {
  CaseRow row;
  row.format = format;
  const auto put = [](std::vector<uint8_t>& to, const std::vector<uint32_t>& words) {
    for (const uint32_t word : words)
      for (int i = 0; i < 4; ++i) to.push_back(static_cast<uint8_t>(word >> (8 * i)));
  };
  put(row.expected, expected);
  put(row.observed, observed);
  row.defined.assign(row.expected.size(), 0xff);
  row.differing_bytes = 1;
  return row;
}

std::string values_of(const CaseRow& row) {
  std::string page;
  html::values(page, row);
  return page;
}

TEST(Values, AreSplitIntoSignExponentAndMantissa) {
  const uint32_t one = std::bit_cast<uint32_t>(1.0f), wrong = std::bit_cast<uint32_t>(-1.5f);
  const std::string page = values_of(row_of("f32", {0, one}, {0, wrong}));
  EXPECT_NE(page.find("<td>4</td><td>expected</td><td><b>0</b></td><td>01111111</td>"
                      "<td><b>0</b>0000000000000000000000</td><td>1</td>"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("<td>observed</td><td><b>1</b></td><td>01111111</td>"
                      "<td><b>1</b>0000000000000000000000</td><td>-1.5</td>"),
            std::string::npos)
      << page;
  EXPECT_EQ(page.find("<td>0</td><td>expected"), std::string::npos) << "the first element is right";
}

TEST(Values, BeginWhereAnElementDoes) {
  CaseRow row = row_of("f16", {0x3c003c00}, {0x3c003d00});
  EXPECT_NE(values_of(row).find("<td>1.25</td>"), std::string::npos) << values_of(row);
  row.bytes_offset = 15;  // the window begins inside an element
  row.expected = {0, 0x00, 0x3c}, row.observed = {0, 0x00, 0xbc}, row.defined = {0xff, 0xff, 0xff};
  EXPECT_NE(values_of(row).find("<td>16</td><td>expected</td><td><b>0</b></td><td>01111</td>"),
            std::string::npos)
      << values_of(row);
}

TEST(Values, NeedAFormatAndADefinedDifference) {
  EXPECT_EQ(values_of(row_of("", {1}, {2})), "");
  EXPECT_EQ(values_of(row_of("<script>", {1}, {2})), "");
  EXPECT_EQ(values_of(row_of("e2m1", {1}, {2})), "") << "two share a byte";
  CaseRow row = row_of("f32", {1}, {2});
  row.defined.assign(4, 0);
  EXPECT_EQ(values_of(row), "");
}

TEST(Values, OfIntegersHaveNoMantissa) {
  const std::string page = values_of(row_of("u8", {0x03}, {0x07}));
  EXPECT_EQ(page.find("mantissa"), std::string::npos) << page;
  EXPECT_NE(page.find("<td>0</td><td>expected</td><td>00000<b>0</b>11</td><td>0x03</td><td>3</td>"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("<td>observed</td><td>00000<b>1</b>11</td><td>0x07</td><td>7</td>"), std::string::npos)
      << page;
}

TEST(Picture, DrawsRunsOfWrongAndRightElements) {
  CaseRow row;
  row.picture = "@lane|2|column|4\n==x.\n.xx=\n";
  std::string page;
  html::picture(page, row);
  EXPECT_NE(page.find("<title>wrong: lanes 0 to 1, columns 8 to 11</title>"), std::string::npos) << page;
  EXPECT_NE(page.find("<title>wrong: lanes 2 to 3, columns 4 to 11</title>"), std::string::npos) << page;
  EXPECT_NE(page.find("<text x=\"64\" y=\"13\">0</text>"), std::string::npos) << page;
  EXPECT_NE(page.find("3 of 8 cells hold wrong elements"), std::string::npos) << page;
  EXPECT_NE(page.find("A cell is 2 by 4."), std::string::npos) << page;
  page.clear();
  row.picture = "=x\n";  // as earlier versions wrote it
  html::picture(page, row);
  EXPECT_NE(page.find("<title>wrong: row 0, column 1</title>"), std::string::npos) << page;
  for (const char* none : {"", "==\n", "\"><script>\n", "@lane|0|column|1\n", "@x\n#\n"}) {
    page.clear();
    row.picture = none;
    html::picture(page, row);
    EXPECT_EQ(page, "") << none;
  }
  // One that would fill the page is left out.
  row.picture.clear();
  for (int line = 0; line < 64; ++line) {
    for (int i = 0; i < 64; ++i) row.picture += i % 2 == 0 ? 'x' : '=';
    row.picture += '\n';
  }
  page.clear();
  html::picture(page, row);
  EXPECT_EQ(page, "");
}

TEST(Picture, SaysWherePiecesWentAndBelong) {
  CaseRow row;
  row.picture = "@128-byte line|1|element|1\n=x\n#640:512,656:-1,1040:1024\n";
  std::string page;
  html::pieces(page, row);
  EXPECT_NE(
      page.find("<th>640</th><td class=\"miss\" title=\"byte 640 holds the piece that belongs at byte "
                "512\">512</td><td class=\"miss\" title=\"byte 656 holds what belongs nowhere\">?</td>"),
      std::string::npos)
      << page;
  EXPECT_NE(page.find("<th>1024</th><td class=\"never\">·</td><td class=\"miss\""), std::string::npos)
      << page;
  page.clear();
  row.picture = "=x\n#, 1:,<script>:2\n";
  html::pieces(page, row);
  EXPECT_EQ(page, "");
}

}  // namespace
}  // namespace assay::report
