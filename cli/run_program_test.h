// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/shell_test.h"

namespace assay::cli {

/// The program with these arguments, by a shell.
inline report::Ended start(const std::string& arguments) {
  return report::shell(ASSAY_BINARY_DIR "/assay " + arguments);
}

}  // namespace assay::cli
