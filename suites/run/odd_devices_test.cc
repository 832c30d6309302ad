// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <set>

#include "suites/run/device_run.h"
#include "suites/run/judge.h"
#include "suites/run/property_run.h"
#include "suites/run/scripted_device_test.h"
#include "suites/run/scripted_run_test.h"

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
  EXPECT_TRUE(says(kept, "a refused call leaves the map unchanged ("));
  EXPECT_FALSE(says(kept, "clears the map"));
  const std::vector<Finding> cleared = findings_of_calls(spec::Arch::sm_100, refusals_leave(nothing));
  EXPECT_TRUE(says(cleared, "a refused call clears the map ("));
}

TEST(Remarks, CompareWhatTheDriverKeepsForItself) {
  EXPECT_TRUE(says(findings_of_calls(spec::Arch::sm_100, refusals_leave(before)),
                   "bytes 0x40 and up of a map equal those"));
  const auto other = [](const Case&, RecordEnd& end, std::span<std::byte> map) {
    if (end.ended == Ended::done) map[0x7f] = std::byte{1};
  };
  EXPECT_TRUE(says(findings_of_calls(spec::Arch::sm_103, other), "bytes 0x40 and up of a map differ"));
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

/// A case that our own side cannot put to the device is our failure, of that case alone.
namespace assay::suites {
namespace {

using report::Verdict;

/// Refuses the sixth record of its first batches.
class RefusingDevice final : public ScriptedDevice {
 public:
  explicit RefusingDevice(int times) : left_(times) {}
  void submit(Batch& batch) override {
    if (batch.count > 5 && left_ > 0) {
      --left_;
      throw RefusedRecord(5, "family scripted: colour must be 1 to 24");
    }
    ScriptedDevice::submit(batch);
  }

 private:
  std::atomic<int> left_;
};

TEST(RefusedRecord, CostsOneCaseItsVerdictAndResumingTriesItAgain) {
  const auto one_thread = [](RunOptions& options) {
    options.threads = 1, options.version = "v", options.commit = "c";
  };
  const Ran ran =
      run_scripted("refusing", std::make_unique<RefusingDevice>(3), {"tma.tiled.load"}, 300, one_thread);
  EXPECT_EQ(ran.result.exit_code, 2);
  EXPECT_EQ(ran.count(Verdict::rig_broken), 3u);
  EXPECT_EQ(ran.count(Verdict::conforms), 297u);
  ASSERT_EQ(ran.rows().size(), 3u);
  for (const auto& row : ran.rows()) {
    EXPECT_EQ(row.verdict, Verdict::rig_broken);
    EXPECT_NE(row.message.find("colour must be 1 to 24"), std::string::npos) << row.message;
    EXPECT_NE(row.replay.find("tma.tiled.load@11#"), std::string::npos) << row.replay;
  }

  const RunOptions again = options_to_resume(ran.result.database.parent_path(), "v", "c");
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<ScriptedDevice>());
  const RunResult resumed = run_on(again, std::move(devices));
  EXPECT_EQ(resumed.exit_code, 0);
  const Ran whole =
      run_scripted("taking", std::make_unique<ScriptedDevice>(), {"tma.tiled.load"}, 300, one_thread);
  EXPECT_EQ(essence(resumed.database), essence(whole.result.database));
}

TEST(RefusedRecord, OfAllCasesEndsTheRunInsteadOfGoingOnForever) {
  const Ran ran =
      run_scripted("refusing_all", std::make_unique<RefusingDevice>(1 << 30), {"tma.tiled.load"}, 100000);
  EXPECT_EQ(ran.result.exit_code, 2);
  EXPECT_GT(ran.count(Verdict::incomplete), 0u);
  EXPECT_EQ(ran.results.devices[0].properties[0].verdict, Verdict::rig_broken);
}

}  // namespace
}  // namespace assay::suites

