// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/tools/locate.h"
#include "reference/layout/tmem.h"

namespace assay::cli {

/// The form of tcgen05.mma that --m, --n, --cta-group, --ws and --sparse say. Throws UsageError where no kind
/// of it has that shape, or none that is block-scaled.
const layout::DLayoutRow& tmem_form(const LocateQuestion&, bool is_scaled);
/// "tcgen05.mma.ws, M 64, cta_group::1: layout E (data path 2x2)"
std::string form_words(const LocateQuestion&, const layout::DLayoutRow&);
/// Throws UsageError for an index that is not below `count`.
void demand_below(const std::string& option, uint64_t index, int count, const std::string& of_what);

}  // namespace assay::cli
