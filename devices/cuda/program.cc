// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "devices/cuda/wire.h"
#include "devices/device.h"

extern char** environ;

namespace assay::cuda {

std::string worker_program() {
  if (std::getenv("ASSAY_DEVICE_WORKER"))
    throw DeviceError("the process of a device cannot open devices itself");
  if (const char* named = std::getenv("ASSAY_PROGRAM")) return named;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (self.filename() == "assay") return self.string();
  const std::filesystem::path beside = self.parent_path() / "assay";
  if (std::filesystem::exists(beside, error)) return beside.string();
  throw DeviceError("cannot start the process of a device: there is no program 'assay' beside " +
                    self.string() + ", and ASSAY_PROGRAM does not name one");
}

pid_t start_worker(const std::vector<std::string>& arguments,
                   const std::vector<std::pair<int, int>>& descriptors) {
  const std::string program = worker_program();
  std::vector<char*> argv{const_cast<char*>(program.c_str()), const_cast<char*>("device-worker")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const auto& [here, there] : descriptors) posix_spawn_file_actions_adddup2(&actions, here, there);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) throw DeviceError("cannot start " + program + ": " + std::strerror(error));
  return pid;
}

bool reap(pid_t pid, int milliseconds, int* status) {
  const double until = monotonic_seconds() + 1e-3 * milliseconds;
  for (;;) {
    const pid_t got = waitpid(pid, status, WNOHANG);
    if (got == pid || (got < 0 && errno != EINTR)) return true;
    if (monotonic_seconds() > until) return false;
    usleep(500);
  }
}

}  // namespace assay::cuda
