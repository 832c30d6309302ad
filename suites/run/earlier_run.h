#pragma once

#include <filesystem>
#include <span>

#include "suites/run/conductor.h"
#include "suites/run/property.h"

/// What a run finds before it begins: case files that it was given, and an earlier run in its folder.
namespace assay::suites {

/// Throws std::runtime_error for a case file that cannot be read, and for one whose property is not among
/// those selected: it would be left out in silence.
void check_case_files(const RunOptions&, std::span<const Property* const> selected);

/// Moves what an earlier run left in the output folder into a folder of its own there, and returns that, or
/// nothing. Options that name files of it, its failing cases say, name them where they are now.
std::filesystem::path set_earlier_aside(RunOptions&);

}  // namespace assay::suites
