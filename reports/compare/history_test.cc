// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/run_diff.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>

#include "reports/compare/nights.h"
#include "reports/compare/nights_test.h"
#include "reports/results.h"
#include "reports/results_file.h"
#include "reports/sqlite.h"
#include "reports/written_reports.h"

namespace assay::report {
namespace {

Results with_history(const Scratch& scratch, const char* file,
                     const std::vector<std::filesystem::path>& places) {
  add_history(scratch / file, nights_in(find_history(places)).nights);
  return read_results(scratch / file);
}

std::vector<std::string> started(const std::vector<NightRow>& nights) {
  std::vector<std::string> times;
  for (const NightRow& night : nights) times.push_back(night.started_utc);
  return times;
}

TEST(History, ANightComesBackFromTheFileAsItWas) {
  const Scratch scratch;
  write_night(scratch / "1.db", {.started = "2026-11-21T02:00:00", .ways = {"tma.tiled.load|a", "<b>"}});
  Database(scratch / "1.db", SQLITE_OPEN_READWRITE)
      .execute("INSERT INTO ranges SELECT id,4096,4096,4096,'18446744073709551615' FROM properties");
  const std::vector<NightRow> nights = nights_in({scratch / "1.db"}).nights;
  write_night(scratch / "2.db", {.started = "2026-11-22T02:00:00"});
  add_history(scratch / "2.db", nights);
  Database db = open_results(scratch / "2.db");
  const std::vector<NightRow> read = read_nights(db);
  ASSERT_EQ(read.size(), 1u);
  const NightRow &is = read[0], &was = nights.at(0);
  EXPECT_EQ(is.runs, was.runs);
  EXPECT_EQ(is.started_utc, "2026-11-21T02:00:00");
  EXPECT_EQ(is.seed, was.seed);
  EXPECT_EQ(is.program, was.program);
  EXPECT_EQ(is.device.spec, "cuda:0");
  EXPECT_EQ(is.device.uuid, "GPU-1");
  EXPECT_EQ(is.driver, "580.1");
  EXPECT_EQ(is.verdict, Verdict::violates);
  EXPECT_EQ(is.seconds, 2);
  EXPECT_EQ(is.ways, (std::vector<std::string>{"<b>", "tma.tiled.load|a"}));
  ASSERT_EQ(is.properties.size(), 1u);
  EXPECT_EQ(is.properties[0].cases, 100u);
  EXPECT_EQ(is.properties[0].conforming, 98u);
  EXPECT_TRUE(is.properties[0].complete);
  EXPECT_EQ(is.properties[0].fingerprint, "0a");
  ASSERT_EQ(is.properties[0].ranges.size(), 1u);
  EXPECT_EQ(is.properties[0].ranges[0].first, 4096u);
  EXPECT_EQ(is.properties[0].ranges[0].size, 4096u);
  EXPECT_EQ(is.properties[0].ranges[0].fingerprint, ~uint64_t{0});
}

TEST(History, WhatIsNewIsSaidOfTheNightBeforeAlone) {
  const Scratch scratch;
  write_night(scratch / "1.db", {.started = "2026-11-21T02:00:00", .ways = {"tma.tiled.load|a"}});
  write_night(scratch / "2.db", {.started = "2026-11-22T02:00:00", .ways = {"tma.tiled.load|b"}});
  write_night(scratch / "3.db",
              {.started = "2026-11-23T02:00:00", .ways = {"tma.tiled.load|b", "tma.tiled.load|a"}});
  write_night(scratch / "later.db", {.started = "2026-11-24T02:00:00"});
  write_night(scratch / "other.db", {.started = "2026-11-22T03:00:00", .uuid = "GPU-2"});
  const Results results = with_history(scratch, "3.db", {scratch / ""});
  ASSERT_EQ(results.history.size(), 4u) << "neither its own run twice nor a night after it";
  const HistoryNight* own = own_night(results, 0);
  ASSERT_NE(own, nullptr);
  ASSERT_TRUE(own->since);
  EXPECT_EQ(own->since->fresh, std::vector<std::string>{"tma.tiled.load|a"});
  EXPECT_TRUE(own->since->gone.empty());
  EXPECT_EQ(results.history[own->since->before].night.started_utc, "2026-11-22T02:00:00");
  EXPECT_EQ(history_line(results),
            "since the night of 2026-11-22 02:00:00 UTC: 1 new failure signature, 0 gone");
  for (const std::string& text : {summary_text(scratch / "3.db", false), markdown_text(scratch / "3.db")}) {
    const size_t at =
        text.find("history: since the night of 2026-11-22 02:00:00 UTC: 1 new failure signature");
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_EQ(text.find("history: ", at + 1), std::string::npos) << "one line is enough";
  }
}

TEST(History, WhatAnotherSeedMerelyMissedIsNotGone) {
  const auto night = [](const char* start, const char* seed, std::vector<std::string> ways, uint64_t cases) {
    NightRow row;
    row.runs = row.started_utc = start, row.seed = seed, row.device.uuid = "GPU-1";
    row.properties = {{"p", 300, 300, 300, true, "", {}}};
    for (const std::string& way : ways) row.way_cases[way] = cases;
    row.ways = std::move(ways);
    return row;
  };
  const auto since = [&](const char* seed, uint64_t failed) {
    return *compared({night("1", "1", {"p|a"}, failed), night("2", seed, {}, 0)}).at(1).since;
  };
  EXPECT_EQ(since("2", 1).unseen, std::vector<std::string>{"p|a: not seen in 300 cases, 1 expected"});
  EXPECT_TRUE(since("2", 1).gone.empty());
  EXPECT_EQ(since("2", 20).gone, std::vector<std::string>{"p|a"});
  EXPECT_EQ(since("1", 1).gone, std::vector<std::string>{"p|a"}) << "the same cases ran again";

  // The count survives in the file.
  const Scratch scratch;
  write_night(scratch / "1.db", {.started = "2026-11-21T02:00:00"});
  add_history(scratch / "1.db", {night("1", "1", {"p|a"}, 7)});
  Database db(scratch / "1.db", SQLITE_OPEN_READONLY);
  EXPECT_EQ(read_nights(db).at(0).way_cases.at("p|a"), 7u);
}

TEST(History, OtherBitsAreAFindingThatNamesTheDrivers) {
  const Scratch scratch;
  write_night(scratch / "1.db", {.started = "2026-11-21T02:00:00"});
  write_night(scratch / "2.db", {.started = "2026-11-22T02:00:00", .driver = "590.1", .fingerprint = "0b"});
  const Results results = with_history(scratch, "2.db", {scratch / "1.db"});
  ASSERT_EQ(results.findings.size(), 1u);
  EXPECT_EQ(results.findings[0].device, "cuda:0");
  EXPECT_EQ(results.findings[0].kind, "passed, output changed since the night before");
  EXPECT_EQ(results.findings[0].words, "tma.tiled.load, all 100 cases (driver 580.1, now 590.1)");
  EXPECT_EQ(results.exit_code, 0) << "it conforms";
  const std::string summary = summary_text(scratch / "2.db", false);
  EXPECT_NE(summary.find("1 passed, output changed since the night before"), std::string::npos) << summary;
  EXPECT_NE(markdown_text(scratch / "2.db").find("1 property still passes but with changed output"),
            std::string::npos);
}

TEST(History, NightsOfDifferentLengthAreComparedWhereBothConform) {
  const auto night = [](const char* start, uint64_t planned, std::vector<RangeRow> ranges) {
    NightRow row;
    row.runs = row.started_utc = start, row.seed = "1", row.device.uuid = "GPU-1";
    row.properties = {{"p", planned, planned, planned, true, "", std::move(ranges)}};
    return row;
  };
  const auto bits = [&](const NightRow& then, const NightRow& now) {
    return compared({then, now}).at(1).since->other_bits;
  };
  const NightRow then = night("1", 9000, {{0, 4096, 4096, 3}, {4096, 4096, 4096, 4}});
  EXPECT_TRUE(bits(then, night("2", 5000, {{0, 4096, 4096, 3}})).empty());
  const auto other = bits(then, night("2", 20000, {{0, 8192, 8192, 8}, {8192, 8192, 8192, 5}}));
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0].cases, "cases 0 to 8,191");
  EXPECT_EQ(other[0].between, "");
  EXPECT_TRUE(bits(then, night("2", 20000, {{0, 8192, 8192, 7}})).empty()) << "3 + 4";
  NightRow other_seed = night("2", 20000, {{0, 8192, 8192, 8}});
  other_seed.seed = "2";
  EXPECT_TRUE(bits(then, other_seed).empty()) << "other cases";
}

