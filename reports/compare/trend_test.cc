// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/trend.h"

#include <gtest/gtest.h>

#include "reports/compare/nights_test.h"
#include "reports/sqlite.h"

namespace assay::report {
namespace {

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
