// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "suites/run/case_file.h"

namespace assay::suites {

/// What a case did when it was run again at once, on the multiprocessor that got it wrong first and on one
/// that got it right, and on each step of its ladder (ManyAtOnce) there: a line each, the last one names
/// the least step that is wrong again. Nothing for a family without ladders, and where no multiprocessor got
/// it wrong. A device that is lost meanwhile ends the lines.
std::vector<std::string> climb(CaseRunner& runner, const Property& property, const Outcome& failure);

}  // namespace assay::suites
