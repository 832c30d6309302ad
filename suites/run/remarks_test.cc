// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "suites/run/device_run.h"
#include "suites/run/scripted_device_test.h"

namespace assay::suites {
namespace {

/// Findings of encoder calls on a device of this architecture, all of them as the rules demand.
std::vector<Finding> findings_of_calls(spec::Arch arch, ScriptedDevice::Script script) {
  ScriptedDevice device(std::move(script), arch);
  DeviceRunOptions options;
  options.cases = 3000;
  options.threads = 2;
  DeviceRun run(device, {find_property("driver.tensor_map.encode_tiled")}, options, {});
  run.run();
  EXPECT_TRUE(run.failures().empty());
  return findings_of(run.remarks());
}

bool says(const std::vector<Finding>& findings, std::string_view words) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return f.words.find(words) != std::string::npos; });
}

/// Of a call that is refused, and has a map.
ScriptedDevice::Script refusals_leave(std::byte (*what)(const EncodeTiledCase&)) {
  return [what](const Case& any, RecordEnd& end, std::span<std::byte> map) {
    const EncodeTiledCase& c = any.as<EncodeTiledCase>();
    if (end.ended != Ended::rejected) return;
    const bool has_map = (c.null_mask & params::null_tensor_map) == 0;
    std::fill(map.begin(), map.end(), has_map ? what(c) : std::byte{c.before});
  };
}
std::byte before(const EncodeTiledCase& c) {
  return std::byte{c.before};
}
std::byte nothing(const EncodeTiledCase&) {
  return std::byte{0};
}

// What nothing is demanded of is told, and is no verdict.
TEST(Remarks, TellWhatARefusedCallLeaves) {
  const std::vector<Finding> kept = findings_of_calls(spec::Arch::sm_100, refusals_leave(before));
  EXPECT_TRUE(says(kept, "a refused call leaves the map as it was ("));
  EXPECT_FALSE(says(kept, "leaves nothing"));
  const std::vector<Finding> cleared = findings_of_calls(spec::Arch::sm_100, refusals_leave(nothing));
  EXPECT_TRUE(says(cleared, "a refused call leaves nothing of the map ("));
}

TEST(Remarks, CompareWhatTheDriverKeepsForItself) {
  EXPECT_TRUE(says(findings_of_calls(spec::Arch::sm_100, refusals_leave(before)),
                   "bytes 0x40 and up of a map are those"));
  const auto other = [](const Case&, RecordEnd& end, std::span<std::byte> map) {
    if (end.ended == Ended::done) map[0x7f] = std::byte{1};
  };
  EXPECT_TRUE(says(findings_of_calls(spec::Arch::sm_103, other), "bytes 0x40 and up of a map are others"));
}

TEST(Remarks, SaySoTheSameWhateverTheThreads) {
  const auto words = [](const std::vector<Finding>& findings) {
    std::string all;
    for (const Finding& f : findings) all += f.words + "\n";
    return all;
  };
  EXPECT_EQ(words(findings_of_calls(spec::Arch::sm_103, refusals_leave(nothing))),
            words(findings_of_calls(spec::Arch::sm_103, refusals_leave(nothing))));
}

}  // namespace
}  // namespace assay::suites