TEST(History, AFileWithoutTheTablesIsReadAndCanBeGivenHistory) {
  const Scratch scratch;
  write_night(scratch / "1.db", {.started = "2026-11-21T02:00:00"});
  write_night(scratch / "2.db", {.started = "2026-11-22T02:00:00"});
  Database(scratch / "2.db", SQLITE_OPEN_READWRITE)
      .execute("DROP TABLE night_ways; DROP TABLE night_properties; DROP TABLE nights");
  EXPECT_TRUE(read_results(scratch / "2.db").history.empty());
  EXPECT_EQ(history_line(read_results(scratch / "2.db")), "");
  merge_results({scratch / "2.db"}, scratch / "merged.db");
  EXPECT_EQ(with_history(scratch, "2.db", {scratch / "1.db"}).history.size(), 2u);
}

TEST(History, MergingUnitesItInAnyOrderAndLeavesOutTheRunsThemselves) {
  const Scratch scratch;
  for (int day = 1; day <= 4; ++day)
    write_night(scratch / (std::to_string(day) + ".db").c_str(),
                {.started = "2026-11-2" + std::to_string(day) + "T02:00:00"});
  const auto give = [&](const char* file, std::vector<std::filesystem::path> earlier) {
    add_history(scratch / file, nights_in(earlier).nights);
  };
  give("3.db", {scratch / "1.db", scratch / "2.db"});
  give("4.db", {scratch / "2.db", scratch / "3.db"});
  const auto merged = [&](std::vector<const char*> names, const char* into) {
    std::vector<std::filesystem::path> files;
    for (const char* name : names) files.push_back(scratch / name);
    merge_results(files, scratch / into);
    Database db = open_results(scratch / into);
    return started(read_nights(db));
  };
  const std::vector<std::string> all = {"2026-11-21T02:00:00", "2026-11-22T02:00:00", "2026-11-23T02:00:00"};
  EXPECT_EQ(merged({"3.db", "4.db"}, "34.db"), all);
  EXPECT_EQ(merged({"4.db", "3.db"}, "43.db"), all);
  EXPECT_EQ(merged({"34.db", "4.db", "34.db"}, "again.db"), all);
  const Results results = read_results(scratch / "34.db");
  ASSERT_EQ(results.history.size(), 3u) << "the third night is one of its runs";
  EXPECT_EQ(results.history.back().night.started_utc, "2026-11-23T02:00:00");
}

