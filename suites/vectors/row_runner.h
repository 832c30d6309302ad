// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "suites/run/case_file.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {

/// What became of a row on a device.
struct RowRun {
  bool ran = false;
  std::string text;  ///< why the device contradicts the row, empty if it does not; why it ran nothing
};

/// Runs rows of vector files on one device, judged by the default readings of its architecture.
class RowRunner {
 public:
  explicit RowRunner(Device&);
  /// It runs nothing where its architecture leaves open what the case does, or lacks the instruction.
  RowRun run(const RowCase&);
  spec::Arch arch() const { return arch_; }

 private:
  Device& device_;
  const spec::Arch arch_;
  suites::ReadingSet readings_;
  suites::CaseRunner runner_;
};

}  // namespace assay::vectors
