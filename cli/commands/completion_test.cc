// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/completion.h"

#include <gtest/gtest.h>

#include <fstream>

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
  EXPECT_EQ(ended.text.find("warning"), std::string::npos) << ended.text;
  for (const char* word : {"ASSAY(1)", "check-vectors", "--last-failed", "EXIT STATUS", "NO_COLOR"})
    EXPECT_NE(ended.text.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace assay::cli