TEST(History, OfTwoStatesOfOneNightTheLaterOneIsKeptInAnyOrder) {
  NightRow early;
  early.runs = "r", early.started_utc = "2026-11-21T02:00:00", early.device.uuid = "GPU-1";
  early.properties = {{"p", 100, 40, 40, false, "", {}}};
  NightRow late = early;
  late.properties = {{"p", 100, 100, 100, true, "0a", {}}};
  for (const auto& nights : {std::vector{early, late}, std::vector{late, early, late}}) {
    const std::vector<NightRow> one = united(nights);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(cases_of(one[0]), 100u);
  }
}

TEST(History, PlacesAndFilesThatCannotBeReadAreNamed) {
  const Scratch scratch;
  EXPECT_TRUE(find_history({scratch / ""}).empty()) << "the first night finds an empty folder";
  EXPECT_TRUE(find_history({scratch / "none"}).empty()) << "or none";
  EXPECT_EQ(absent_places({scratch / "", scratch / "none"}), std::vector{scratch / "none"});
  EXPECT_THROW(files_at({scratch / "none"}), std::runtime_error);
  std::ofstream(scratch / "bad.db") << "no database";
  EXPECT_THROW(find_history({scratch / "bad.db"}), std::runtime_error);
  write_night(scratch / "1.db", {.started = "2026-11-21T02:00:00"});
  const Nights found = nights_in(find_history({scratch / ""}));
  EXPECT_EQ(found.nights.size(), 1u);
  ASSERT_EQ(found.unread.size(), 1u);
  EXPECT_NE(found.unread[0].words.find("bad.db is not a results file"), std::string::npos)
      << found.unread[0].words;
  Database(scratch / "1.db", SQLITE_OPEN_READWRITE)
      .execute(
          "INSERT INTO nights VALUES(1,'r','','','','','','','','','','','conforms',0);"
          "INSERT INTO night_properties VALUES(1,0,'p',0,0,0,0,'','0+4096')");
  EXPECT_THROW(read_results(scratch / "1.db"), std::runtime_error) << "half of a range";
}

