// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "suites/run/case_file.h"
#include "suites/run/conductor.h"

namespace assay::suites {
namespace {

/// A batch of a few cases costs a GPU as much as one of hundreds.
TEST(WarpMmaBatches, CasesOfBothWarpgroupsShareOne) {
  const auto device = open_device("emulator:sm_90a", limits_for(1));
  const Property& property = *find_property("wgmma.fp8");
  std::vector<Case> cases;
  uint32_t changes = 0;
  for (uint64_t i = 0; i < 128; i += 8) {
    property.generate(1, property.name, i, spec::Arch::sm_90, cases.emplace_back());
    const size_t last = cases.size() - 1;
    if (last > 0)
      changes += cases[last].as<WgmmaCase>().warpgroup != cases[last - 1].as<WgmmaCase>().warpgroup;
  }
  ASSERT_EQ(changes, 3u);
  ReadingSet readings(spec::Arch::sm_90, true);
  const uint64_t before = device->counters().launches;
  for (const Outcome& outcome : CaseRunner(*device, readings, spec::Arch::sm_90).run(property, cases))
    EXPECT_EQ(outcome.verdict, report::Verdict::conforms) << outcome.note;
  EXPECT_EQ(device->counters().launches - before, 2u);
}

}  // namespace
}  // namespace assay::suites
