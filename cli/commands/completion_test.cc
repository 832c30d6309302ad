// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/completion.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reference/spec/arch.h"
#include "reports/scratch_test.h"

namespace assay::cli {
namespace {

using report::Ended;
using report::shell;

const std::string program = ASSAY_BINARY_DIR "/assay";

/// What bash offers where the user has typed these words and presses the tabulator in the last.
std::string offered(const std::string& words, int at) {
  const Ended ended =
      shell("bash -c 'source <(" + program + " completion bash); COMP_WORDS=(" + program + " " + words +
            "); COMP_CWORD=" + std::to_string(at) + "; _assay; printf \"%s\\n\" \"${COMPREPLY[@]}\"'");
  EXPECT_EQ(ended.code, 0) << ended.text;
  return "\n" + ended.text;
}

bool has(const std::string& list, const std::string& word) {
  return list.find("\n" + word + "\n") != std::string::npos;
}

TEST(Completion, BashOffersCommandsOptionsValuesAndProperties) {
  EXPECT_TRUE(has(offered("re", 1), "replay"));
  EXPECT_FALSE(has(offered("re", 1), "run"));
  EXPECT_TRUE(has(offered("run --ca", 2), "--cases"));
  EXPECT_TRUE(has(offered("run --junit-profile s", 3), "strict"));
  EXPECT_TRUE(has(offered("run --device emu", 3), "emulator:sm_100a"));
  EXPECT_TRUE(has(offered("run tma.tiled.s", 2), "tma.tiled.store"));
  EXPECT_TRUE(has(offered("check-vectors " ASSAY_SOURCE_DIR "/READ", 2), ASSAY_SOURCE_DIR "/README.md"));
}

TEST(Completion, TheOtherShellsTakeTheirScripts) {
  for (const char* name : {"zsh", "fish"})
    if (shell(std::string(name) + " --version").code != 0) GTEST_SKIP() << name << " is not installed";
  const auto path = report::scratch_path("completion");
  for (const char* name : {"bash", "zsh", "fish"}) {
    const std::string file = path.string() + "." + name;
    ASSERT_EQ(shell(program + " completion " + name + " > " + file).code, 0);
    const Ended ended = shell(std::string(name) + " -n " + file);
    EXPECT_EQ(ended.code, 0) << name << ": " << ended.text;
  }
  EXPECT_EQ(shell(program + " completion tcsh").code, 64);
  // fish completes without a terminal, and zsh at least defines the function.
  const std::string fish = path.string() + ".fish";
  const Ended offered =
      shell("PATH=" ASSAY_BINARY_DIR ":$PATH fish -c 'source " + fish +
            "; complete -C \"assay run --junit-p\"; complete -C \"assay run tma.tiled.s\"'");
  EXPECT_NE(offered.text.find("--junit-profile"), std::string::npos) << offered.text;
  EXPECT_NE(offered.text.find("tma.tiled.store"), std::string::npos) << offered.text;
  const Ended defined = shell("zsh -f -c 'autoload -U compinit; compinit -u -D; source " + path.string() +
                              ".zsh; whence -w _assay; echo $_comps[assay]'");
  EXPECT_EQ(defined.text, "_assay: function\n_assay\n");
}

TEST(Completion, TheManualNamesEveryCommandAndOption) {
  const std::string page = manual(command_words(), "1.2.3");
  size_t options = 0;
  for (const CommandWords& command : command_words()) {
    EXPECT_NE(page.find(".SS "), std::string::npos);
    options += command.options.size();
  }
  EXPECT_GT(options, 60u);
  // man itself finds nothing wrong with it.
  if (shell("man --version").code != 0 || shell("col --version").code != 0)
    GTEST_SKIP() << "man or col (packages man-db and bsdextrautils) is not installed";
  const auto file = report::scratch_path("assay.1");
  std::ofstream(file) << page;
  const Ended ended = shell("MANWIDTH=100 man --warnings=mac,reg,escape,syntax,missing,range -l " +
                            file.string() + " | col -b");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.text.find("warning: "), std::string::npos) << ended.text;
  for (const char* word : {"ASSAY(1)", "check-vectors", "--last-failed", "EXIT STATUS", "NO_COLOR"})
    EXPECT_NE(ended.text.find(word), std::string::npos) << word;
}

// CTest as the second front door: what it knows of the property tests, and which GPU it gives to whom.

TEST(CtestResources, EachGpuIsOneSlot) {
  const std::vector<DeviceProbe> probes{{"cuda:0", true, "NVIDIA H200"},
                                        {"cuda:3", true, "NVIDIA H200"},
                                        {"cuda:5", false, "lost"},
                                        {"emulator", true, "sm_100a"}};
  EXPECT_EQ(nlohmann::json::parse(ctest_resources(probes)),
            nlohmann::json::parse(R"({"version": {"major": 1, "minor": 0},
              "local": [{"gpus": [{"id": "0", "slots": 1}, {"id": "3", "slots": 1}]}]})"));
}

TEST(CtestResources, WithoutAGpuItSaysWhy) {
  const std::vector<DeviceProbe> probes{{"cuda:0", false, "libcuda.so.1 is absent"}, {"emulator", true, ""}};
  try {
    ctest_resources(probes);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("cuda:0: libcuda.so.1 is absent"), std::string::npos);
  }
}

