#include "reports/expectations.h"

#include <gtest/gtest.h>

#include "reports/glob.h"

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
    std::string text, words;
  } rows[] = {
      {with(good, "id = \"edge-store\"\n", ""), "lacks 'id'"},
      {with(good, "reason = \"the driver team knows\"", "reason = \"\""), "line 9: reason is no text"},
      {with(good, "expires = 2027-01-31", ""), "lacks 'expires'"},
      {with(good, "expires = 2027-01-31", "expires = \"soon\""), "line 11: expires is no date"},
      {with(good, "expires = 2027-01-31", "expires = 2027-13-31"), "line 11"},
      {with(good, "link =", "lnk ="), "a waiver has no 'lnk'"},
      {with(good, ">=580.95, <590", "580"), "driver '580' is neither"},
      {with(with(good, "property = \"tma.tiled.store\"", ""), "rule = \"TILE-R14\"", ""),
       "neither a property"},
      {good + good, "was given before"},
      {"[waiver]\nid = \"a\"", "is not a [[waiver]] table"},
      {"other = 1", "nothing else belongs here"},
      {"[[waiver", "line 1"},
  };
  for (const auto& row : rows)
    EXPECT_NE(refusal(row.text).find(row.words), std::string::npos) << refusal(row.text);
}

TEST(Expectations, AHeaderWithoutANameIsRefused) {
  for (const char* text : {"[[[waiver]]\n", "[", "[[", "[[ \n]]", " [=]", "x = 1\n[\x80]"}) try {
      parse_expectations(text, "waivers.toml");
      ADD_FAILURE() << text;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("waivers.toml, line"), std::string::npos) << error.what();
    }
}

TEST(Expectations, LettersBeyondAsciiStandInStringsAndComments) {
  EXPECT_TRUE(parse_expectations("# f\xc3\xbcr\n", "waivers.toml").empty());
  for (const char* text : {"expir\xef\xbb\xbb= 2027", "\xc3\xbc = 1", "a = \"x\" \xc2\xa0",
                           "a = '\\' \xc2\xa0", "a = \"\\\"\" \xc2\xa0", "a = \"\"\"\n\"\"\" \xc2\xa0"})
    try {
      parse_expectations(text, "waivers.toml");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("a letter beyond ASCII"), std::string::npos) << error.what();
    }
  for (const char* text :
       {"a = \"\xc3\xbc\"", "a = '\xc3\xbc'", "a = \"\"\"\n\xc3\xbc\n\"\"\"", "a = 1 # \xc3\xbc"})
    try {
      parse_expectations(text, "waivers.toml");
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()).find("beyond ASCII"), std::string::npos) << text;
    }
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

}  // namespace
}  // namespace assay::report
