// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace assay::report {

/// A failure signature for people: "tma.tiled.load|done|never completes" is "tma.tiled.load: expected to
/// complete, barrier never completed". What follows a colon after it stays. Text of another form is given
/// back as it is.
std::string signature_words(std::string_view signature);

}  // namespace assay::report
