// SPDX-License-Identifier: Apache-2.0
#include "reports/waiver_tables.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace assay::report {
namespace {

/// Every entry on a line of its own: its line, its key, its value in <> where it stood in quotes.
std::string read(std::string_view text) {
  std::string out;
  try {
    for (const WaiverTable& table : parse_waiver_tables(text, "w.toml")) {
      out += std::to_string(table.line) + " waiver\n";
      for (const WaiverEntry& entry : table.entries)
        out += std::to_string(entry.line) + " " + entry.key + " " +
               (entry.quoted ? "<" + entry.value + ">" : entry.value) + "\n";
    }
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return out;
}

/// The value of the one key of the one waiver.
std::string value(const std::string& text) {
  const std::string all = read("[[waiver]]\na = " + text), before = "1 waiver\n2 a ";
  return all.starts_with(before) ? all.substr(before.size(), all.size() - before.size() - 1) : all;
}

TEST(WaiverTables, HeadersKeysAndComments) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("# für\n\n \t\n#"), "");
  EXPECT_EQ(read("[[waiver]]"), "1 waiver\n");
  EXPECT_EQ(read("\ufeff[[waiver]]\r\n\tid=\"x\"\r\n"), "1 waiver\n2 id <x>\n") << "from Windows";
  EXPECT_EQ(read("\n [[ waiver\t]] # one\na-b_1 =\t'x'# y\nday = 2027-01-31 # z\n[[waiver]]\na-b_1 = 1\n"),
            "2 waiver\n3 a-b_1 <x>\n4 day 2027-01-31\n5 waiver\n6 a-b_1 1\n");
}

TEST(WaiverTables, TextsOfFourKinds) {
  EXPECT_EQ(value(R"("a # \"b\" \\ \t\n|'")"), "<a # \"b\" \\ \t\n|'>");
  EXPECT_EQ(value(R"('a # \"b" \')"), R"(<a # \"b" \>)");
  EXPECT_EQ(value("''"), "<>");
  EXPECT_EQ(value("\"ü\""), "<ü>");
  EXPECT_EQ(value("\"\"\"\na\r\n\"b\"\"\nc\"\"\""), "<a\n\"b\"\"\nc>");
  EXPECT_EQ(value("\"\"\"a \\  \n\n   b \\\r\n c\\\"\"\"\""), "<a b c\">");
  EXPECT_EQ(value("\"\"\"\"\"\"\"\" # two quotes"), "<\"\">");
  EXPECT_EQ(value("'''\n'a' \\\n''''"), "<'a' \\\n'>");
  EXPECT_EQ(read("[[waiver]]\na = '''\n\n'''\nb = 1"), "1 waiver\n2 a <\n>\n5 b 1\n") << "lines are counted";
}

TEST(WaiverTables, OnlyOneHeaderIsKnown) {
  for (const std::string header :
       {"[waiver]", "[[[waiver]]", "[[waiver", "[[waiver]", "[[waivers]]", "[[\"waiver\"]]", "[[wai ver]]",
        "[ [waiver]]", "[[waiver]] x", "[[a.b]]", "[[]]", "[[]", "[[", "[]", "[", "[[=]]", "[[ü]]"})
    EXPECT_EQ(read("\n " + header + " # x\n]]"),
              "w.toml, line 2: '" + header + "' is not [[waiver]], the only header of a waiver file");
}

TEST(WaiverTables, WhatIsWrongIsOneSentence) {
  const std::string begins = "expected [[waiver]], a key such as id, or a comment";
  const std::string closed = "only a comment may follow the closing quotes";
  const std::string escape =
      R"(expected one of " \ n t after '\' in a string of "" (a string of '' takes '\' as it is))";
  const struct {
    std::string text, sentence;
  } rows[] = {
      {"other = 1", "line 1: 'other' comes before the first [[waiver]], where only comments are allowed"},
      {"{\"waiver\": []}", "line 1: " + begins + "; found '{'"},
      {"[[waiver]]\n = 1", "line 2: " + begins + "; found '='"},
      {"[[waiver]]\nü = 1", "line 2: " + begins + "; found non-ASCII character 'ü'"},
      {"[[waiver]]\nid \"x\"", "line 2: expected '=' after 'id'; found '\"'"},
      {"[[waiver]]\nid.a = 1", "line 2: expected '=' after 'id'; found '.'"},
      {"[[waiver]]\nid\nb = 1", "line 2: expected '=' after 'id'; found end of line"},
      {"[[waiver]]\nid\ufeff= 1", "line 2: expected '=' after 'id'; found non-ASCII character '\ufeff'"},
      {"[[waiver]]\nid = # x\n",
       "line 2: expected a quoted string or a date such as 2027-01-31 after 'id ='"},
      {"[[waiver]]\nid =", "line 2: expected a quoted string or a date such as 2027-01-31 after 'id ='"},
      {"[[waiver]]\nid = 1\n\nid = 2", "line 4: this waiver has 'id' already, on line 2"},
      {"[[waiver]]\nid = \"x\nb = 1",
       "line 2: the string that begins on this line is missing its closing \""},
      {"[[waiver]]\nid = 'x", "line 2: the string that begins on this line is missing its closing '"},
      {"[[waiver]]\nid = '''x\n\n''",
       "line 2: the string that begins on this line is missing its closing '''"},
      {"[[waiver]]\nid = \"x\\", "line 2: " + escape + "; found end of line"},
      {"[[waiver]]\nid = \"C:\\users\"", "line 2: " + escape + "; found 'u'"},
      {"[[waiver]]\nid = \"a\" \"b\"", "line 2: " + closed + "; found '\"'"},
      {"[[waiver]]\nid = '''\n''' \u00a0", "line 3: " + closed + "; found non-ASCII character '\u00a0'"},
      {"# x\nid = \"\xff\xfe\"", "line 2: the waiver file is not valid UTF-8"},
      {"\n\xef\xbb", "line 2: the waiver file is not valid UTF-8"},
      {std::string("\n# \0", 4), "line 2: a control character (0x00) is not allowed in a waiver file"},
      {"id\r= 1", "line 1: a control character (0x0D) is not allowed in a waiver file"},
      {"# \x7f", "line 1: a control character (0x7F) is not allowed in a waiver file"},
  };
  for (const auto& row : rows) EXPECT_EQ(read(row.text), "w.toml, " + row.sentence);
}

TEST(WaiverTables, SentencesAboutLongTextsStayShort) {
  EXPECT_LT(read(std::string(100'000, '[')).size(), 200u);
  EXPECT_LT(read("[[waiver]]\n" + std::string(100'000, 'a')).size(), 200u);
  EXPECT_EQ(value(std::string(100'000, '[')).size(), 100'000u) << "a list is not looked into, however deep";
}

}  // namespace
}  // namespace assay::report