TEST(CtestResources, TwoGpusAreGivenToTwoTestsEach) {
  if (shell("ctest --version").code != 0) GTEST_SKIP() << "there is no ctest";
  const auto folder = std::filesystem::path(testing::TempDir()) / "assay_ctest_resources";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::vector<DeviceProbe> probes{{"cuda:0", true, ""}, {"cuda:1", true, ""}};
  std::ofstream(folder / "gpus.json") << ctest_resources(probes);
  // As gtest_discover_tests writes them, with a program that only says what it was given.
  std::ofstream tests(folder / "CTestTestfile.cmake");
  for (const char* name : {"a", "b", "c", "d"})
    tests << "add_test(" << name << " sh -c \"echo given $CTEST_RESOURCE_GROUP_0_GPUS; sleep 0.3\")\n"
          << "set_tests_properties(" << name << " PROPERTIES RESOURCE_GROUPS gpus:1)\n";
  tests.close();
  const Ended ran = shell("ctest --test-dir " + folder.string() + " -V -j4 --resource-spec-file " +
                          (folder / "gpus.json").string());
  EXPECT_EQ(ran.code, 0) << ran.text;
  std::multiset<std::string> given;
  for (size_t at = ran.text.find("given id:"); at != std::string::npos;
       at = ran.text.find("given id:", at + 1))
    given.insert(ran.text.substr(at + 9, ran.text.find('\n', at) - at - 9));
  EXPECT_EQ(given.size(), 4u) << ran.text;
  EXPECT_TRUE(given.contains("0,slots:1")) << ran.text;
  EXPECT_TRUE(given.contains("1,slots:1")) << ran.text;
}

TEST(CtestResources, PropertyTestsCarryGroupLabelAndTimeout) {
  const std::string program = std::string(ASSAY_BINARY_DIR) + "/suites_test";
  if (!std::filesystem::exists(program) || shell("ctest --version").code != 0)
    GTEST_SKIP() << "suites_test is not built, or there is no ctest";
  const Ended listed =
      shell("ctest --test-dir " + std::string(ASSAY_BINARY_DIR) + " -R '^suites[.]' --show-only=json-v1");
  ASSERT_EQ(listed.code, 0) << listed.text.substr(0, 2000);
  const auto json = nlohmann::json::parse(listed.text.substr(listed.text.find('{')));
  int on_gpus = 0, on_emulators = 0;
  for (const auto& test : json.at("tests")) {
    const std::string name = test.at("name");
    const bool is_silicon = name.starts_with("suites.Silicon.");
    on_gpus += is_silicon;
    on_emulators += name.starts_with("suites.Property.");
    bool has_group = false, has_label = false, has_timeout = false;
    for (const auto& property : test.value("properties", nlohmann::json::array())) {
      const std::string kind = property.at("name");
      if (kind == "TIMEOUT") has_timeout = property.at("value").get<double>() > 0;
      if (kind == "LABELS")
        for (const auto& label : property.at("value")) has_label |= label == "gpu";
      if (kind == "RESOURCE_GROUPS")
        for (const auto& group : property.at("value"))
          for (const auto& wanted : group.at("requirements"))
            has_group |= wanted.at(".type") == "gpus" && wanted.at("slots") == 1;
    }
    EXPECT_EQ(has_group, is_silicon) << name;
    EXPECT_EQ(has_label, is_silicon) << name;
    EXPECT_TRUE(has_timeout) << name;
  }
  EXPECT_GT(on_gpus, 20);
  // One entry a device, one for what stands under none of them, and the first half of the cases on three;
  // every property meets each architecture under three schedules.
  const int devices = 3 * static_cast<int>(spec::arch_count);
  EXPECT_EQ(on_emulators, devices + 4);
  std::istringstream names(shell(program + " --gtest_filter='Property.*' --gtest_list_tests").text);
  int tests = 0;
  for (std::string line; std::getline(names, line);) tests += line.starts_with("  ");
  EXPECT_EQ(tests, devices * on_gpus);
}

TEST(CtestResources, APropertyTestTakesTheGpuThatItIsGiven) {
  const std::string program = std::string(ASSAY_BINARY_DIR) + "/suites_test";
  if (!std::filesystem::exists(program)) GTEST_SKIP() << "suites_test is not built";
  // No machine has this one: the reason names what was asked for.
  const Ended ran = shell("CTEST_RESOURCE_GROUP_0_GPUS=id:77,slots:1 " + program +
                          " --gtest_filter=Silicon.tma.tiled.load");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find("there is no cuda:77 on this machine"), std::string::npos) << ran.text;
}

}  // namespace
}  // namespace assay::cli
