// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace assay::spec {

/// Where a fact comes from: a key of SOURCES.md and a place in that document. Empty key: unused entry.
struct Cite {
  std::string_view document;
  std::string_view place;
};

}  // namespace assay::spec
