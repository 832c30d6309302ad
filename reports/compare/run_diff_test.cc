// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/run_diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/compare/nights_test.h"

namespace assay::report {
namespace {

class Diff : public testing::Test {
 protected:
  RunDiff of(const SampleNight& before, const SampleNight& after) const {
    write_night(scratch / "a.db", before);
    write_night(scratch / "b.db", after);
    return diff_of(read_results(scratch / "a.db"), read_results(scratch / "b.db"));
  }
  Scratch scratch;
};

TEST_F(Diff, OfARunAndItselfIsEmpty) {
  const SampleNight night{.started = "2026-11-21T02:00:00", .ways = {"tma.tiled.load|a"}};
  const RunDiff diff = of(night, night);
  EXPECT_TRUE(diff.is_empty()) << words(diff, {"a", "b"});
  ASSERT_EQ(diff.devices.size(), 1u);
  EXPECT_EQ(diff.devices[0].alike, 1u);
}

TEST_F(Diff, NamesVerdictsAndSignatures) {
  const RunDiff diff =
      of({.started = "2026-11-21T02:00:00", .ways = {"tma.tiled.load|a", "tma.tiled.load|b"}},
         {.started = "2026-11-22T02:00:00", .ways = {"tma.tiled.load|b", "tma.tiled.load|c"}});
  ASSERT_EQ(diff.devices.size(), 1u);
  ASSERT_EQ(diff.devices[0].properties.size(), 1u);
  const PropertyDiff& one = diff.devices[0].properties[0];
  EXPECT_EQ(one.fresh, std::vector<std::string>{"tma.tiled.load|c"});
  EXPECT_EQ(one.gone, std::vector<std::string>{"tma.tiled.load|a"});
  EXPECT_EQ(one.before, Verdict::violates);
  EXPECT_FALSE(diff.is_empty());
}

TEST_F(Diff, IsAPageToo) {
  const RunDiff diff =
      of({.started = "2026-11-21T02:00:00", .ways = {"tma.tiled.load|done|done|tile"}},
         {.started = "2026-11-22T02:00:00", .ways = {"tma.tiled.load|done|never completes"}});
  const std::string page = diff_html(diff, {"<a>", "b"});
  EXPECT_NE(page.find("before <span class=\"mono\">&lt;a&gt;</span>"), std::string::npos) << page;
  EXPECT_NE(page.find("new</span> tma.tiled.load: expected to complete, barrier never completed"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("gone</span> tma.tiled.load: wrong output, tile"), std::string::npos) << page;
  const SampleNight night{.started = "2026-11-21T02:00:00"};
  EXPECT_NE(diff_html(of(night, night), {"a", "b"}).find("Nothing differs."), std::string::npos);
}

TEST_F(Diff, NoticesOtherOutputInTheOlderRunToo) {
  const SampleNight old{.started = "2026-11-21T02:00:00"},
      now{.started = "2026-11-22T02:00:00", .fingerprint = "0b"};
  for (const RunDiff& diff : {of(old, now), of(now, old)}) {
    ASSERT_EQ(diff.devices.at(0).properties.size(), 1u);
    EXPECT_EQ(diff.devices[0].properties[0].output, "all 100 cases");
    EXPECT_NE(words(diff, {"a", "b"}).find("passed (100 cases)\n    output changed: all 100 cases\n"),
              std::string::npos)
        << words(diff, {"a", "b"});
  }
}

TEST_F(Diff, TwoBoardsCanBeCompared) {
  const RunDiff diff = of({.started = "2026-11-21T02:00:00", .uuid = "GPU-1"},
                          {.started = "2026-11-21T02:00:00", .ways = {"tma.tiled.load|a"}, .uuid = "GPU-2"});
  ASSERT_EQ(diff.devices.size(), 1u);
  EXPECT_EQ(diff.devices[0].before.uuid, "GPU-1");
  EXPECT_EQ(diff.devices[0].after.uuid, "GPU-2");
  EXPECT_NE(words(diff, {"a", "b"}).find("tma.tiled.load: passed (100 cases) -> failed (100 cases)"),
            std::string::npos);
  const nlohmann::json json = to_json(diff);
  EXPECT_EQ(json.at("devices").at(0).at("properties").at(0).at("new").at(0), "tma.tiled.load|a");
  EXPECT_EQ(json.at("devices").at(0).at("properties").at(0).at("after"), "violates");
}

TEST_F(Diff, WhatOnlyOneRunHasIsNamed) {
  Results none;
  write_night(scratch / "a.db", {.started = "2026-11-21T02:00:00"});
  const RunDiff diff = diff_of(read_results(scratch / "a.db"), none);
  EXPECT_FALSE(diff.is_empty());
  EXPECT_NE(words(diff, {"a.db", "b.db"}).find("only in a.db: silicon sm_90, cuda:0, NVIDIA H200, GPU-1\n"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::report