TEST(Trend, NightsAreInOrderWithWhatIsNewAndGone) {
  const Scratch scratch;
  write_night(scratch / "3.db", {"2026-11-23T02:00:00", "590.1", {"tma.tiled.load|b"}, "0a"});
  write_night(scratch / "1.db", {"2026-11-21T02:00:00", "580.1", {"tma.tiled.load|a"}, "0a"});
  write_night(scratch / "2.db",
              {"2026-11-22T02:00:00", "580.1", {"tma.tiled.load|a", "tma.tiled.load|b"}, "0a"});
  write_night(scratch / "4.db", {"2026-11-24T02:00:00", "590.1", {}, "0a"});
  write_night(scratch / "5.db", {"2026-11-25T02:00:00", "600.1", {}, "0b"});
  const std::string text = trend_of(find_results({scratch / ""})).text;
  std::vector<size_t> at;
  for (const char* words : {"2026-11-21T02", "2026-11-22T02", "  new   tma.tiled.load: b", "2026-11-23T02",
                            "  gone  tma.tiled.load: a", "2026-11-24T02", "  gone  tma.tiled.load: b",
                            "2026-11-25T02", "output changed: tma.tiled.load"}) {
    ASSERT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    at.push_back(text.find(words));
  }
  EXPECT_TRUE(std::is_sorted(at.begin(), at.end())) << text;
  EXPECT_NE(text.find("driver 590.1, now 600.1"), std::string::npos) << text;
  EXPECT_EQ(text.find("new   tma.tiled.load: a"), std::string::npos) << text;
}

TEST(Trend, WhatDidNotRunIsNotGone) {
  const Scratch scratch;
  write_night(scratch / "1.db",
              {"2026-11-21T02:00:00", "580.1", {"tma.tiled.load|a", "tma.tiled.store|b"}, "0a"});
  write_night(scratch / "2.db", {"2026-11-22T02:00:00", "580.1", {}, "0a"});
  const std::string text = trend_of(find_results({scratch / ""})).text;
  EXPECT_NE(text.find("gone  tma.tiled.load: a"), std::string::npos) << text;
  EXPECT_EQ(text.find("gone  tma.tiled.store: b"), std::string::npos) << text;
}

TEST(Trend, AShardIsComparedWithTheSameShardAlone) {
  const Scratch scratch;
  const auto write = [&](const char* file, const char* started, int shard, const char* fingerprint) {
    write_night(scratch / file, {started, "580.1", {}, fingerprint});
    Database(scratch / file, SQLITE_OPEN_READWRITE)
        .execute(("UPDATE run SET shards=2, shard=" + std::to_string(shard)).c_str());
  };
  write("1.db", "2026-11-21T02:00:00", 1, "0a");
  write("2.db", "2026-11-21T02:00:01", 2, "0b");
  EXPECT_EQ(trend_of(find_results({scratch / ""})).text.find("output changed"), std::string::npos);
  write("3.db", "2026-11-22T02:00:00", 1, "0c");
  EXPECT_NE(trend_of(find_results({scratch / ""})).text.find("output changed"), std::string::npos);
}

TEST(Trend, PlacesWithoutResultsAreNamed) {
  const Scratch scratch;
  EXPECT_THROW(find_results({scratch / "none"}), std::runtime_error);
  EXPECT_THROW(find_results({scratch / ""}), std::runtime_error);
}

}  // namespace
}  // namespace assay::report
