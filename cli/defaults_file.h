// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace assay::cli {

/// The words of a command line of `run` with those of its defaults added: a TOML file whose keys are names of
/// options without dashes, and `properties`. It is what --defaults names, or else assay.toml beside the
/// output folder or beside the folder that holds it. What is typed wins: an option that is typed, or that a
/// typed one excludes, is not taken from the file. Paths in the file are relative to its folder. Other
/// commands, and runs that are resumed, have no defaults. Throws UsageError with one sentence that names the
/// file.
std::vector<std::string> with_defaults(std::vector<std::string> words, const CommandWords& run);

}  // namespace assay::cli
