// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/run_process_test.h"
#include "devices/cuda/nvml.h"
#include "reports/results.h"
#include "reports/scratch_test.h"

/// `assay screen` on the emulated GPU: what it refuses, what it cannot run, and what it finds.
namespace assay::cli {
namespace {

using report::Ended;
using report::says;

std::filesystem::path out;  ///< of the last call

Ended screen(const std::string& words) {
  static int number = 0;
  out = report::scratch_path("screen" + std::to_string(number++));
  return start("screen --out " + out.string() + " " + words);
}

TEST(ScreenCommand, RefusesWhatItCannotDoInOneSentence) {
  Ended ended = screen("--device emulator:sm_90a --load wgmma.f64");
  EXPECT_EQ(ended.code, 64) << ended.text;
  EXPECT_TRUE(says(ended, "--load: unknown load 'wgmma.f64'; the loads are both.cached, ")) << ended.text;
  ended = screen("--device emulator:sm_90a --budget 9s");
  EXPECT_EQ(ended.code, 64) << ended.text;
  EXPECT_TRUE(says(ended, "--budget: too short for 29 loads; the least is 58s")) << ended.text;
  ended = screen("--device emulator:sm_90a --seed 1x");
  EXPECT_EQ(ended.code, 64) << ended.text;
  EXPECT_TRUE(says(ended, "--seed: invalid seed '1x'")) << ended.text;
}

TEST(ScreenCommand, IsNotPassedWhereALoadDidNotRun) {
  const Ended ended = screen("--device emulator:sm_100a --load wgmma.s8 --cases 3");
  EXPECT_EQ(ended.code, 2) << ended.text;
  EXPECT_TRUE(says(ended, "could not screen: emulator:sm_100a: screen.wgmma.s8 did not run: requires "))
      << ended.text;
}

/// All loads of an architecture, and none that it has not.
TEST(ScreenCommand, RunsTheLoadsOfTheArchitecture) {
  const Ended ended = screen("--device emulator:sm_120a --cases 1");
  EXPECT_EQ(ended.code, 2) << ended.text;
  EXPECT_FALSE(says(ended, "did not run")) << ended.text;
  EXPECT_TRUE(says(ended, "screen.tma.mixed met no planted fault")) << ended.text;
  const report::Results results = report::read_results(out / "results.db");
  size_t ran = 0;
  for (const report::PropertyResult& load : results.devices.at(0).properties) ran += load.cases() != 0;
  EXPECT_EQ(ran, 14u) << "mma.sync on five types, five loads of tiles, two of both, halves and pulses";
}

/// Of all failing cases that have rows: what is told of each beside its message.
std::string details_of(const report::Results& results) {
  std::string text;
  for (const report::FailureGroup& group : results.devices.at(0).properties.at(0).failures)
    for (const report::CaseRow& row : group.examples) text += row.detail + "\n";
  return text;
}

TEST(ScreenCommand, FailsAndSaysWhere) {
  const Ended ended = screen("--device emulator:sm_90a,fault=adder_rare_bit --load wgmma.s8 --cases 3");
  EXPECT_EQ(ended.code, 1) << ended.text;
  EXPECT_TRUE(says(ended, "multiprocessor ")) << ended.text;
  EXPECT_TRUE(says(ended, "replay: assay replay")) << ended.text;
  // The emulator runs two CTAs of each case.
  uint64_t ran = 0, failed = 0;
  const report::Results results = report::read_results(out / "results.db");
  for (const report::PlaceRow& place : results.devices.at(0).properties.at(0).places)
    ran += place.cases, failed += place.failing;
  EXPECT_EQ(ran, 6u);
  EXPECT_GE(failed, 3u);
  const std::string told = details_of(results);
  EXPECT_NE(told.find("repeated at once: on multiprocessor "), std::string::npos) << told;
  EXPECT_NE(told.find("the least that is wrong again: the product of one step"), std::string::npos) << told;
}

/// Every sample behind the type of its name, no series twice, names and labels as the format has them.
void expect_exposition(const std::string& text) {
  static const std::regex help("# HELP ([a-z_]+) [^\\n]+"), type("# TYPE ([a-z_]+) gauge"),
      sample("([a-z_]+)(\\{([a-z]+=\"([^\"\\\\]|\\\\.)*\",?)+\\})? [0-9.e+-]+");
  std::set<std::string> names, series;
  std::string helped, typed, line;
  std::istringstream lines(text);
  EXPECT_TRUE(text.ends_with("\n"));
  while (std::getline(lines, line)) {
    std::smatch found;
    if (std::regex_match(line, found, help)) {
      helped = found[1];
      EXPECT_TRUE(names.insert(helped).second) << line;
    } else if (std::regex_match(line, found, type)) {
      typed = found[1];
      EXPECT_EQ(typed, helped) << line;
    } else {
      ASSERT_TRUE(std::regex_match(line, found, sample)) << line;
      EXPECT_EQ(found[1], typed) << line;
      EXPECT_TRUE(series.insert(found[1].str() + found[2].str()).second) << line;
    }
  }
}

TEST(ScreenCommand, WritesGaugesForPrometheus) {
  const std::string file = report::scratch_path("screen.prom");
  const Ended ended =
      screen("--device emulator:sm_90a,fault=adder_rare_bit --load wgmma.s8 --cases 3 --metrics " + file);
  EXPECT_EQ(ended.code, 1) << ended.text;
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  expect_exposition(text.str());
  const auto has = [&](const std::string& words) { return text.str().find(words) != std::string::npos; };
  EXPECT_TRUE(has("\nassay_screen_exit_code 1\n")) << text.str();
  EXPECT_TRUE(has("load=\"screen.wgmma.s8\"} 3\n")) << text.str();
  EXPECT_TRUE(
      has("assay_screen_multiprocessor_failing_cases{device=\"emulator:sm_90a,fault=adder_rare_bit\""))
      << text.str();
}

/// What Kubernetes asks of the two: names, a pod that can be scheduled, mounts of volumes that there are, and
/// a command that this program takes.
TEST(ScreenCommand, ManifestsAreComplete) {
  const std::regex label("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  for (const char* file : {"screen_job.json", "screen_daemonset.json"}) {
    const nlohmann::json all =
        nlohmann::json::parse(std::ifstream(std::string(ASSAY_SOURCE_DIR "/docs/fleet/") + file));
    const bool is_job = all.at("kind") == "Job";
    EXPECT_EQ(all.at("apiVersion"), is_job ? "batch/v1" : "apps/v1") << file;
    EXPECT_TRUE(std::regex_match(all.at("metadata").at("name").get<std::string>(), label)) << file;
    const nlohmann::json &spec = all.at("spec"), &pod = spec.at("template");
    if (is_job) {
      EXPECT_EQ(spec.at("completionMode"), "Indexed");
      EXPECT_GE(spec.at("completions").get<int>(), spec.at("parallelism").get<int>());
      EXPECT_EQ(pod.at("spec").at("restartPolicy"), "Never");
    } else {
      EXPECT_EQ(spec.at("selector").at("matchLabels"), pod.at("metadata").at("labels"));
      EXPECT_FALSE(pod.at("spec").contains("restartPolicy")) << "a DaemonSet takes Always alone";
    }
    std::set<std::string> volumes;
    for (const nlohmann::json& volume : pod.at("spec").at("volumes")) volumes.insert(volume.at("name"));
    const nlohmann::json& container = pod.at("spec").at("containers").at(0);
    EXPECT_TRUE(std::regex_match(container.at("name").get<std::string>(), label)) << file;
    for (const nlohmann::json& mount : container.at("volumeMounts"))
      EXPECT_TRUE(volumes.contains(mount.at("name"))) << file;
    std::string command;
    for (const nlohmann::json& word : container.at("command")) command += " " + word.get<std::string>();
    const size_t begin = command.find("assay screen ") + 6, end = command.find(';', begin);
    const Ended ended = start(command.substr(begin, end - begin) + " --device emulator:sm_90a --load none");
    EXPECT_TRUE(says(ended, "--load: unknown load 'none'")) << ended.text;
  }
}

/// By a stand-in for scontrol, which writes down what it is told.
TEST(ScreenCommand, DrainsANodeWhoseBoardFails) {
  const std::filesystem::path folder = report::scratch_path("slurm_screen");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "scontrol") << "#!/bin/sh\nfor word; do echo \"$word\"; done >> "
                                     << (folder / "told").string() << "\n";
  std::filesystem::permissions(folder / "scontrol", std::filesystem::perms::owner_all);
  const auto check = [&](const std::string& device) {
    return report::shell(
        "PATH=" + folder.string() + ":$PATH ASSAY=" ASSAY_BINARY_DIR "/assay ASSAY_SCREEN_OUT=" +
        (folder / "out").string() + " SLURMD_NODENAME=node7 ASSAY_SCREEN='--device " + device +
        " --load wgmma.s8 --cases 3' sh " ASSAY_SOURCE_DIR "/docs/fleet/slurm_screen.sh");
  };
  EXPECT_EQ(check("emulator:sm_90a").code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "told")) << "a good node was drained";
  EXPECT_EQ(check("emulator:sm_90a,fault=adder_rare_bit").code, 0);
  std::stringstream told;
  told << std::ifstream(folder / "told").rdbuf();
  EXPECT_TRUE(
      told.str().starts_with("update\nnodename=node7\nstate=drain\nreason=assay screen: multiprocessor "))
      << told.str();
}

