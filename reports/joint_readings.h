// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reports/record.h"

namespace assay::report {

/// A device implements one joint set of readings: what the runs leave possible is the intersection of the
/// sets of joint assignments that each of them recorded (`states`). Writes chosen letter and status of the
/// rows by it; where nothing is left, the questions that exclude each other are "contradicted", with a
/// witness that ends in "in different runs". The result depends on the set of states alone, not on order or
/// repetition. With fewer than two different states nothing changes; one that cannot be read says nothing.
void decide_jointly(std::vector<ReadingRow>& rows, const std::vector<std::string>& states);

}  // namespace assay::report
