// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/command.h"
#include "reference/model/tensor_copy/case.h"

namespace assay::cli {

/// The arguments of an encoder's call as words of the command line.
class EncodeCall {
 public:
  enum class Encoder { tiled, im2col, im2col_wide };

  void declare(CommandLine&);
  /// The call that the words stand for; of a tiled one the base alone, its box included. Numbers of
  /// enumerators that there are not are taken as they stand. Throws UsageError.
  Im2colMapArgs arguments() const;
  Encoder encoder() const;
  /// "cuTensorMapEncodeTiled of bf16, dims 128,64, strides 256, ...": what was understood, on one line.
  std::string in_words() const;

 private:
  std::string name_, type_, dims_, strides_, box_, element_strides_, lower_, upper_, channels_, pixels_;
  std::string interleave_ = "none", swizzle_ = "none", promotion_ = "none", fill_ = "zero", mode_ = "w",
              address_ = "0x100000000";
};

}  // namespace assay::cli
