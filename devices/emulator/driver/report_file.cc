// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/report_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace assay::emulator {

ReportFile::ReportFile() {
  const char* path = std::getenv("ASSAY_EMULATOR_REPORT");
  if (path != nullptr && *path != '\0')
    descriptor_ = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

ReportFile::~ReportFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void ReportFile::add(std::string_view line) {
  if (descriptor_ < 0) return;
  const std::string whole = std::string(line) + "\n";
  // One write a line: with O_APPEND none of another process comes between.
  [[maybe_unused]] const ssize_t written = write(descriptor_, whole.data(), whole.size());
}

}  // namespace assay::emulator