Ended screen_with_nvml(const std::string& state,
                       const std::string& words = "--device emulator:sm_90a --load tma.cached --cases 3") {
  static const std::filesystem::path library = report::scratch_path("stand_in");
  if (std::filesystem::create_directories(library))
    report::shell("c++ -shared -fPIC -o " + (library / "libnvidia-ml.so.1").string() +
                  " " ASSAY_SOURCE_DIR "/testdata/nvml_stand_in.cc");
  out = report::scratch_path("screen_nvml_" + state);
  return report::shell("ASSAY_NVML_STAND_IN=" + state + " LD_LIBRARY_PATH=" + library.string() +
                       " " ASSAY_BINARY_DIR "/assay screen --out " + out.string() + " " + words);
}

TEST(ScreenCommand, RefusesBoardsThatOthersUseOrThatAreCut) {
  const std::pair<const char*, const char*> refusals[] = {
      {"busy", "is in use by process 4711; --shared"},
      {"unlisted", "does not say which processes run on it (NVML lists none here"},
      {"partitioned", "is cut into instances (MIG)"}};
  for (const auto& [state, why] : refusals) {
    const Ended ended = screen_with_nvml(state);
    EXPECT_EQ(ended.code, 2) << ended.text;
    EXPECT_TRUE(says(ended, why)) << ended.text;
    EXPECT_FALSE(std::filesystem::exists(out / "results.db")) << "something ran";
  }
}

