// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace assay::cli {

bool shows_colour(int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* const terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return isatty(descriptor) == 1;
}

}  // namespace assay::cli
