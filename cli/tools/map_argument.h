// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reference/spec/tensor_map_bits.h"

namespace assay::cli {

/// The tensor map that a word of the command line stands for: its text (tensor_map/im2col_map_words.h), the
/// name of a file that holds the 128 bytes or such a text, or `-` for standard input. Throws UsageError for a
/// word that is none of these, std::runtime_error for a file that cannot be read or holds no map.
spec::TensorMapBytes map_argument(const std::string& word);

}  // namespace assay::cli
