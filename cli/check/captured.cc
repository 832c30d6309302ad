// SPDX-License-Identifier: Apache-2.0
#include "cli/check/captured.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

extern char** environ;

namespace assay::cli::check {

Captured run_captured(const std::vector<std::string>& command) {
  Captured ended;
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) {
    ended.error = errno;
    return ended;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  ended.error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe[1]);
  if (ended.error == 0) {
    char part[4096];
    for (ssize_t got; (got = read(pipe[0], part, sizeof part)) > 0 || (got < 0 && errno == EINTR);)
      if (got > 0) ended.text.append(part, static_cast<size_t>(got));
    while (waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
    }
  }
  close(pipe[0]);
  return ended;
}

}  // namespace assay::cli::check