/// A device that ends every launch in the same way passes no property whose cases fault.
namespace assay::suites {
namespace {

/// The code of a launch that must end so; 0: it ends well, -1: another end.
int code_of(model::End end) {
  switch (end) {
    case model::End::done:
      return 0;
    case model::End::illegal_address:
      return 700;
    case model::End::illegal_instruction:
      return 715;
    case model::End::misaligned_address:
      return 716;
    case model::End::launch_failed:
      return 719;
    default:
      return -1;
  }
}

/// The codes of the faults that a property's cases must have, as its first dozens have them.
std::set<int> known_codes(const Property& property, spec::Arch arch) {
  std::set<int> codes;
  Scratch scratch;
  Case c;
  for (uint64_t i = 0; i < 10 * Property::dozen; ++i) {
    Expected expected;
    property.generate(1, property.name, i, arch, c);
    property.family().predict(c, spec::Readings(arch), scratch, expected);
    if (const int code = code_of(expected.end); code > 0) codes.insert(code);
  }
  return codes;
}

template <typename Visit>
void for_each_faulting(Visit visit) {
  int met = 0;
  for (const Property* property : all_properties())
    for (const spec::Arch arch : spec::all_archs) {
      if (!property->is_sacrificial() || (property->declines && property->declines(arch))) continue;
      const std::set<int> codes = known_codes(*property, arch);
      if (codes.empty()) continue;
      ++met;
      visit(*property, arch, codes);
    }
  EXPECT_GE(met, 45);
}

TEST(FaultingCases, OfAnyDozenEachCodeIsMetAndOneEndsWell) {
  constexpr uint64_t positions = 3 * Property::dozen;
  for_each_faulting([&](const Property& property, spec::Arch arch, const std::set<int>& codes) {
    Scratch scratch;
    Case c;
    for (const Slice whole : {Slice{0, 1}, Slice{2, 8}, Slice{11, 12}, Slice{0, 11}, Slice{6, 16}}) {
      const Slice slice = whole.of(property);
      std::vector<int> ends;
      for (uint64_t at = 0; at < positions; ++at) {
        Expected expected;
        property.generate(5, property.name, slice.index(at), arch, c);
        property.family().predict(c, spec::Readings(arch), scratch, expected);
        ends.push_back(code_of(expected.end));
      }
      for (uint64_t first = 0; first + Property::dozen <= positions; ++first) {
        const std::set<int> seen(ends.begin() + static_cast<ptrdiff_t>(first),
                                 ends.begin() + static_cast<ptrdiff_t>(first + Property::dozen));
        EXPECT_TRUE(seen.contains(0)) << property.name << " on " << spec::name(arch) << " from position "
                                      << first << " of shard " << slice.first << '/' << slice.step;
        for (const int code : codes)
          EXPECT_TRUE(seen.contains(code))
              << property.name << " on " << spec::name(arch) << ": no " << code << " from position " << first
              << " of shard " << slice.first << '/' << slice.step;
      }
    }
  });
}

/// Judged as a run judges them, with all readings open.
TEST(FaultingCases, ADeviceThatEndsAllLaunchesAlikePassesNone) {
  for_each_faulting([&](const Property& property, spec::Arch arch, const std::set<int>&) {
    for (const int code : {0, 700, 715, 716, 719})
      for (const uint64_t count : {Property::dozen, 2 * Property::dozen, uint64_t{60}}) {
        ReadingSet readings(arch);
        Judge judge(arch, readings);
        bool fails = false;
        Case c;
        for (uint64_t i = 0; i < count && !fails; ++i) {
          property.generate(1, property.name, i, arch, c);
          const std::vector<std::byte> output(property.family().output_bytes(c));
          const RecordEnd end =
              code == 0 ? RecordEnd{Ended::done, 0, 0, 0} : RecordEnd{Ended::faulted, code, ~0u, 0};
          const report::Verdict verdict =
              judge.judge(property.family(), c, {end, output}, [] { return std::string(); }).verdict;
          // A reading by which launches fault is not adopted of a device on which none ends well.
          fails = verdict == report::Verdict::violates ||
                  (code != 0 && verdict == report::Verdict::adopted_reading);
        }
        EXPECT_TRUE(fails) << property.name << " on " << spec::name(arch) << ", " << count << " cases, all "
                           << code;
      }
  });
}

TEST(FaultingCases, SlicesTakeEachIndexOnce) {
  for (const uint64_t in_a_row : {uint64_t{1}, Property::dozen})
    for (const uint64_t step : {1, 2, 8, 13})
      for (const uint64_t end : {0, 1, 11, 12, 13, 60, 80, 1000}) {
        std::vector<int> taken(end);
        for (uint64_t first = 0; first < step; ++first) {
          const Slice slice{first, step, in_a_row};
          const uint64_t positions = slice.positions_below(end);
          for (uint64_t at = 0; at < positions; ++at) {
            ASSERT_LT(slice.index(at), end);
            ++taken[slice.index(at)];
          }
          EXPECT_GE(slice.index(positions), end);
        }
        EXPECT_EQ(std::count(taken.begin(), taken.end(), 1), static_cast<long>(end)) << step << ' ' << end;
      }
}

}  // namespace
}  // namespace assay::suites
