// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/run_process_test.h"
#include "reports/scratch_test.h"

/// `assay faults` as a user starts it.
namespace assay::cli {
namespace {

using report::Ended;

TEST(FaultsCommand, WritesPageTableAndACaseThatReplays) {
  const auto out = report::scratch_path("caught");
  const auto page = out / "page.md";
  const Ended ran =
      start("faults tx_16_long --budget 60s --jobs 1 --out " + out.string() + " --markdown " + page.string());
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find("caught by tma.im2col.load after"), std::string::npos) << ran.text;
  for (const char* file : {"detection.html", "detection.md", "cases/tx_16_long.json"})
    EXPECT_TRUE(std::filesystem::exists(out / file)) << file;
  std::ifstream in(page);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("1 fault, tested 3 times on the architectures that have the affected feature:\n3 were "
                      "caught"),
            std::string::npos)
      << text;
  const Ended again = start("replay " + (out / "cases/tx_16_long.json").string() +
                            " --device emulator:sm_90a,fault=tx_16_long");
  EXPECT_EQ(again.code, 1) << again.text;
}

TEST(FaultsCommand, ASurvivorFailsTheRun) {
  // A property that never meets the step that is wrong.
  const Ended ran = start("faults tx_16_long --budget 2s --property mma_sync.f16 --out " +
                          report::scratch_path("survives").string());
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_NE(ran.text.find("SURVIVED"), std::string::npos) << ran.text;
}

TEST(FaultsCommand, RefusesUnknownNames) {
  const Ended unknown = start("faults no_such_fault --out " + report::scratch_path("unknown").string());
  EXPECT_EQ(unknown.code, 64) << unknown.text;
  EXPECT_NE(unknown.text.find("unknown fault 'no_such_fault'"), std::string::npos) << unknown.text;
}

}  // namespace
}  // namespace assay::cli
