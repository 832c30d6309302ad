// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "suites/run/conductor.h"
#include "suites/run/device_run.h"
#include "suites/run/late_tests_test.h"
#include "suites/run/property.h"

/// The second front door: every property as a GoogleTest on each emulated architecture and completion
/// schedule, and on the GPU that CTest gives (label gpu). CTest runs them one by one; a filter on names is a
/// glob on dotted names.
namespace assay::suites {
namespace {

/// ASSAY_PROPERTY_CASES, or 96. Everyday runs take the first quarter of them, the long ones all
/// (cmake/rooms.cmake).
uint64_t cases_each() {
  const char* given = std::getenv("ASSAY_PROPERTY_CASES");
  const uint64_t number = given == nullptr ? 0 : std::strtoull(given, nullptr, 10);
  return number == 0 ? 96 : number;
}

/// Opening a device takes as long as its cases: the tests that follow one another on one share it, until it
/// is lost.
class SharedDevice {
 public:
  Device& open(const std::string& spec) {
    if (device_ == nullptr || spec != spec_) {
      device_.reset();
      device_ = open_device(spec, limits_for(1));
      spec_ = spec;
    }
    return *device_;
  }
  void close() { device_.reset(); }
  /// The next test opens another.
  void give_up() { spec_.clear(); }

 private:
  std::string spec_;
  std::unique_ptr<Device> device_;
};
SharedDevice shared;

class OnOneDevice : public testing::Test {
 public:
  OnOneDevice(const Property& property, std::string spec) : property_(property), spec_(std::move(spec)) {}

  static void TearDownTestSuite() { shared.close(); }

  void TestBody() override {
    Device& device = shared.open(spec_);
    DeviceRunOptions options;
    // Where every case ends the process that owns the device, a few must do: ten kinds, one each.
    options.cases = property_.batch_cases != 0 && property_.batch_cases < 16 ? 10 : cases_each();
    options.seed = 7;
    std::string failures;
    DeviceRun run(device, {&property_}, options,
                  [&](const Property& property, const Outcome& outcome, uint64_t index) {
                    if (failures.size() < 4000)
                      failures += to_row(property, outcome, {spec_, 7, index, {}, {}}).message + "\n";
                  });
    run.run();
    if (run.lost()) shared.give_up();
    const report::PropertyTotals totals = run.properties()[0]->totals();
    const uint64_t planned = run.properties()[0]->planned();
    for (const auto& [verdict, count] : totals.counts) {
      if (verdict == report::Verdict::declined) GTEST_SKIP() << totals.reason;
      if (verdict == report::Verdict::no_demand) continue;  // no document says what comes of it
      // The form is newer than the assembler; that it never passes is tested by Program.WhatNoAssembler*.
      if (verdict == report::Verdict::not_assembled && property_.name.starts_with("assembler.")) continue;
      EXPECT_EQ(verdict, report::Verdict::conforms) << count << " cases\n" << failures;
    }
    EXPECT_GT(planned, 0u);
    EXPECT_EQ(totals.issued, planned) << totals.reason;
  }

 private:
  const Property& property_;
  const std::string spec_;
};

/// The GPU that CTest's resource groups give to this test; without a resource spec, the first one.
std::string assigned_gpu() {
  const char* given = std::getenv("CTEST_RESOURCE_GROUP_0_GPUS");  // "id:1,slots:1"
  if (given == nullptr) return "cuda:0";
  const std::string words(given);
  return "cuda:" + words.substr(3, words.find(',') - 3);
}

class OnAGpu : public testing::Test {
 public:
  explicit OnAGpu(const Property& property) : property_(property) {}

  void TestBody() override {
    const std::string spec = assigned_gpu();
    for (const DeviceProbe& probe : probe_devices())
      if ((probe.spec == spec || probe.spec.starts_with(spec + " ")) && probe.available) {
        OnOneDevice(property_, spec).TestBody();
        return;
      }
    GTEST_SKIP() << "there is no " << spec << " on this machine";
  }

