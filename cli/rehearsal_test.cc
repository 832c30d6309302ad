// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/run_process_test.h"
#include "devices/device.h"

/// The emulator loaded by its path as a plain CUDA driver: `--device cuda:0` takes every path that silicon
/// takes. Honest, and behind the lies of cli/hostile_driver.c.
namespace assay::cli {
namespace {

const std::string& emulator_library() {
  static const std::string driver = std::string(ASSAY_BINARY_DIR) + "/libassay_emulator.so";
  return driver;
}

/// Compiled once; empty: there is no C compiler here.
const std::string& hostile_driver() {
  static const std::string driver = []() -> std::string {
    if (std::system("command -v cc >/dev/null") != 0) return {};
    const std::string file = folder("libhostile_driver.so");
    const std::string command = "cc -shared -fPIC -o " + file + " " + ASSAY_SOURCE_DIR +
                                "/cli/hostile_driver.c -Wl,--no-as-needed " + emulator_library() +
                                " -Wl,-rpath," + ASSAY_BINARY_DIR + " -ldl";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return file;
  }();
  return driver;
}

struct Rehearsal {
  std::string driver = emulator_library(), target = "sm_100a", hostile = {};
};

pid_t start_rehearsal(const Rehearsal& what, const std::vector<std::string>& arguments) {
  setenv("ASSAY_CUDA_DRIVER", what.driver.c_str(), 1);
  setenv("ASSAY_EMULATOR", what.target.c_str(), 1);
  setenv("ASSAY_HOSTILE", what.hostile.c_str(), 1);
  const pid_t pid = start(arguments);
  for (const char* name : {"ASSAY_CUDA_DRIVER", "ASSAY_EMULATOR", "ASSAY_HOSTILE"}) unsetenv(name);
  return pid;
}

std::vector<std::string> run_rehearsal_into(const std::string& out, int cases,
                                            std::vector<std::string> properties) {
  std::vector<std::string> words{"run", "--device", "cuda:0", "--cases", std::to_string(cases), "--seed", "9",
                                 "--out", out,
                                 // What is tested is what the cases say, not how small they get.
                                 "--shrink", "1s"};
  words.insert(words.end(), properties.begin(), properties.end());
  return words;
}

report::Results ran(const Rehearsal& what, const std::string& name, int cases, int* code,
                    std::vector<std::string> properties = {}) {
  const std::string out = folder(name);
  *code = wait_for(start_rehearsal(what, run_rehearsal_into(out, cases, std::move(properties))));
  return report::read_results(out + "/results.db");
}

std::string finding(const report::Results& results, std::string_view kind) {
  for (const report::Finding& found : results.findings)
    if (found.kind == kind) return found.words;
  return {};
}

class Rehearse : public testing::TestWithParam<const char*> {};

/// Runs on a device that takes the paths of silicon; returns how many properties it did not decline.
size_t rehearse(const std::string& target, int cases, std::vector<std::string> properties) {
  int code = -1;
  const std::string name = "rehearsal_" + target;
  const report::Results results = ran({.target = target}, name, cases, &code, std::move(properties));
  EXPECT_EQ(code, 0) << report::summary_text(folder(name) + "/results.db", false);
  const report::DeviceResult& device = results.devices.at(0);
  EXPECT_TRUE(device.info.evidence.starts_with("emulator ")) << device.info.evidence;
  EXPECT_FALSE(device.is_silicon);
  EXPECT_EQ(device.info.spec, "cuda:0");
  EXPECT_TRUE(std::any_of(device.info.facts.begin(), device.info.facts.end(), [](const auto& fact) {
    return fact.first == "NVML" || fact.first == "kernel-mode driver";
  })) << "nothing is said of NVML";
  size_t ran = 0;
  for (const auto& property : device.properties) {
    EXPECT_FALSE(report::fails(property.verdict)) << property.info.name << ": " << property.reason;
    ran += property.verdict != report::Verdict::declined;
  }
  return ran;
}

TEST_P(Rehearse, EveryPropertyTakesThePathsOfSiliconAndIsCalledWhatItIs) {
  const size_t ran = rehearse(GetParam(), 100,
                              {"--exclude", "*.faults", "--exclude", "*.crash", "--exclude",
                               "*.one_rule_broken", "--exclude", "*.one_field_wrong"});
  EXPECT_GE(ran, std::string_view(GetParam()) == "sm_90a" ? 35u : 45u);
}

/// Each case costs the process of the device.
TEST_P(Rehearse, FaultsTakeThePathsOfSilicon) {
  const size_t ran =
      rehearse(GetParam(), 12, {"*.faults", "*.crash", "*.one_rule_broken", "*.one_field_wrong"});
  EXPECT_EQ(ran, std::string_view(GetParam()) == "sm_90a" ? 16u : 26u);
}

INSTANTIATE_TEST_SUITE_P(Targets, Rehearse, testing::Values("sm_90a", "sm_100a"),
                         [](const auto& info) { return std::string(info.param); });

/// "yes cuda:0 ..." of the driver that is named, and what is the matter with one that is not there.
TEST(RehearseDoctor, SaysWhatTheDriverIs) {
  const auto said = [](const std::string& driver) {
    const std::string file = folder("doctor.txt");
    const std::string command = "ASSAY_EMULATOR=sm_103a ASSAY_CUDA_DRIVER=" + driver + " " +
                                ASSAY_BINARY_DIR + "/assay doctor > " + file;
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  };
  EXPECT_NE(said(emulator_library()).find("yes cuda:0                 assay emulator (sm_103a), sm_103"),
            std::string::npos);
  const std::string none = said("/nowhere/libcuda.so.1");
  EXPECT_NE(none.find("no  cuda:0"), std::string::npos) << none;
  EXPECT_NE(none.find("/nowhere/libcuda.so.1"), std::string::npos) << none;
}

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    if (hostile_driver().empty()) GTEST_SKIP() << "no C compiler: there is no hostile driver";
  }
  static Rehearsal with(std::string lie, std::string target = "sm_100a") {
    return {hostile_driver(), std::move(target), std::move(lie)};
  }
};

