#pragma once

#include <string>

#include "suites/run/case_runner.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {

/// Runs rows of vector files on one device, judged by the default readings of its architecture.
class RowRunner {
 public:
  explicit RowRunner(Device&);
  /// Why the device contradicts the row, or nothing.
  std::string run(const RowCase&);
  spec::Arch arch() const { return arch_; }

 private:
  Device& device_;
  const spec::Arch arch_;
  suites::ReadingSet readings_;
  suites::CaseRunner runner_;
};

}  // namespace assay::vectors
