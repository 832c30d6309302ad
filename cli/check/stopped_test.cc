// SPDX-License-Identifier: Apache-2.0
// What is typed wrong, under which orders a program runs, and what becomes of a check that is stopped.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "cli/command.h"
#include "reports/scratch_test.h"
#include "reports/text.h"

namespace assay::cli::check {
namespace {

namespace fs = std::filesystem;
using report::Ended;
using report::says;

const std::string assay_program = std::string(ASSAY_BINARY_DIR) + "/assay";
const std::string column_past_512 = std::string(ASSAY_SOURCE_DIR) + "/testdata/museum/column_past_512.ptx";

TEST(CheckUsage, EndsWith64AndSaysWhatIsWrong) {
  const fs::path folder = report::scratch_path("check_usage");
  fs::create_directories(folder);
  const fs::path garbage = folder / "garbage.ptx", syntax = folder / "syntax.ptx";
  report::write_whole_file(garbage, std::string("\x7f\0ELF?garbage", 13));
  report::write_whole_file(folder / "program", "#!/bin/sh\nexit 0\n");
  report::write_whole_file(folder / "source.cu", "int main() {}\n");
  struct Row {
    std::string arguments, words;
  };
  const std::string file = column_past_512 + " --kernel mended ";
  const Row rows[] = {
      {column_past_512, "has 2 kernels; name one of defect, mended"},
      {column_past_512 + " --kernel nosuch", "has no kernel 'nosuch'; it has defect, mended"},
      {garbage.string(), "garbage.ptx: not PTX: "},
      {file + "--block 5000", "--block"},
      {file + "--grid 1,70000,1", "--grid"},
      {file + "--block 0", "--block"},
      {file + "--shared 300000", "--shared"},
      {file + "--block 4294967424", "4294967424' is above 4294967295"},
      {file + "--grid 4294967297", "4294967297' is above 4294967295"},
      {file + "--shared 4294967296", "4294967296' is above 4294967295"},
      {file + "--launches 99999999999", "99999999999' is above 4294967295"},
      {file + "--launches 0", "'0' is below 1"},
      {file + "--arg u8:256", "does not fit 8 bits"},
      {"program", "type: assay check -- ./program"},
      {"./program --size 5", "come after --: assay check -- ./program --size"},
      {"-- program", "type: assay check -- ./program"},
      {"source.cu",
       "arch=compute_100a,code=[sm_100a,compute_100a] source.cu -o source && assay check -- ./source"},
  };
  for (const Row& row : rows) {
    const Ended ended =
        report::shell("cd " + folder.string() + " && " + assay_program + " check " + row.arguments);
    EXPECT_EQ(ended.code, usage) << row.arguments << "\n" << ended.text;
    EXPECT_TRUE(says(ended, row.words)) << row.arguments << "\n" << ended.text;
  }
}

/// `assay check` of a shell script that launches a kernel without a defect.
class Schedules : public testing::Test {
 protected:
  static Ended check(const std::string& script, const std::string& options = "",
                     const std::string& input = "") {
    const fs::path file = report::scratch_path("program_of_schedules"),
                   in = report::scratch_path("its_input");
    report::write_whole_file(in, input);
    report::write_whole_file(file, assay_program + " check-launch " + column_past_512 +
                                       " mended 1 128 0 0 1 buffer:512\n" + script + "\n");
    return report::shell(assay_program + " check " + options + " -- sh " + file.string() + " <" +
                         in.string());
  }
};

TEST_F(Schedules, ALazyAndThreeRandomOnesOnTheSameInput) {
  const Ended ended = check("read word; echo \"read $word\"; [ \"$word\" = once ] || exit 4", "", "once\n");
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_TRUE(says(ended,
                   "0 findings in 1 launch; the program exited with 0 (emulator:sm_100a; schedules lazy, "
                   "random:1, random:2, random:3)"))
      << ended.text;
  EXPECT_EQ(ended.text.find("read once"), ended.text.rfind("read once")) << "printed once: " << ended.text;
  for (const char* one : {"--schedules 1", "--device emulator:sm_100a,schedule=random:2"}) {
    const Ended alone = check("", one);
    EXPECT_EQ(alone.text.find("schedules"), std::string::npos) << alone.text;
  }
}

TEST_F(Schedules, AnEndThatDependsOnTheOrderCounts) {
  const Ended ended = check("case $ASSAY_EMULATOR in *schedule=random:2) exit 5;; esac");
  EXPECT_EQ(ended.code, 5) << ended.text;
  EXPECT_TRUE(says(ended, "assay: schedule=random:2: the program exited with 5\n")) << ended.text;
  EXPECT_TRUE(says(ended, "assay: schedule=random:3: the program exited with 0\n")) << ended.text;
}

TEST_F(Schedules, AProgramThatDoesNotEndAlikeTwiceRunsOnce) {
  const fs::path mark = report::scratch_path("has_run");
  fs::remove(mark);
  const Ended ended = check("[ -e " + mark.string() + " ] && exit 3; touch " + mark.string());
  EXPECT_EQ(ended.code, 0) << ended.text;
  EXPECT_TRUE(says(ended, "one schedule, lazy: the program does not end in the same way each time it runs)"))
      << ended.text;
}

TEST_F(Schedules, ALargeLaunchRunsOnce) {
  const fs::path file = report::scratch_path("large.ptx");
  report::write_whole_file(
      file,
      ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry large()\n{\n.reg .pred %p;\n"
      ".reg .b32 %r;\nmov.u32 %r, 0;\nMORE:\nadd.u32 %r, %r, 1;\nsetp.lt.u32 %p, %r, 17000;\n"
      "@%p bra MORE;\nret;\n}\n");
  const Ended large = report::shell(assay_program + " check " + file.string() + " --block 1024");
  EXPECT_EQ(large.code, 0) << large.text;
  EXPECT_TRUE(says(large, "one schedule, lazy: a launch of large took 52,226,048 instructions)"))
      << large.text;
  const Ended smaller = report::shell(assay_program + " check " + file.string() + " --block 512");
  EXPECT_TRUE(says(smaller, "schedules lazy, random:1, random:2, random:3)")) << smaller.text;
}

bool is_alive(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/stat");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const size_t name_end = text.rfind(')');
  return name_end != text.npos && name_end + 2 < text.size() && text[name_end + 2] != 'Z';
}

/// A program that launches a kernel with a defect and then goes on for ever, with a process that it started;
/// it takes no notice of the signals where `trap` says so.
class Stopped : public testing::Test {
 protected:
  Ended stop(const std::string& signal, const std::string& trap, const std::string& kernel) {
    const fs::path folder = report::scratch_path("stopped_" + signal + kernel + std::to_string(trap.size()));
    fs::create_directories(folder);
    pid_file = folder / "sleeper";
    const fs::path ready = folder / "ready", script = folder / "program.sh", said = folder / "said";
    report::write_whole_file(script, trap + "\n" + assay_program + " check-launch " + column_past_512 + " " +
                                         kernel + " 1 128 0 0 1 buffer:512\nsleep 1000 &\necho $! >" +
                                         pid_file.string() + "\ntouch " + ready.string() +
                                         "\nwhile :; do wait; done\n");
    // Without exec the shell would take the signal.
    const std::string command = "exec " + assay_program + " check -- sh " + script.string();
    return report::shell("( " + command + " ) >" + said.string() +
                         " 2>&1 & p=$!; for i in $(seq 600); do [ -e " + ready.string() +
                         " ] && break; sleep 0.1; done; kill -" + signal + " $p; wait $p; r=$?; cat " +
                         said.string() + "; exit $r");
  }
  std::string sleeper() const {
    std::ifstream in(pid_file);
    std::string pid;
    in >> pid;
    return pid;
  }
  fs::path pid_file;
};

TEST_F(Stopped, FindingsArePrintedAndTheWholeGroupEnds) {
  // A shell's background job ignores SIGINT from the start.
  for (const char* signal : {"TERM", "HUP"}) {
    const Ended ended = stop(signal, "", "defect");
    EXPECT_EQ(ended.code, violation) << ended.text;
    EXPECT_TRUE(says(ended, "illegal-address")) << ended.text;
    EXPECT_TRUE(says(ended, "1 finding in 1 launch; the program was stopped by signal")) << ended.text;
    ASSERT_FALSE(sleeper().empty());
    EXPECT_FALSE(is_alive(sleeper())) << signal;
  }
}

TEST_F(Stopped, AProgramThatTakesNoNoticeIsKilled) {
  const Ended ended = stop("TERM", "trap '' TERM", "mended");
  EXPECT_EQ(ended.code, 128 + SIGTERM) << ended.text;
  EXPECT_TRUE(says(ended, "0 findings in 1 launch; the program was stopped by signal 15")) << ended.text;
  EXPECT_FALSE(is_alive(sleeper()));
}

}  // namespace
}  // namespace assay::cli::check
