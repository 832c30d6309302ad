// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace assay::emulator {

/// The file that ASSAY_EMULATOR_REPORT names (driver/extra.h). Lines are appended whole as they come, so that
/// several processes may share it and none is lost when one of them is killed.
class ReportFile {
 public:
  ReportFile();
  ~ReportFile();
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  bool is_wanted() const { return descriptor_ >= 0; }
  void add(std::string_view line);

 private:
  int descriptor_ = -1;
};

}  // namespace assay::emulator
