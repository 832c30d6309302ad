// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "suites/failure/failure.h"

namespace assay::suites {

/// A stand-alone program that runs one case and shows what the device does with it: one .cu file that needs
/// nvcc and nothing of ours. It holds the kernel, the case's record and what the run expected; it exits with
/// 0 when the device does as expected, 1 when it does not, 2 when it could not run. With CASE_PLANT_DEFECT in
/// its environment it flips one bit of what came back, to be seen failing. Nothing for outputs that are too
/// large for a source file, and for calls that may end the process.
std::optional<std::string> reproducer(const Property&, const Outcome&, const report::CaseRow&,
                                      spec::Arch arch);

/// A file of a folder of kernels with what it includes of ours put in its place.
std::string kernel_text(const std::string& path);

/// The text of a CUDA source without the inline device functions that nothing in it names: those that stand
/// at the outermost level, from `__device__ inline` (behind `template`, if they are templates) to a brace in
/// the first column, with the comment over them. What only they named goes too. A program that shows one
/// failure holds what that needs.
std::string without_unused_functions(const std::string& source);

}  // namespace assay::suites
