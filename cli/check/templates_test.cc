// SPDX-License-Identifier: Apache-2.0
// The shell steps of docs/ci, in a folder that is empty but for them; the workflow of this repository.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "reports/scratch_test.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

namespace fs = std::filesystem;

/// The lines of the blocks of text behind "run: |" or "- |".
std::string shell_steps(const fs::path& file) {
  std::istringstream lines(report::read_whole_file(file));
  std::string steps;
  size_t block = 0;  ///< columns that its lines stand behind at least; 0: in none
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (block != 0 && begin != line.npos && begin >= block) {
      steps += line.substr(begin) + "\n";
      continue;
    }
    block = line.ends_with("run: |") || line.ends_with("- |") ? begin + 2 : 0;
  }
  return steps;
}

class Template : public testing::TestWithParam<std::string> {};

TEST_P(Template, FailsOnFindingsAndLeavesThemInAFile) {
  const fs::path source = ASSAY_SOURCE_DIR;
  const std::string steps = shell_steps(source / "docs/ci" / GetParam());
  ASSERT_NE(steps.find("eval \"$BUILD\"\n"), steps.npos) << steps;
  for (const bool is_mended : {false, true}) {
    const fs::path folder =
        report::scratch_path("template_" + GetParam() + (is_mended ? "_mended" : "_defect"));
    fs::create_directories(folder);
    std::ofstream(folder / "steps.sh") << steps;
    const std::string kernel = is_mended ? "mended" : "defect";
    const report::Ended run = report::shell(
        "cd " + folder.string() + " && ASSAY=" + std::string(ASSAY_BINARY_DIR) + "/assay BUILD='cp " +
        (source / "testdata/museum/load_overwrites_what_is_read.ptx").string() +
        " kernel.ptx' CHECK='--schedules 1 kernel.ptx --kernel " + kernel + "' bash -e -o pipefail steps.sh");
    EXPECT_EQ(run.code, is_mended ? 0 : 1) << run.text;
    const auto sarif = nlohmann::json::parse(report::read_whole_file(folder / "assay.sarif"));
    EXPECT_EQ(sarif.at("runs").at(0).at("results").size(), is_mended ? 0u : 1u) << run.text;
    EXPECT_TRUE(fs::exists(folder / "assay.xml"));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Template, testing::Values("action.yml", "gitlab.yml"),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

/// A text in YAML as JSON.
std::optional<nlohmann::json> parsed_yaml(const fs::path& file) {
  if (report::shell("python3 -c 'import yaml'").code != 0) return std::nullopt;
  // To YAML 1.1 the key "on" is the word for true.
  const report::Ended parsed = report::shell(
      "python3 -c 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))' " +
      file.string());
  EXPECT_EQ(parsed.code, 0) << parsed.text;
  return nlohmann::json::parse(parsed.text);
}

TEST(Workflow, RunsTheCommandOfCiOnBothDistributions) {
  const auto workflow = parsed_yaml(fs::path(ASSAY_SOURCE_DIR) / ".github/workflows/ci.yml");
  if (!workflow) GTEST_SKIP() << "python3-yaml is not installed";
  const nlohmann::json& job = workflow->at("jobs").at("ci");
  EXPECT_EQ(job.at("strategy").at("matrix").at("image"),
            (std::vector<std::string>{"debian:12", "ubuntu:24.04"}));
  EXPECT_EQ(job.at("container"), "${{ matrix.image }}");
  EXPECT_EQ(job.at("steps").back().at("run"), ".ci/run");
  EXPECT_EQ(workflow->at("true"), (std::vector<std::string>{"push", "pull_request"}));
}

TEST(Workflow, StepsOfUsersAreYaml) {
  for (const char* const name : {"action.yml", "gitlab.yml"}) {
    const auto text = parsed_yaml(fs::path(ASSAY_SOURCE_DIR) / "docs/ci" / name);
    if (!text) GTEST_SKIP() << "python3-yaml is not installed";
    EXPECT_TRUE(text->is_object()) << name;
  }
}

}  // namespace
}  // namespace assay::cli::check