class HostileLies : public Hostile, public testing::WithParamInterface<const char*> {};

/// What such a device does to a property that launches nothing, or whose calls write nothing.
bool is_touched(std::string_view lie, std::string_view property) {
  if (!property.starts_with("driver.")) return true;
  return !lie.starts_with("error") && !property.ends_with(".crash");
}

TEST_P(HostileLies, NothingConformsOnADeviceThatDoesNothing) {
  const std::string lie = GetParam();
  struct {
    const char* target;
    std::vector<std::string> properties;
  } const runs[] = {{"sm_100a", {"--exclude", "assembler.*"}}, {"sm_90a", {"wgmma.*"}}};
  for (const auto& run : runs) {
    SCOPED_TRACE(run.target);
    int code = -1;
    const report::Results results = ran(with(lie, run.target), "hostile", 3, &code, run.properties);
    EXPECT_NE(code, 0);
    EXPECT_TRUE(results.devices.at(0).info.evidence.starts_with("emulator "));
    size_t judged = 0;
    for (const auto& property : results.devices.at(0).properties) {
      if (property.verdict == report::Verdict::declined || !is_touched(lie, property.info.name)) continue;
      ++judged;
      EXPECT_NE(property.verdict, report::Verdict::conforms) << property.info.name;
      EXPECT_NE(property.verdict, report::Verdict::adopted_reading) << property.info.name;
    }
    EXPECT_GE(judged, run.target == std::string_view("sm_100a") ? 90u : 6u);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, HostileLies,
                         testing::Values("idle", "polite", "error:701", "error:715", "error:716", "echo",
                                         "late"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

/// What asks for clusters of 16 CTAs runs on the emulated GPU, and is declined where they find no place.
TEST_F(Hostile, AGpuWithoutRoomForLargeClustersDeclinesThem) {
  const std::vector<std::string> large{"*.non_portable_cluster"};
  int code = -1;
  const report::Results honest = ran({}, "roomy", 8, &code, large);
  EXPECT_EQ(code, 0);
  const report::Results results = ran(with("cramped"), "cramped", 8, &code, large);
  ASSERT_EQ(results.devices.at(0).properties.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(honest.devices.at(0).properties[i].verdict, report::Verdict::conforms);
    const auto& property = results.devices.at(0).properties[i];
    EXPECT_EQ(property.verdict, report::Verdict::declined) << property.info.name;
    EXPECT_NE(property.reason.find("no room for a cluster of 16 CTAs"), std::string::npos) << property.reason;
  }
}

TEST_F(Hostile, ARareLaunchErrorIsRetriedAndTold) {
  const std::vector<std::string> some{"tma.tiled.load", "tmem.ld"};
  int code = -1;
  const std::string honest = essence(ran({}, "honest", 300, &code, some));
  ASSERT_EQ(code, 0);
  for (const char* lie : {"rare:7:2", "rare:7:701"}) {
    SCOPED_TRACE(lie);
    const report::Results results = ran(with(lie), "rare", 300, &code, some);
    EXPECT_EQ(code, 0);
    EXPECT_EQ(essence(results), honest);
    EXPECT_NE(finding(results, "retries").find("retried after"), std::string::npos);
  }
}

/// A fresh process gets some launches done and no case is to blame: after three such resets the device is
/// lost, with all that came before.
TEST_F(Hostile, AGpuThatResetsIsLostAndBlamesNoCase) {
  for (const char* lie : {"resets:1", "resets:5"}) {
    SCOPED_TRACE(lie);
    int code = -1;
    const report::Results results =
        ran(with(lie), "resets", 300, &code, {"tma.tiled.load", "tmem.ld", "mma.dense.f16"});
    EXPECT_EQ(code, 3);
    uint64_t conform = 0, not_run = 0;
    for (const auto& property : results.devices.at(0).properties) {
      SCOPED_TRACE(property.info.name);
      const auto count = [&](report::Verdict verdict) {
        return property.counts[static_cast<size_t>(verdict)];
      };
      conform += count(report::Verdict::conforms);
      not_run += count(report::Verdict::not_run);
      EXPECT_EQ(
          count(report::Verdict::violates) + count(report::Verdict::crashed) + count(report::Verdict::flaky),
          0u);
      EXPECT_NE(property.reason.find("reset 3 times"), std::string::npos) << property.reason;
    }
    EXPECT_GT(conform, 0u);
    EXPECT_GT(not_run, 0u);
  }
}

/// Calls of the encoders that may crash go to forks, or where the driver does not take those to processes of
/// their own.
TEST_F(Hostile, ADriverThatKnowsItsForksIsCalledFromProcessesOfTheirOwn) {
  int code = -1;
  const std::string honest = essence(ran({}, "forks", 12, &code, {"driver.*.crash"}));
  EXPECT_EQ(code, 0);
  EXPECT_EQ(essence(ran(with("owner"), "no_forks", 12, &code, {"driver.*.crash"})), honest);
  EXPECT_EQ(code, 0);
}

class HostileHangs : public Hostile, public testing::WithParamInterface<const char*> {};

/// The watchdog takes 5 s; the budget is over in the time of a few of them.
TEST_P(HostileHangs, ADeviceThatHangsOnEverythingHasHungVerdictsWithinTheBudget) {
  const std::string call = GetParam();
  const std::string property = call == "encode" ? "driver.tensor_map.encode_tiled" : "tma.tiled.load";
  const std::string out = folder("hangs");
  const int code = wait_for(start_rehearsal(
      with("hangs:" + call), {"run", "--device", "cuda:0", "--budget", "15s", "--out", out, property}));
  EXPECT_EQ(code, 1);
  const report::Results results = report::read_results(out + "/results.db");
  EXPECT_TRUE(results.finished);
  EXPECT_LT(report::seconds_taken(results), 120)
      << "a busy host may take longer than the 20.75 s of an idle one";
  const auto& hung = results.devices.at(0).properties.at(0);
  EXPECT_EQ(hung.verdict, report::Verdict::hung);
  EXPECT_GT(hung.counts[static_cast<size_t>(report::Verdict::hung)], 0u);
}

INSTANTIATE_TEST_SUITE_P(In, HostileHangs, testing::Values("launch", "synchronise", "encode"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(Hostile, AnotherArchitectureThanItSaysBreaksTheRig) {
  const pid_t pid =
      start_rehearsal(with("arch:10", "sm_90a"), run_rehearsal_into(folder("arch"), 20, {"tma.tiled.load"}));
  EXPECT_EQ(wait_for(pid), 2);
}

/// What was assembled for this very device is legal: to refuse it is the device's failure. What says nothing
/// of the kernel is ours.
TEST_F(Hostile, ADriverThatRefusesOneKernelViolatesUnlessTheCodeIsOurs) {
  struct Refused {
    const char* lie;
    int exit;
    const char* says;
  };
  for (const auto& [lie, exit, says] :
       {Refused{"module:209:tensor_load", 1, "the driver refused the kernel (209)"},
        Refused{"module:218:tensor_load", 1, "the driver refused the kernel (218)"},
        Refused{"kernel:98:tensor_load", 1, "the driver refused the kernel (98)"},
        Refused{"module:222:tensor_load", 2, "the driver answered 222"},
        Refused{"kernel:999:tensor_load", 2, "the driver answered 999"}}) {
    SCOPED_TRACE(lie);
    int code = -1;
    const report::Results results = ran(with(lie), "refusing", 12, &code, {"tma.tiled.load", "tmem.ld"});
    EXPECT_EQ(code, exit);
    const auto& properties = results.devices.at(0).properties;
    const bool is_ours = exit == 2;
    EXPECT_EQ(properties.at(0).verdict, is_ours ? report::Verdict::rig_broken : report::Verdict::violates);
    EXPECT_EQ(properties.at(0).counts[static_cast<size_t>(report::Verdict::conforms)], 0u);
    EXPECT_EQ(properties.at(1).verdict, report::Verdict::conforms);
    ASSERT_FALSE(properties.at(0).failures.empty());
    const std::string& told = properties.at(0).failures.at(0).examples.at(0).message;
    EXPECT_NE(told.find(says), std::string::npos) << told;
  }
}

TEST_F(Hostile, MemoryThatRunsOutBreaksTheRig) {
  int code = -1;
  const report::Results results = ran(with("memory:4"), "memory", 20, &code, {"tma.tiled.load"});
  EXPECT_EQ(code, 2);
  EXPECT_EQ(results.devices.at(0).properties.at(0).verdict, report::Verdict::rig_broken);
}

}  // namespace
}  // namespace assay::cli
