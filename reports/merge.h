// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace assay::report {

/// Writes one results file with the runs of all of them, each run once: of two states of one run (it was
/// resumed in between) the later one. So the order of the files, merging in steps and merging twice make no
/// difference. A file whose shards are not all there is incomplete, unless `is_partial`: then what there is
/// counts alone. Earlier nights that the files store are united likewise. Throws std::runtime_error with one
/// sentence; `into` is written whole or not at all, and may be one of the sources.
void merge_results(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& into,
                   bool is_partial = false);

}  // namespace assay::report
