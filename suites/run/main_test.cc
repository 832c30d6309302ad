// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "devices/device.h"
#include "suites/run/late_tests_test.h"

/// Instead of gtest_main. The process that owns a device is this program again, so that the tests need no
/// other.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "device-worker") return assay::device_worker_main(argc, argv);
  setenv("ASSAY_PROGRAM", std::filesystem::canonical("/proc/self/exe").c_str(), /*overwrite=*/1);
  assay::suites::register_property_tests();
  assay::suites::register_fault_tests();
  assay::suites::register_rival_tests();
  assay::suites::register_every_reading_tests();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
