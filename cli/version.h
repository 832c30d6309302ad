// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::cli {

/// Version of the project and commit it was built from ("...-dirty" with uncommitted changes, "unknown"
/// without git); written by cmake/version.cmake at build time.
extern const char* const version;
extern const char* const commit;

}  // namespace assay::cli
