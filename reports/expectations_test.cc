// SPDX-License-Identifier: Apache-2.0
#include "reports/expectations.h"

#include <gtest/gtest.h>
#include <stdexcept>

#include "reports/text.h"

namespace assay::report {
namespace {

const std::string good = R"(
[[waiver]]
id = "edge-store"
device = "NVIDIA H200"
driver = ">=580.95, <590"
property = "tma.tiled.store"
rule = "TILE-R14"
signature = "tma.tiled.store|done|done|slot|upper0*"
reason = "the driver team knows"
link = "https://bugs.example/1"
expires = 2027-01-31
)";

std::string refusal(const std::string& text) {
  try {
    parse_expectations(text, "w.toml");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(Expectations, EveryFieldIsRead) {
  const std::vector<Waiver> waivers = parse_expectations(good, "w.toml");
  ASSERT_EQ(waivers.size(), 1u);
  const Waiver& w = waivers[0];
  EXPECT_EQ(w.id + "|" + w.device + "|" + w.driver + "|" + w.property + "|" + w.rule,
            "edge-store|NVIDIA H200|>=580.95, <590|tma.tiled.store|TILE-R14");
  EXPECT_EQ(w.signature + "|" + w.reason + "|" + w.link + "|" + w.expires,
            "tma.tiled.store|done|done|slot|upper0*|the driver team knows|https://bugs.example/1|2027-01-31");
  EXPECT_TRUE(parse_expectations("", "w.toml").empty());
}

TEST(Expectations, WhatIsWrongIsNamedWithItsLine) {
  const struct {
    std::string text, sentence;
  } rows[] = {
      {with(good, "id = \"edge-store\"\n", ""), "line 2: the waiver has no 'id'"},
      {with(good, "reason = \"the driver team knows\"", "reason = \"\""),
       "line 9: reason is an empty string; give a value"},
      {with(good, "\"the driver team knows\"", "the driver team knows"),
       "line 9: reason is not a quoted string: the driver team knows"},
      {with(good, "\"TILE-R14\"", "[\"TILE-R14\"]"), "line 7: rule is not a quoted string: [\"TILE-R14\"]"},
      {with(good, "\"TILE-R14\"", "14"), "line 7: rule is not a quoted string: 14"},
      {with(good, "expires = 2027-01-31", ""), "line 2: the waiver has no 'expires'"},
      {with(good, "2027-01-31", "\"2027-01-31\""),
       "line 11: expires is a string; write the date without quotes, such as 2027-01-31"},
      {with(good, "2027-01-31", "2027-13-31"),
       "line 11: expires is not a date such as 2027-01-31: 2027-13-31"},
      {with(good, "2027-01-31", "2027-02-29"),
       "line 11: expires is not a date such as 2027-01-31: 2027-02-29"},
      {with(good, "2027-01-31", "2027-01-31T10:00:00Z # noon"),
       "line 11: expires is not a date such as 2027-01-31: 2027-01-31T10:00:00Z"},
      {with(good, "2027-01-31", "31.1.2027"), "line 11: expires is not a date such as 2027-01-31: 31.1.2027"},
      {with(good, "link =", "lnk ="),
       "line 10: a waiver has no 'lnk'; it has id, device, driver, property, rule, signature, reason, link, "
       "expires"},
      {with(good, ">=580.95, <590", "580"),
       "line 5: driver '580' is neither \"*\" nor bounds such as \">=580.95, <590\""},
      {with(with(good, "property = \"tma.tiled.store\"", ""), "rule = \"TILE-R14\"", ""),
       "line 2: the waiver names neither a property nor a rule"},
      {good + good, "line 13: the id 'edge-store' was given before, by the waiver on line 2"},
  };
  for (const auto& row : rows) EXPECT_EQ(refusal(row.text), "w.toml, " + row.sentence);
}

// Inputs of fuzz/corpus/expectations that another parser came to grief with.
TEST(Expectations, WhatStandsBehindADateIsNamed) {
  EXPECT_EQ(refusal("[[waiver]]\nexpires = 2027-01-31 0   # the last day on which it holds\n"),
            "w.toml, line 2: expires is not a date such as 2027-01-31: 2027-01-31 0");
  EXPECT_EQ(refusal("[[waiver]]\nexpires = 2027-01-65 3 6   5     # the last day"),
            "w.toml, line 2: expires is not a date such as 2027-01-31: 2027-01-65 3 6   5");
  EXPECT_EQ(refusal("[[waiver]]\nexpires = 2027\"\"\"edri\ufeffe"),
            "w.toml, line 2: expires is not a date such as 2027-01-31: 2027\"\"\"edri\ufeffe");
}

TEST(Expectations, AWaiverCoversOnlyWhatItNames) {
  const Waiver w = parse_expectations(good, "w.toml")[0];
  const std::string signature = "tma.tiled.store|done|done|slot|upper0 swizzled";
  const std::vector<std::string> rules{"TILE-R01", "TILE-R14"};
  EXPECT_TRUE(covers(w, "tma.tiled.store", signature, rules));
  EXPECT_FALSE(covers(w, "tma.tiled.load", signature, rules));
  EXPECT_FALSE(covers(w, "tma.tiled.store", "tma.tiled.store|done|timed out", rules));
  EXPECT_FALSE(covers(w, "tma.tiled.store", signature, {"TILE-R01"}));

  DeviceInfo h200{"cuda:0",      "silicon sm_90", "sm_90",
                  "NVIDIA H200", "GPU-1",         {{"kernel-mode driver", "580.159.04"}}};
  EXPECT_TRUE(is_for_device(w, h200));
  h200.facts[0].second = "590.1";
  EXPECT_FALSE(is_for_device(w, h200));
  h200.facts.clear();
  EXPECT_FALSE(is_for_device(w, h200));
  EXPECT_FALSE(is_for_device(w, {"emulator:sm_90a", "emulator sm_90", "sm_90", "assay emulator", "", {}}));

  EXPECT_FALSE(is_expired(w, "2027-01-31"));
  EXPECT_TRUE(is_expired(w, "2027-02-01"));
}

TEST(Expectations, VersionsCompareByNumbers) {
  EXPECT_TRUE(is_in_range("580.159.04", ">=580.95"));
  EXPECT_TRUE(is_in_range("580.159.04", "==580.159.4"));
  EXPECT_FALSE(is_in_range("580.159.04", ">580.159.04"));
  EXPECT_FALSE(is_in_range("580.9", ">=580.95"));
  EXPECT_TRUE(is_in_range("anything", "*"));
  EXPECT_FALSE(is_in_range("unknown", ">=1"));
}

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(glob("a*c", "abbbc"));
  EXPECT_TRUE(glob("*", ""));
  EXPECT_TRUE(glob("a?c*", "abcd"));
  EXPECT_TRUE(glob("*|tile", "x|*|tile"));
  EXPECT_FALSE(glob("a*c", "abbb"));
  EXPECT_FALSE(glob("", "a"));
}

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
