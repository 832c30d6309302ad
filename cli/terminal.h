// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::cli {

/// Whether what goes to the descriptor may have colours: it is a terminal that shows them, and NO_COLOR
/// (https://no-color.org) is not set.
bool shows_colour(int descriptor);

}  // namespace assay::cli