 private:
  const Property& property_;
};

}  // namespace

void register_property_tests() {
  for (const Property* property : all_properties())
    testing::RegisterTest("Silicon", std::string(property->name).c_str(), nullptr, nullptr, __FILE__,
                          __LINE__, [property]() -> OnAGpu* { return new OnAGpu(*property); });
  for (const spec::Architecture& row : spec::architectures)
    for (const char* schedule : {"eager", "lazy", "random:1"})
      for (const Property* property : all_properties()) {
        // Where columns of tensor memory come from is no more promised than when work completes.
        const std::string arch(row.target);
        const std::string spec =
            "emulator:" + arch + ",schedule=" + schedule + (schedule[0] == 'r' ? ",tmem_base=random" : "");
        std::string name = std::string(property->name) + "." + arch + "." + schedule;
        for (char& c : name)
          if (c == ':') c = '_';
        testing::RegisterTest(
            "Property", name.c_str(), nullptr, spec.c_str(), __FILE__, __LINE__,
            [property, spec]() -> OnOneDevice* { return new OnOneDevice(*property, spec); });
      }
}

TEST(Properties, EveryCellOfEverySpaceHasAName) {
  // Resuming a run asks for the names of all, those out of reach too.
  for (const spec::Arch arch : spec::all_archs)
    for (const Property* property : all_properties())
      for (const CellSpace& space : property->spaces)
        for (uint32_t cell = 0; cell < space.count; ++cell) {
          const std::string name = space.name(cell, arch);
          ASSERT_FALSE(name.empty()) << property->name << ", " << space.dimension << ", cell " << cell;
          ASSERT_LT(name.size(), 200u) << property->name << ", " << space.dimension << ", cell " << cell;
        }
}

TEST(Properties, ScreensRunOnlyWhereTheyAreNamed) {
  const auto chosen = [](const std::vector<std::string>& patterns) {
    std::set<std::string_view> names;
    for (const Property* property : select_properties(patterns)) names.insert(property->name);
    return names;
  };
  const auto screens = [](const std::set<std::string_view>& names) {
    return std::count_if(names.begin(), names.end(),
                         [](std::string_view name) { return name.starts_with("screen."); });
  };
  const std::set<std::string_view> by_default = chosen({}), named = chosen({"screen.*"});
  EXPECT_EQ(screens(by_default), 0);
  EXPECT_GT(named.size(), 0u);
  EXPECT_EQ(screens(named), static_cast<ptrdiff_t>(named.size()));
  EXPECT_EQ(by_default.size() + named.size(), all_properties().size());
}

// Masks of undefined bits and "anything may happen" must not hide what a property claims to look at.

namespace {

/// Of cases `first` to `end`, `end` excluded.
void expect_most_compared(const Property& property, uint64_t first, uint64_t end) {
  const Family& family = property.family();
  constexpr spec::Arch archs[] = {spec::Arch::sm_90, spec::Arch::sm_100, spec::Arch::sm_103,
                                  spec::Arch::sm_120};
  const auto arch = std::find_if(std::begin(archs), std::end(archs), [&](spec::Arch one) {
    return property.declines == nullptr || !property.declines(one);
  });
  ASSERT_NE(arch, std::end(archs));
  uint64_t judged = 0, ends = 0, defined = 0, bytes = 0;
  Scratch scratch;
  const spec::Readings readings(*arch);
  for (uint64_t index = first; index < end; ++index) {
    Case c;
    property.generate(7, property.name, index, *arch, c);
    Expected expected;
    family.predict(c, readings, scratch, expected);
    ends += expected.may_crash || expected.end != model::End::done;
    if (!expected.judges_bytes) continue;
    ++judged;
    bytes += expected.bytes.size();
    defined += expected.mask.empty()
                   ? expected.bytes.size()
                   : static_cast<uint64_t>(expected.mask.size()) -
                         static_cast<uint64_t>(std::ranges::count(expected.mask, std::byte{0}));
  }
  EXPECT_GE(judged + ends, end - first) << "a case that ends as usual has bytes to compare";
  // A screen of tiles compares on the device; where a tile is wrong, it shows the tile, which
  // Family::allows() looks at, and else the places for two of them are as they were.
  const uint64_t tenths = property.name.starts_with("screen.tma.") ? 1 : 7;
  EXPECT_GE(defined * 10, bytes * tenths) << defined << " of " << bytes << " bytes are compared";
}

class JudgedShare : public testing::TestWithParam<const Property*> {};
/// Everyday runs have the first 100 cases of 300 (cmake/rooms.cmake).
class JudgedShareLong : public testing::TestWithParam<const Property*> {};

TEST_P(JudgedShare, MostOfWhatTheDeviceWritesIsCompared) {
  expect_most_compared(*GetParam(), 0, 100);
}
TEST_P(JudgedShareLong, MostOfWhatTheDeviceWritesIsCompared) {
  expect_most_compared(*GetParam(), 100, 300);
}

std::string name_of(const testing::TestParamInfo<const Property*>& info) {
  std::string name(info.param->name);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Of, JudgedShareLong,
                         testing::ValuesIn(all_properties().begin(), all_properties().end()), name_of);
INSTANTIATE_TEST_SUITE_P(, JudgedShare, testing::ValuesIn(all_properties().begin(), all_properties().end()),
                         name_of);

}  // namespace
}  // namespace assay::suites
