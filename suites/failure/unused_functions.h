// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace assay::suites {

/// The text of a CUDA source without the inline device functions that nothing in it names: those that stand
/// at the outermost level, from `__device__ inline` (behind `template`, if they are templates) to a brace in
/// the first column, with the comment over them. What only they named goes too. A program that shows one
/// failure holds what that needs.
std::string without_unused_functions(const std::string& source);

}  // namespace assay::suites
