// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace assay::cuda {

/// In a child process: prints what there is of `cuda` or of `emulator` as one line of JSON,
/// {"count":N,"devices":[identity...]} or {"error":"sentence"}. Returns the exit code.
int print_probe(const std::string& kind);

}  // namespace assay::cuda
