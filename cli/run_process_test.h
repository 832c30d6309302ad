// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "reports/results.h"
#include "reports/scratch_test.h"
#include "reports/verdict.h"

namespace assay::cli {

/// The program with these arguments, by a shell.
inline report::Ended start(const std::string& arguments) {
  return report::shell(ASSAY_BINARY_DIR "/assay " + arguments);
}

// The program as a process that something happens to, and what must hold of the folder that it leaves.

inline std::string folder(const std::string& name) {
  return report::scratch_path(name).string();
}

inline pid_t start(const std::vector<std::string>& arguments) {
  const std::string program = std::string(ASSAY_BINARY_DIR) + "/assay";
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const pid_t pid = fork();
  if (pid != 0) return pid;
  const int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  if (getenv("ASSAY_TEST_LOUD") == nullptr) dup2(null, 1), dup2(null, 2);
  execv(program.c_str(), words.data());
  _exit(127);
}

inline int wait_for(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Counts, fingerprints and cells: what a night's run must come to.
inline std::string essence(const report::Results& results) {
  std::string text;
  for (const auto& property : results.devices.at(0).properties) {
    text += property.info.name + " " + property.totals.fingerprint;
    for (const uint64_t n : property.counts) text += " " + std::to_string(n);
    uint64_t covered = 0;
    for (const auto& cell : property.coverage) covered += cell.count;
    text += " cells " + std::to_string(covered) + "\n";
    for (const auto& rule : property.rules) text += " " + rule.rule + " " + std::to_string(rule.exercised);
  }
  return text;
}

inline void expect_one_verdict_a_case(const report::Results& results) {
  for (const auto& device : results.devices)
    for (const auto& property : device.properties) {
      uint64_t sum = 0;
      for (const uint64_t n : property.counts) sum += n;
      EXPECT_EQ(sum, property.planned) << property.info.name;
    }
}

/// Checks that junit.xml is whole; how many of its cases did not pass.
inline int not_passed(const std::string& out) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_file((out + "/junit.xml").c_str()));
  int tests = 0, bad = 0;
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  for (const pugi::xml_node one : suite.children("testcase")) {
    ++tests;
    bad += one.child("error") || one.child("failure");
  }
  EXPECT_EQ(suite.attribute("tests").as_int(), tests);
  EXPECT_GT(tests, 0);
  return bad;
}

}  // namespace assay::cli