TEST(ScreenCommand, KeepsWhatNvmlTells) {
  const Ended ended = screen_with_nvml("idle");
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_TRUE(says(ended, "612 W at most")) << ended.text;
  EXPECT_TRUE(says(ended, "57 to 57 C; throttled by SW power cap")) << ended.text;
  std::ifstream file(out / "telemetry_emulator_sm_90a.csv");
  std::string head, row;
  std::getline(file, head);
  std::getline(file, row);
  EXPECT_TRUE(head.starts_with("seconds,watts,")) << head;
  EXPECT_TRUE(row.starts_with("0.0,612.0,")) << row;
}

/// One multiprocessor of an emulated board is wrong above 60 C alone; the page tells the moment, and marks
/// it.
TEST(ScreenCommand, FindsWhatHeatAloneShows) {
  const std::string words = "--device emulator:sm_90a,fault=silicon_hot_element --load wgmma.s8 --cases 16";
  setenv("ASSAY_NVML_CELSIUS", "57", 1);
  Ended ended = screen_with_nvml("idle", words);
  EXPECT_EQ(ended.code, 0) << "at 57 C: " << ended.text;
  setenv("ASSAY_NVML_CELSIUS", "78", 1);
  ended = screen_with_nvml("idle_hot", words);
  unsetenv("ASSAY_NVML_CELSIUS");
  EXPECT_EQ(ended.code, 1) << ended.text;
  const report::Results results = report::read_results(out / "results.db");
  EXPECT_FALSE(results.devices.at(0).marks.empty());
  const std::string detail = details_of(results);
  EXPECT_NE(detail.find("multiprocessor 1 (TPC 0): "), std::string::npos) << detail;
  EXPECT_NE(detail.find("after the beginning, at 612 W, 0 MHz, 78 C"), std::string::npos) << detail;
  EXPECT_NE(detail.find("the least that is wrong again: the chain"), std::string::npos) << detail;
  std::stringstream page;
  page << std::ifstream(out / "report.html").rdbuf();
  EXPECT_NE(page.str().find("Telemetry of emulator:sm_90a"), std::string::npos);
}

TEST(Telemetry, NamesEachReasonForSlowClocks) {
  EXPECT_EQ(cuda::throttle_words(0x1), "") << "an idle GPU";
  EXPECT_EQ(cuda::throttle_words(0x44), "SW power cap, HW thermal slowdown");
}

/// On a machine without NVML, and with it: nobody made this GPU.
TEST(Telemetry, SaysWhyThereIsNone) {
  cuda::Telemetry none("GPU-00000000-0000-0000-0000-000000000000");
  EXPECT_NE(none.absent(), "");
  EXPECT_TRUE(none.stop().empty());
  EXPECT_EQ(cuda::Nvml("GPU-00000000-0000-0000-0000-000000000000").processes(), std::nullopt);
}

}  // namespace
}  // namespace assay::cli
