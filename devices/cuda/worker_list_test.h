// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dirent.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace assay::cuda {

/// Processes of devices that this one started.
inline std::vector<pid_t> workers() {
  std::vector<pid_t> found;
  DIR* processes = opendir("/proc");
  while (const dirent* entry = readdir(processes)) {
    const std::string folder = std::string("/proc/") + entry->d_name;
    std::ifstream stat(folder + "/stat");
    std::ifstream command(folder + "/cmdline");
    std::string text, arguments;
    std::getline(stat, text);
    std::getline(command, arguments);
    const size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || arguments.find("device-worker") == std::string::npos) continue;
    char state;
    int parent;
    if (std::sscanf(text.c_str() + name_end + 1, " %c %d", &state, &parent) == 2 && parent == getpid())
      found.push_back(std::stoi(entry->d_name));
  }
  closedir(processes);
  return found;
}

}  // namespace assay::cuda
