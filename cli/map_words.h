#pragma once

#include <optional>
#include <string_view>

#include "reference/spec/tensor_map_bits.h"

namespace assay::cli {

/// A tensor map as people print it: words of 8 or 16 hexadecimal digits, lowest first, separated by blanks or
/// commas, each with or without 0x, leading zeros left out or not; or 256 digits, a byte after the other. The
/// second half may be left out. Nothing: it is none of these.
std::optional<spec::TensorMapBytes> parse_map(std::string_view text);

}  // namespace assay::cli
