// SPDX-License-Identifier: Apache-2.0
// This test program opens devices, so it is also the program of their processes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string_view>

#include "devices/device.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "device-worker")
    return assay::device_worker_main(argc - 1, argv + 1);
  char self[PATH_MAX] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) setenv("ASSAY_PROGRAM", self, 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
