#pragma once

#include <optional>
#include <string>

#include "suites/run/case_runner.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {

/// Runs rows of vector files on one device, judged by the default readings of its architecture.
class RowRunner {
 public:
  explicit RowRunner(Device&);
  /// Why the device contradicts the row: empty if it does not. Nothing where it ran nothing: its architecture
  /// leaves open what the case does, or it lacks the instruction.
  std::optional<std::string> run(const RowCase&);
  spec::Arch arch() const { return arch_; }

 private:
  Device& device_;
  const spec::Arch arch_;
  suites::ReadingSet readings_;
  suites::CaseRunner runner_;
};

}  // namespace assay::vectors
