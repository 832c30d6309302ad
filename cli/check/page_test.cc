// SPDX-License-Identifier: Apache-2.0
// The page of `assay check --html`, and the drawing of barriers in it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/check/timeline.h"
#include "reports/scratch_test.h"
#include "reports/shell_test.h"
#include "reports/whole_file.h"

namespace assay::cli::check {
namespace {

namespace fs = std::filesystem;

std::string page_of(const std::string& museum_kernel, const std::string& target, const std::string& kernel) {
  const std::string page = report::scratch_path("page_" + museum_kernel + "_" + kernel + ".html").string();
  const fs::path file = fs::path(ASSAY_SOURCE_DIR) / "testdata/museum" / (museum_kernel + ".ptx");
  report::shell(std::string(ASSAY_BINARY_DIR) + "/assay check " + file.string() +
                " --device emulator:" + target + " --kernel " + kernel + " --html " + page);
  return report::read_whole_file(page);
}

size_t count(const std::string& text, const std::string& words) {
  size_t n = 0;
  for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++n;
  return n;
}

TEST(CheckPage, ShowsTheStateAtAHangAndWhoWaits) {
  const std::string page = page_of("expects_more_bytes_than_come", "sm_90a", "defect");
  EXPECT_NE(page.find("<strong>1 finding</strong>"), page.npos);
  EXPECT_NE(page.find("data-clause=\"deadlock\""), page.npos);
  EXPECT_NE(page.find("1024 bytes pending; warp 0 waits for phase 0"), page.npos) << "who waits for what";
  EXPECT_NE(page.find("<b><i>28</i>  "), page.npos) << "the line of the file, marked";
  ASSERT_EQ(count(page, "<svg class=\"timeline\""), 1u);
  EXPECT_EQ(count(page, "class=\"stuck\""), 2u) << "the key, and the warp that waits for ever";
  EXPECT_EQ(count(page, "<rect class=\"flight\""), 1u) << "the copy that came";
  EXPECT_EQ(count(page, "<rect class=\"open\""), 1u) << "the phase that is not complete";
  EXPECT_EQ(page.find("<rect class=\"holds\""), page.npos);
}

TEST(CheckPage, ShowsTheBarriersOfALaunchWithABreach) {
  const std::string page = page_of("load_overwrites_what_is_read", "sm_90a", "defect");
  EXPECT_NE(page.find("data-clause=\"missing-read-order\""), page.npos);
  EXPECT_EQ(count(page, "<rect class=\"flight\""), 2u);
  EXPECT_EQ(count(page, "<rect class=\"even\"") + count(page, "<rect class=\"odd\""), 2u) << "phases";
  EXPECT_GE(count(page, "<rect class=\"holds\""), 2u) << "each warp after its wait";
}

TEST(CheckPage, OfNoFindingsHasNoneAndNoDrawing) {
  const std::string page = page_of("expects_more_bytes_than_come", "sm_90a", "mended");
  EXPECT_NE(page.find("<strong>0 findings</strong>"), page.npos);
  EXPECT_EQ(page.find("<svg"), page.npos);
}

TEST(CheckTimeline, DrawsALaneABarrierAndLeavesOutWhatIsMalformed) {
  const Timeline timeline = read_timeline(nlohmann::json::parse(
      R"({"kind":"timeline","kernel":"k","launch":3,"seen":9,"events":[
          ["init",0,0,1024,0,1],["init",0,1,1032,0,1],
          ["copy",5,0,1024,0,64],["blocked",6,0,1024,2,0],["landed",9,0,1024,0,64],["complete",9,0,1024,-1,0],
          ["wait",10,0,1024,2,0],["arrive",12,0,1032,2,1],
          ["exited",13,1,0,-1,0],["nonsense"],[1,2,3,4,5,6]]})"));
  ASSERT_EQ(timeline.events.size(), 9u);
  EXPECT_EQ(timeline.launch, 3u);
  const std::string drawn = timeline_svg(timeline);
  EXPECT_EQ(count(drawn, "class=\"base\""), 3u) << "CTA 0's two barriers and CTA 1's";
  EXPECT_NE(drawn.find("warp 2 waits for the phase of parity 0"), drawn.npos);
  EXPECT_NE(drawn.find("warp 2 is using the data guarded by the barrier"), drawn.npos);
  EXPECT_EQ(drawn.find("class=\"stuck\""), drawn.npos);
  EXPECT_EQ(count(drawn, "class=\"mark\""), 1u) << "its arrival at the other barrier";
  EXPECT_EQ(count(drawn, "class=\"open\""), 2u)
      << "of the initialised barriers: one when its CTA ended, one when the launch did";
}

}  // namespace
}  // namespace assay::cli::check
